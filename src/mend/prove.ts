// What a repair promises, looked for in its result: nothing that was said is missing, nothing was made up, and whoever
// reads it comes to the end. An empty list is the proof.

import { readContext } from '../graph/context.ts'
import { cutCycles } from '../graph/forest.ts'
import type { Thread, ThreadNode } from '../graph/thread.ts'
import { buildThread, MISSING } from '../graph/thread.ts'
import { text } from '../record/fields.ts'
import type { Body, Envelope } from '../record/model.ts'
import { isMessage } from '../record/roles.ts'
import { addLine, openReader } from '../record/transcript.ts'
import { hasOwnUuid, sentNodes } from './live-path.ts'
import type { BrokenPromise, Fix, PromiseCode } from './model.ts'
import { pairFaults } from './pairs.ts'
import type { RepairOptions } from './plan.ts'
import { planRepair } from './plan.ts'
import type { Survey } from './survey.ts'
import { surveyOf } from './survey.ts'
import type { TranscriptBytes } from './transcript-bytes.ts'

/** `options` as for the plan: what was not to be mended is not promised. */
export function proveRepair(
  before: TranscriptBytes,
  after: TranscriptBytes,
  options: RepairOptions,
): readonly BrokenPromise[] {
  const broken: BrokenPromise[] = []
  const fails = (code: PromiseCode, message: string): void => {
    broken.push({ code, message })
  }
  const isPromised = (fix: Fix): boolean => options.fixes?.includes(fix) ?? true
  const old = surveyOf(before, options.isSubagent)
  const now = surveyOf(after, options.isSubagent)
  for (const one of [old, now])
    if (!isAccounted(one)) fails('bytes-unaccounted', `${one.source.path}: bytes are missing`)
  if (isPromised('lines') && now.faults.length > 0)
    fails('bytes-unaccounted', `line ${now.faults[0]?.line}: ${now.faults[0]?.code}`)
  const thread = buildThread([{ transcript: 0, envelopes: now.envelopes }])
  if (isPromised('chain')) proveChain(thread, fails)
  if (isPromised('pairs')) provePairs(thread, fails)
  proveTexts(old, now, fails)
  proveState(old, now, fails)
  const again = planRepair(after, { ...options, newId: newIds() }).plan
  for (const {
    code,
    before: [record],
  } of again.steps.slice(0, 3))
    fails('not-settled', `line ${record?.line ?? 0} would be mended again: ${code}`)
  return broken
}

type Fails = (code: PromiseCode, message: string) => void

function isAccounted({ account, source }: Survey): boolean {
  const { records, problems, tail, blank, sizeBytes } = account
  return records + problems + tail + blank === sizeBytes && sizeBytes === source.sizeBytes
}

function proveChain(thread: Thread, fails: Fails): void {
  const twice = thread.nodes.find(({ copies }) => copies.length > 0)
  if (twice !== undefined) fails('uuid-twice', twice.uuid)
  const hasMessages = thread.nodes.some(({ last }) => isMessage(last) && !last.isSidechain)
  for (const rule of ['file', 'resume'] as const)
    if (hasMessages && readContext(thread, rule).tip === null) fails('no-live-tip', `no tip by the rule ${rule}`)
  const first = thread.nodes.findIndex(({ last }) => isMessage(last) && !last.isSidechain)
  for (const [index, { last, uuid }] of thread.nodes.entries())
    if (index > first && thread.last.parents[index] === MISSING && !last.isSidechain && isMessage(last) && first >= 0)
      if (!isAboveAll(thread, index)) fails('broken-link', `${uuid} names ${last.parentUuid}, which is not there`)
  for (const node of cutCycles(Int32Array.from(thread.last.parents)))
    fails('broken-link', `${(thread.nodes[node] as ThreadNode).uuid} leads back to itself`)
}

/** A record all earlier ones hang below can be hung below none of them. */
function isAboveAll(thread: Thread, top: number): boolean {
  for (let index = 0; index < top; index++) {
    const { last } = thread.nodes[index] as ThreadNode
    if (last.isSidechain || !isMessage(last) || !hasOwnUuid(thread.nodes[index] as ThreadNode)) continue
    let at = index
    for (let steps = 0; at >= 0 && at !== top && steps <= thread.nodes.length; steps++)
      at = thread.last.parents[at] as number
    if (at !== top) return false
  }
  return true
}

function provePairs(thread: Thread, fails: Fails): void {
  const sent = sentNodes(thread).map(({ last }) => last)
  for (const { code, id } of pairFaults(sent).slice(0, 3)) fails('pair-incomplete', `${code}: ${id}`)
}

function proveTexts(old: Survey, now: Survey, fails: Fails): void {
  let missing = 0
  let invented = 0
  for (const [key, count] of old.said.counts) missing += Math.max(0, count - (now.said.counts.get(key) ?? 0))
  for (const [key, count] of now.said.counts) invented += Math.max(0, count - (old.said.counts.get(key) ?? 0))
  if (missing > 0) fails('text-missing', `${missing} texts are missing`)
  if (invented > 0) fails('text-invented', `${invented} texts are new`)
}

/** State the client reads from the end of the file: the last of each kind must be the same. */
const STATE: Readonly<Record<string, string>> = {
  'permission-mode': 'permissionMode',
  mode: 'mode',
  'ai-title': 'aiTitle',
  'custom-title': 'customTitle',
  'last-prompt': 'lastPrompt',
}

function proveState(old: Survey, now: Survey, fails: Fails): void {
  const [was, is] = [lastState(old.source), lastState(now.source)]
  for (const [type, value] of was.state) if (is.state.get(type) !== value) fails('state-lost', `${type}: ${value}`)
  if (is.boundaries < was.boundaries) fails('state-lost', `${was.boundaries - is.boundaries} compactions`)
}

interface LastState {
  readonly state: ReadonlyMap<string, string>
  /** How many compactions there are. */
  readonly boundaries: number
}

function lastState(source: TranscriptBytes): LastState {
  const state = new Map<string, string>()
  const boundaries = new Set<string>()
  const visit = ({ type, kind, uuid }: Envelope, body: Body): void => {
    const value = text(body[STATE[type] ?? ''])
    if (STATE[type] !== undefined && value !== null) state.set(type, value)
    if (kind === 'boundary' && uuid !== null) boundaries.add(uuid)
  }
  const reader = openReader(source.path, { visit })
  for (const line of source.lines()) addLine(reader, line)
  return { state, boundaries: boundaries.size }
}

function newIds(): () => string {
  let count = 0
  return () => `never-written-${count++}`
}
