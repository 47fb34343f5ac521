// A plain JSON value → the same with its Secrets replaced; what holds none is handed back as it is. No recursion: a value may
// be nested deeper than the stack. Strings beside each other in an array are one text, as the lines of a diff are.

import { isHarmless } from './harmless.ts'
import { isSecretValue } from './judge-value.ts'
import type { NameKind } from './names.ts'
import { nameKind } from './names.ts'

export interface Strings {
  readonly text: (text: string) => string
  /** Several lines at once. */
  readonly lines: (lines: readonly string[]) => readonly string[]
  readonly key: (key: string) => string
  /** All of it is a Secret. */
  readonly secret: (secret: string, kind: NameKind) => string
}

export function redactValue(root: unknown, strings: Strings): unknown {
  const stack: Frame[] = []
  let outcome: unknown = root
  /** Simple values are done at once, the others later. */
  const begin = (value: unknown, kind: NameKind | null): boolean => {
    if (typeof value === 'string') outcome = redactString(value, kind, strings)
    else if (typeof value === 'object' && value !== null) {
      stack.push(Array.isArray(value) ? arrayFrame(value, kind, strings) : objectFrame(value, kind, strings))
      return false
    } else outcome = value
    return true
  }
  begin(root, null)
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    if (frame.next === frame.names.length) {
      stack.pop()
      outcome = frame.copy ?? frame.source
      const parent = stack.at(-1)
      if (parent !== undefined) put(parent, outcome)
      continue
    }
    const name = frame.names[frame.next] as string
    const value = frame.source[name]
    if (frame.isArray && frame.kind === null && typeof value === 'string') put(frame, frame.copy?.[name] ?? value)
    else if (begin(value, frame.isArray ? frame.kind : kindOf(frame, name))) put(frame, outcome)
  }
  return outcome
}

interface Frame {
  readonly source: Readonly<Record<string, unknown>>
  readonly names: readonly string[]
  /** The names as they may be told. */
  readonly toldNames: readonly string[]
  readonly isArray: boolean
  /** What the key says that the value stands below. */
  readonly kind: NameKind | null
  copy: Record<string, unknown> | null
  next: number
}

function objectFrame(source: object, kind: NameKind | null, strings: Strings): Frame {
  const names = Object.keys(source)
  const toldNames = names.map(strings.key)
  const frame: Frame = {
    source: source as Readonly<Record<string, unknown>>,
    names,
    toldNames,
    isArray: false,
    kind,
    copy: null,
    next: 0,
  }
  if (toldNames.some((name, index) => name !== names[index])) frame.copy = copyOf(frame)
  return frame
}

function arrayFrame(source: readonly unknown[], kind: NameKind | null, strings: Strings): Frame {
  const names = Object.keys(source)
  const frame: Frame = {
    source: source as unknown as Readonly<Record<string, unknown>>,
    names,
    toldNames: names,
    isArray: true,
    kind,
    copy: null,
    next: 0,
  }
  if (kind !== null) return frame
  for (let from = 0; from < source.length; from++) {
    let to = from
    while (typeof source[to] === 'string') to++
    if (to === from) continue
    const before = source.slice(from, to) as readonly string[]
    const after = to - from === 1 ? [strings.text(before[0] as string)] : strings.lines(before)
    for (const [index, line] of after.entries()) {
      if (line === before[index]) continue
      frame.copy ??= copyOf(frame)
      frame.copy[from + index] = line
    }
    from = to
  }
  return frame
}

function put(frame: Frame, value: unknown): void {
  const index = frame.next++
  const name = frame.names[index] as string
  if (value === (frame.copy === null ? frame.source[name] : frame.copy[frame.toldNames[index] as string])) return
  frame.copy ??= copyOf(frame)
  define(frame.copy, frame.toldNames[index] as string, value)
}

function copyOf({ source, names, toldNames, isArray }: Frame): Record<string, unknown> {
  if (isArray) return [...(source as unknown as readonly unknown[])] as unknown as Record<string, unknown>
  const copy = Object.create(Object.getPrototypeOf(source)) as Record<string, unknown>
  for (const [index, name] of names.entries()) define(copy, toldNames[index] as string, source[name])
  return copy
}

/** An assignment to `__proto__` would be lost. */
function define(target: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true })
}

/** `{"name": "API_TOKEN", "value": "…"}` and `{"API_TOKEN": {"value": "…"}}` are the same as `{"API_TOKEN": "…"}`. */
function kindOf({ source, kind }: Frame, name: string): NameKind | null {
  if (name === 'value' || name === 'Value') {
    const label = LABELS.map((one) => source[one]).find((one) => one !== undefined)
    if (typeof label === 'string') return nameKind(label)
    // A parser's token has a value too, so what the key above says is asked of the value.
    const value = source[name]
    if (kind !== null && typeof value === 'string' && isSecretValue(value, kind, 'document')) return kind
  }
  return nameKind(name)
}

const LABELS = ['name', 'key', 'Name', 'Key', 'variable', 'field', 'id']

function redactString(text: string, kind: NameKind | null, strings: Strings): string {
  if (kind === null || text.length < SECRET_MIN) return strings.text(text)
  const scheme = SCHEME.exec(text)?.[0] ?? ''
  const secret = text.slice(scheme.length)
  if (secret.length < SECRET_MIN || isHarmless(secret)) return strings.text(text)
  return scheme + strings.secret(secret, kind)
}

const SCHEME = /^(?:bearer|basic|token|bot|digest|negotiate|apikey)\s+/i
const SECRET_MIN = 4
