// Tasks, options and a Redactor for the tests of prose.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import type { ProseOptions, ProseTask, Route, RouteKind } from '../../src/prose/model.ts'
import { openRoute } from '../../src/prose/open-route.ts'
import type { Redactor } from '../../src/redact/model.ts'

export function taskOf(id: string, texts: readonly string[], heading = 'tidewatch'): ProseTask {
  return {
    id,
    heading,
    lines: texts.map((text, index) => ({
      text,
      cites: [{ path: `/home/ada/${id}.jsonl`, line: index + 1, offset: index * 100, uuid: `${id}-${index + 1}` }],
    })),
  }
}

/** Which lines of a task a paragraph rests on. */
export function citedIn(
  paragraphs: readonly { readonly cites: readonly { readonly line: number }[] }[],
): readonly number[][] {
  return paragraphs.map(({ cites }) => cites.map(({ line }) => line))
}

/** Knows one kind of Secret. Which kinds there are is tested where they are found. */
export const SECRET = /hunter2-[a-z0-9]{8}|-----BEGIN KEY-----\n[\s\S]*?\n-----END KEY-----/g

export function plainRedactor(): Redactor {
  let count = 0
  const redact = (text: string): string =>
    text.replace(SECRET, () => {
      count++
      return '⟦secret:made-up:0000⟧'
    })
  return {
    text: (text) => ({ text: redact(text), findings: [] }),
    value: (value) => JSON.parse(redact(JSON.stringify(value))) as typeof value,
    learn: () => undefined,
    find: () => [],
    counts: () => ({ 'made-up': count }),
  }
}

const folders: string[] = []
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'clew-prose-test-'))
  folders.push(folder)
  return folder
}

export function loopbackRoute(kind: Exclude<RouteKind, 'claude'>, address: string): Route {
  const environment =
    kind === 'openai'
      ? { OPENAI_BASE_URL: `${address}/v1`, OPENAI_API_KEY: 'key-of-ada' }
      : { ANTHROPIC_BASE_URL: address, ANTHROPIC_API_KEY: 'key-of-ada' }
  return openRoute(kind, { environment, model: 'scripted' })
}

export function optionsFor(route: Route, more: Partial<ProseOptions> = {}): ProseOptions {
  return {
    route,
    redactor: plainRedactor(),
    priceOf: () => ({ inputPerMillion: 1, outputPerMillion: 5 }),
    maxCostUsd: 1,
    maxTokens: null,
    cacheFolder: temporaryFolder(),
    pauseMs: 1,
    timeoutMs: 10_000,
    ...more,
  }
}
