// Bytes of a terminal → keys. A read may end anywhere: inside a letter, a sequence or a paste; the rest is kept for the
// next one. Only time tells the Esc key from the beginning of a sequence: whoever reads asks for `patienceMs` and
// calls `flush` when nothing came meanwhile. What is not known is left out, with all that belongs to it.

import { decodeUtf8 } from '../base/text.ts'

export type Key =
  | { readonly name: 'text'; readonly text: string }
  | { readonly name: 'paste'; readonly text: string }
  | { readonly name: NamedKey }

export type NamedKey =
  | 'enter'
  | 'escape'
  | 'tab'
  | 'backspace'
  | 'word-backspace'
  | 'up'
  | 'down'
  | 'home'
  | 'end'
  | 'page-up'
  | 'page-down'
  | 'scroll-up'
  | 'scroll-down'
  | `ctrl-${Control}`

type Control = 'c' | 'd' | 'f' | 'l' | 'n' | 'p' | 'r' | 'u' | 'z'

export interface KeyReader {
  readonly push: (bytes: Uint8Array) => readonly Key[]
  /** How long to wait for the rest of what has begun; null when nothing has. */
  readonly patienceMs: () => number | null
  /** The rest does not come. */
  readonly flush: () => readonly Key[]
}

export function openKeys(): KeyReader {
  let pending: Uint8Array = new Uint8Array(0)
  const read = (isAll: boolean): readonly Key[] => {
    const { keys, used } = readKeys(pending, isAll)
    pending = pending.slice(used)
    return keys
  }
  return {
    push: (bytes) => {
      pending = Buffer.concat([pending, bytes])
      return read(false)
    },
    patienceMs: () => {
      if (pending.length === 0) return null
      return startsWith(pending, 0, PASTE_START) ? PASTE_PATIENCE_MS : SEQUENCE_PATIENCE_MS
    },
    flush: () => read(true),
  }
}

const SEQUENCE_PATIENCE_MS = 60
/** Long pastes come in many reads over a slow line. */
const PASTE_PATIENCE_MS = 2000

const ESC = 0x1b
const BEL = 0x07
const PASTE_START = [...Buffer.from('\u001b[200~')]
const PASTE_END = [...Buffer.from('\u001b[201~')]

/** One key, or none, and how many bytes it took; null while more must come. */
interface Step {
  readonly key: Key | null
  readonly length: number
}

function readKeys(bytes: Uint8Array, isAll: boolean): { readonly keys: readonly Key[]; readonly used: number } {
  const keys: Key[] = []
  let at = 0
  while (at < bytes.length) {
    const step = stepAt(bytes, at) ?? (isAll ? brokenStep(bytes, at) : null)
    if (step === null) break
    at += step.length
    const last = keys.at(-1)
    // Letters that came together stay together.
    if (step.key?.name === 'text' && last?.name === 'text')
      keys[keys.length - 1] = { name: 'text', text: last.text + step.key.text }
    else if (step.key !== null) keys.push(step.key)
  }
  return { keys, used: at }
}

function stepAt(bytes: Uint8Array, at: number): Step | null {
  const first = bytes[at] ?? 0
  if (first === ESC) return sequenceAt(bytes, at)
  if (first < 0x20 || first === 0x7f) return { key: named(CONTROLS[first]), length: 1 }
  const length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 1
  for (let next = at + 1; next < at + length; next++) {
    if (next >= bytes.length) return null
    // Not what the first byte promised: that one alone is left out.
    if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return { key: null, length: 1 }
  }
  const text = decodeUtf8(bytes.subarray(at, at + length))
  return { key: text.includes('\ufffd') ? null : { name: 'text', text }, length }
}

const CONTROLS: Readonly<Record<number, NamedKey>> = {
  3: 'ctrl-c',
  4: 'ctrl-d',
  6: 'ctrl-f',
  8: 'backspace',
  9: 'tab',
  10: 'enter',
  12: 'ctrl-l',
  13: 'enter',
  14: 'ctrl-n',
  16: 'ctrl-p',
  18: 'ctrl-r',
  21: 'ctrl-u',
  23: 'word-backspace',
  26: 'ctrl-z',
  127: 'backspace',
}

function sequenceAt(bytes: Uint8Array, at: number): Step | null {
  const second = bytes[at + 1]
  if (second === undefined) return null
  if (second === ESC) return twoEscapesAt(bytes, at)
  const letter = String.fromCharCode(second)
  if (letter === '[') return startsWith(bytes, at, PASTE_START) ? pasteAt(bytes, at) : controlSequenceAt(bytes, at)
  if (letter === 'O') {
    const final = bytes[at + 2]
    return final === undefined ? null : { key: named(FINALS[String.fromCharCode(final)]), length: 3 }
  }
  if (']P_^X'.includes(letter)) return stringAt(bytes, at)
  // Alt and a letter; of these only Alt-Backspace says something. A letter of many bytes follows as text.
  return { key: second === 0x7f ? named('word-backspace') : null, length: second < 0x80 ? 2 : 1 }
}

/** Some terminals put one more before a sequence for the Alt key; otherwise the first one was the key itself. */
function twoEscapesAt(bytes: Uint8Array, at: number): Step | null {
  const third = bytes[at + 2]
  if (third === undefined) return null
  if (third !== 0x5b && third !== 0x4f) return { key: named('escape'), length: 1 }
  const inner = sequenceAt(bytes, at + 1)
  return inner === null ? null : { key: modified(inner.key), length: inner.length + 1 }
}

/** `ESC [`, parameters, one final character. The Linux console has a second `[` in its function keys. */
function controlSequenceAt(bytes: Uint8Array, at: number): Step | null {
  let end = at + 2
  if (bytes[end] === 0x5b) return bytes[end + 1] === undefined ? null : { key: null, length: 4 }
  while ((bytes[end] ?? 0) >= 0x20 && (bytes[end] ?? 0) < 0x40) end++
  const final = bytes[end]
  if (final === undefined) return null
  // A key in the middle of a sequence ends it: it is none.
  if (final < 0x40 || final > 0x7e) return { key: null, length: end - at }
  const parameters = decodeUtf8(bytes.subarray(at + 2, end))
  return { key: controlKey(parameters, String.fromCharCode(final)), length: end - at + 1 }
}

const FINALS: Readonly<Record<string, NamedKey>> = {
  A: 'up',
  B: 'down',
  F: 'end',
  H: 'home',
  M: 'enter',
}

const NUMBERED: Readonly<Record<string, NamedKey>> = {
  1: 'home',
  4: 'end',
  5: 'page-up',
  6: 'page-down',
  7: 'home',
  8: 'end',
}

function controlKey(parameters: string, final: string): Key | null {
  const [number = '', modifier] = parameters.split(';')
  const name = final === '~' ? NUMBERED[number] : /^1?$/.test(number) && final !== 'M' ? FINALS[final] : undefined
  return modifier === undefined || modifier === '1' ? named(name) : modified(named(name))
}

/** Shift, Alt or Ctrl with what moves the list moves the preview. */
function modified(key: Key | null): Key | null {
  if (key?.name === 'up' || key?.name === 'page-up') return named('scroll-up')
  return key?.name === 'down' || key?.name === 'page-down' ? named('scroll-down') : key
}

function pasteAt(bytes: Uint8Array, at: number): Step | null {
  const from = at + PASTE_START.length
  const end = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(Buffer.from(PASTE_END), from)
  if (end < 0) return null
  const text = decodeUtf8(bytes.subarray(from, end)).replaceAll('\ufffd', '')
  return { key: { name: 'paste', text }, length: end + PASTE_END.length - at }
}

/** What a terminal answers to questions nobody asked; it ends with BEL or with ESC and a backslash. */
function stringAt(bytes: Uint8Array, at: number): Step | null {
  for (let end = at + 2; end < bytes.length; end++) {
    if (bytes[end] === BEL) return { key: null, length: end + 1 - at }
    if (bytes[end] === ESC && bytes[end + 1] === 0x5c) return { key: null, length: end + 2 - at }
  }
  return null
}

function brokenStep(bytes: Uint8Array, at: number): Step {
  if (startsWith(bytes, at, PASTE_START)) {
    const text = decodeUtf8(bytes.subarray(at + PASTE_START.length)).replaceAll('\ufffd', '')
    return { key: { name: 'paste', text }, length: bytes.length - at }
  }
  const isEscape = bytes.subarray(at).every((byte) => byte === ESC)
  return isEscape ? { key: named('escape'), length: 1 } : { key: null, length: bytes.length - at }
}

function startsWith(bytes: Uint8Array, at: number, start: readonly number[]): boolean {
  return start.every((byte, place) => bytes[at + place] === byte)
}

function named(name: NamedKey | undefined): Key | null {
  return name === undefined ? null : { name }
}
