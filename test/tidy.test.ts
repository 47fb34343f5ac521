// What keeps the house in order and can be told from the text of the sources alone. Every failure names the places.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import lock from '../package-lock.json' with { type: 'json' }
import { indexPath } from '../src/search/index-path.ts'

const ROOT = join(import.meta.dirname, '..')
const LINES_MAX = 300
/** What server and browser say to each other. */
const API = 'src/server/api/'
/** Everything made up belongs to an engineer named Ada. A page of ours lies in `./home/`. */
const MACHINE_PATH = /\/work\/|(?<!\.)\/home\/(?!ada\b)|\/Users\/(?!ada\b)/

const sources = filesBelow('src').map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))

test(`no file is longer than ${LINES_MAX} lines`, () => {
  const long = sources.flatMap(({ path, text }) => {
    const lines = text.trimEnd().split('\n').length
    return lines > LINES_MAX ? [`${path}: ${lines}`] : []
  })
  expect(long).toEqual([])
})

test('nothing runs of what server and browser share', () => {
  const shared = sources.filter(({ path }) => path.startsWith(API))
  expect(shared.length).toBeGreaterThan(5)
  const running = shared.flatMap(({ path, text }) =>
    text
      .split('\n')
      .filter((line) => /^[a-z]/.test(line) && !/^(?:import type \{|(?:export )?(?:interface|type) )/.test(line))
      .map((line) => `${path}: ${line}`),
  )
  expect(running).toEqual([])
})

describe('names', () => {
  const KEPT_OUT: ReadonlySet<string> = new Set(
    `entry event chunk item data info manager service helper util handler processor wrapper misc common shared
    entries utility utilities`.split(/\s+/),
  )
  /** The dialect is called that by those who write it. `events` of NormalSession is a field and no name of ours. */
  const EXCEPTIONS: ReadonlySet<string> = new Set([
    'event-log.ts',
    'EventLogState',
    'eventLogFacts',
    'toEventLog',
    'ToEventLogOptions',
    'fromEventLog',
    'FromEventLogOptions',
  ])

  const isKeptOut = (name: string): boolean =>
    !EXCEPTIONS.has(name) && wordsOf(name).some((word) => KEPT_OUT.has(word) || KEPT_OUT.has(word.replace(/s$/, '')))

  test('of files and folders', () => {
    const names = new Set(sources.flatMap(({ path }) => path.split('/')))
    expect([...names].filter(isKeptOut)).toEqual([])
  })

  test('that are exported', () => {
    const names = sources.flatMap(({ path, text }) => exportsOf(text).map((name) => ({ path, name })))
    expect(names.length).toBeGreaterThan(150)
    expect(names.filter(({ name }) => isKeptOut(name)).map(({ path, name }) => `${path}: ${name}`)).toEqual([])
  })

  test('the words are found where they are', () => {
    expect(
      ['dataOf', 'SharedState', 'list-items.ts', 'utils.ts', 'INFO_TEXT'].filter((name) => !isKeptOut(name)),
    ).toEqual([])
    expect(['metadataFacts', 'database', 'information', 'eventually.ts'].filter(isKeptOut)).toEqual([])
  })
})

test.each([
  ['an empty catch block', /catch\s*(?:\([^)]*\))?\s*\{\s*\}/],
  ['a note to do something later', /\b(?:TODO|FIXME|XXX|HACK)\b/],
  ['console', /\bconsole\./],
  ['innerHTML', /innerHTML/],
  ['a path of some machine', MACHINE_PATH],
  ['a rule that is switched off', /biome-ignore|@ts-(?:ignore|expect-error|nocheck)/],
])('no source has %s', (_, pattern) => {
  expect(linesWith(pattern)).toEqual([])
})

test('no page has a path of some machine', () => {
  const shown = [...filesBelow('test/golden'), ...filesBelow('test/fixtures')]
  const pages = [...readdirSync(ROOT).filter((path) => path.endsWith('.md')), ...filesBelow('docs'), ...shown]
  expect(pages.length).toBeGreaterThan(20)
  expect(pages.filter((path) => MACHINE_PATH.test(readFileSync(join(ROOT, path), 'utf8')))).toEqual([])
})

describe('what the README promises', () => {
  test('nothing in src writes, renames or deletes a file but the index, the disk of the store and the caches of prose and code', () => {
    const READING: ReadonlySet<string> = new Set(
      `Dirent FSWatcher Stats closeSync constants existsSync fstatSync lstatSync openSync readFileSync readSync readdirSync
      readlinkSync realpathSync statSync statfsSync watch`.split(/\s+/),
    )
    const used = sources.flatMap(({ path, text }) =>
      [...text.matchAll(/^import (?:type )?([^']*) from '(?:node:)?fs(?:\/\w+)?'$/gm)].flatMap(([, names = '']) =>
        names.split(/[{},\s]+/).map((name) => `${path}: ${name}`),
      ),
    )
    const others = used.filter((found) => !READING.has(found.split(': ')[1] ?? '') && !found.endsWith(': '))
    expect(others).toEqual([
      // The code that V8 made of our own files, in the cache folder.
      'src/cli/kept-code.ts: mkdirSync',
      'src/cli/kept-code.ts: renameSync',
      'src/cli/kept-code.ts: rmSync',
      'src/cli/kept-code.ts: writeFileSync',
      // To standard output and standard error, by descriptor.
      'src/cli/output.ts: writeSync',
      // The key that makes the tags of Placeholders.
      'src/cli/redaction.ts: mkdirSync',
      'src/cli/redaction.ts: writeFileSync',
      'src/disk/real-disk.ts: chmodSync',
      'src/disk/real-disk.ts: fdatasync',
      'src/disk/real-disk.ts: fsyncSync',
      'src/disk/real-disk.ts: lutimesSync',
      'src/disk/real-disk.ts: mkdirSync',
      'src/disk/real-disk.ts: renameSync',
      'src/disk/real-disk.ts: rmdirSync',
      'src/disk/real-disk.ts: unlinkSync',
      'src/disk/real-disk.ts: writeSync',
      'src/prose/cache.ts: mkdirSync',
      'src/prose/cache.ts: renameSync',
      'src/prose/cache.ts: rmSync',
      'src/prose/cache.ts: writeFileSync',
      // An empty folder for the client to run in.
      'src/prose/route-claude.ts: mkdtempSync',
      'src/prose/route-claude.ts: rmSync',
      // The names of what was walked and the table of the list, beside the index.
      'src/search/beside-index.ts: mkdirSync',
      'src/search/beside-index.ts: renameSync',
      'src/search/beside-index.ts: rmSync',
      'src/search/beside-index.ts: writeFileSync',
      'src/search/database.ts: mkdirSync',
      'src/search/database.ts: renameSync',
      'src/search/database.ts: rmSync',
      'src/search/lock.ts: chmodSync',
      'src/search/lock.ts: truncateSync',
    ])
    const printed = linesWith(/\bwriteAll\(/).filter((line) => fileOf(line).startsWith('src/cli/'))
    expect(printed.every((line) => /writeAll\((?:[12]|fd: number),/.test(line))).toBe(true)
    const flags = linesWith(/\bO_(?:WRONLY|RDWR|CREAT|APPEND|TRUNC)\b/).map(fileOf)
    expect([...new Set(flags)]).toEqual(['src/disk/real-disk.ts'])
    expect(linesWith(/\bO_TRUNC\b/)).toEqual([])
    const opened = linesWith(/\bopenSync\(/).filter((line) => fileOf(line) !== 'src/disk/real-disk.ts')
    expect([...new Set(opened.map(fileOf))]).toEqual([
      'src/cli/kept-code.ts',
      'src/search/lock.ts',
      'src/source/open.ts',
    ])
    expect(opened.filter((line) => !/openSync\(\w+, (?:FLAGS|'a', 0o600)\)/.test(line))).toEqual([])
  })

  test('the index lies in the cache folder', () => {
    // SQLite writes too: the index, and the lock beside it.
    const databases = linesWith(/\bnew DatabaseSync\(/)
    expect([...new Set(databases.map(fileOf))]).toEqual(['src/search/database.ts', 'src/search/lock.ts'])
    expect(indexPath({ environment: {}, home: '/home/ada' })).toBe('/home/ada/.cache/clew/index.sqlite')
    expect(indexPath({ environment: { XDG_CACHE_HOME: '/tmp/c' }, home: '/home/ada' })).toBe('/tmp/c/clew/index.sqlite')
    expect(indexPath({ environment: { XDG_CACHE_HOME: 'c' }, home: '/home/ada' })).toMatch(/^\/home\/ada\/\.cache\//)
  })

  test('nothing in src reaches the network but prose, when it is told to; the server is reached from this machine', () => {
    const modules = linesWith(/'(?:node:)?(?:https?|http2|net|tls|dgram|dns|inspector)(?:\/\w+)?'/)
    expect([...new Set(modules.map(fileOf))]).toEqual(['src/server/listen.ts'])
    expect(linesWith(/\bserver\.listen\(/)).toEqual([
      "src/server/listen.ts: server.listen({ host, port, exclusive: true, ipv6Only: host === '::1' }, () => {",
    ])
    expect(linesWith(/\bopen\((?:first|server), '/)).toEqual([
      "src/server/listen.ts: await open(first, '127.0.0.1', port)",
      "src/server/listen.ts: await open(server, '::1', port)",
    ])
    expect(linesWith(/@hono\/node-server/)).toEqual([
      "src/server/listen.ts: import { getRequestListener } from '@hono/node-server'",
    ])
    // The page listens to its own server.
    const listening = linesWith(/\bWebSocket\b|\bXMLHttpRequest\b|\bEventSource\b|\bglobalThis\b/)
    expect([...new Set(listening.map(fileOf))]).toEqual(['src/web/live.ts'])
    const streams = listening.filter((line) => line.includes('new EventSource('))
    expect(streams.map((line) => line.includes('new EventSource(`/api/live'))).toEqual([true])
    // A function of that name is one that looks into the index, where a file declares it itself.
    const own = linesWith(/^function fetch\(/m).map(fileOf)
    const fetching = linesWith(/\bfetch\b(?=\s*[(,;)]|$)/m).filter((line) => !own.includes(fileOf(line)))
    const asking = fetching.filter((line) => !/fetch\(`\/api\/|app\.fetch,/.test(line))
    expect(asking.map(fileOf)).toEqual(['src/prose/bounded-fetch.ts'])
    // The SDK is loaded when it is used, and asks by way of the same function.
    const loading = linesWith(/'@anthropic-ai\/sdk/).filter((line) => !line.includes('typeof import('))
    expect(loading).toEqual(["src/prose/route-anthropic.ts: const { Anthropic } = await import('@anthropic-ai/sdk')"])
    expect(linesWith(/fetch: boundedFetch/).map(fileOf)).toEqual(['src/prose/route-anthropic.ts'])
  })

  test('the only programs it starts are the pager, the browser, git to show a commit, itself once a day, and the client when it is told to', () => {
    expect(linesWith(/child_process/).map(fileOf)).toEqual([
      // Archiving of what is about to expire, if the user said so once.
      'src/cli/archive-auto.ts',
      'src/cli/git.ts',
      'src/cli/open-browser.ts',
      'src/cli/output.ts',
      'src/cli/resume.ts',
      'src/prose/run-claude.ts',
    ])
    expect(linesWith(/\bspawn(?:Sync)?\(|(?<!\.)\bexec\w*\((?=[^)]*\bcommand\b)/).length).toBe(6)
    expect(linesWith(/spawn(?:Sync)?\('git'/).map(fileOf)).toEqual(['src/cli/git.ts'])
    expect(linesWith(/spawn(?:Sync)?\('claude'/).map(fileOf)).toEqual(['src/cli/resume.ts', 'src/prose/run-claude.ts'])
  })
})

describe('dependencies', () => {
  const NATIVE = 'node_modules/@photostructure/sqlite'

  test('at run time there are these', () => {
    expect(Object.keys(manifest.dependencies)).toEqual(['@anthropic-ai/sdk', '@photostructure/sqlite'])
  })

  test('one package has a script that runs when it is installed', () => {
    const packages = Object.entries(lock.packages as Readonly<Record<string, { readonly hasInstallScript?: boolean }>>)
    expect(packages.filter(([, found]) => found.hasInstallScript === true).map(([name]) => name)).toEqual([NATIVE])
  })

  test('and works without it: what it would build is in the package', () => {
    const prebuilt = readdirSync(join(ROOT, NATIVE, 'prebuilds', `${process.platform}-${process.arch}`))
    expect(prebuilt.filter((name) => name.endsWith('.node'))).not.toEqual([])
    // Something that was built here would be preferred.
    expect(existsSync(join(ROOT, NATIVE, 'build'))).toBe(false)
    const database = new DatabaseSync(':memory:')
    database.exec('CREATE VIRTUAL TABLE words USING fts5(text)')
    database.close()
  })
})

/** Each line that matches, with its file; a match over several lines counts as its first. */
function linesWith(pattern: RegExp): readonly string[] {
  const all = new RegExp(pattern.source, `g${pattern.flags}`)
  return sources.flatMap(({ path, text }) =>
    [...text.matchAll(all)].map(({ index }) => {
      const start = text.lastIndexOf('\n', index) + 1
      return `${path}: ${text.slice(start).split('\n', 1)[0]?.trim()}`
    }),
  )
}

function fileOf(line: string): string {
  return line.split(':', 1)[0] ?? ''
}

function exportsOf(text: string): readonly string[] {
  const declared = /^export (?:async )?(?:function\*?|const|let|class|interface|type) (\w+)/gm
  const listed = /^export (?:type )?\{([^}]*)\}/gm
  return [
    ...[...text.matchAll(declared)].map(([, name]) => name ?? ''),
    ...[...text.matchAll(listed)].flatMap(([, names]) => names?.match(/\w+/g) ?? []),
  ]
}

/** `dataOf` → data, of; `list-items.ts` → list, items; `LINE_INFO` → line, info. */
function wordsOf(name: string): readonly string[] {
  return basename(name, '.ts')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[\s_-]+/)
    .map((word) => word.toLowerCase())
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((found) => found.isFile())
    .map((found) => relative(ROOT, join(found.parentPath, found.name)))
    .sort()
}
