// One reply of the model: a record per block, then the results of its tool calls in the order in which they finished.

import { launchAgent, runAgent } from './agents.mjs'
import { noteState, noteTool, putBackup } from './notes.mjs'
import { addToBill, attach, isoTime, linkBlock, linkSystem, linkUser, note, openMessage, wait } from './transcript.mjs'

const ACCEPTED = { decision: 'accept', source: 'config', reasonType: 'mode' }
const PREVIEW_CHARS = 2048
/** Ada has set BASH_MAX_OUTPUT_LENGTH; left alone it is 30 000, which would swell the sample. */
const STDOUT_CHARS_MAX = 4_000

/** `blocks` are texts, thinking blocks and tool calls; a reply without calls ends the turn. */
export function reply(transcript, step, play) {
  wait(transcript, step.seconds ?? 4)
  const blocks = step.blocks.map((block) => wireBlock(transcript, block))
  const hasCalls = step.blocks.some((block) => block.name)
  const stopReason = step.isAborted ? null : hasCalls ? 'tool_use' : 'end_turn'
  const isBilled = !step.isAborted && !step.tornAfter
  const message = openMessage(transcript, blocks, { stopReason, thinkingTokens: step.thinkingTokens, isBilled })
  const calls = step.blocks.flatMap((told, index) => {
    wait(transcript, 0.4)
    if (told.name) noteTool(transcript, told.name === 'Agent' && transcript.isOld ? 'Task' : told.name)
    const record = linkBlock(transcript, message, blocks[index], index, extraOf(told, step))
    return told.name ? [{ told, id: blocks[index].id, uuid: record.uuid, startMs: transcript.nowMs }] : []
  })
  if (step.tornAfter) return tearLastLine(transcript, step.tornAfter)
  transcript.report = step.blocks.at(-1)
  if (step.isAborted) interrupt(transcript, message.message.id)
  else if (hasCalls) settle(transcript, calls, step.queued, play)
  else if (transcript.agent === null) endTurn(transcript)
}

function wireBlock(transcript, block) {
  if (typeof block === 'string') return { type: 'text', text: block }
  if ('thinking' in block) return { type: 'thinking', thinking: block.thinking, signature: transcript.ids.signature() }
  if (transcript.isOld && block.agent) {
    const { run_in_background, ...input } = block.input
    return { type: 'tool_use', id: transcript.ids.call(), name: 'Task', input }
  }
  return { type: 'tool_use', id: transcript.ids.call(), name: block.name, input: block.input }
}

function extraOf(told, step) {
  if (told.name) return { timing: { toolInputStreamMs: 20 + JSON.stringify(told.input).length } }
  if (told.thinking !== undefined)
    return { timing: { thinkingDurationMs: told.milliseconds, thinkingDisplay: 'updates' } }
  return step.isAborted ? { mark: { isAbortedMidStream: true } } : {}
}

/** The disk was full: the line ends in the middle and its record is not part of the chain. */
function tearLastLine(transcript, text) {
  const line = transcript.lines.pop()
  transcript.lines.push(line.slice(0, line.indexOf(text) + text.length))
  transcript.tip = transcript.chain.pop().parentUuid
  transcript.messageCount--
}

function interrupt(transcript, messageId) {
  wait(transcript, 0.1)
  linkUser(transcript, [{ type: 'text', text: '[Request interrupted by user]' }], { interruptedMessageId: messageId })
}

function settle(transcript, calls, queued, play) {
  const done = calls.map((call) => outcomeOf(transcript, call, play)).sort((one, other) => one.endMs - other.endMs)
  const endMs = done.at(-1).endMs
  const typedMs = calls[0].startMs + (queued?.typedAfter ?? 0) * 1000
  if (queued) noteQueue(transcript, queued.text, typedMs, endMs)
  for (const outcome of done) linkResult(transcript, outcome)
  addToBill(transcript.bill, { toolMs: done.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0) })
  if (queued) attachQueued(transcript, queued.text, typedMs)
}

function outcomeOf(transcript, call, play) {
  const { told } = call
  if (told.agent?.isBackground) return { ...call, ...launchAgent(transcript, call, play) }
  if (told.agent) return { ...call, ...runAgent(transcript, call, play) }
  const endMs = call.startMs + Math.round((told.seconds ?? 0.1) * 1000) + transcript.ids.below(90)
  if (told.spill) return { ...call, endMs, ...spill(transcript, told) }
  if (told.numbered === undefined) return { ...call, endMs, content: told.content, result: told.result }
  const number = (line, index) =>
    transcript.isOld ? `${String(index + 1).padStart(6)}→${line}` : `${index + 1}\t${line}`
  return { ...call, endMs, content: told.numbered.split('\n').map(number).join('\n'), result: told.result }
}

function spill(transcript, { spill: { id, output }, result }) {
  const folder = `${transcript.projectKey}/${transcript.sessionId}/tool-results/${id}.txt`
  transcript.archive.set(folder, output)
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

function linkResult(transcript, { told, id, uuid, endMs, content, result }) {
  transcript.nowMs = Math.max(transcript.nowMs, endMs)
  if (told.touches) putBackup(transcript, uuid, told.touches)
  if (told.pullRequest) note(transcript, { type: 'pr-link', ...told.pullRequest, timestamp: isoTime(transcript.nowMs) })
  if (told.switchesTo) transcript.gitBranch = told.switchesTo
  for (const line of result?.structuredPatch?.flatMap((hunk) => hunk.lines) ?? []) {
    addToBill(transcript.bill, { added: line[0] === '+' ? 1 : 0, removed: line[0] === '-' ? 1 : 0 })
  }
  const isError = told.isError === undefined ? {} : { is_error: told.isError }
  const block = { tool_use_id: id, type: 'tool_result', content, ...isError }
  const source = { sourceToolAssistantUUID: uuid }
  const sandboxed = told.sandboxed === undefined ? {} : { sandboxed: told.sandboxed }
  const fields = { toolUseResult: result, ...sandboxed, ...source, permissionDecision: told.permission ?? ACCEPTED }
  linkUser(transcript, [block], transcript.isOld ? { toolUseResult: result, ...source } : fields, { parent: uuid })
  if (told.hook) attach(transcript, { type: 'hook_success', ...told.hook, toolUseID: id })
  if (told.leavesPlan) leavePlan(transcript, told.leavesPlan)
}

function leavePlan(transcript, planFilePath) {
  transcript.permissionMode = 'acceptEdits'
  attach(
    transcript,
    { type: 'plan_mode_exit', planFilePath, planExists: true },
    'Plan mode is over; the plan was approved.',
  )
}

function noteQueue(transcript, content, typedMs, endMs) {
  note(transcript, { type: 'queue-operation', operation: 'enqueue', timestamp: isoTime(typedMs), content })
  note(transcript, { type: 'queue-operation', operation: 'remove', timestamp: isoTime(endMs) })
}

function attachQueued(transcript, text, typedMs) {
  const ids = { source_uuid: transcript.ids.uuid(), delivery_id: transcript.ids.uuid() }
  const origin = { commandMode: 'prompt', origin: { kind: 'human' }, timestamp: isoTime(typedMs), humanTurn: true }
  attach(transcript, { type: 'queued_command', prompt: text, ...ids, ...origin }, text, 'user')
}

function endTurn(transcript) {
  if (transcript.isOld) return
  const pending = Object.keys(transcript.running).length
  const background = pending === 0 ? {} : { pendingBackgroundAgentCount: pending }
  wait(transcript, 0.1)
  const durationMs = transcript.nowMs - transcript.turnStartMs
  linkSystem(transcript, 'turn_duration', {
    durationMs,
    messageCount: transcript.messageCount,
    ...background,
    isMeta: false,
  })
  if (transcript.isStateDue) noteState(transcript)
  transcript.isStateDue = false
}
