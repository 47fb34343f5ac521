// What went wrong, and whether it was put right: the same thing tried again later went well, or a later run for the same
// purpose did.

import type { CallFacts } from './call.ts'
import { joinCites } from './citation.ts'
import { shorten } from './condense.ts'
import type { Failing } from './model.ts'
import type { Upset } from './work.ts'

export function failingsOf(calls: readonly CallFacts[], upsets: readonly Upset[]): readonly Failing[] {
  const failings = new Map<string, Failing>()
  const lastGood = lastGoodPlaces(calls)
  for (const [place, call] of calls.entries()) {
    const failure = failureOf(call)
    if (failure === null) continue
    const subject = shorten(call.subject, 120)
    const key = `${call.name} ${call.subject}`
    add(failings, key, {
      tool: call.name,
      text: subject === '' ? failure : `${subject}: ${failure}`,
      times: 1,
      isMended: keysOf(call).some((one) => (lastGood.get(one) ?? -1) > place),
      cites: call.cites,
    })
  }
  for (const { text, cites, isMended } of upsets) add(failings, text, { tool: null, text, times: 1, isMended, cites })
  return [...failings.values()]
}

/**
 * A command behind a pipe ends well whatever happened: its output tells. One that only looked and found nothing (`grep`,
 * `ls`) ends badly and is no failing.
 */
function failureOf({ failure, command }: CallFacts): string | null {
  if (command?.purpose === 'other' && /^(?:exit code 1|failed without a word)$/.test(command.outcome ?? failure ?? ''))
    return null
  if (command !== null && command.wentWell === false) return command.outcome ?? failure
  return failure
}

function lastGoodPlaces(calls: readonly CallFacts[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>()
  for (const [place, call] of calls.entries()) {
    if (call.status !== 'ok' || call.command?.wentWell === false) continue
    for (const key of keysOf(call)) places.set(key, place)
  }
  return places
}

const REPEATED: ReadonlySet<string> = new Set(['test', 'build', 'check', 'deploy', 'install'])

function keysOf({ name, subject, command }: CallFacts): readonly string[] {
  const same = `${name} ${subject}`
  return command !== null && REPEATED.has(command.purpose) ? [same, `for ${command.purpose}`] : [same]
}

function add(failings: Map<string, Failing>, key: string, failing: Failing): void {
  const known = failings.get(key)
  if (known === undefined) failings.set(key, failing)
  else failings.set(key, { ...failing, times: known.times + 1, cites: joinCites([known.cites, failing.cites]) })
}
