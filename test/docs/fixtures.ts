// Markdown → fixtures → what Clew makes of them. A fixture is one or more fenced blocks and the `clew` block right after
// them. Blocks without a file name are one transcript, read in memory; blocks with one are laid out below a folder and
// read from there, because relations between files can be told in no other way.

import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Woven } from '../../src/conversation/build.ts'
import { conversationProblems } from '../../src/conversation/build.ts'
import { readFull } from '../../src/conversation/reading.ts'
import { summarise } from '../../src/conversation/summary.ts'
import { titleOf } from '../../src/conversation/title.ts'
import { messageUuids, readContext } from '../../src/graph/context.ts'
import { checkProject } from '../../src/load/check.ts'
import { findTranscripts } from '../../src/load/found.ts'
import type { LoadedProject } from '../../src/load/project.ts'
import { loadProject, weaveSession } from '../../src/load/project.ts'
import { wovenOf } from '../woven.ts'

export type Expectation = Readonly<Record<string, unknown>>

export interface Block {
  /** `jsonl` and `json` are UTF-8 text; `bytes` is a JSON string whose characters are bytes. */
  readonly kind: 'jsonl' | 'json' | 'bytes'
  readonly file: string | null
  readonly text: string
}

export interface Fixture {
  readonly name: string
  readonly blocks: readonly Block[]
  /** As it stands in the page: a JSON object. */
  readonly expected: string
}

const FENCE = /^```(jsonl|json|bytes|clew)(?: file=(\S+))?\n([\s\S]*?)^```$/gm

/** Throws where a page has a block that nothing checks, or a check of nothing. */
export function fixturesOf(page: string, markdown: string): readonly Fixture[] {
  const fixtures: Fixture[] = []
  let blocks: Block[] = []
  let end = 0
  const lineAt = (index: number): string => `${page}:${markdown.slice(0, index).split('\n').length}`
  for (const { 0: whole, 1: kind, 2: file, 3: text, index } of markdown.matchAll(FENCE)) {
    if (blocks.length > 0 && markdown.slice(end, index).trim() !== '') {
      throw new Error(`${lineAt(index)}: prose between a fixture and its expectation`)
    }
    end = index + whole.length
    if (kind !== 'clew') blocks.push({ kind: kind as Block['kind'], file: file ?? null, text: text ?? '' })
    else if (blocks.length === 0) throw new Error(`${lineAt(index)}: an expectation without a fixture`)
    else {
      fixtures.push({ name: lineAt(index), blocks, expected: text ?? '' })
      blocks = []
    }
  }
  if (blocks.length > 0) throw new Error(`${page}: a fixture without an expectation`)
  return fixtures
}

/** What Clew says about the fixture, for the keys that were asked for. */
export function answersOf({ blocks, name }: Fixture, expected: Expectation): Expectation {
  const answers = blocks.every(({ file }) => file === null)
    ? transcriptAnswers(blocks)
    : folderAnswers(blocks, expected)
  const asked: Record<string, unknown> = {}
  for (const key of Object.keys(expected)) {
    const answer = answers[key]
    if (answer === undefined) throw new Error(`${name}: no such key: ${key}`)
    asked[key] = answer()
  }
  return asked
}

type Answers = Readonly<Record<string, () => unknown>>

function transcriptAnswers(blocks: readonly Block[]): Answers {
  const { woven, read } = wovenOf(Buffer.concat(blocks.map(bytesOf)))
  const { envelopes, account } = read
  const thread = woven.own
  return {
    kinds: () => envelopes.map(({ kind }) => kind),
    types: () => envelopes.map(({ type }) => type),
    authors: () => envelopes.map(({ author }) => author),
    injections: () => envelopes.flatMap(({ injection }) => injection ?? []),
    problems: () => conversationProblems(woven).map(({ code }) => code),
    chain: () => messageUuids(thread, readContext(thread, 'file').nodes, 'file'),
    resume: () => messageUuids(thread, readContext(thread, 'resume').nodes, 'resume'),
    full: () => readFull(woven).chain,
    title: () => titleOf(woven.source.main.labels, null).text,
    branches: () => woven.outline.branches.length,
    turns: () => readFull(woven).turns.map(({ replies, toolCalls }) => [replies.length, toolCalls.length]),
    calls: () => readFull(woven).turns.flatMap(({ toolCalls }) => toolCalls.map(({ status }) => status)),
    segments: () => summarise(woven, 0).segments,
    agents: () => agentsOf(woven),
    agentTypes: () => Object.fromEntries(woven.agents.subagents.map(({ agentId, type }) => [agentId, type])),
    queued: () => woven.undelivered.map(({ envelope }) => envelope.line),
    createdMs: () => summarise(woven, 0).createdMs,
    cwd: () => summarise(woven, 0).cwd,
    account: () => {
      const { records, problems: lost, tail, blank } = account
      return { records, problems: lost, tail, blank }
    },
  }
}

/** `files`: what was found, in order. `sessions`: by session id, what was asked about each. */
function folderAnswers(blocks: readonly Block[], expected: Expectation): Answers {
  return {
    files: () =>
      inFolder(blocks, (root) =>
        findTranscripts([root]).projects.flatMap(({ files }) =>
          files.map(({ role, projectKey, sessionId, agentId, workflowId }) => {
            const names = [role, projectKey, sessionId, agentId, workflowId]
            return names.map((name) => name ?? '-').join(' ')
          }),
        ),
      ),
    sessions: () => inFolder(blocks, (root) => sessionsIn(root, expected['sessions'] as Expectation)),
  }
}

function sessionsIn(root: string, expected: Expectation): Expectation {
  const sessions: Record<string, unknown> = {}
  for (const project of findTranscripts([root]).projects) {
    const loaded = loadProject(project, { readsAgents: true })
    const checked = checkProject(project)
    for (const [index, { transcript }] of loaded.mains.entries()) {
      const asked = expected[transcript.sessionId]
      if (asked === undefined) continue
      const own = checked.filter(({ sessionId }) => sessionId === transcript.sessionId)
      const problems = own.flatMap((file) => file.problems.map(({ code }) => code))
      const all = sessionFacts(loaded, index)
      sessions[transcript.sessionId] = pick({ ...all, problems }, Object.keys(asked as Expectation))
    }
  }
  return sessions
}

function sessionFacts(loaded: LoadedProject, index: number): Expectation {
  const woven = weaveSession(loaded, index, 'resume')
  const { chain: full } = readFull(woven)
  return {
    ...summarise(woven, 0),
    full,
    resume: messageUuids(woven.own, readContext(woven.own, woven.tipRule).nodes, woven.tipRule),
    agents: agentsOf(woven),
  }
}

function agentsOf(woven: Woven): Readonly<Record<string, string | null>> {
  return Object.fromEntries(woven.agents.subagents.map(({ agentId, toolUseId }) => [agentId, toolUseId]))
}

function pick(facts: Expectation, keys: readonly string[]): Expectation {
  return Object.fromEntries(keys.map((key) => [key, facts[key]]))
}

const LONG_AGO_S = 1_700_000_000

function inFolder<Answer>(blocks: readonly Block[], look: (root: string) => Answer): Answer {
  const root = mkdtempSync(join(tmpdir(), 'clew-format-'))
  try {
    for (const block of blocks) {
      const path = join(root, block.file ?? 'unnamed')
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, bytesOf(block))
      // A file that no longer grows: only there is a half-written last line a loss.
      utimesSync(path, LONG_AGO_S, LONG_AGO_S)
    }
    return look(root)
  } finally {
    rmSync(root, { recursive: true })
  }
}

function bytesOf({ kind, text }: Block): Buffer {
  return kind === 'bytes' ? Buffer.from(JSON.parse(text) as string, 'latin1') : Buffer.from(text)
}
