// The figure: a project that 200 calls have worked on, then deleted. What comes back is held against what was there.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { restoreFile } from '../../src/cli/restore-file.ts'
import { runHere } from '../cli/in-process.ts'
import { newFolder } from '../cli/run.ts'
import { randomOf } from '../random.ts'
import { wrongClaims } from './claims.ts'
import { ScriptedClient, USUAL } from './scripted-client.ts'

const CWD = '/home/ada/tides'
const CALLS = 200
const SESSION = '77777777-0000-4000-8000-000000000000'

interface ManifestRow {
  readonly path: string
  readonly file: string | null
  readonly certainty: string
  readonly laterCommand: string | null
}

/** The client keeps backups of its own unless it runs in print mode or was told not to. */
const SEEDS = Array.from({ length: Number(process.env['CLEW_RECOVER_SEEDS'] ?? 6) }, (_, place) => place + 1).flatMap(
  (seed) => [true, false].map((hasBackups) => ({ seed, hasBackups })),
)
const sums = { with: { files: 0, exact: 0 }, without: { files: 0, exact: 0 } }

test.each(SEEDS)(
  'seed $seed, backups: $hasBackups: what does not come back to the byte is marked',
  async ({ seed, hasBackups }) => {
    const { client, last } = worked(seed, hasBackups)
    expect(wrongClaims(client)).toEqual([])
    const root = newFolder('claude')
    writeClient(client, root)
    const out = join(newFolder('out'), 'tree')
    const ran = await runHere(restoreFile, ['--all', '--session', SESSION, '--root', root, '-o', out], Date.now())
    expect(ran.err).toContain('How certain each is')
    const rows = readFileSync(join(out, 'clew-manifest.jsonl'), 'utf8').trim().split('\n')
    const byPath = new Map(rows.map((row) => JSON.parse(row) as ManifestRow).map((row) => [row.path, row]))
    let exact = 0
    const wrong: string[] = []
    for (const [path, bytes] of last) {
      const row = byPath.get(path)
      const restored = row?.file == null ? null : readFileSync(join(out, row.file), 'utf8')
      const isMarked =
        row === undefined || row.certainty === 'partial' || row.certainty === 'doubtful' || row.laterCommand !== null
      // Line ends are said to be assumed; the text has to be right all the same.
      const isText = row?.certainty === 'text' && restored === bytes.replaceAll('\r\n', '\n').replace(/^\ufeff/, '')
      if (restored === bytes) exact++
      else if (!isMarked && !isText) wrong.push(JSON.stringify(row ?? path))
    }
    expect(wrong).toEqual([])
    expect(last.size).toBeGreaterThan(20)
    const sum = hasBackups ? sums.with : sums.without
    sum.files += last.size
    sum.exact += exact
    // Nothing comes back that was taken away on purpose.
    const back = [...byPath.values()].filter(({ path, file }) => file !== null && !last.has(path))
    expect(back).toEqual([])
  },
)

test('at least 95 of 100 files come back to the byte', () => {
  const share = ({ files, exact }: { files: number; exact: number }): number => exact / files
  process.stdout.write(`with backups ${JSON.stringify(sums.with)}, without ${JSON.stringify(sums.without)}\n`)
  expect(share(sums.with)).toBeGreaterThanOrEqual(0.95)
  // Without them nothing tells the line ends of a file that was there before, or what `sed -i` made of one.
  expect(share(sums.without)).toBeGreaterThanOrEqual(0.9)
})

function worked(
  seed: number,
  hasBackups: boolean,
): { readonly client: ScriptedClient; readonly last: ReadonlyMap<string, string> } {
  const { below } = randomOf(seed)
  const random = (): number => below(1_000_000) / 1_000_000
  const pick = <One>(all: readonly One[]): One => all[Math.floor(random() * all.length)] as One
  const client = new ScriptedClient(SESSION, CWD, {
    ...USUAL,
    hasBackups,
    isArrow: seed % 3 === 0,
    originalMax: 4000,
  })
  const words = (): string => Array.from({ length: 3 + Math.floor(random() * 5) }, () => pick(WORDS)).join(' ')
  const lines = (most: number): string[] =>
    Array.from({ length: 1 + Math.floor(random() * most) }, (_, at) => `${pick(INDENTS)}${at} ${words()}`)
  // What was there before anybody asked: some of it with other line ends.
  for (let number = 0; number < 8; number++) {
    const text = `${lines(60).join(number === 0 ? '\r\n' : '\n')}\n`
    client.outside(`${CWD}/old/file${number}.ts`, number === 1 ? `\ufeff${text}` : text)
  }
  let made = 0
  while (client.calls < CALLS - 4) {
    if (random() < 0.08) client.prompt(`Please ${words()}`)
    const agent = random() < 0.2 ? 'a0123456789abcdef' : ''
    const paths = [...client.disk.keys()]
    const path = pick(paths)
    const now = client.disk.get(path) ?? ''
    const chance = random()
    if (chance < 0.2 || paths.length < 9)
      client.write(
        agent,
        `${CWD}/src/${pick(FOLDERS)}made${made++}.ts`,
        `${lines(80).join('\n')}${random() < 0.8 ? '\n' : ''}`,
      )
    else if (chance < 0.65) {
      client.read(agent, path)
      const at = pick(
        now
          .replaceAll('\r\n', '\n')
          .split('\n')
          .filter((line) => line !== ''),
      )
      client.edit(agent, path, at ?? 'x', words(), random() < 0.1)
      if (random() < 0.1) client.edit(agent, path, 'this is not in it', words())
    } else if (chance < 0.72) client.read(agent, path, 1 + Math.floor(random() * 10), 10)
    else if (chance < 0.8) {
      client.outside(path, `${now}${words()}\n`)
      // A person changes something and goes on talking; mostly the file is looked at again.
      client.read(agent, path)
    } else if (chance < 0.85) {
      const to = path.replace(/(\w+)\.ts$/, `moved${made++}.ts`)
      client.bash(agent, `git mv ${path.slice(CWD.length + 1)} ${to.slice(CWD.length + 1)}`, () => {
        client.disk.set(to, now)
        client.disk.delete(path)
      })
    } else if (chance < 0.88) client.bash(agent, `rm ${path}`, () => client.disk.delete(path))
    else if (chance < 0.9)
      client.bash(agent, `sed -i 's/tide/ebb/' ${path}`, () => client.disk.set(path, now.replaceAll('tide', 'ebb')))
    else if (chance < 0.93) client.reject(agent, path, 'no')
    else client.bash(agent, 'npm test', () => undefined)
  }
  while (client.calls < CALLS - 1) client.bash('', 'npm test', () => undefined)
  // Files that no call ever named cannot be known.
  const told = JSON.stringify([...client.transcripts.values()])
  const last = new Map([...client.disk].filter(([path]) => told.includes(path.slice(CWD.length + 1))))
  client.bash('', `rm -rf ${CWD}`, () => client.disk.clear())
  expect(client.calls).toBe(CALLS)
  return { client, last }
}

const WORDS = ['tide', 'ebb', 'harbour', 'mooring', 'keel', 'gauge', 'spring', 'neap', 'ünder', '潮', '()', '$1', '=>']
const INDENTS = ['', '\t', '  ', '    ']
const FOLDERS = ['', 'feed/', 'zone/']

function writeClient(client: ScriptedClient, root: string): void {
  const project = join(root, 'projects', '-home-ada-tides')
  for (const [agent, records] of client.transcripts) {
    const path =
      agent === '' ? join(project, `${SESSION}.jsonl`) : join(project, SESSION, 'subagents', `agent-${agent}.jsonl`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  }
  for (const [name, bytes] of client.backups) {
    const path = join(root, 'file-history', SESSION, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, bytes)
  }
}
