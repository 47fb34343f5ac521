// Which Version of a file is meant: the newest that is certain, or the one at a turn, a time or a number.

import { sinceMs } from '../base/time.ts'
import { newestCertain } from '../recover/history.ts'
import type { FileHistory, Version } from '../recover/model.ts'
import type { Recovered } from '../recover/recovered.ts'
import type { World } from './command.ts'
import { Failure } from './failure.ts'

export type At =
  | { readonly kind: 'version'; readonly number: number }
  | { readonly kind: 'turn'; readonly turn: number }
  | { readonly kind: 'time'; readonly ms: number }

export function parseAt(typed: string | undefined, world: World): At | null {
  if (typed === undefined) return null
  const version = /^v(\d+)$/.exec(typed)
  if (version !== null) return { kind: 'version', number: Number(version[1]) }
  if (/^\d+$/.test(typed)) return { kind: 'turn', turn: Number(typed) }
  const ms = sinceMs(typed, world.nowMs)
  if (ms === null)
    throw new Failure(`--at takes a turn (7), a version (v3), or a time (2026-03-01T10:00Z, 2h), not “${typed}”`)
  return { kind: 'time', ms }
}

/** Null when there is none that could be handed out. */
export function chooseVersion({ versions }: FileHistory, at: At | null, { turnOf }: Recovered): Version | null {
  if (at === null)
    return newestCertain(versions) ?? versions.findLast(({ content }) => content.kind === 'parts') ?? null
  if (at.kind === 'version') return versions.find(({ number }) => number === at.number) ?? null
  if (at.kind === 'time')
    return versions.findLast(({ place }) => (place.timeMs ?? Number.POSITIVE_INFINITY) <= at.ms) ?? null
  const sessions = new Set(versions.map(({ place }) => place.sessionId))
  if (sessions.size > 1)
    throw new Failure(
      `several conversations have a turn ${at.turn}. Say which with --session: ${[...sessions].join(', ')}`,
    )
  return versions.findLast(({ place }) => (turnOf(place)?.turn ?? Number.POSITIVE_INFINITY) <= at.turn) ?? null
}
