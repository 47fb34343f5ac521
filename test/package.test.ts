// What npm would publish, unpacked beside nothing but what it declares: the library, its types and the command work there.

import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }

const ROOT = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'clew-package-'))
const installed = join(folder, 'node_modules', 'clew')
const environment = { PATH: process.env['PATH'], HOME: folder, XDG_CACHE_HOME: folder }
const FORMAT = {
  getCurrentDirectory: () => folder,
  getCanonicalFileName: (name: string) => name,
  getNewLine: () => '\n',
}

beforeAll(() => {
  const words = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder]
  const tarball = execFileSync('npm', words, { cwd: ROOT, env: environment, encoding: 'utf8' }).trim()
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['-xzf', join(folder, tarball), '--strip-components=1', '-C', installed])
  for (const name of Object.keys(manifest.dependencies)) {
    mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('it holds what its entry points need, and not the modules of the command', () => {
  const missing = filesBelow('dist', /(?<!(?:bin|web)\/.*)\.(?:js|d\.ts)$/).flatMap((path) =>
    [...readFileSync(join(installed, path), 'utf8').matchAll(/(?:from|import\() ?'(\.[^']+)\.[jt]s'/g)]
      .map(([, target]) => join(dirname(path), `${target}.${path.endsWith('.d.ts') ? 'd.ts' : 'js'}`))
      .filter((target) => !existsSync(join(installed, target))),
  )
  expect(missing).toEqual([])
  const folders = readdirSync(join(installed, 'dist'))
  expect(folders).toContain('store')
  for (const name of ['cli', 'server', 'prose', 'recover', 'relocate']) expect(folders).not.toContain(name)
})

// `Buffer<…>` and `Uint8Array<…>` are of TypeScript 5.7; `moduleResolution: bundler` is of 5.0.
test('its declarations name nothing that only the newest compilers know', () => {
  const newer = filesBelow('dist', /\.d\.ts$/).filter((path) =>
    /\b(?:Buffer|Uint8Array)</.test(readFileSync(join(installed, path), 'utf8')),
  )
  expect(newer).toEqual([])
})

test('each name of the library says what it is, to an editor too', () => {
  const entries = ['index.d.ts', 'node.d.ts'].map((name) => join(installed, 'dist', name))
  const options = { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022, types: ['node'], noEmit: true }
  const program = ts.createProgram(entries, options)
  const checker = program.getTypeChecker()
  const exported = entries.flatMap((path) => {
    const file = program.getSourceFile(path)
    const module = file === undefined ? undefined : checker.getSymbolAtLocation(file)
    return module === undefined ? [] : checker.getExportsOfModule(module)
  })
  expect(exported.length).toBeGreaterThan(200)
  const silent = exported.filter((name) => checker.getAliasedSymbol(name).getDocumentationComment(checker).length === 0)
  expect(silent.map(({ name }) => name)).toEqual([])
})

test('the examples of the documents compile, and run', () => {
  const examples = ['README.md', 'docs/library.md'].flatMap((page) =>
    [...readFileSync(join(installed, page), 'utf8').matchAll(/^```ts\n(.*?)^```/gms)].map(([, code]) => code ?? ''),
  )
  expect(examples.length).toBeGreaterThan(4)
  const paths = examples.map((code, at) => {
    const path = join(folder, `example-${at}.mts`)
    writeFileSync(path, code)
    return path
  })
  const options = {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules', '@types')],
  }
  const program = ts.createProgram(paths, options)
  expect(ts.formatDiagnostics(ts.getPreEmitDiagnostics(program), FORMAT)).toBe('')
  program.emit()
  symlinkSync(join(installed, 'sample'), join(folder, 'sample'))
  for (const path of paths) node(path.replace('.mts', '.mjs'))
})

test('it asks for nothing that it does not declare', () => {
  const known = new Set([...Object.keys(manifest.dependencies), ...builtinModules])
  const asked = filesBelow('dist', /(?<!web\/.*)\.(?:js|cjs|d\.ts)$/).flatMap((path) =>
    [
      ...readFileSync(join(installed, path), 'utf8').matchAll(
        /\b(?:require|import)\("([^".]+)"\)|^(?:import|export) .*from ['"]([^'".]+)['"]/gm,
      ),
    ].map(([, required, imported]) => (required ?? imported ?? '').replace(/^node:/, '')),
  )
  expect(asked.length).toBeGreaterThan(100)
  expect([...new Set(asked)].filter((name) => !known.has(name))).toEqual([])
})

test('it says whose work it passes on', () => {
  const licences = readFileSync(join(installed, 'dist', 'licences.txt'), 'utf8')
  for (const name of [
    'hono',
    'micromark',
    'react-dom',
    'shiki',
    'string-width',
    'get-east-asian-width',
    'assemblyscript',
  ])
    expect(licences).toMatch(new RegExp(`^${name} \\d`, 'm'))
})

describe('where only it is installed', () => {
  const sample = join(installed, 'sample')

  test('the library reads, and keeps an index', () => {
    const code = `
      import { readFull } from 'clew'
      import { findTranscripts, Index, listConversations, openSession } from 'clew/node'
      const archive = findTranscripts([${JSON.stringify(sample)}])
      const index = new Index(null)
      await index.refresh(archive, { nowMs: 0 })
      const rows = await listConversations(archive)
      const file = archive.projects.flatMap(({ files }) => files).find(({ sessionId }) => sessionId === rows[0].sessionId)
      console.log(rows.length, readFull(openSession(archive, file, 'resume').woven).turns.length > 0)
      index.close()`
    expect(node('--input-type=module', '-e', code)).toBe('5 true\n')
  })

  test('the command lists, exports and looks into settings', () => {
    const clew = join(installed, 'dist', 'bin', 'clew.js')
    expect(node(clew, 'list', '--root', sample)).toContain('おはよう')
    expect(node(clew, 'export', '2ab6', '--format', 'html', '--root', sample, '-o', '-')).toContain('<!doctype html>')
    expect(node(clew, 'doctor', '--json', '--root', sample)).toContain('cleanupPeriodDays')
  })
})

function node(...words: readonly string[]): string {
  return execFileSync(process.execPath, words, { cwd: folder, env: environment, encoding: 'utf8' })
}

function filesBelow(path: string, pattern: RegExp): readonly string[] {
  return readdirSync(join(installed, path), { recursive: true, encoding: 'utf8' })
    .map((name) => join(path, name))
    .filter((name) => pattern.test(name))
}
