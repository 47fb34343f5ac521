// Usage records in few bytes, and back. Most records repeat the one before in everything but their line and time, so what
// is the same is one bit. Workers hand these bytes over, and the index keeps them.

import type { Usage } from '../record/model.ts'
import type { UsageRecord } from '../record/usage-record.ts'
import { highestUsage, isSameUsage } from '../record/usage-record.ts'
import { ByteReader, ByteWriter } from './packed-bytes.ts'

const SAME_KEY = 1
const SAME_PLACE = 2
const SAME_USAGE = 4
const SIDECHAIN = 8
const FORK = 16
const FINAL = 32
const NO_TIME = 64

/** Of single records, as they stand in the file. */
export function packUsage(records: readonly UsageRecord[]): Uint8Array {
  const to = new ByteWriter()
  to.whole(records.length)
  let before: UsageRecord | null = null
  let line = 0
  let ms = 0
  for (const record of records) {
    const flags = flagsOf(record, before)
    to.whole(flags)
    to.number(record.line - line)
    line = record.line
    if (record.timestampMs !== null) {
      // A sum of differences must come out as it went in, which only whole numbers promise.
      const isWhole = Number.isSafeInteger(record.timestampMs) && Number.isSafeInteger(ms)
      to.number(isWhole ? record.timestampMs - ms : null)
      if (!isWhole) to.number(record.timestampMs)
      ms = record.timestampMs
    }
    if ((flags & SAME_KEY) === 0) to.text(record.key)
    if ((flags & SAME_PLACE) === 0) writePlace(to, record)
    if ((flags & SAME_USAGE) === 0) writeUsage(to, record.usage)
    before = record
  }
  return to.finish()
}

/** The records that went in. */
export function unpackUsage(packed: Uint8Array): readonly UsageRecord[] {
  return unpack(packed, false)
}

/** The same, but records of one message that follow each other come as one: half as many, and accounts need no more. */
export function unpackUsageRuns(packed: Uint8Array): readonly UsageRecord[] {
  return unpack(packed, true)
}

function unpack(packed: Uint8Array, joins: boolean): readonly UsageRecord[] {
  const from = new ByteReader(packed)
  const count = from.whole()
  const runs: UsageRecord[] = []
  let run: Run | null = null
  let runFlags = 0
  let key: string | null = null
  let place: Place = NOWHERE
  let usage = NO_USAGE
  let line = 0
  let ms = 0
  for (let index = 0; index < count; index++) {
    const flags = from.whole()
    line += from.number() ?? 0
    if ((flags & NO_TIME) === 0) {
      const difference = from.number()
      ms = difference === null ? (from.number() ?? 0) : ms + difference
    }
    if ((flags & SAME_KEY) === 0) key = from.text()
    if ((flags & SAME_PLACE) === 0) place = readPlace(from)
    if ((flags & SAME_USAGE) === 0) usage = readUsageFields(from)
    const timestampMs = (flags & NO_TIME) === 0 ? ms : null
    const isSameRun = (flags & SAME_RUN) === SAME_RUN && (flags & MARKS) === (runFlags & MARKS)
    if (joins && run !== null && key !== null && isSameRun) {
      addToRun(run, usage, timestampMs, (flags & FINAL) !== 0)
      continue
    }
    run = runOf(line, key, place, usage, timestampMs, flags)
    runFlags = flags
    runs.push(run)
  }
  return runs
}

const SAME_RUN = SAME_KEY | SAME_PLACE
const MARKS = SIDECHAIN | FORK

type Run = { -readonly [Field in keyof UsageRecord]: UsageRecord[Field] }

function runOf(
  line: number,
  key: string | null,
  place: Place,
  usage: Usage,
  timestampMs: number | null,
  flags: number,
): Run {
  return {
    line,
    records: 1,
    isRaised: false,
    key,
    model: place.model,
    timestampMs,
    sessionId: place.sessionId,
    agentId: place.agentId,
    agentType: place.agentType,
    cwd: place.cwd,
    isSidechain: (flags & SIDECHAIN) !== 0,
    isFork: (flags & FORK) !== 0,
    isFinal: (flags & FINAL) !== 0,
    rate: place.rate,
    usage,
  }
}

function addToRun(run: Run, usage: Usage, timestampMs: number | null, isFinal: boolean): void {
  run.records++
  if (isFinal) run.isFinal = true
  if (timestampMs !== null && (run.timestampMs === null || timestampMs < run.timestampMs)) run.timestampMs = timestampMs
  if (usage === run.usage) return
  const highest = highestUsage(run.usage, usage)
  if (highest !== run.usage || !isSameUsage(highest, usage)) run.isRaised = true
  run.usage = highest
}

function flagsOf(record: UsageRecord, before: UsageRecord | null): number {
  let flags = 0
  if (before !== null && record.key === before.key) flags |= SAME_KEY
  if (before !== null && isSamePlace(record, before)) flags |= SAME_PLACE
  if (before !== null && isExactlySame(record.usage, before.usage)) flags |= SAME_USAGE
  if (record.isSidechain) flags |= SIDECHAIN
  if (record.isFork) flags |= FORK
  if (record.isFinal) flags |= FINAL
  if (record.timestampMs === null) flags |= NO_TIME
  return flags
}

type Place = Pick<UsageRecord, 'model' | 'sessionId' | 'agentId' | 'agentType' | 'cwd' | 'rate'>

const NOWHERE: Place = { model: null, sessionId: null, agentId: null, agentType: null, cwd: null, rate: null }

function isSamePlace(one: Place, other: Place): boolean {
  return (
    one.model === other.model &&
    one.sessionId === other.sessionId &&
    one.agentId === other.agentId &&
    one.agentType === other.agentType &&
    one.cwd === other.cwd &&
    one.rate === other.rate
  )
}

function writePlace(to: ByteWriter, { model, sessionId, agentId, agentType, cwd, rate }: Place): void {
  for (const text of [model, sessionId, agentId, agentType, cwd, rate]) to.text(text)
}

function readPlace(from: ByteReader): Place {
  const model = from.text()
  const sessionId = from.text()
  const agentId = from.text()
  const agentType = from.text()
  const cwd = from.text()
  return { model, sessionId, agentId, agentType, cwd, rate: from.text() }
}

const NO_USAGE: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  cacheWrite1hTokens: 0,
}

function isExactlySame(one: Usage, other: Usage): boolean {
  return (
    Object.is(one.inputTokens, other.inputTokens) &&
    Object.is(one.outputTokens, other.outputTokens) &&
    Object.is(one.cacheReadTokens, other.cacheReadTokens) &&
    Object.is(one.cacheWriteTokens, other.cacheWriteTokens) &&
    Object.is(one.cacheWrite1hTokens, other.cacheWrite1hTokens)
  )
}

function writeUsage(to: ByteWriter, usage: Usage): void {
  to.number(usage.inputTokens)
  to.number(usage.outputTokens)
  to.number(usage.cacheReadTokens)
  to.number(usage.cacheWriteTokens)
  to.number(usage.cacheWrite1hTokens)
}

function readUsageFields(from: ByteReader): Usage {
  const inputTokens = from.number() ?? 0
  const outputTokens = from.number() ?? 0
  const cacheReadTokens = from.number() ?? 0
  const cacheWriteTokens = from.number() ?? 0
  return { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens: from.number() ?? 0 }
}
