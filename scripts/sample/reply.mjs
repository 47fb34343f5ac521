// One reply of the model: a record per block, then the results of its tool calls in the order in which they finished.

import { launchAgent, runAgent } from './agents.mjs'
import { noteState, noteTool, putBackup } from './notes.mjs'
import { addToBill, attach, isoTime, linkBlock, linkSystem, linkUser, note, openMessage, wait } from './transcript.mjs'

const ACCEPTED = { decision: 'accept', source: 'config', reasonType: 'mode' }
const PREVIEW_CHARS = 2048
/** Ada has set BASH_MAX_OUTPUT_LENGTH; left alone it is 30 000, which would swell the sample. */
const STDOUT_CHARS_MAX = 4_000

/** `blocks` are texts, thinking blocks and tool calls; a reply without calls ends the turn. */
export function reply(t, step, play) {
  wait(t, step.seconds ?? 4)
  const blocks = step.blocks.map((block) => wireBlock(t, block))
  const hasCalls = step.blocks.some((block) => block.name)
  const stopReason = step.isAborted ? null : hasCalls ? 'tool_use' : 'end_turn'
  const isBilled = !step.isAborted && !step.tornAfter
  const message = openMessage(t, blocks, { stopReason, thinkingTokens: step.thinkingTokens, isBilled })
  const calls = step.blocks.flatMap((told, index) => {
    wait(t, 0.4)
    if (told.name) noteTool(t, told.name === 'Agent' && t.isOld ? 'Task' : told.name)
    const record = linkBlock(t, message, blocks[index], index, extraOf(told, step))
    return told.name ? [{ told, id: blocks[index].id, uuid: record.uuid, startMs: t.nowMs }] : []
  })
  if (step.tornAfter) return tearLastLine(t, step.tornAfter)
  t.report = step.blocks.at(-1)
  if (step.isAborted) interrupt(t, message.message.id)
  else if (hasCalls) settle(t, calls, step.queued, play)
  else if (t.agent === null) endTurn(t)
}

function wireBlock(t, block) {
  if (typeof block === 'string') return { type: 'text', text: block }
  if ('thinking' in block) return { type: 'thinking', thinking: block.thinking, signature: t.ids.signature() }
  if (t.isOld && block.agent) {
    const { run_in_background, ...input } = block.input
    return { type: 'tool_use', id: t.ids.call(), name: 'Task', input }
  }
  return { type: 'tool_use', id: t.ids.call(), name: block.name, input: block.input }
}

function extraOf(told, step) {
  if (told.name) return { timing: { toolInputStreamMs: 20 + JSON.stringify(told.input).length } }
  if (told.thinking !== undefined)
    return { timing: { thinkingDurationMs: told.milliseconds, thinkingDisplay: 'updates' } }
  return step.isAborted ? { mark: { isAbortedMidStream: true } } : {}
}

/** The disk was full: the line ends in the middle and its record is not part of the chain. */
function tearLastLine(t, text) {
  const line = t.lines.pop()
  t.lines.push(line.slice(0, line.indexOf(text) + text.length))
  t.tip = t.chain.pop().parentUuid
  t.messageCount--
}

function interrupt(t, messageId) {
  wait(t, 0.1)
  linkUser(t, [{ type: 'text', text: '[Request interrupted by user]' }], { interruptedMessageId: messageId })
}

function settle(t, calls, queued, play) {
  const done = calls.map((call) => outcomeOf(t, call, play)).sort((one, other) => one.endMs - other.endMs)
  const endMs = done.at(-1).endMs
  const typedMs = calls[0].startMs + (queued?.typedAfter ?? 0) * 1000
  if (queued) noteQueue(t, queued.text, typedMs, endMs)
  for (const outcome of done) linkResult(t, outcome)
  addToBill(t.bill, { toolMs: done.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0) })
  if (queued) attachQueued(t, queued.text, typedMs)
}

function outcomeOf(t, call, play) {
  const { told } = call
  if (told.agent?.isBackground) return { ...call, ...launchAgent(t, call, play) }
  if (told.agent) return { ...call, ...runAgent(t, call, play) }
  const endMs = call.startMs + Math.round((told.seconds ?? 0.1) * 1000) + t.ids.below(90)
  if (told.spill) return { ...call, endMs, ...spill(t, told) }
  if (told.numbered === undefined) return { ...call, endMs, content: told.content, result: told.result }
  const number = (line, index) => (t.isOld ? `${String(index + 1).padStart(6)}→${line}` : `${index + 1}\t${line}`)
  return { ...call, endMs, content: told.numbered.split('\n').map(number).join('\n'), result: told.result }
}

function spill(t, { spill: { id, output }, result }) {
  const folder = `${t.projectKey}/${t.sessionId}/tool-results/${id}.txt`
  t.archive.set(folder, output)
  const path = `/home/ada/.claude/projects/${folder}`
  const size = `${(output.length / 1024).toFixed(1)}KB`
  const preview = output.slice(0, PREVIEW_CHARS)
  const content = `<persisted-output>\nOutput too large (${size}). Full output saved to: ${path}\n\nPreview (first 2KB):\n${preview}\n...\n</persisted-output>`
  const kept = {
    stdout: output.slice(0, STDOUT_CHARS_MAX),
    persistedOutputPath: path,
    persistedOutputSize: output.length,
  }
  return { content, result: { ...result, ...kept } }
}

function linkResult(t, { told, id, uuid, endMs, content, result }) {
  t.nowMs = Math.max(t.nowMs, endMs)
  if (told.touches) putBackup(t, uuid, told.touches)
  if (told.pullRequest) note(t, { type: 'pr-link', ...told.pullRequest, timestamp: isoTime(t.nowMs) })
  if (told.switchesTo) t.gitBranch = told.switchesTo
  for (const line of result?.structuredPatch?.flatMap((hunk) => hunk.lines) ?? []) {
    addToBill(t.bill, { added: line[0] === '+' ? 1 : 0, removed: line[0] === '-' ? 1 : 0 })
  }
  const isError = told.isError === undefined ? {} : { is_error: told.isError }
  const block = { tool_use_id: id, type: 'tool_result', content, ...isError }
  const source = { sourceToolAssistantUUID: uuid }
  const sandboxed = told.sandboxed === undefined ? {} : { sandboxed: told.sandboxed }
  const fields = { toolUseResult: result, ...sandboxed, ...source, permissionDecision: told.permission ?? ACCEPTED }
  linkUser(t, [block], t.isOld ? { toolUseResult: result, ...source } : fields, { parent: uuid })
  if (told.hook) attach(t, { type: 'hook_success', ...told.hook, toolUseID: id })
  if (told.leavesPlan) leavePlan(t, told.leavesPlan)
}

function leavePlan(t, planFilePath) {
  t.permissionMode = 'acceptEdits'
  attach(t, { type: 'plan_mode_exit', planFilePath, planExists: true }, 'Plan mode is over; the plan was approved.')
}

function noteQueue(t, content, typedMs, endMs) {
  note(t, { type: 'queue-operation', operation: 'enqueue', timestamp: isoTime(typedMs), content })
  note(t, { type: 'queue-operation', operation: 'remove', timestamp: isoTime(endMs) })
}

function attachQueued(t, text, typedMs) {
  const ids = { source_uuid: t.ids.uuid(), delivery_id: t.ids.uuid() }
  const origin = { commandMode: 'prompt', origin: { kind: 'human' }, timestamp: isoTime(typedMs), humanTurn: true }
  attach(t, { type: 'queued_command', prompt: text, ...ids, ...origin }, text, 'user')
}

function endTurn(t) {
  if (t.isOld) return
  const pending = Object.keys(t.running).length
  const background = pending === 0 ? {} : { pendingBackgroundAgentCount: pending }
  wait(t, 0.1)
  const durationMs = t.nowMs - t.turnStartMs
  linkSystem(t, 'turn_duration', { durationMs, messageCount: t.messageCount, ...background, isMeta: false })
  if (t.isStateDue) noteState(t)
  t.isStateDue = false
}
