// Every genuine case against the official SDK's own answers.

import { describe, expect, it } from 'vitest'
import type { Woven } from '../../src/conversation/build.ts'
import { branchesOfConversation, readContextTurns, readFull } from '../../src/conversation/reading.ts'
import { summarise } from '../../src/conversation/summary.ts'
import { findTranscripts } from '../../src/load/found.ts'
import { loadProject, weaveSession } from '../../src/load/project.ts'
import { openSession, openSubagent } from '../../src/load/session.ts'
import { clientCases } from './corpus.ts'

/** Where Clew is right and the SDK is not; each is told in docs/format/differences.md. */
const TITLE_DIFFERENCES: ReadonlyMap<string, string> = new Map([
  // The client glued a `summary` to a torn record; the SDK skips that line whole.
  ['1.0.128/torn', 'Scratch project work'],
])

const cases = clientCases()

describe.runIf(cases.length > 0)('genuine cases', () => {
  it.each(cases)('$name', ({ name, folder, sdk }) => {
    const archive = findTranscripts([folder])
    const woven = new Map<string, Woven>()
    for (const project of archive.projects) {
      const loaded = loadProject(project, { readsAgents: true })
      for (const [index, main] of loaded.mains.entries()) {
        woven.set(main.transcript.sessionId, weaveSession(loaded, index, 'file'))
        const { sizeBytes, records, problems, tail, blank } = main.account
        expect(records + problems + tail + blank).toBe(sizeBytes)
        expect(sizeBytes).toBe(main.file.sizeBytes)
      }
    }
    for (const listed of sdk.listSessions) {
      const summary = summarise(woven.get(listed.sessionId) as Woven, 0)
      expect(summary.title).toBe(TITLE_DIFFERENCES.get(name) ?? listed.summary)
      expect(summary.firstPrompt).toBe(listed.firstPrompt ?? null)
    }
    for (const [sessionId, answers] of Object.entries(sdk.sessions)) {
      const one = woven.get(sessionId) as Woven
      const wanted = (answers.messages ?? []).map((message) => message.uuid)
      expect(readContextTurns(one).chain, `chain of ${sessionId}`).toEqual(wanted)
      checkSubagents(one, answers.subagents ?? [])
      everyMessageOnce(one)
    }
  })

  it.each(cases)('$name: subagents', ({ folder, sdk }) => {
    const archive = findTranscripts([folder])
    for (const [sessionId, answers] of Object.entries(sdk.sessions)) {
      const file = archive.projects
        .flatMap((project) => project.files)
        .find((one) => one.role === 'main' && one.sessionId === sessionId)
      if (file === undefined) continue
      const session = openSession(archive, file, 'file')
      for (const [agentId, messages] of Object.entries(answers.subagentMessages ?? {})) {
        const agent = openSubagent(session, agentId, 'file')
        expect(agent, agentId).not.toBeNull()
        expect(readContextTurns(agent as Woven).chain).toEqual(messages.map((message) => message.uuid))
      }
    }
  })
})

/** The SDK's list, plus the layouts it does not look at: flat files of 2.0.x and inline runs of 1.0.x. */
function checkSubagents(woven: Woven, wanted: readonly string[]): void {
  const found = woven.agents.subagents
  for (const agentId of wanted) expect(found.map((agent) => agent.agentId)).toContain(agentId)
  for (const agent of found.filter((one) => !wanted.includes(one.agentId))) {
    expect(
      agent.isInline || /\/agent-[0-9a-f]{7}\.jsonl$/.test(agent.path),
      `${agent.agentId} is of an old layout`,
    ).toBe(true)
  }
}

/** Over all Branches every Prompt and Reply stands exactly once, also those before a compaction. */
function everyMessageOnce(woven: Woven): void {
  const places = new Map<string, number>()
  for (const { turns } of branchesOfConversation(woven)) {
    for (const { records } of turns) {
      for (const { envelope } of records) {
        if (envelope.uuid !== null) places.set(envelope.uuid, (places.get(envelope.uuid) ?? 0) + 1)
      }
    }
  }
  for (const { uuid, first } of woven.joined.nodes) {
    if (!first.isSidechain) expect(places.get(uuid), `${first.type} ${uuid}`).toBe(1)
  }
  const reachable = new Set<string>()
  for (const branch of woven.outline.branches.keys()) {
    const { chain } = readFull(woven, branch)
    expect(new Set(chain).size).toBe(chain.length)
    for (const uuid of chain) reachable.add(uuid)
  }
  for (const { uuid, first } of woven.own.nodes) {
    const isSaid = first.kind === 'reply' || (first.kind === 'prompt' && first.type === 'user')
    if (isSaid && !first.isSidechain && !first.isMeta) expect(reachable.has(uuid), `${first.type} ${uuid}`).toBe(true)
  }
}
