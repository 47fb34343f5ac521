// Subagents: a transcript of their own, with the parent's session id, and a sidecar that names the call they come from.
// The older client laid them flat beside the sessions, without a sidecar.

import { attachEnvironment } from './surroundings.mjs'
import { linkUser, MODEL, openTranscript, saveTranscript } from './transcript.mjs'

/** Plays the subagent's story to its end and gives back what the calling tool returns. */
export function runAgent(transcript, { told, id, startMs }, play) {
  const run = playAgent(transcript, told.agent, id, startMs, play)
  const { sub, endMs, facts } = run
  const { totalTokens, totalToolUseCount, totalDurationMs } = facts
  const text = { type: 'text', text: sub.report }
  const usage = `<usage>subagent_tokens: ${totalTokens}\ntool_uses: ${totalToolUseCount}\nduration_ms: ${totalDurationMs}</usage>`
  const result = { status: 'completed', prompt: told.agent.prompt, agentId: sub.agent.id }
  if (transcript.isOld) {
    const content = [text, { type: 'text', text: `agentId: ${sub.agent.id} (for resuming this agent)` }]
    return { endMs, content, result: { ...result, content: [text], ...facts, usage: sub.lastUsage } }
  }
  const content = [{ type: 'text', text: `${sub.report}\nagentId: ${sub.agent.id}\n${usage}` }]
  const kind = { agentType: told.agent.type, toolsUsed: sub.tools }
  const model = { resolvedModel: MODEL, ...facts, usage: sub.lastUsage, canContinueAgent: true }
  return { endMs, content, result: { ...result, ...kind, content: [text], ...model } }
}

/** The call returns at once; a `notify` step tells of the end. */
export function launchAgent(transcript, { told, id, startMs }, play) {
  const { description, prompt, label } = told.agent
  const run = playAgent(transcript, told.agent, id, startMs, play)
  const agentId = run.sub.agent.id
  const outputFile = `/tmp/claude-1000/${transcript.projectKey}/${transcript.sessionId}/tasks/${agentId}.output`
  transcript.running[label] = { ...run, id, description, outputFile }
  const text = `Agent started in the background.\nagentId: ${agentId}\noutput_file: ${outputFile}`
  const result = {
    isAsync: true,
    status: 'async_launched',
    agentId,
    description,
    resolvedModel: MODEL,
    prompt,
    outputFile,
  }
  const rights = { canReadOutputFile: true, canContinueAgent: true }
  return { endMs: startMs + 60, content: [{ type: 'text', text }], result: { ...result, ...rights } }
}

function playAgent(transcript, { type, description, prompt, story, isBackground }, callId, startMs, play) {
  const { archive, cwd, gitBranch, version, sessionId, bill } = transcript
  const seed = `${transcript.seed}/${description}`
  const agent = {
    id: `a${transcript.ids.hex(transcript.isOld ? 6 : 16)}`,
    type,
    depth: (transcript.agent?.depth ?? 0) + 1,
  }
  const sub = openTranscript({ archive, seed, cwd, gitBranch, version, sessionId, bill, agent })
  Object.assign(sub, { nowMs: startMs + 40, promptId: transcript.promptId, slug: transcript.slug })
  linkUser(sub, prompt)
  if (!transcript.isOld) attachEnvironment(sub)
  play(sub, story)
  const nested = transcript.agent === null ? {} : { parentAgentId: transcript.agent.id }
  const shape = { requestShape: isBackground ? 'background' : 'foreground', requestNonInteractive: false }
  const meta = { agentType: type, isBuiltIn: true, description, toolUseId: callId, ...nested, spawnDepth: agent.depth }
  const path = saveTranscript(sub)
  const sidecar = JSON.stringify({ ...meta, ...shape, pickedEffortModel: MODEL, finished: true })
  if (!transcript.isOld) archive.set(path.replace('.jsonl', '.meta.json'), sidecar)
  const totalToolUseCount = sub.chain.filter((record) => record.message?.content[0]?.type === 'tool_use').length
  const facts = { totalDurationMs: sub.nowMs - startMs, totalTokens: sub.cachedTokens, totalToolUseCount }
  return { sub, endMs: sub.nowMs, facts }
}

/** The older client started idle agents to warm its cache and left their files behind. */
export function warmup(transcript, { text }, play) {
  const { archive, cwd, gitBranch, version, sessionId } = transcript
  const agent = { id: `a${transcript.ids.hex(6)}`, type: 'Explore', depth: 1 }
  const sub = openTranscript({ archive, seed: `${transcript.seed}/warmup`, cwd, gitBranch, version, sessionId, agent })
  sub.nowMs = transcript.nowMs
  linkUser(sub, 'Warmup')
  play(sub, [{ do: 'reply', seconds: 1, blocks: [text] }])
  saveTranscript(sub)
}
