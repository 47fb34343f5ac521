// Docs are held to the code: every command, option, problem code and exported name must be told, every link must lead
// somewhere, and what the README shows of the command must be what the command prints.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { PROBLEMS } from '../../src/base/problem.ts'
import type { Command } from '../../src/cli/command.ts'

const ROOT = join(import.meta.dirname, '../..')
const CLI = join(ROOT, 'src/cli')

/** Nobody's sessions, and a place for the index. */
const home = mkdtempSync(join(tmpdir(), 'clew-docs-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** main.ts runs when it is imported, so the commands are found by what their files export. */
const commandFiles = readdirSync(CLI).filter((name) => /: Command = \{/.test(readFileSync(join(CLI, name), 'utf8')))
const commands = await Promise.all(
  commandFiles.map(async (name) => {
    const path = join(CLI, name)
    const exported = Object.values((await import(path)) as Record<string, unknown>)
    const command = exported.find((value): value is Command => isCommand(value))
    if (command === undefined) throw new Error(`${name} exports no command`)
    return { name: command.name, command, source: readFileSync(path, 'utf8') }
  }),
)

function isCommand(value: unknown): value is Command {
  return typeof value === 'object' && value !== null && 'help' in value && 'run' in value
}

describe('docs/cli.md', () => {
  const page = read('docs/cli.md')
  const common = optionsIn(read('src/cli/command.ts'))

  test('every command of the program is found here', () => {
    const listed = [...read('src/cli/main.ts').matchAll(/\bname: '([\w-]+)'/g)].map(([, name]) => name)
    expect(commands.map(({ name }) => name).sort()).toEqual(listed.sort())
  })

  test.each(commands)('$name: every option', ({ name, command, source }) => {
    const section = sectionOf(page, `clew ${name}`)
    const inHelp = [...command.help.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].map(([option]) => option)
    const wanted = new Set([...inHelp, ...common, ...optionsIn(source)])
    // What every command takes is told once, above.
    const told = `${section}\n${sectionOf(page, 'In every command')}`
    expect([...wanted].filter((option) => !new RegExp(`\`${option}[ \`]`).test(told))).toEqual([])
    expect(section).toContain(command.help.split('\n\n', 1)[0])
  })

  test.each([
    ['list', ['list', '--json']],
    ['search', ['search', 'harbour', '--json']],
    ['show', ['show', '2ab6', '--json', '--include', 'subagents']],
    ['tree', ['tree', '2ab6', '--json']],
    ['check', ['check', '--json']],
    ['scan', ['scan', 'test/redact/planted.txt', '--json']],
    ['usage', ['usage', '--json', '--explain']],
    ['files', ['files', '2ab6', '--json']],
    ['files', ['files', '2ab6', 'zone.ts', '--json']],
    ['restore-file', ['restore-file', 'zone.ts', '--json', '-o', join(home, 'zone.ts')]],
    ['restore-file', ['restore-file', '--all', '--session', '2ab6', '--json', '-o', join(home, 'tree')]],
    ['resume', ['resume', '2ab6', '--json']],
    ['retire', ['retire', '--keep-last', '2', '--json']],
    ['doctor', ['doctor', '--json']],
    ['archive', ['archive', '--json']],
    ['archive', ['archive', 'list', '--json']],
    ['archive', ['archive', 'verify', '--json']],
    ['archive', ['archive', 'restore', '--all', '--json']],
    ['archive', ['archive', 'prune', '--keep-last', '1', '--json']],
    ['archive', ['archive', 'export', '--all', '-o', join(home, 'all.clew'), '--json']],
    ['archive', ['archive', 'import', join(home, 'all.clew'), '--json']],
    ['archive', ['archive', 'auto', '--json']],
    ['brief', ['brief', '2ab6', '--json']],
    ['journal', ['journal', '--date', '2026-10-27', '--json']],
    ['standup', ['standup', '--json']],
    ['export', ['export', '2ab6', '--json', '-o', join(home, 'export.md')]],
  ])('%s: every key of its JSON', (name, words) => {
    const section = sectionOf(page, `clew ${name}`)
    const printed = clew([...words, '--root', 'sample'])
      .trim()
      .split('\n')
    const keys = new Set(printed.flatMap((line) => Object.keys(JSON.parse(line) as object)))
    expect([...keys].filter((key) => !section.includes(`\`${key}\``))).toEqual([])
  })

  test('every key of the picker', () => {
    const section = sectionOf(page, 'The picker')
    const letters = [...read('src/cli/picker-press.ts').matchAll(/^ {4}case '(.)':$/gm)].map(
      ([, letter = '']) => letter,
    )
    const controls = [...(/^type Control = (.*)$/m.exec(read('src/cli/keys.ts'))?.[1] ?? '').matchAll(/'(\w)'/g)]
    const keys = [
      ...letters.map((letter) => (letter === ' ' ? 'Space' : letter)),
      ...controls.map(([, letter = '']) => `Ctrl-${letter.toUpperCase()}`),
    ]
    expect(keys.length).toBeGreaterThan(15)
    expect(keys.filter((key) => !section.includes(`\`${key}\``))).toEqual([])
  })

  test('every variable of the environment', () => {
    const sources = filesBelow('src').map((path) => read(path))
    const named = sources.flatMap((text) =>
      [...text.matchAll(/\benv(?:ironment)?\['([A-Z_]+)'\]/g)].map(([, name]) => name),
    )
    expect(new Set(named).size).toBeGreaterThan(4)
    expect([...new Set(named)].filter((name) => !page.includes(`\`${name}\``))).toEqual([])
  })
})

test('docs/problems.md is the table of the code', () => {
  const rows = [...read('docs/problems.md').matchAll(/^\| `([^`]+)` \| (\S+) \| ([^|]+) \| [^|]+ \|$/gm)]
  const told = rows.map(([, code, severity, meaning]) => [code, severity, meaning])
  expect(told).toEqual(Object.entries(PROBLEMS).map(([code, [severity, meaning]]) => [code, severity, meaning]))
})

describe('docs/library.md', () => {
  const [, core = '', node = ''] = read('docs/library.md').split(/^## /m)
  test.each([
    ['src/index.ts', core],
    ['src/node.ts', node],
  ])('has the names of %s, each once', (path, section) => {
    const told = [...section.matchAll(/^\| `(\w+)` \| \S.* \|$/gm)].map(([, name]) => name ?? '')
    expect([...told].sort()).toEqual([...exportedNames(read(path))].sort())
  })
})

describe('ARCHITECTURE.md', () => {
  const page = read('ARCHITECTURE.md')

  test('its functions are in the files it names', () => {
    const named = [...page.matchAll(/`(\w+)` in \[[^\]]+\]\((src\/[^)]+)\)/g)]
    expect(named.length).toBeGreaterThan(30)
    const lost = named.filter(
      ([, name, path]) => !new RegExp(`\\b(function\\*?|const) ${name}\\b`).test(read(path ?? '')),
    )
    expect(lost.map(([whole]) => whole)).toEqual([])
  })

  test('its table has the folders that exist and what they may import', () => {
    const rows = [...page.matchAll(/^\| `(\w+)` \| .* → .* \| (.*) \| .* \|$|^\| `(base)` \|/gm)]
    const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((found) => found.isDirectory())
    expect(rows.map(([, folder, , base]) => folder ?? base).sort()).toEqual(folders.map(({ name }) => name).sort())
    const { forbidden } = createRequire(import.meta.url)(join(ROOT, '.dependency-cruiser.cjs')) as {
      readonly forbidden: readonly { readonly name: string; readonly to: { readonly pathNot?: string } }[]
    }
    for (const [, folder, imports = ''] of rows.filter(([, name]) => name !== undefined && name !== 'cli')) {
      const wall = forbidden.find(({ name }) => name === `walls-${folder}`)?.to.pathNot ?? ''
      const told = [...imports.matchAll(/`(\w+)`/g)].map(([, name]) => name)
      expect(wall.match(/\w+/g)?.slice(1).sort(), folder).toEqual([folder, 'base', ...told].sort())
    }
  })
})

test('each ADR has a number of its own, and its parts', () => {
  const names = readdirSync(join(ROOT, 'docs/adr')).filter((name) => name.endsWith('.md'))
  const numbers = names.map((name) => name.slice(0, 4))
  expect(names.every((name) => /^\d{4}-[a-z-]+\.md$/.test(name))).toBe(true)
  expect(new Set(numbers).size).toBe(numbers.length)
  for (const name of names) {
    const page = read(`docs/adr/${name}`)
    expect(page, name).toMatch(new RegExp(`^# ${name.slice(0, 4)}: `))
    for (const part of ['Context', 'Decision', 'Consequences']) expect(page, name).toContain(`\n## ${part}\n`)
  }
})

test('the changelog has the version', () => {
  expect(read('CHANGELOG.md')).toContain(`\n## ${manifest.version}\n`)
})

test('every relative link leads to a file', () => {
  const broken = pages().flatMap((path) =>
    [...withoutFences(read(path)).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => target.replace(/#.*$/, ''))
      .filter((target) => target !== '' && !/^[a-z]+:/.test(target))
      .filter((target) => !existsSync(join(ROOT, dirname(path), target)))
      .map((target) => `${path}: ${target}`),
  )
  expect(broken).toEqual([])
})

test.each(['README.md', 'docs/library.md'])('what the examples of %s import is there', async (path) => {
  const entries: Readonly<Record<string, object>> = {
    clew: await import('../../src/index.ts'),
    'clew/node': await import('../../src/node.ts'),
  }
  const imports = [...read(path).matchAll(/^import \{([^}]*)\} from '(clew(?:\/node)?)'$/gm)]
  expect(imports.length).toBeGreaterThan(0)
  const missing = imports.flatMap(([, names = '', from = '']) =>
    names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !(name in (entries[from] ?? {}))),
  )
  expect(missing).toEqual([])
})

describe('the README', () => {
  const page = read('README.md')
  const shown = [...page.matchAll(/^```console\n\$ npx clew (.*)\n([\s\S]*?)^```$/gm)].map(
    ([, words = '', output = '']) => ({
      words,
      output,
    }),
  )

  test('shows the commands', () => {
    expect(shown.map(({ words }) => words.split(' ')[0])).toEqual(
      expect.arrayContaining(['list', 'search', 'show', 'tree']),
    )
  })

  // A line that is only an ellipsis stands for lines that were left out. UPDATE=1 rewrites what is shown in full.
  test.each(shown)('$words', ({ words, output }) => {
    const printed = clew(words.split(' '))
    if (process.env['UPDATE'] !== undefined && !/^…$/m.test(output)) {
      writeFileSync(
        join(ROOT, 'README.md'),
        read('README.md').replace(output, () => printed),
      )
      return
    }
    const stretches = `\n${output}`.split('\n…\n').map((stretch) => stretch.replace(/^\n/, ''))
    let from = 0
    for (const stretch of stretches) {
      const found = printed.indexOf(stretch, from)
      expect(found, `in the output of clew ${words}:\n${printed}`).toBeGreaterThanOrEqual(from)
      from = found + stretch.length
    }
    if (stretches.length === 1) expect(printed).toBe(output)
  })
})

/** The built command on a day that does not change, on a screen that does not either. */
function clew(words: readonly string[]): string {
  const clock = `data:text/javascript,Date.now=()=>${Date.parse('2026-11-15T12:00:00Z')}`
  const command = ['--import', clock, join(ROOT, manifest.bin.clew), ...words]
  const env = { PATH: process.env['PATH'], HOME: home, NO_COLOR: '1', COLUMNS: '112' }
  const ran = spawnSync(process.execPath, command, { cwd: ROOT, encoding: 'utf8', env })
  expect(ran.stderr).toBe('')
  return ran.stdout
}

/** `--name` and `-n` as they stand in the options of a source file. */
function optionsIn(source: string): readonly string[] {
  return [
    ...source.matchAll(
      /^ {2}'?([\w-]+)'?: \{ type: '(?:string|boolean)'(?:, multiple: true)?(?:, short: '(\w)')? \},$/gm,
    ),
  ].flatMap(([, name, short]) => (short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`]))
}

function sectionOf(page: string, title: string): string {
  const section = page.split(/^## /m).find((one) => one.startsWith(`${title}\n`))
  expect(section, `a section “${title}”`).toBeDefined()
  return section ?? ''
}

function exportedNames(source: string): readonly string[] {
  return [...source.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = '']) =>
    names.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()])),
  )
}

function pages(): readonly string[] {
  const top = readdirSync(ROOT).filter((name) => name.endsWith('.md'))
  return [...top, ...filesBelow('docs').filter((path) => path.endsWith('.md'))]
}

function withoutFences(markdown: string): string {
  return markdown.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, '')
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((found) => found.isFile())
    .map((found) => relative(ROOT, join(found.parentPath, found.name)))
}
