// The code that V8 made of Clew's own files, kept in the cache folder: a file for each command. V8 refuses code of another
// version of itself, but believes every byte of it. So it is written twice, and what differs, or what others could have
// written, is not handed to V8 at all: to compare takes no time, a sum in JavaScript does. Nothing here can fail a command.

import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Script } from 'node:vm'
import { makeMissingFolders } from '../base/make-folders.ts'

export interface KeptCode {
  readonly path: string
  /** Which build of Clew, in which Node, the code is for. */
  readonly build: string
  readonly codeOf: (file: string) => Buffer | undefined
  /** Everything that is kept, by file, and how often it was. */
  readonly codes: ReadonlyMap<string, Buffer>
  readonly times: number
}

export interface CompiledFile {
  readonly file: string
  readonly script: Script
}

type Environment = Readonly<Record<string, string | undefined>>

/** Null where nothing is to be kept: switched off, a command we do not know, a place that is not known. */
export function keptCode(folder: string, command: string, environment: Environment): KeptCode | null {
  const place = placeOf(environment)
  if (place === null || !/^[a-z][a-z-]{1,20}$/.test(command) || environment['NODE_DISABLE_COMPILE_CACHE']) return null
  const path = join(place, `${command}.code`)
  const build = buildOf(folder)
  const read = build === null ? null : readCode(path, build)
  if (build === null) return null
  const { codes, times } = read ?? NOTHING
  return { path, build, codeOf: (file) => codes.get(file), codes, times }
}

/** On a system without user ids nobody could tell whose the code is. */
function placeOf(environment: Environment): string | null {
  const { XDG_CACHE_HOME: cache, HOME: home } = environment
  const folder = cache?.startsWith('/') ? cache : home?.startsWith('/') ? join(home, '.cache') : null
  return folder === null || process.getuid === undefined ? null : join(folder, 'clew', 'code')
}

/** The files of another build have other times. */
function buildOf(folder: string): string | null {
  try {
    const { mtimeMs, ctimeMs, size, ino } = statSync(join(folder, 'main.js'))
    return [folder, mtimeMs, ctimeMs, size, ino, process.version, process.arch].join(' ')
  } catch {
    return null
  }
}

interface Kept {
  readonly codes: ReadonlyMap<string, Buffer>
  readonly times: number
}

const NOTHING: Kept = { codes: new Map(), times: 0 }

interface Head {
  readonly build: string
  readonly times: number
  /** File, and how many bytes of code. */
  readonly files: readonly (readonly [string, number])[]
}

const HEAD_BYTES = 4

function readCode(path: string, build: string): Kept | null {
  try {
    const bytes = readOwn(path)
    if (bytes === null) return null
    const start = HEAD_BYTES + bytes.readUInt32LE(0)
    const head = JSON.parse(bytes.toString('utf8', HEAD_BYTES, start)) as Head
    const half = (bytes.length - start) / 2
    const code = bytes.subarray(start, start + half)
    if (head.build !== build || !code.equals(bytes.subarray(start + half))) return null
    const found = new Map<string, Buffer>()
    let at = 0
    for (const [file, length] of head.files) {
      found.set(file, code.subarray(at, at + length))
      at += length
    }
    return at === code.length ? { codes: found, times: head.times } : null
  } catch {
    return null
  }
}

const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW

/** Null when somebody else could have written it. */
function readOwn(path: string): Buffer | null {
  const fd = openSync(path, FLAGS)
  try {
    const { uid, mode } = fstatSync(fd)
    return uid === process.getuid?.() && (mode & 0o022) === 0 ? readFileSync(fd) : null
  } finally {
    closeSync(fd)
  }
}

/** The first run of a command makes the index, the second finds nothing to do: each uses functions of its own. */
const TIMES = 4

/** Where something was compiled that was not kept, and a few times more: V8 keeps the functions that have been used. */
export function keepCode(
  { path, build, codeOf, codes: before, times }: KeptCode,
  compiled: readonly CompiledFile[],
): void {
  const isRefused = compiled.some(({ script }) => script.cachedDataRejected === true)
  const isKept = !isRefused && compiled.every(({ file }) => codeOf(file) !== undefined)
  if (isKept && times >= TIMES) return
  const next = `${path}.${process.pid}`
  try {
    const kept = new Map(isRefused ? [] : before)
    for (const { file, script } of compiled) kept.set(file, script.createCachedData())
    const codes = [...kept.values()]
    const files = [...kept].map(([file, { length }]) => [file, length] as const)
    const head = Buffer.from(JSON.stringify({ build, times: isKept ? times + 1 : 1, files } satisfies Head))
    const length = Buffer.alloc(HEAD_BYTES)
    length.writeUInt32LE(head.length)
    makeMissingFolders(dirname(path), {
      isThere: existsSync,
      parentOf: dirname,
      make: (one) => mkdirSync(one, { mode: 0o700 }),
    })
    writeFileSync(next, Buffer.concat([length, head, ...codes, ...codes]), { mode: 0o600, flag: 'wx' })
    renameSync(next, path)
  } catch {
    discard(next)
  }
}

function discard(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // Where nothing could be written there is nothing to take away.
  }
}
