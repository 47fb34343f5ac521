// A story is a list of steps; each `do` names one of these. `after` are the seconds a person let pass before the step.

import { attachEnvironment } from './agents.mjs'
import { noteCost, noteModes, noteNoTip, noteState, noteTitle, putSnapshot } from './notes.mjs'
import { reply } from './reply.mjs'
import {
  addToBill,
  attach,
  isoTime,
  link,
  linkSystem,
  linkUser,
  MODEL,
  note,
  openTranscript,
  put,
  tokensOf,
  wait,
} from './transcript.mjs'

const STEPS = { open, prompt, reply, retry, notify, compact, rename, branch, close, recover, warmup }

export function play(t, story) {
  for (const step of story) {
    if (step.after) wait(t, step.after)
    STEPS[step.do](t, step, play)
  }
}

/** The client starts, or starts again on the same file: by then the prompt cache has gone cold. */
function open(t, { at, title }) {
  t.nowMs = Date.parse(at)
  t.bill.startMs ||= t.nowMs
  t.freshTokens += t.cachedTokens
  t.cachedTokens = 0
  t.isStateDue = true
  if (title) t.title.ai = title
  noteModes(t)
}

/** `mark` remembers the place before this prompt; `rewindTo` goes back to it and leaves the old branch standing. */
function prompt(t, { text, mark, rewindTo, permissionMode, slug }) {
  if (rewindTo) Object.assign(t, t.marks[rewindTo])
  const { tip, messageCount, promptIndex, turnIndex, cachedTokens, freshTokens } = t
  if (mark) t.marks[mark] = { tip, messageCount, promptIndex, turnIndex, cachedTokens, freshTokens }
  Object.assign(t, { promptIndex: promptIndex + 1, turnStartMs: t.nowMs, lastPrompt: text, slug: slug ?? t.slug })
  t.permissionMode = permissionMode ?? t.permissionMode
  t.promptUuid = openTurn(t)
  putSnapshot(t, t.promptUuid)
  linkUser(t, text, t.isOld ? OLD_PROMPT : typedFields(t), { uuid: t.promptUuid })
  if (rewindTo) noteNoTip(t)
  if (tip === null && !t.isOld) attachStart(t)
  if (permissionMode === 'plan') attachPlanMode(t)
}

const OLD_PROMPT = { thinkingMetadata: { level: 'high', disabled: false, triggers: [] }, todos: [] }

function openTurn(t) {
  t.turnIndex++
  t.promptId = t.ids.uuid()
  return t.ids.uuid()
}

const positionOf = (t) => ({ turnPosition: { promptIndex: t.promptIndex, turnIndex: t.turnIndex } })

function typedFields(t) {
  const source = { origin: { kind: 'human' }, promptSource: 'typed', turnOrigin: 'human' }
  return { permissionMode: t.permissionMode, ...source, ...positionOf(t) }
}

function attachStart(t) {
  attachModel(t)
  const gitStatus = `Current branch: ${t.gitBranch}\n\nStatus:\n(clean)`
  attach(t, { type: 'session_context', context: { gitStatus } }, gitStatus, 'user')
  const date = isoTime(t.nowMs).slice(0, 10)
  attach(t, { type: 'date', date }, `Today is ${date}.`)
  const snapshot = { reminderFold: false, echoWireToolInputs: false, contextRendering: 'announced' }
  attach(t, { type: 'prompt_snapshot', systemPrompt: ['(The client keeps its own prompt here.)'], ...snapshot })
  noteTitle(t)
}

function attachModel(t) {
  attachEnvironment(t)
  const identity = { modelId: MODEL, marketingName: 'Opus 5.5', knowledgeCutoff: 'June 2026' }
  attach(t, { type: 'model', identity, text: 'The model is Opus 5.5.' }, 'The model is Opus 5.5.')
}

function attachPlanMode(t) {
  const plan = { planFilePath: `/home/ada/.claude/plans/${t.slug}.md`, planExists: false }
  const reminder = 'Plan mode: look, do not change anything, and propose a plan.'
  attach(t, { type: 'plan_mode', reminderType: 'full', isSubAgent: false, ...plan }, reminder)
}

/** The API was overloaded: one record for each new attempt. */
function retry(t, { waitsMs }) {
  waitsMs.forEach((retryInMs, index) => {
    const requestId = t.ids.request()
    const message = `529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"${requestId}"}`
    const nothing = { connection: null, isNetworkDown: false, rateLimits: null, noResponse: null }
    const error = { message, status: 529, requestId, formatted: '529 Overloaded', ...nothing }
    const attempt = { retryInMs, retryAttempt: index + 1, maxRetries: 10, source: 'request_retry' }
    linkSystem(t, 'api_error', { level: 'error', error, ...attempt })
    wait(t, retryInMs / 1000)
  })
}

/** A background agent has come to its end, and a turn begins that no person asked for. */
function notify(t, { label }) {
  const { sub, id, description, outputFile, endMs, facts } = t.running[label]
  delete t.running[label]
  t.nowMs = Math.max(t.nowMs, endMs)
  t.turnStartMs = t.nowMs
  const ids = `<task-id>${sub.agent.id}</task-id>\n<tool-use-id>${id}</tool-use-id>\n<output-file>${outputFile}</output-file>`
  const told = `<status>completed</status>\n<summary>Agent "${description}" finished</summary>\n<result>${sub.report}</result>`
  const counts = `<subagent_tokens>${facts.totalTokens}</subagent_tokens><tool_uses>${facts.totalToolUseCount}</tool_uses>`
  const usage = `<usage>${counts}<duration_ms>${facts.totalDurationMs}</duration_ms></usage>`
  const content = `<task-notification>\n${ids}\n${told}\n${usage}\n</task-notification>`
  note(t, { type: 'queue-operation', operation: 'enqueue', timestamp: isoTime(t.nowMs), content })
  note(t, { type: 'queue-operation', operation: 'dequeue', timestamp: isoTime(t.nowMs + 1) })
  const uuid = openTurn(t)
  const origin = { kind: 'task-notification', producer: 'session-task', runId: `0${t.ids.hex(8)}-${t.ids.hex(8)}` }
  const source = { origin, promptSource: 'system', turnOrigin: 'task_notification' }
  const fields = { permissionMode: t.permissionMode, ...source, ...positionOf(t), queueSkipAttachments: true }
  linkUser(t, content, fields, { uuid })
}

/** The last reply is kept word for word: it stands before the boundary and belongs after the recap. */
function compact(t, { args, recap }) {
  const [preTokens, logicalParentUuid] = [t.cachedTokens + t.freshTokens, t.tip]
  const [commandUuid, anchorUuid] = [t.ids.uuid(), t.ids.uuid()]
  const kept = t.chain
    .slice(t.chain.findLastIndex((record) => record.type === 'assistant'))
    .map((record) => record.uuid)
  const commandTime = isoTime(t.nowMs)
  t.promptId = t.ids.uuid()
  putSnapshot(t, commandUuid)
  wait(t, 21)
  const postTokens = 16_400 + tokensOf(recap)
  const counts = { preTokens, postTokens, cumulativeDroppedTokens: preTokens - postTokens, durationMs: 20_870 }
  const preservedSegment = { headUuid: kept[0], anchorUuid, tailUuid: kept.at(-1) }
  const preservedMessages = { anchorUuid, uuids: kept, allUuids: kept }
  const compactMetadata = { trigger: 'manual', ...counts, preservedSegment, preservedMessages }
  const boundary = { subtype: 'compact_boundary', content: 'Conversation compacted', level: 'info', compactMetadata }
  link(t, { logicalParentUuid, type: 'system', ...boundary }, {}, { parent: null })
  addToBill(t.bill, { output: tokensOf(recap), read: preTokens })
  Object.assign(t, { cachedTokens: 0, freshTokens: 16_400 })
  const shown = { isVisibleInTranscriptOnly: true, isCompactSummary: true, ...positionOf(t) }
  linkUser(t, `This session is being continued from a previous conversation.\n\nSummary:\n${recap}`, shown, {
    uuid: anchorUuid,
  })
  const caveat = '<local-command-caveat>The person typed the command below; it needs no answer.</local-command-caveat>'
  linkUser(t, caveat, { isMeta: true, timestamp: commandTime })
  linkUser(t, commandText('compact', args), { timestamp: commandTime }, { uuid: commandUuid })
  linkUser(t, '<local-command-stdout>Compacted (ctrl+o to see full summary)</local-command-stdout>')
  attachModel(t)
}

function commandText(name, args) {
  const indent = '\n            '
  const message = `<command-message>${name}</command-message>`
  return `<command-name>/${name}</command-name>${indent}${message}${indent}<command-args>${args}</command-args>`
}

function linkCommand(t, name, args, output) {
  linkSystem(t, 'local_command', { content: commandText(name, args), level: 'info', isMeta: false })
  const content = `<local-command-stdout>${output}</local-command-stdout>`
  linkSystem(t, 'local_command', { content, level: 'info', isMeta: false, commandRun: { command: name, args } })
}

function rename(t, { title }) {
  setTitle(t, title)
  noteTitle(t)
  linkCommand(t, 'rename', title, `Session renamed to: ${title}`)
  t.promptId = t.ids.uuid()
  linkUser(t, `<system-reminder>\nThe session is now called "${title}".\n</system-reminder>`, { isMeta: true })
}

function setTitle(t, title) {
  t.title.custom = title
  t.archive.set(`${t.projectKey}/${t.sessionId}/custom-title.json`, JSON.stringify({ customTitle: title }))
}

/** A new file with the whole history under a new session id, one record after the other, and its own story after it. */
function branch(t, { story }) {
  noteCost(t)
  const { archive, cwd, gitBranch, nowMs, promptIndex, turnIndex, slug, backups, tools, cachedTokens, freshTokens } = t
  const fork = openTranscript({ archive, seed: `${t.seed}/branch`, cwd, gitBranch })
  for (const record of t.chain) {
    const forkedFrom = { sessionId: t.sessionId, messageUuid: record.uuid }
    put(fork, { ...record, parentUuid: fork.tip, sessionId: fork.sessionId, forkedFrom })
    fork.tip = record.uuid
  }
  Object.assign(fork, { nowMs, promptIndex, turnIndex, slug, messageCount: t.messageCount, backups: { ...backups } })
  Object.assign(fork, { tools: [...tools], cachedTokens, freshTokens })
  fork.bill.startMs = nowMs
  setTitle(fork, `${t.title.ai} (Branch)`)
  noteTitle(fork)
  noteModes(fork)
  for (const snapshot of t.snapshots) put(fork, snapshot)
  const back = `Use /resume ${t.sessionId} to return to the original.`
  linkCommand(
    fork,
    'branch',
    '',
    `Branched conversation. You are now in the new branch (session ${fork.sessionId}). ${back}`,
  )
  play(fork, story)
  saveTranscript(fork)
}

function close(t) {
  noteState(t)
  noteCost(t)
}

/** What the client puts in on resume when the last answer never reached the disk. */
function recover(t) {
  const zero = { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
  const content = [{ type: 'text', text: 'No response requested.' }]
  const stop = { stop_details: null, stop_reason: 'stop_sequence', stop_sequence: '' }
  const message = {
    id: t.ids.uuid(),
    model: '<synthetic>',
    role: 'assistant',
    ...stop,
    type: 'message',
    usage: zero,
    content,
  }
  link(t, { type: 'assistant' }, { message, isApiErrorMessage: false, madeBy: 'other' })
}

/** The older client started idle agents to warm its cache and left their files behind. */
function warmup(t, { text }) {
  const { archive, cwd, gitBranch, version, sessionId } = t
  const agent = { id: `a${t.ids.hex(6)}`, type: 'Explore', depth: 1 }
  const sub = openTranscript({ archive, seed: `${t.seed}/warmup`, cwd, gitBranch, version, sessionId, agent })
  sub.nowMs = t.nowMs
  linkUser(sub, 'Warmup')
  reply(sub, { seconds: 1, blocks: [text] }, play)
  archive.set(`${t.projectKey}/agent-${agent.id}.jsonl`, `${sub.lines.join('\n')}\n`)
}

export function saveTranscript(t) {
  t.archive.set(`${t.projectKey}/${t.sessionId}.jsonl`, `${t.lines.join('\n')}\n`)
}
