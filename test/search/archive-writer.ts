// A Claude directory that changes the way such directories do, and the way careless tools change them: whole lines, half
// lines, compactions, forks, moves, truncations, rewrites. One seed is one history; each step says what it did.
//
// What it never does: change the middle of a very long file in place while letting it grow. The index takes that for what
// it looks like, by design (plan.ts).

import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import type { Random } from '../random.ts'
import type { Act } from './archive-acts.ts'
import { WEIGHED_ACTS } from './archive-acts.ts'
import { newUuid, SessionScript } from './session-script.ts'

const PROJECTS = ['-home-ada-tidewatch', '-home-ada-dotfiles', '-home-ada-tidewatch--worktrees-moon']

export class ArchiveWriter {
  readonly root: string
  /** Uuids that some record has named as its parent and that no record has. */
  readonly unwritten: string[] = []
  readonly #random: Random
  readonly #scripts = new Map<string, SessionScript>()
  /** What is still to come of a line that was begun. */
  readonly #rests = new Map<string, Buffer>()
  #away: { readonly path: string; readonly bytes: Buffer; readonly seconds: number }[] = []
  #seconds = 1_700_000_000

  constructor(root: string, random: Random) {
    this.root = root
    this.#random = random
    for (const project of PROJECTS) mkdirSync(join(root, 'projects', project), { recursive: true })
  }

  /** Does one thing; says which and to what. */
  step(): string {
    const files = this.#files()
    const isBare = files.length < 2
    const { name, run } = isBare ? (WEIGHED_ACTS[0] as Act) : this.#random.pick(WEIGHED_ACTS)
    const path = isBare ? this.root : this.#random.pick(files)
    run(this, path, this.#random)
    return `${name} ${relative(this.root, path)}`
  }

  #files(): readonly string[] {
    return readdirSync(this.root, { recursive: true, withFileTypes: true })
      .filter((found) => found.isFile() && found.name.endsWith('.jsonl'))
      .map((found) => join(found.parentPath, found.name))
      .sort()
  }

  /** One that has moved, or that is a link to nowhere, is there again. */
  folder(): string {
    const path = join(this.root, 'projects', this.#random.pick(PROJECTS))
    if (!existsSync(path)) {
      rmSync(path, { force: true })
      mkdirSync(path)
    }
    return path
  }

  newPath(): string {
    return join(this.folder(), `${newUuid(this.#random)}.jsonl`)
  }

  scriptOf(path: string): SessionScript {
    const known = this.#scripts.get(path)
    if (known !== undefined) return known
    const name = basename(path, '.jsonl')
    const isAgent = name.startsWith('agent-')
    const made = new SessionScript(
      this.#random,
      isAgent ? this.#owner(path) : name,
      isAgent ? name.slice('agent-'.length) : null,
    )
    this.#scripts.set(path, made)
    return made
  }

  /** An agent works for the session whose folder it is in; a flat one for any of the project. */
  #owner(path: string): string {
    if (basename(dirname(path)) === 'subagents') return basename(dirname(dirname(path)))
    const mains = readdirSync(dirname(path)).filter((name) => /^[0-9a-f-]{36}\.jsonl$/.test(name))
    return mains.length === 0 ? newUuid(this.#random) : basename(this.#random.pick(mains), '.jsonl')
  }

  /** Mostly a line that was begun is finished first; after a crash it never is. */
  append(path: string, bytes: Buffer | string): void {
    const rest = this.#rests.get(path)
    this.#rests.delete(path)
    if (rest !== undefined && this.#random.chance(0.7)) appendFileSync(path, rest)
    appendFileSync(path, bytes)
    this.stamp(path)
  }

  beginLine(path: string, line: Buffer): void {
    const cut = 1 + this.#random.below(line.length - 1)
    this.append(path, line.subarray(0, cut))
    this.#rests.set(path, line.subarray(cut))
  }

  write(path: string, bytes: Buffer | string): void {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, bytes)
    this.#rests.delete(path)
    this.stamp(path)
  }

  /** In place and as long as it was: nothing but its time tells. */
  rewrite(path: string, bytes: Buffer): void {
    writeFileSync(path, bytes)
    this.stamp(path)
  }

  /** In place, and with its time put back: only the system knows when. Its clock has steps of some milliseconds. */
  forge(path: string, bytes: Buffer): void {
    const seconds = statSync(path).mtimeMs / 1000
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 12)
    writeFileSync(path, bytes)
    utimesSync(path, seconds, seconds)
  }

  /** Another file under the same name: a new inode, whatever is in it. */
  replace(path: string, bytes: Buffer): void {
    this.write(`${path}.next`, bytes)
    renameSync(`${path}.next`, path)
    this.#rests.delete(path)
  }

  truncate(path: string, sizeBytes: number): void {
    truncateSync(path, sizeBytes)
    this.#rests.delete(path)
    this.stamp(path)
  }

  /** With the folder of the session, if it has one. */
  move(path: string, to: string): void {
    if (existsSync(to)) return
    mkdirSync(dirname(to), { recursive: true })
    renameSync(path, to)
    const [folder, next] = [path, to].map((one) => one.slice(0, -'.jsonl'.length)) as [string, string]
    if (existsSync(folder) && !existsSync(next)) renameSync(folder, next)
    const script = this.#scripts.get(path)
    if (script !== undefined) this.#scripts.set(to, script)
    this.#scripts.delete(path)
  }

  /** What was there is elsewhere now. */
  link(path: string): void {
    const elsewhere = join(this.root, 'elsewhere', newUuid(this.#random))
    mkdirSync(dirname(elsewhere), { recursive: true })
    renameSync(path, elsewhere)
    symlinkSync(elsewhere, path)
  }

  remove(path: string): void {
    this.#away.push({ path, bytes: readFileSync(path), seconds: statSync(path).mtimeMs / 1000 })
    rmSync(path)
    this.#rests.delete(path)
  }

  bringBack(): void {
    const back = this.#away.pop()
    if (back === undefined || existsSync(back.path)) return
    this.write(back.path, back.bytes)
    if (this.#random.chance(0.5)) utimesSync(back.path, back.seconds, back.seconds)
  }

  /** Every change has a time of its own, below the millisecond too: what a real clock gives and a test cannot wait for. */
  stamp(path: string): void {
    this.#seconds += 0.001 + this.#random.below(1_000_000) / 1000
    const seconds = this.#random.chance(0.05) ? this.#seconds - 1_000_000 : this.#seconds
    utimesSync(path, seconds, seconds)
  }
}
