// A sketch of the scanner → Envelope: the same, to the last field, that envelopeOf makes of the parsed record. Eight kinds of
// records come this way, which are most lines; a test reads every corpus line, and damaged ones, both ways.

import { decodeUtf8, textKey } from '../base/text.ts'
import { agentCall, oneBlock, startsAgent } from './content.ts'
import { DENIAL_LENGTH_MAX, deniedInWords } from './denial.ts'
import type { ReadState } from './envelope.ts'
import { ofTeam } from './envelope.ts'
import type { Author, Body, Envelope, Links, RecordKind, ToolResultRef, ToolUseRef, Usage } from './model.ts'
import * as layout from './scan-layout.ts'
import type { Sketch } from './sketch.ts'
import { NONE } from './type-facts.ts'
import { promptText } from './user.ts'

type LinksMade = { -readonly [Key in keyof Links]: Links[Key] }

export function envelopeOfSketch(
  sketch: Sketch,
  line: number,
  offset: number,
  length: number,
  state: ReadState,
): Envelope {
  const kind = sketch.number(layout.SKETCH_KIND)
  const { previous } = state
  const isReply = kind === layout.REPLY
  const model = isReply ? sketch.name(layout.NAME_MODEL) : null
  const hasBlocks = isReply || kind === layout.RESULT || kind === layout.PROMPT
  const parentUuid = idOf(sketch, layout.ID_PARENT, layout.FLAG_SAME_PARENT, previous?.uuid)
  const links = linksOf(sketch, kind, parentUuid)
  const envelope: Envelope = {
    line,
    offset,
    length,
    type: sketch.name(layout.NAME_TYPE) ?? (TYPES[kind] as string),
    subtype: HAS_SUBTYPE.has(kind) ? sketch.name(layout.NAME_SUBTYPE) : null,
    kind: KINDS[kind] as RecordKind,
    injection: null,
    author: authorOf(sketch, kind, model),
    uuid: idOf(sketch, layout.ID_UUID, 0, null),
    parentUuid,
    sessionId: sketch.name(layout.NAME_SESSION),
    agentId: sketch.name(layout.NAME_AGENT),
    timestampMs: sketch.timestampMs,
    isSidechain: !state.isSubagent && sketch.hasFlag(layout.FLAG_SIDECHAIN),
    isMeta: sketch.hasFlag(layout.FLAG_META),
    cwd: sketch.name(layout.NAME_CWD),
    gitBranch: sketch.name(layout.NAME_BRANCH),
    version: sketch.name(layout.NAME_VERSION),
    messageId: isReply ? sameOr(sketch, layout.ID_MESSAGE, layout.FLAG_SAME_MESSAGE, previous?.messageId) : null,
    requestId: idOf(sketch, layout.ID_REQUEST, layout.FLAG_SAME_REQUEST, previous?.requestId),
    blockIndex: blockIndexOf(sketch),
    model,
    stopReason: isReply ? sketch.name(layout.NAME_STOP) : null,
    blocks: hasBlocks ? blocksOf(sketch) : NONE,
    toolUses: hasBlocks ? toolUsesOf(sketch) : NONE,
    toolResults: hasBlocks ? toolResultsOf(sketch) : NONE,
    usage: isReply ? usageOfSketch(sketch) : null,
    boundary: null,
    links: state.isSubagent || !sketch.hasFlag(layout.FLAG_TEAM) ? links : ofTeam(links),
  }
  state.previous = envelope
  return envelope
}

/** By the kind of the sketch. */
const TYPES = ['', 'assistant', 'user', 'progress', 'system', 'file-history-snapshot', 'user'] as const
const KINDS: readonly (RecordKind | '')[] = [
  ...(['', 'reply', 'tool-result', 'progress', 'system', 'metadata', 'prompt', 'metadata', 'attachment'] as const),
]
const AUTHORS: readonly (Author | '')[] = [
  ...(['', 'model', 'tool', 'harness', 'harness', 'harness', 'human', 'harness', 'harness'] as const),
]
const HAS_SUBTYPE: ReadonlySet<number> = new Set([layout.PROGRESS, layout.SYSTEM, layout.ATTACHMENT])

function authorOf(sketch: Sketch, kind: number, model: string | null): Author {
  if (model === '<synthetic>') return 'harness'
  if (kind === layout.PROMPT && sketch.hasFlag(layout.FLAG_SIDECHAIN) && !sketch.hasFlag(layout.FLAG_BY_HUMAN))
    return 'agent'
  return AUTHORS[kind] as Author
}

/** An empty id is none. */
function idOf(sketch: Sketch, place: number, same: number, previous: string | null | undefined): string | null {
  const id = sameOr(sketch, place, same, previous)
  return id === '' ? null : id
}

/** The same string as the one it repeats: most of what an Envelope holds in memory is ids. */
function sameOr(sketch: Sketch, place: number, same: number, previous: string | null | undefined): string | null {
  return sketch.hasFlag(same) && typeof previous === 'string' ? previous : sketch.id(place)
}

function blockIndexOf(sketch: Sketch): number | null {
  const index = sketch.number(layout.BLOCK_INDEX)
  return index < 0 ? null : index
}

function blocksOf(sketch: Sketch): readonly string[] {
  const count = sketch.blockCount
  if (count === 0) return NONE
  if (count === 1) return oneBlock(sketch.blockKind(0))
  return Array.from({ length: count }, (_, block) => sketch.blockKind(block))
}

function toolUsesOf(sketch: Sketch): readonly ToolUseRef[] {
  let uses: ToolUseRef[] | null = null
  for (let block = 0; block < sketch.blockCount; block++) {
    if (!sketch.blockHas(block, layout.BLOCK_HAS_INPUT) || sketch.blockKind(block) !== 'tool_use') continue
    const id = sketch.blockId(block)
    const name = sketch.blockName(block)
    const use = startsAgent(name) ? agentCall(id, name, inputOf(sketch, block)) : { id, name }
    // Nearly always there is one. A list that is begun empty has room for seventeen.
    if (uses === null) uses = [use]
    else uses.push(use)
  }
  return uses ?? NONE
}

/** What a call was given. */
export function inputOf(sketch: Sketch, block: number): unknown {
  return JSON.parse(decodeUtf8(sketch.blockInput(block)))
}

function toolResultsOf(sketch: Sketch): readonly ToolResultRef[] {
  let results: ToolResultRef[] | null = null
  for (let block = 0; block < sketch.blockCount; block++) {
    if (sketch.blockKind(block) !== 'tool_result') continue
    const result = { id: sketch.blockId(block), isError: sketch.blockHas(block, layout.BLOCK_IS_ERROR) }
    if (results === null) results = [result]
    else results.push(result)
  }
  return results ?? NONE
}

export function usageOfSketch(sketch: Sketch): Usage | null {
  if (sketch.number(layout.TOKENS) === 0) return null
  return {
    inputTokens: sketch.number(layout.TOKENS_INPUT),
    outputTokens: sketch.number(layout.TOKENS_OUTPUT),
    cacheReadTokens: sketch.number(layout.TOKENS_READ),
    cacheWriteTokens: sketch.number(layout.TOKENS_WRITE),
    cacheWrite1hTokens: sketch.number(layout.TOKENS_WRITE_1H),
  }
}

function linksOf(sketch: Sketch, kind: number, parentUuid: string | null): Links | null {
  if (kind === layout.METADATA) return null
  if (kind === layout.REPLY || kind === layout.ATTACHMENT)
    return sketch.hasFlag(layout.FLAG_FORK) ? addFork(sketch, {}) : null
  if (kind === layout.PROGRESS) return progressLinks(sketch)
  if (kind === layout.SNAPSHOT) return { snapshotOfUuid: sketch.id(layout.ID_MESSAGE) ?? '' }
  if (kind === layout.RESULT && parentUuid !== null && hasOnlySource(sketch))
    return { sourceToolAssistantUuid: parentUuid }
  const links: LinksMade = {}
  addLink(links, 'logicalParentUuid', sketch.id(layout.ID_LOGICAL_PARENT))
  if (kind === layout.RESULT || kind === layout.PROMPT) {
    const source = sketch.id(layout.ID_SOURCE_ASSISTANT)
    addLink(links, 'sourceToolAssistantUuid', source === parentUuid ? parentUuid : source)
    addLink(links, 'sourceToolUseId', sketch.id(layout.ID_SOURCE_CALL))
    addLink(links, 'toolDenialKind', sketch.name(layout.NAME_DENIAL) ?? deniedInWords(errorsIn(sketch)))
  }
  if (kind === layout.PROMPT) addLink(links, 'promptId', sketch.id(layout.ID_PROMPT))
  if (sketch.hasFlag(layout.FLAG_FORK)) addFork(sketch, links)
  if (kind === layout.RESULT) {
    addLink(links, 'spawnedAgentId', sketch.id(layout.ID_SPAWNED))
    addLink(links, 'spillPath', sketch.id(layout.ID_SPILL))
  }
  if (kind === layout.PROMPT) links.textKey = textKey(promptText(promptBody(sketch).message.content))
  for (const _ in links) return links
  return null
}

/** Nearly every result: nothing is known of it but that it answers its parent. */
function hasOnlySource(sketch: Sketch): boolean {
  return (
    sketch.hasFlag(layout.FLAG_SAME_SOURCE) &&
    !sketch.hasFlag(layout.FLAG_FORK) &&
    sketch.number(layout.ID_LOGICAL_PARENT + 1) < 0 &&
    sketch.number(layout.ID_SOURCE_CALL + 1) < 0 &&
    sketch.number(layout.ID_SPAWNED + 1) < 0 &&
    sketch.number(layout.ID_SPILL + 1) < 0 &&
    sketch.number(layout.NAME_DENIAL) < 0 &&
    !hasError(sketch)
  )
}

function hasError(sketch: Sketch): boolean {
  for (let block = 0; block < sketch.blockCount; block++) {
    if (sketch.blockHas(block, layout.BLOCK_IS_ERROR)) return true
  }
  return false
}

function* errorsIn(sketch: Sketch): Generator<string | null> {
  for (let block = 0; block < sketch.blockCount; block++) {
    if (sketch.blockKind(block) !== 'tool_result') continue
    const isError = sketch.blockHas(block, layout.BLOCK_IS_ERROR)
    yield isError ? decodeUtf8(sketch.blockText(block).subarray(0, DENIAL_LENGTH_MAX)) : null
  }
}

/** As much of the Body of a prompt as anybody looks at: what it says, and that there are pictures in it. */
export function promptBody(sketch: Sketch): { readonly type: 'user'; readonly message: { readonly content: Body[] } } {
  const content: Body[] = []
  for (let block = 0; block < sketch.blockCount; block++) {
    const type = sketch.blockKind(block)
    const hasText = sketch.blockHas(block, layout.BLOCK_HAS_TEXT)
    content.push(hasText ? { type, text: decodeUtf8(sketch.blockText(block)) } : { type })
  }
  return { type: 'user', message: { content } }
}

function progressLinks(sketch: Sketch): Links | null {
  const spawnedAgentId = sketch.id(layout.ID_SPAWNED)
  if (spawnedAgentId === null) return null
  const parentToolUseId = sketch.id(layout.ID_PARENT_CALL)
  return parentToolUseId === null ? { spawnedAgentId } : { spawnedAgentId, parentToolUseId }
}

function addFork(sketch: Sketch, links: LinksMade): Links {
  addLink(links, 'forkedFromSessionId', sketch.name(layout.NAME_FORK_SESSION))
  addLink(links, 'forkedFromUuid', sketch.id(layout.ID_FORK_UUID))
  return links
}

type TextLink = Exclude<keyof Links, 'leafIsExplicit' | 'isOfTeam' | 'textKey'>

function addLink(links: LinksMade, key: TextLink, value: string | null): void {
  if (value !== null) links[key] = value
}
