// Claude directories to archive, and what was in them.

import { createHash } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Random } from '../random.ts'

export type Tree = Map<string, Buffer>

const PROJECT = 'projects/-home-ada-tidewatch'

/** What the client acts on, or what is no part of a Claude directory: never archived, so never to come out of an archive. */
export const FOREIGN_NAMES = [
  'settings.json',
  'settings.local.json',
  'CLAUDE.md',
  '.credentials.json',
  '.bashrc',
  'skills/x/SKILL.md',
  'commands/x.md',
  'agents/x.md',
  'plugins/x.json',
  'Projects/x.jsonl',
  'projects',
  'projectsx/x.jsonl',
  'history.jsonl/x',
]

export function sessionId(number: number): string {
  return `${String(number).padStart(8, '0')}-7a1d-4c1e-8f00-${String(number).padStart(12, '0')}`
}

export function transcriptName(id: string): string {
  return `${PROJECT}/${id}.jsonl`
}

/** Records as the client writes them: ids on every line. */
export function transcript(random: Random, id: string, count: number, promptId = 'p-0'): Buffer {
  const lines = Array.from({ length: count }, () => {
    const words = Array.from({ length: 10 + random.below(60) }, () => random.below(1 << 20).toString(36)).join(' ')
    const uuid = `${random.below(1 << 30).toString(16)}-${random.below(1 << 30).toString(16)}`
    return `${JSON.stringify({ sessionId: id, promptId, type: 'user', message: { content: words }, uuid })}\n`
  })
  return Buffer.from(lines.join(''), 'utf8')
}

/** What `--fork-session` makes of a transcript: the same records under other ids, and some more. */
export function fork(random: Random, bytes: Buffer, from: string, to: string): Buffer {
  const copied = bytes.toString('latin1').replaceAll(from, to).replaceAll('"promptId":"p-0"', '"promptId":"p-11"')
  return Buffer.concat([Buffer.from(copied, 'latin1'), transcript(random, to, 3)])
}

/** Files that somebody who splits at lines, decodes or trusts names would get wrong. */
export function oddTree(random: Random): Tree {
  const id = sessionId(1)
  const folder = `${PROJECT}/${id}`
  const noise = Buffer.from(Array.from({ length: 5000 }, () => random.below(256)))
  const [first, other] = [transcript(random, id, 200), sessionId(2)]
  return new Map([
    [transcriptName(id), first],
    [transcriptName(other), fork(random, first, id, other)],
    [`${folder}/subagents/agent-a1.jsonl`, transcript(random, id, 20)],
    [`${folder}/subagents/agent-a1.meta.json`, Buffer.from('{"agentType":"Explore"}')],
    [`${folder}/custom-title.json`, Buffer.from('{"customTitle":"ebb"}')],
    [`${folder}/tool-results/b7.txt`, Buffer.from('x'.repeat(70_000))],
    [`file-history/${id}/0a1b@v2`, noise],
    [`${PROJECT}/empty.jsonl`, Buffer.alloc(0)],
    [`${PROJECT}/nul.jsonl`, Buffer.concat([Buffer.alloc(3000), first.subarray(0, 777), Buffer.alloc(9)])],
    [`${PROJECT}/no-line-end.jsonl`, Buffer.from('{"type":"user"')],
    [`${PROJECT}/crlf.jsonl`, Buffer.from(first.toString('latin1').replaceAll('\n', '\r\n'), 'latin1')],
    [`${PROJECT}/a name\nwith a line end ünd 潮.jsonl`, Buffer.from([0xff, 0xfe, 0xc3, 0x28, 10, 0xed, 0xa0, 0x80])],
    ['history.jsonl', Buffer.from('{"display":"hello"}\n')],
  ])
}

export function writeTree(root: string, tree: Tree): void {
  let clock = 1_790_000_000.123456
  for (const [name, bytes] of tree) {
    const path = join(root, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, bytes)
    chmodSync(path, clock % 2 < 1 ? 0o600 : 0o644)
    utimesSync(path, clock, clock)
    clock += 1.00390625
  }
}

export interface Seen {
  readonly sha256: string
  readonly modifiedMs: number
  readonly mode: number
}

/** Everything that is told apart, by name. */
export function seenBelow(root: string): Record<string, Seen> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((found) => found.isFile())
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).sort()
  return Object.fromEntries(
    paths.map((path) => {
      const { mtimeMs, mode } = lstatSync(path)
      const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex')
      return [relative(root, path), { sha256, modifiedMs: Math.round(mtimeMs * 1000) / 1000, mode: mode & 0o7777 }]
    }),
  )
}
