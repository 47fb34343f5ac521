// What a list shows of a Conversation, counted on the skeleton alone: no Turn is built for it.

import type { ThreadNode } from '../graph/thread.ts'
import type { Dialect } from '../record/dialect.ts'
import { dialectOf } from '../record/dialect.ts'
import type { Envelope } from '../record/model.ts'
import type { Woven } from './build.ts'
import type { TitleSource } from './model.ts'
import { firstPromptOf, titleOf } from './title.ts'

export interface ConversationSummary {
  readonly sessionId: string
  readonly title: string
  readonly titleSource: TitleSource
  readonly firstPrompt: string | null
  readonly tag: string | null
  /** Put away in the client, and nothing was asked since. */
  readonly archived: boolean
  readonly cwd: string | null
  readonly project: string
  readonly gitBranch: string | null
  readonly version: string | null
  readonly model: string | null
  readonly createdMs: number | null
  readonly lastRecordMs: number | null
  /** On the live Branch. */
  readonly turns: number
  /** Everything a human wrote, on all Branches. */
  readonly prompts: number
  readonly messages: number
  readonly segments: number
  readonly branches: number
  readonly subagents: number
  readonly continues: string | null
  readonly forkOf: string | null
  readonly problems: number
  /** The words it is written in. */
  readonly dialect: Dialect
  readonly path: string
}

export function summarise(woven: Woven, problemCount: number): ConversationSummary {
  const { source, own, agents } = woven
  const title = titleOf(source.main.labels, source.sidecarTitle)
  const facts = gatherFacts(source.main.envelopes)
  let prompts = woven.undelivered.length
  let messages = 0
  let lastPromptMs = Number.NEGATIVE_INFINITY
  for (const { first } of own.nodes) {
    if (first.isSidechain) continue
    if (first.kind === 'prompt') {
      prompts++
      lastPromptMs = Math.max(lastPromptMs, first.timestampMs ?? lastPromptMs)
    }
    if (first.kind === 'reply' || first.kind === 'prompt') messages++
  }
  return {
    sessionId: source.sessionId,
    title: title.text,
    titleSource: title.source,
    firstPrompt: firstPromptOf(source.main.labels),
    tag: source.main.labels.tag,
    archived: source.archivedMs != null && source.archivedMs >= lastPromptMs,
    cwd: facts.cwd,
    // The folder's name stands in only where no record says where it was.
    project: facts.cwd ?? source.projectKey,
    gitBranch: facts.gitBranch,
    version: facts.version,
    model: facts.model,
    createdMs: facts.createdMs,
    lastRecordMs: facts.lastMs,
    turns: liveTurns(woven),
    prompts,
    messages,
    segments: liveSegments(woven),
    branches: woven.outline.branches.length,
    subagents: agents.subagents.length,
    continues: source.relation.continues,
    forkOf: source.relation.forkOf,
    problems: problemCount,
    dialect: dialectOf(source.main.envelopes),
    path: source.main.path,
  }
}

interface Facts {
  cwd: string | null
  gitBranch: string | null
  version: string | null
  model: string | null
  createdMs: number | null
  lastMs: number | null
}

/** Where it was moved to or else the first folder, the first time, the last git branch, version and model. */
function gatherFacts(envelopes: readonly Envelope[]): Facts {
  const facts: Facts = { cwd: null, gitBranch: null, version: null, model: null, createdMs: null, lastMs: null }
  let movedTo: string | null = null
  for (const { cwd, gitBranch, version, model, timestampMs, isSidechain, links } of envelopes) {
    facts.cwd ??= cwd
    movedTo = links?.relocatedCwd ?? movedTo
    if (gitBranch !== null && gitBranch !== '') facts.gitBranch = gitBranch
    if (version !== null) facts.version = version
    if (model !== null && model !== '<synthetic>' && !isSidechain) facts.model = model
    if (timestampMs === null) continue
    facts.createdMs ??= timestampMs
    facts.lastMs = facts.lastMs === null ? timestampMs : Math.max(facts.lastMs, timestampMs)
  }
  if (movedTo !== null) facts.cwd = movedTo
  return facts
}

function liveTurns(woven: Woven): number {
  const live = woven.outline.branches[0]
  let turns = 0
  let hasReplyBefore = false
  for (const index of live?.path ?? []) {
    const { kind } = (woven.joined.nodes[index] as ThreadNode).first
    if (kind === 'prompt') turns++
    else if (kind === 'reply' && turns === 0) hasReplyBefore = true
  }
  return turns + (hasReplyBefore ? 1 : 0)
}

function liveSegments(woven: Woven): number {
  const live = woven.outline.branches[0]
  if (live === undefined) return 0
  let segments = 1
  for (const index of live.path) {
    if ((woven.joined.nodes[index] as ThreadNode).first.kind === 'boundary') segments++
    for (const beside of live.beside.get(index) ?? []) {
      const { kind, boundary } = (woven.joined.nodes[beside] as ThreadNode).first
      if (kind === 'boundary' && boundary?.preserved != null) segments++
    }
  }
  return segments
}
