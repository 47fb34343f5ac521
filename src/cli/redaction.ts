// The Redactor of the command line, for all that leaves this machine. Its tags come from a key that never leaves it: the same
// Secret has the same Placeholder in every document of one person, and nobody else can try out which Secret it was.

import { createHash, createHmac, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { makeMissingFolders } from '../base/make-folders.ts'
import type { Redactor } from '../redact/model.ts'
import { createRedactor } from '../redact/redactor.ts'
import type { World } from './command.ts'

type Surroundings = Pick<World, 'environment' | 'home'>

export interface RedactionWords {
  readonly 'no-redact'?: boolean | undefined
}

export function openRedactor(world: Surroundings, words: RedactionWords = {}): Redactor {
  if (words['no-redact'] === true) return UNTOUCHED
  const folder = configFolder(world)
  const key = keyIn(folder)
  const { literals, hashes } = toldSecrets(folder)
  return createRedactor({
    tagOf: (secret) => createHmac('sha256', key).update(secret).digest('hex').slice(0, TAG_LENGTH),
    literals,
    ...(hashes.size === 0 ? {} : { isListed: listOf(hashes) }),
  })
}

/** For somebody who said that secrets may stay. */
const UNTOUCHED: Redactor = {
  text: (text) => ({ text, findings: [] }),
  value: (value) => value,
  learn: () => undefined,
  find: () => [],
  counts: () => ({}),
}

const TAG_LENGTH = 6
const KEY_BYTES = 32

function configFolder({ environment, home }: Surroundings): string {
  const chosen = environment['XDG_CONFIG_HOME']
  return join(chosen !== undefined && isAbsolute(chosen) ? chosen : join(home, '.config'), 'clew')
}

/** Made when it is needed first. Where it cannot be kept, tags are good for this run only. */
function keyIn(folder: string): Buffer {
  const path = join(folder, 'redact.key')
  const kept = readOr(path)
  if (kept !== null && kept.length >= KEY_BYTES) return kept
  const made = randomBytes(KEY_BYTES)
  try {
    makeMissingFolders(folder, {
      isThere: existsSync,
      parentOf: dirname,
      make: (one) => mkdirSync(one, { mode: 0o700 }),
    })
    // Of two that make one at the same time only one succeeds, and both use that one.
    writeFileSync(path, made, { flag: 'wx', mode: 0o600 })
    return made
  } catch {
    const other = readOr(path)
    return other !== null && other.length >= KEY_BYTES ? other : made
  }
}

interface ToldSecrets {
  readonly literals: readonly string[]
  /** Hexadecimal. */
  readonly hashes: ReadonlySet<string>
}

/** `secrets.txt`: one in a line, `#` begins a comment, `sha256:` and its hash is a word that is not told here either. */
function toldSecrets(folder: string): ToldSecrets {
  const lines = (readOr(join(folder, 'secrets.txt'))?.toString('utf8') ?? '').split(/\r?\n/)
  const told = lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'))
  const hashOf = (line: string): string | null => /^sha256:([0-9a-f]{64})$/i.exec(line)?.[1]?.toLowerCase() ?? null
  return {
    literals: told.filter((line) => hashOf(line) === null),
    hashes: new Set(told.flatMap((line) => hashOf(line) ?? [])),
  }
}

function listOf(hashes: ReadonlySet<string>): (word: string) => boolean {
  const known = new Map<string, boolean>()
  return (word) => {
    const before = known.get(word)
    if (before !== undefined) return before
    const isListed = hashes.has(createHash('sha256').update(word).digest('hex'))
    // Most words come again, but not all of them fit into memory.
    if (known.size >= WORDS_MAX) known.clear()
    known.set(word, isListed)
    return isListed
  }
}

const WORDS_MAX = 50_000

function readOr(path: string): Buffer | null {
  try {
    return readFileSync(path)
  } catch {
    return null
  }
}
