// A story is a list of steps; each `do` names one of these. `after` are the seconds a person let pass before the step.

import { warmup } from './agents.mjs'
import { noteModes, noteNoTip, putSnapshot } from './notes.mjs'
import { reply } from './reply.mjs'
import { attachPlanMode, attachStart } from './surroundings.mjs'
import { isoTime, linkSystem, linkUser, note, positionOf, wait } from './transcript.mjs'
import { branch, close, compact, recover, rename } from './turning-points.mjs'

const STEPS = { open, prompt, reply, retry, notify, compact, rename, branch, close, recover, warmup }

export function play(transcript, story) {
  for (const step of story) {
    if (step.after) wait(transcript, step.after)
    STEPS[step.do](transcript, step, play)
  }
}

/** The client starts, or starts again on the same file: by then the prompt cache has gone cold. */
function open(transcript, { at, title }) {
  transcript.nowMs = Date.parse(at)
  transcript.bill.startMs ||= transcript.nowMs
  transcript.freshTokens += transcript.cachedTokens
  transcript.cachedTokens = 0
  transcript.isStateDue = true
  if (title) transcript.title.ai = title
  noteModes(transcript)
}

/** `mark` remembers the place before this prompt; `rewindTo` goes back to it and leaves the old branch standing. */
function prompt(transcript, { text, mark, rewindTo, permissionMode, slug }) {
  if (rewindTo) Object.assign(transcript, transcript.marks[rewindTo])
  const { tip, messageCount, promptIndex, turnIndex, cachedTokens, freshTokens } = transcript
  if (mark) transcript.marks[mark] = { tip, messageCount, promptIndex, turnIndex, cachedTokens, freshTokens }
  Object.assign(transcript, {
    promptIndex: promptIndex + 1,
    turnStartMs: transcript.nowMs,
    lastPrompt: text,
    slug: slug ?? transcript.slug,
  })
  transcript.permissionMode = permissionMode ?? transcript.permissionMode
  transcript.promptUuid = openTurn(transcript)
  putSnapshot(transcript, transcript.promptUuid)
  linkUser(transcript, text, transcript.isOld ? OLD_PROMPT : typedFields(transcript), { uuid: transcript.promptUuid })
  if (rewindTo) noteNoTip(transcript)
  if (tip === null && !transcript.isOld) attachStart(transcript)
  if (permissionMode === 'plan') attachPlanMode(transcript)
}

const OLD_PROMPT = { thinkingMetadata: { level: 'high', disabled: false, triggers: [] }, todos: [] }

function openTurn(transcript) {
  transcript.turnIndex++
  transcript.promptId = transcript.ids.uuid()
  return transcript.ids.uuid()
}

function typedFields(transcript) {
  const source = { origin: { kind: 'human' }, promptSource: 'typed', turnOrigin: 'human' }
  return { permissionMode: transcript.permissionMode, ...source, ...positionOf(transcript) }
}

/** The API was overloaded: one record for each new attempt. */
function retry(transcript, { waitsMs }) {
  waitsMs.forEach((retryInMs, index) => {
    const requestId = transcript.ids.request()
    const message = `529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"${requestId}"}`
    const nothing = { connection: null, isNetworkDown: false, rateLimits: null, noResponse: null }
    const error = { message, status: 529, requestId, formatted: '529 Overloaded', ...nothing }
    const attempt = { retryInMs, retryAttempt: index + 1, maxRetries: 10, source: 'request_retry' }
    linkSystem(transcript, 'api_error', { level: 'error', error, ...attempt })
    wait(transcript, retryInMs / 1000)
  })
}

/** A background agent has come to its end, and a turn begins that no person asked for. */
function notify(transcript, { label }) {
  const { sub, id, description, outputFile, endMs, facts } = transcript.running[label]
  delete transcript.running[label]
  transcript.nowMs = Math.max(transcript.nowMs, endMs)
  transcript.turnStartMs = transcript.nowMs
  const ids = `<task-id>${sub.agent.id}</task-id>\n<tool-use-id>${id}</tool-use-id>\n<output-file>${outputFile}</output-file>`
  const told = `<status>completed</status>\n<summary>Agent "${description}" finished</summary>\n<result>${sub.report}</result>`
  const counts = `<subagent_tokens>${facts.totalTokens}</subagent_tokens><tool_uses>${facts.totalToolUseCount}</tool_uses>`
  const usage = `<usage>${counts}<duration_ms>${facts.totalDurationMs}</duration_ms></usage>`
  const content = `<task-notification>\n${ids}\n${told}\n${usage}\n</task-notification>`
  note(transcript, { type: 'queue-operation', operation: 'enqueue', timestamp: isoTime(transcript.nowMs), content })
  note(transcript, { type: 'queue-operation', operation: 'dequeue', timestamp: isoTime(transcript.nowMs + 1) })
  const uuid = openTurn(transcript)
  const origin = {
    kind: 'task-notification',
    producer: 'session-task',
    runId: `0${transcript.ids.hex(8)}-${transcript.ids.hex(8)}`,
  }
  const source = { origin, promptSource: 'system', turnOrigin: 'task_notification' }
  const fields = {
    permissionMode: transcript.permissionMode,
    ...source,
    ...positionOf(transcript),
    queueSkipAttachments: true,
  }
  linkUser(transcript, content, fields, { uuid })
}
