// One transcript while it is being written: the clock, the tip of the chain, the tokens spent, and the lines so far.
// Everything here follows what client 2.1.325 writes; the older client 2.0.77 has the same chain with fewer fields.

import { openIds } from './ids.mjs'

export const MODEL = 'claude-opus-5-5'
const OLD_MODEL = 'claude-sonnet-4-5-20250929'
/** The client's own prompt and tool descriptions: sent with every request, not part of the sample. */
export const CLIENT_TOKENS = 16_400
const CHARS_PER_TOKEN = 3.7
const SPENT = { apiMs: 0, toolMs: 0, added: 0, removed: 0 }
const EMPTY_BILL = { startMs: 0, ...SPENT, input: 0, output: 0, thinking: 0, read: 0, written: 0 }

export function openTranscript({ archive, seed, cwd, gitBranch, version = '2.1.325', sessionId, bill, agent = null }) {
  const ids = openIds(seed)
  return {
    archive,
    seed,
    ids,
    cwd,
    gitBranch,
    version,
    isOld: version.startsWith('2.0.'),
    agent,
    sessionId: sessionId ?? ids.uuid(),
    projectKey: cwd.replace(/[^A-Za-z0-9]/g, '-'),
    permissionMode: 'acceptEdits',
    title: {},
    slug: null,
    lines: [],
    chain: [],
    tip: null,
    nowMs: 0,
    turnStartMs: 0,
    messageCount: 0,
    promptIndex: 0,
    turnIndex: 0,
    promptId: null,
    promptUuid: null,
    lastPrompt: null,
    isStateDue: false,
    marks: {},
    running: {},
    snapshots: [],
    backups: {},
    tools: [],
    bill: bill ?? { ...EMPTY_BILL },
    cachedTokens: 0,
    freshTokens: agent === null ? CLIENT_TOKENS : CLIENT_TOKENS / 2,
    lastUsage: null,
    report: '',
  }
}

export function wait(transcript, seconds) {
  transcript.nowMs += Math.round(seconds * 1000) + transcript.ids.below(40)
}

export const isoTime = (timeMs) => new Date(timeMs).toISOString()
export const tokensOf = (value) =>
  Math.ceil((typeof value === 'string' ? value : JSON.stringify(value)).length / CHARS_PER_TOKEN)

/** A line without a place in the chain. The older client wrote hardly any. */
export function note(transcript, record) {
  if (!transcript.isOld) put(transcript, { ...record, sessionId: transcript.sessionId })
}

export function put(transcript, record) {
  transcript.lines.push(JSON.stringify(record))
}

/** Adds a record to the chain and makes it the tip. */
export function link(transcript, head, tail = {}, { parent = transcript.tip, uuid = transcript.ids.uuid() } = {}) {
  const envelope = {
    cwd: transcript.cwd,
    sessionId: transcript.sessionId,
    version: transcript.version,
    gitBranch: transcript.gitBranch,
  }
  const start = { parentUuid: parent, isSidechain: transcript.agent !== null }
  const agent = transcript.agent === null ? {} : { agentId: transcript.agent.id }
  const own = { ...head, uuid, timestamp: isoTime(transcript.nowMs), ...tail }
  const slug = transcript.slug === null ? {} : { slug: transcript.slug }
  const record = transcript.isOld
    ? { ...start, userType: 'external', ...envelope, ...agent, ...own }
    : { ...start, ...agent, ...own, userType: 'external', entrypoint: 'cli', ...envelope, ...slug }
  put(transcript, record)
  transcript.chain.push(record)
  transcript.tip = uuid
  transcript.messageCount++
  return record
}

export function linkUser(transcript, content, tail = {}, options = {}) {
  transcript.freshTokens += tokensOf(content)
  const turn = transcript.isOld ? {} : { promptId: transcript.promptId }
  return link(transcript, { ...turn, type: 'user', message: { role: 'user', content } }, tail, options)
}

/** `rendered` is the text the model is shown, where it is shown one. */
export function attach(transcript, attachment, rendered = null, role = 'system') {
  if (rendered === null) return link(transcript, { attachment, type: 'attachment' })
  transcript.freshTokens += tokensOf(rendered)
  return link(transcript, { attachment, type: 'attachment' }, { rendered: [{ content: rendered }], renderedRole: role })
}

export function linkSystem(transcript, subtype, fields) {
  return link(transcript, { type: 'system', subtype, ...fields })
}

export const positionOf = ({ promptIndex, turnIndex }) => ({ turnPosition: { promptIndex, turnIndex } })

/** What all blocks of one reply repeat in their records. */
export function openMessage(transcript, blocks, { stopReason, thinkingTokens = 0, isBilled = true }) {
  const [read, written] = [transcript.cachedTokens, transcript.freshTokens]
  const output = stopReason === null ? 8 : tokensOf(blocks) + thinkingTokens
  transcript.cachedTokens += written + output
  transcript.freshTokens = 0
  transcript.lastUsage = transcript.isOld
    ? oldUsage(read, written, output)
    : usage(read, written, output, thinkingTokens)
  if (isBilled)
    addToBill(transcript.bill, { input: 3, output, thinking: thinkingTokens, read, written, apiMs: 900 + output * 14 })
  const message = {
    id: transcript.ids.message(),
    type: 'message',
    role: 'assistant',
    model: transcript.isOld ? OLD_MODEL : MODEL,
  }
  return { message, stop: { stop_reason: stopReason, stop_sequence: null }, requestId: transcript.ids.request() }
}

export function linkBlock(transcript, { message, stop, requestId }, block, index, extra = {}) {
  const details = transcript.isOld || stop.stop_reason === null ? {} : { stop_details: null }
  const whole = { ...message, content: [block], ...stop, usage: transcript.lastUsage, ...details }
  if (transcript.isOld) return link(transcript, { message: whole, requestId, type: 'assistant' })
  const request = { apiBlockIndex: index, requestId, requestedModel: MODEL, promptCacheRequested: '5m' }
  const agent = transcript.agent === null ? {} : { attributionAgent: transcript.agent.type }
  const head = { message: whole, ...extra.timing, ...request, ...agent, type: 'assistant' }
  return link(transcript, head, { effort: 'medium', perTurnEffort: 'medium', ...extra.mark, madeBy: 'model' })
}

function oldUsage(read, written, output) {
  const creation = { ephemeral_5m_input_tokens: written, ephemeral_1h_input_tokens: 0 }
  const tokens = { input_tokens: 3, cache_creation_input_tokens: written, cache_read_input_tokens: read }
  return { ...tokens, cache_creation: creation, service_tier: 'standard', output_tokens: output }
}

function usage(read, written, output, thinkingTokens) {
  return {
    input_tokens: 3,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
    output_tokens: output,
    output_tokens_details: { thinking_tokens: thinkingTokens },
    server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
    service_tier: 'standard',
    cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: written },
    inference_geo: '',
    iterations: [],
    speed: 'standard',
    fallback_credit: null,
  }
}

export function addToBill(bill, amounts) {
  for (const [name, amount] of Object.entries(amounts)) bill[name] += amount
}

/** Puts the lines into the archive and gives back the path. */
export function saveTranscript(transcript) {
  const { projectKey, sessionId, agent, isOld } = transcript
  const folder = isOld ? projectKey : `${projectKey}/${sessionId}/subagents`
  const path = agent === null ? `${projectKey}/${sessionId}.jsonl` : `${folder}/agent-${agent.id}.jsonl`
  transcript.archive.set(path, `${transcript.lines.join('\n')}\n`)
  return path
}
