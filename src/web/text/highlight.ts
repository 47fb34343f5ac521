// Code → tokens with a kind, a piece at a time while the browser is idle, so that nobody waits for colours. What was
// coloured before is remembered: rows of a long list come and go.

import type { CodePainter } from './shiki.ts'

export interface CodeToken {
  readonly text: string
  readonly offset: number
  /** Null for text in the ordinary colour. */
  readonly kind: string | null
}

export interface CodeLine {
  readonly offset: number
  readonly tokens: readonly CodeToken[]
}

const LENGTH_MAX = 100_000
const LINE_LENGTH_MAX = 2_000
const REMEMBERED_MAX = 60
const SLICE_MS = 6
const REST_MS = 200

const remembered = new Map<string, readonly CodeLine[]>()
let painter: Promise<CodePainter> | null = null
/** One block after the other. */
let before: Promise<unknown> = Promise.resolve()

export function highlightedBefore(text: string, language: string): readonly CodeLine[] | null {
  return remembered.get(`${language}\n${text}`) ?? null
}

/** Null for what stays as it is: no known language, too long, or no longer wanted. */
export function highlightCode(
  text: string,
  language: string,
  signal: AbortSignal,
): Promise<readonly CodeLine[] | null> {
  const known = highlightedBefore(text, language)
  if (known !== null) return Promise.resolve(known)
  if (language === '' || text.length > LENGTH_MAX || hasLongLine(text)) return Promise.resolve(null)
  const mine = before.then(() => paint(text, language, signal)).catch(() => null)
  before = mine
  return mine
}

async function paint(text: string, language: string, signal: AbortSignal): Promise<readonly CodeLine[] | null> {
  await idle()
  if (signal.aborted) return null
  painter ??= import('./shiki.ts').then(({ loadPainter }) => loadPainter())
  const { stepsOf } = await painter
  const steps = await stepsOf(language, text)
  if (steps === null) return null
  const lines: CodeLine[] = []
  for (;;) {
    await idle()
    if (signal.aborted) return null
    const untilMs = performance.now() + SLICE_MS
    while (performance.now() < untilMs) {
      const step = steps.next()
      if (step.done) {
        remember(`${language}\n${text}`, lines)
        return lines
      }
      if (step.value !== null) lines.push(step.value)
    }
  }
}

let scrolledMs = 0
if (typeof document !== 'undefined') document.addEventListener('scroll', noteScroll, { capture: true, passive: true })

function noteScroll(): void {
  scrolledMs = performance.now()
}

/** Not while somebody scrolls: then every millisecond is needed elsewhere. */
async function idle(): Promise<void> {
  for (;;) {
    await new Promise<void>((resolve) => {
      if (typeof requestIdleCallback === 'function') requestIdleCallback(() => resolve(), { timeout: 1000 })
      else setTimeout(resolve, 30)
    })
    const restedMs = performance.now() - scrolledMs
    if (restedMs >= REST_MS) return
    await new Promise((resolve) => setTimeout(resolve, REST_MS - restedMs))
  }
}

function remember(key: string, lines: readonly CodeLine[]): void {
  remembered.set(key, lines)
  for (const old of remembered.keys()) {
    if (remembered.size <= REMEMBERED_MAX) break
    remembered.delete(old)
  }
}

function hasLongLine(text: string): boolean {
  return text.split('\n').some((line) => line.length > LINE_LENGTH_MAX)
}
