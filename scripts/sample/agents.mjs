// Subagents: a transcript of their own, with the parent's session id, and a sidecar that names the call they come from.
// The older client laid them flat beside the sessions, without a sidecar.

import { attach, linkUser, MODEL, openTranscript } from './transcript.mjs'

/** Plays the subagent's story to its end and gives back what the calling tool returns. */
export function runAgent(t, { told, id, startMs }, play) {
  const run = playAgent(t, told.agent, id, startMs, play)
  const { sub, endMs, facts } = run
  const { totalTokens, totalToolUseCount, totalDurationMs } = facts
  const text = { type: 'text', text: sub.report }
  const usage = `<usage>subagent_tokens: ${totalTokens}\ntool_uses: ${totalToolUseCount}\nduration_ms: ${totalDurationMs}</usage>`
  const result = { status: 'completed', prompt: told.agent.prompt, agentId: sub.agent.id }
  if (t.isOld) {
    const content = [text, { type: 'text', text: `agentId: ${sub.agent.id} (for resuming this agent)` }]
    return { endMs, content, result: { ...result, content: [text], ...facts, usage: sub.lastUsage } }
  }
  const content = [{ type: 'text', text: `${sub.report}\nagentId: ${sub.agent.id}\n${usage}` }]
  const kind = { agentType: told.agent.type, toolsUsed: sub.tools }
  const model = { resolvedModel: MODEL, ...facts, usage: sub.lastUsage, canContinueAgent: true }
  return { endMs, content, result: { ...result, ...kind, content: [text], ...model } }
}

/** The call returns at once; a `notify` step tells of the end. */
export function launchAgent(t, { told, id, startMs }, play) {
  const { description, prompt, label } = told.agent
  const run = playAgent(t, told.agent, id, startMs, play)
  const agentId = run.sub.agent.id
  const outputFile = `/tmp/claude-1000/${t.projectKey}/${t.sessionId}/tasks/${agentId}.output`
  t.running[label] = { ...run, id, description, outputFile }
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

function playAgent(t, { type, description, prompt, story, isBackground }, callId, startMs, play) {
  const { archive, cwd, gitBranch, version, sessionId, bill } = t
  const seed = `${t.seed}/${description}`
  const agent = { id: `a${t.ids.hex(t.isOld ? 6 : 16)}`, type, depth: (t.agent?.depth ?? 0) + 1 }
  const sub = openTranscript({ archive, seed, cwd, gitBranch, version, sessionId, bill, agent })
  Object.assign(sub, { nowMs: startMs + 40, promptId: t.promptId, slug: t.slug })
  linkUser(sub, prompt)
  if (!t.isOld) attachEnvironment(sub)
  play(sub, story)
  const nested = t.agent === null ? {} : { parentAgentId: t.agent.id }
  const shape = { requestShape: isBackground ? 'background' : 'foreground', requestNonInteractive: false }
  const meta = { agentType: type, isBuiltIn: true, description, toolUseId: callId, ...nested, spawnDepth: agent.depth }
  const folder = t.isOld ? t.projectKey : `${t.projectKey}/${sessionId}/subagents`
  archive.set(`${folder}/agent-${agent.id}.jsonl`, `${sub.lines.join('\n')}\n`)
  const sidecar = JSON.stringify({ ...meta, ...shape, pickedEffortModel: MODEL, finished: true })
  if (!t.isOld) archive.set(`${folder}/agent-${agent.id}.meta.json`, sidecar)
  const totalToolUseCount = sub.chain.filter((record) => record.message?.content[0]?.type === 'tool_use').length
  const facts = { totalDurationMs: sub.nowMs - startMs, totalTokens: sub.cachedTokens, totalToolUseCount }
  return { sub, endMs: sub.nowMs, facts }
}

export function attachEnvironment(t) {
  const place = { workingDirectory: t.cwd, isWorktree: false, isGitRepo: true, additionalWorkingDirectories: [] }
  const snapshot = { ...place, platform: 'linux', shell: 'zsh', osVersion: 'Linux 6.12.48' }
  attach(t, { type: 'environment', snapshot }, `Working directory: ${t.cwd} (a git repository)`)
}
