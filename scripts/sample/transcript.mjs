// One transcript while it is being written: the clock, the tip of the chain, the tokens spent, and the lines so far.
// Everything here follows what client 2.1.325 writes; the older client 2.0.77 has the same chain with fewer fields.

import { openIds } from './ids.mjs'

export const MODEL = 'claude-opus-5-5'
const OLD_MODEL = 'claude-sonnet-4-5-20250929'
/** The client's own prompt and tool descriptions: sent with every request, not part of the sample. */
const CLIENT_TOKENS = 16_400
const CHARS_PER_TOKEN = 3.7

export function openTranscript({ archive, seed, cwd, gitBranch, version = '2.1.325', sessionId, bill, agent = null }) {
  const ids = openIds(seed)
  return {
    ...{ archive, seed, ids, cwd, gitBranch, version, agent, isOld: version.startsWith('2.0.') },
    sessionId: sessionId ?? ids.uuid(),
    projectKey: cwd.replace(/[^A-Za-z0-9]/g, '-'),
    bill: bill ?? newBill(),
    ...{ lines: [], chain: [], snapshots: [], marks: {}, running: {}, backups: {}, tools: [] },
    ...{ nowMs: 0, turnStartMs: 0, tip: null, messageCount: 0, promptIndex: 0, turnIndex: 0 },
    ...{
      promptId: null,
      promptUuid: null,
      lastPrompt: null,
      permissionMode: 'acceptEdits',
      slug: null,
      title: {},
      isStateDue: false,
    },
    ...{
      cachedTokens: 0,
      freshTokens: agent === null ? CLIENT_TOKENS : CLIENT_TOKENS / 2,
      lastUsage: null,
      report: '',
    },
  }
}

export function newBill() {
  return {
    startMs: 0,
    apiMs: 0,
    toolMs: 0,
    added: 0,
    removed: 0,
    input: 0,
    output: 0,
    thinking: 0,
    read: 0,
    written: 0,
  }
}

export function wait(t, seconds) {
  t.nowMs += Math.round(seconds * 1000) + t.ids.below(40)
}

export const isoTime = (timeMs) => new Date(timeMs).toISOString()
export const tokensOf = (value) =>
  Math.ceil((typeof value === 'string' ? value : JSON.stringify(value)).length / CHARS_PER_TOKEN)

/** A line without a place in the chain. The older client wrote hardly any. */
export function note(t, record) {
  if (!t.isOld) put(t, { ...record, sessionId: t.sessionId })
}

export function put(t, record) {
  t.lines.push(JSON.stringify(record))
}

/** Adds a record to the chain and makes it the tip. */
export function link(t, head, tail = {}, { parent = t.tip, uuid = t.ids.uuid() } = {}) {
  const envelope = { cwd: t.cwd, sessionId: t.sessionId, version: t.version, gitBranch: t.gitBranch }
  const start = { parentUuid: parent, isSidechain: t.agent !== null }
  const agent = t.agent === null ? {} : { agentId: t.agent.id }
  const own = { ...head, uuid, timestamp: isoTime(t.nowMs), ...tail }
  const slug = t.slug === null ? {} : { slug: t.slug }
  const record = t.isOld
    ? { ...start, userType: 'external', ...envelope, ...agent, ...own }
    : { ...start, ...agent, ...own, userType: 'external', entrypoint: 'cli', ...envelope, ...slug }
  put(t, record)
  t.chain.push(record)
  t.tip = uuid
  t.messageCount++
  return record
}

export function linkUser(t, content, tail = {}, options = {}) {
  t.freshTokens += tokensOf(content)
  const turn = t.isOld ? {} : { promptId: t.promptId }
  return link(t, { ...turn, type: 'user', message: { role: 'user', content } }, tail, options)
}

/** `rendered` is the text the model is shown, where it is shown one. */
export function attach(t, attachment, rendered = null, role = 'system') {
  if (rendered === null) return link(t, { attachment, type: 'attachment' })
  t.freshTokens += tokensOf(rendered)
  return link(t, { attachment, type: 'attachment' }, { rendered: [{ content: rendered }], renderedRole: role })
}

export function linkSystem(t, subtype, fields) {
  return link(t, { type: 'system', subtype, ...fields })
}

/** The parts that all blocks of one reply have in common; each of its records repeats them. */
export function openMessage(t, blocks, { stopReason, thinkingTokens = 0, isBilled = true }) {
  const [read, written] = [t.cachedTokens, t.freshTokens]
  const output = stopReason === null ? 8 : tokensOf(blocks) + thinkingTokens
  t.cachedTokens += written + output
  t.freshTokens = 0
  t.lastUsage = t.isOld ? oldUsage(read, written, output) : usage(read, written, output, thinkingTokens)
  if (isBilled)
    addToBill(t.bill, { input: 3, output, thinking: thinkingTokens, read, written, apiMs: 900 + output * 14 })
  const message = { id: t.ids.message(), type: 'message', role: 'assistant', model: t.isOld ? OLD_MODEL : MODEL }
  return { message, stop: { stop_reason: stopReason, stop_sequence: null }, requestId: t.ids.request() }
}

export function linkBlock(t, { message, stop, requestId }, block, index, extra = {}) {
  const details = t.isOld || stop.stop_reason === null ? {} : { stop_details: null }
  const whole = { ...message, content: [block], ...stop, usage: t.lastUsage, ...details }
  if (t.isOld) return link(t, { message: whole, requestId, type: 'assistant' })
  const request = { apiBlockIndex: index, requestId, requestedModel: MODEL, promptCacheRequested: '5m' }
  const agent = t.agent === null ? {} : { attributionAgent: t.agent.type }
  const head = { message: whole, ...extra.timing, ...request, ...agent, type: 'assistant' }
  return link(t, head, { effort: 'medium', perTurnEffort: 'medium', ...extra.mark, madeBy: 'model' })
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
