// Sessions nobody sat at: a program asked for a summary and threw it away, a client warmed up. They outnumber a person's
// own where such tools are installed, and say nothing about the person's day.

import { branchesOfConversation } from '../conversation/reading.ts'
import type { Brief } from '../digest/model.ts'
import type { BriefSource } from '../digest/work.ts'
import { object, text } from '../record/fields.ts'
import type { Body } from '../record/model.ts'

/** Headless, asked once, and no tool was used; or a warm-up. */
export function isMachineMade({ woven, bodyOf }: BriefSource): boolean {
  const paths = [woven.source.main.path, ...woven.source.earlier.map(({ path }) => path)]
  const turns = branchesOfConversation(woven).flatMap((branch) => branch.turns)
  const prompts = turns.flatMap(({ prompt }) => prompt ?? [])
  const [first] = prompts
  if (first === undefined || prompts.length > 1) return false
  const body = bodyOf(paths[first.transcript] ?? '', first.envelope)
  if (body === null) return false
  if (saidIn(body).trim() === 'Warmup') return true
  return isHeadless(body) && turns.every(({ toolCalls }) => toolCalls.length === 0)
}

/** Started by the SDK or by `claude -p`. Older clients do not say. */
function isHeadless(body: Body): boolean {
  return (text(body['entrypoint']) ?? '').startsWith('sdk') || body['promptSource'] === 'sdk'
}

function saidIn(body: Body): string {
  return text(object(body['message'])?.['content']) ?? ''
}

const TINY_MS = 60_000

/** One short question and its answer. */
export function isTiny(brief: Brief): boolean {
  if (brief.tools.length > 0 || brief.turns.length > 1 || brief.activeMs >= TINY_MS) return false
  return (
    brief.intents.every(({ text: asked }) => asked.length < 120) && brief.turns.every(({ done }) => done.length <= 3)
  )
}
