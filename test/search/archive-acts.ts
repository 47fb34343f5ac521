// What can happen to a transcript, and how often. Everything is said in terms of the ArchiveWriter, which keeps the
// scripts of the sessions, the lines that were begun and the times of the files.

import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Random } from '../random.ts'
import type { ArchiveWriter } from './archive-writer.ts'
import type { Raw } from './session-script.ts'
import { newUuid } from './session-script.ts'

export interface Act {
  readonly name: string
  readonly weight: number
  readonly run: (to: ArchiveWriter, path: string, random: Random) => void
}

const ACTS: readonly (readonly [name: string, weight: number, run: Act['run']])[] = [
  ['begins', 6, begin],
  ['says', 12, (to, path) => to.append(path, said(to, path))],
  ['says much', 2, (to, path) => to.append(path, Buffer.concat([said(to, path), said(to, path), said(to, path)]))],
  ['says something odd', 4, (to, path) => to.append(path, bytesOf(to.scriptOf(path).odd()))],
  ['goes on in the other dialect', 3, (to, path) => to.append(path, bytesOf(to.scriptOf(path).eventLog()))],
  ['beats', 1, (to, path, { below }) => to.append(path, bytesOf(to.scriptOf(path).beats(400 + below(300))))],
  ['begins a line', 8, (to, path) => to.beginLine(path, said(to, path))],
  ['leaves out a line end', 4, (to, path) => to.append(path, said(to, path).subarray(0, -1))],
  ['ends a line', 3, (to, path) => to.append(path, '\n')],
  ['writes CR LF', 2, (to, path) => to.append(path, bytesOf(to.scriptOf(path).turn(), '\r\n'))],
  ['writes garbage', 4, (to, path, { pick }) => to.append(path, Buffer.from(pick(GARBAGE), 'latin1'))],
  ['compacts', 4, (to, path) => to.append(path, bytesOf(to.scriptOf(path).compaction()))],
  ['goes on from another', 3, (to, path, random) => to.append(path, belowAnother(to, path, random))],
  ['repeats another', 3, (to, path, random) => to.append(path, lineOfAnother(path, random))],
  ['says where it comes from', 4, (to, path, random) => to.append(path, fromAnother(to, path, random))],
  ['names what is to come', 3, nameUnwritten],
  ['writes what was named', 3, writeNamed],
  ['is forked', 5, fork],
  ['is continued', 3, goOn],
  ['is copied', 2, copy],
  ['moves', 4, (to, path) => to.move(path, join(to.folder(), basename(path)))],
  ['is renamed', 3, rename],
  ['changes names with another', 1, swap],
  ['is cut', 3, (to, path, { below }) => to.truncate(path, below(statSync(path).size + 1))],
  ['is cut at a line', 2, cutAtLine],
  ['is emptied', 1, (to, path) => to.truncate(path, 0)],
  ['is replaced by its copy', 2, (to, path) => to.replace(path, readFileSync(path))],
  ['is replaced and longer', 2, (to, path) => to.replace(path, Buffer.concat([readFileSync(path), said(to, path)]))],
  ['is replaced by its reverse', 2, (to, path) => to.replace(path, reversed(readFileSync(path)))],
  ['is replaced', 2, (to, path) => to.replace(path, said(to, path))],
  ['is rewritten with other words', 4, (to, path, random) => to.rewrite(path, otherWords(readFileSync(path), random))],
  ['is rewritten with other lines', 2, (to, path, random) => to.rewrite(path, otherLines(readFileSync(path), random))],
  ['is forged', 3, (to, path, random) => to.forge(path, otherWords(readFileSync(path), random))],
  ['gets other rights', 2, (_, path) => chmodSync(path, 0o600)],
  ['gets another name', 1, (_, path, random) => linkSync(path, `${path}.${newUuid(random)}`)],
  ['is a link now', 2, (to, path) => to.link(path)],
  ['lies behind a link now', 1, (to, path) => to.link(dirname(path))],
  ['moves with its folder', 2, (to, path, random) => to.move(dirname(path), `${dirname(path)}-${random.below(100)}`)],
  ['is a folder now', 1, (to, path) => to.remove(path) ?? mkdirSync(path)],
  ['is touched', 2, (to, path) => to.stamp(path)],
  ['goes away', 4, (to, path) => to.remove(path)],
  ['lets another come back', 5, (to) => to.bringBack()],
  ['starts an agent', 6, startAgent],
  ['starts a flat agent', 4, startFlatAgent],
  ['gets a name beside it', 4, (to, path, { pick }) => beside(to, path, 'custom-title.json', pick(NAMES))],
  ['is put away', 3, (to, path, { pick }) => beside(to, path, 'archived.json', pick(MARKS))],
  ['loses its folder', 1, (_, path) => rmSync(folderOf(path), { recursive: true, force: true })],
  ['leaves an empty file', 1, (to) => to.write(to.newPath(), '')],
]

/** Each as often as it weighs; the first is the one an empty directory can have. */
export const WEIGHED_ACTS: readonly Act[] = ACTS.flatMap(([name, weight, run]) =>
  Array.from({ length: weight }, () => ({ name, weight, run })),
)

/** Those that let a file grow and leave all others as they are. */
export const APPENDS: readonly Act[] = WEIGHED_ACTS.filter(({ name }) =>
  /^(says|goes on|beats|begins a line|leaves out|ends a line|writes|compacts|repeats|names)/.test(name),
)

const GARBAGE = [
  'not json\n',
  '\n',
  '[1,2]\n',
  '{}{}\n',
  '\0\0\n',
  '\xef\xbb\xbf',
  '{"type":"user"',
  '\xff\xfe\n',
  ' \r\n',
]
const NAMES = ['{"customTitle":"moon tables"}', '{"customTitle":"Größe"}', '{broken']
const MARKS = ['{"archived":true}', '{"archived":false}', '']

function said(to: ArchiveWriter, path: string): Buffer {
  return bytesOf(to.scriptOf(path).turn())
}

/** Its first record hangs below one that stands in another file. */
function belowAnother(to: ArchiveWriter, path: string, random: Random): Buffer {
  const script = to.scriptOf(path)
  const uuids = [...readFileSync(besideOf(path, random), 'latin1').matchAll(/"uuid":"([^"]+)"/g)]
  if (uuids.length > 0) script.last = random.pick(uuids)[1] ?? null
  return said(to, path)
}

function lineOfAnother(path: string, random: Random): Buffer {
  const lines = readFileSync(besideOf(path, random), 'latin1').split('\n')
  return Buffer.from(`${random.pick(lines)}\n`, 'latin1')
}

function fromAnother(to: ArchiveWriter, path: string, random: Random): Buffer {
  const sessionId = basename(besideOf(path, random), '.jsonl')
  const [first, ...rest] = to.scriptOf(path).turn()
  const resumed = { type: 'session_start', sessionId: to.scriptOf(path).sessionId, parentSessionId: sessionId }
  const forked = { ...first, forkedFrom: { sessionId, messageUuid: newUuid(random) } }
  return bytesOf([random.chance(0.5) ? resumed : forked, ...rest])
}

/** A record whose parent is not written yet; whoever writes it later may be another file. */
function nameUnwritten(to: ArchiveWriter, path: string, random: Random): void {
  const uuid = newUuid(random)
  to.unwritten.push(uuid)
  to.scriptOf(path).last = uuid
  to.append(path, said(to, path))
}

function writeNamed(to: ArchiveWriter, path: string): void {
  const uuid = to.unwritten.pop()
  const [first, ...rest] = to.scriptOf(path).turn()
  to.append(path, bytesOf([uuid === undefined ? { ...first } : { ...first, uuid }, ...rest]))
}

/** Another transcript in its folder, or itself where it is alone. */
function besideOf(path: string, random: Random): string {
  const files = readdirSync(dirname(path), { withFileTypes: true }).filter((found) => found.isFile())
  const names = files.map(({ name }) => name).filter((name) => name.endsWith('.jsonl'))
  const others = names.filter((name) => name !== basename(path)).sort()
  return others.length === 0 ? path : join(dirname(path), random.pick(others))
}

function begin(to: ArchiveWriter): void {
  const path = to.newPath()
  to.write(path, said(to, path))
}

function copy(to: ArchiveWriter, path: string): void {
  const twin = join(to.folder(), basename(path))
  if (existsSync(twin)) return
  copyFileSync(path, twin)
  to.stamp(twin)
}

function rename(to: ArchiveWriter, path: string, { chance }: Random): void {
  to.move(path, join(dirname(path), `${chance(0.7) ? '' : 'agent-'}${basename(to.newPath())}`))
}

function cutAtLine(to: ArchiveWriter, path: string, { below }: Random): void {
  const bytes = readFileSync(path)
  to.truncate(path, bytes.indexOf(10, below(bytes.length + 1)) + 1)
}

function startFlatAgent(to: ArchiveWriter, path: string, random: Random): void {
  const agent = join(dirname(path), `agent-${newUuid(random).slice(0, 7)}.jsonl`)
  to.write(agent, said(to, agent))
}

function bytesOf(records: readonly Raw[], lineEnd = '\n'): Buffer {
  return Buffer.from(records.map((record) => `${JSON.stringify(record)}${lineEnd}`).join(''))
}

function folderOf(path: string): string {
  return path.slice(0, -'.jsonl'.length)
}

/** Another file that begins with the very bytes of this one. */
function fork(to: ArchiveWriter, path: string, { below, chance }: Random): void {
  const bytes = readFileSync(path)
  const end = chance(0.4) ? bytes.length : bytes.indexOf(10, below(bytes.length + 1)) + 1
  const copy = chance(0.8) ? join(dirname(path), basename(to.newPath())) : to.newPath()
  const script = to.scriptOf(copy)
  script.last = lastUuid(bytes.subarray(0, end))
  to.write(copy, Buffer.concat([bytes.subarray(0, end), chance(0.8) ? bytesOf(script.turn()) : Buffer.alloc(0)]))
}

/** A second file that copies nothing: its first record names a parent in the old one. */
function goOn(to: ArchiveWriter, path: string): void {
  const next = join(dirname(path), basename(to.newPath()))
  const script = to.scriptOf(next)
  script.last = lastUuid(readFileSync(path))
  const { sessionId } = to.scriptOf(path)
  to.write(next, bytesOf(script.turn().map((record) => ({ ...record, sessionId }))))
}

function lastUuid(bytes: Buffer): string | null {
  return bytes.toString('latin1').match(/.*"uuid":"([^"]+)"/s)?.[1] ?? null
}

function swap(to: ArchiveWriter, path: string): void {
  const other = readdirSync(dirname(path)).find((name) => name.endsWith('.jsonl') && name !== basename(path))
  if (other === undefined) return
  renameSync(path, `${path}.swap`)
  renameSync(join(dirname(path), other), path)
  to.move(`${path}.swap`, join(dirname(path), other))
}

function startAgent(to: ArchiveWriter, path: string, random: Random): void {
  const folder = basename(dirname(path)) === 'subagents' ? dirname(path) : join(folderOf(path), 'subagents')
  const agent = join(folder, `agent-a${newUuid(random).slice(0, 16).replaceAll('-', '')}.jsonl`)
  to.write(agent, bytesOf(to.scriptOf(agent).turn()))
  const meta = { agentType: 'general-purpose', description: 'count', toolUseId: 'T1' }
  if (random.chance(0.7)) to.write(`${folderOf(agent)}.meta.json`, random.chance(0.8) ? JSON.stringify(meta) : '{')
}

function beside(to: ArchiveWriter, path: string, name: string, text: string): void {
  if (text === '') rmSync(join(folderOf(path), name), { force: true })
  else to.write(join(folderOf(path), name), text)
}

/** One word is another, anywhere or near the end: as long as it was, and still JSON. */
function otherWords(bytes: Buffer, { below, chance }: Random): Buffer {
  const text = bytes.toString('latin1')
  const at = chance(0.5) ? text.lastIndexOf('tide') : text.indexOf('tide', below(text.length + 1))
  return at < 0 ? bytes : Buffer.from(`${text.slice(0, at)}edit${text.slice(at + 4)}`, 'latin1')
}

/** As long as it was, and all its lines elsewhere. */
function reversed(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').split('\n').reverse().join('\n'), 'latin1')
}

/** One line end stands elsewhere: as long as it was, and without line ends the same bytes. */
function otherLines(bytes: Buffer, { below }: Random): Buffer {
  const text = bytes.toString('latin1')
  const at = text.indexOf('}\n{', below(text.length))
  return at < 0 ? bytes : Buffer.from(`${text.slice(0, at)}\n}{${text.slice(at + 3)}`, 'latin1')
}
