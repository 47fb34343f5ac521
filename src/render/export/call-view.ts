// One tool call as an export shows it: a line, or the whole of its input and output, or with the Subagent it started.

import { pathBelow } from '../../base/path-below.ts'
import type { ToolCall, Turn } from '../../conversation/model.ts'
import type { ToolPart } from '../../conversation/parts.ts'
import { contentOf } from '../../conversation/parts.ts'
import { agentReport } from '../../conversation/tool/agent-report.ts'
import { list, object } from '../../record/fields.ts'
import type { Body } from '../../record/model.ts'
import { withoutReminders } from './choice.ts'
import { faceOf } from './face.ts'
import { imagesIn } from './images.ts'
import { countLines, diffLines } from './line-diff.ts'
import type { ViewSource } from './turn-view.ts'
import type { AgentView, CallView, Changed, Face, TurnView, WholeCall } from './view.ts'

/** Far more than is shown: what is cut here must not be the end of a Secret that begins in what is shown. */
const REASON_LENGTH = 20_000

/** A Subagent has Turns of its own; how they are shown is the caller's knowledge. */
type ShowTurn = (turn: Turn, source: ViewSource) => TurnView

export function callView(part: ToolPart, call: ToolCall | undefined, source: ViewSource, showTurn: ShowTurn): CallView {
  const { choice, folder } = source
  const agent = part.agentId === null ? null : agentView(part.agentId, source, showTurn)
  const body = call?.result == null ? null : source.bodyOf(call.result)
  const face = shortened(faceOf(part.name, part.input, body?.['toolUseResult']), folder)
  // What a Subagent was told is the first thing it says itself.
  const told: Face = face.kind === 'message' && (agent?.turns ?? null) !== null ? { kind: 'input', value: null } : face
  const text = part.result?.text ?? ''
  const output = choice.client ? text : withoutClient(part, text)
  const failed = part.status === 'error' || part.status === 'denied'
  return {
    name: part.name,
    title: pathBelow(part.title, folder),
    status: part.status,
    whole: choice.tools === 'whole' ? wholeCall(part, told, output, body, source) : answered(face),
    reason: failed ? output.trim().slice(0, REASON_LENGTH) : '',
    changed: part.status === 'ok' ? changedBy(face) : null,
    agent,
  }
}

/** What the tool said, without what the client wrote around it. */
function withoutClient({ name, status }: ToolPart, text: string): string {
  const own = withoutReminders(text)
  return (name === 'Agent' || name === 'Task') && status === 'ok' ? agentReport(own) : own
}

/** What a person was asked and answered is theirs: it is shown also where tools are not. */
function answered(face: Face): WholeCall | null {
  return face.kind === 'questions' ? { face, output: '', spill: null, images: [] } : null
}

function wholeCall(part: ToolPart, face: Face, output: string, body: Body | null, source: ViewSource): WholeCall {
  const spilled = part.spillPath === null ? null : source.spill(part.spillPath)
  const found = source.choice.images === 'none' ? [] : resultImages(body, part.id)
  return {
    face: isTold(face, part.title) ? { kind: 'input', value: null } : face,
    output: face.kind === 'change' && CONFIRMED.test(output) ? '' : (spilled?.text ?? output),
    spill:
      part.spillPath === null
        ? null
        : { path: part.spillPath, isRead: spilled !== null, isCut: spilled?.isCut ?? false },
    images: found.map(source.addImage),
  }
}

/** What the client answers when a change was made: the change itself says as much. */
const CONFIRMED = /^(?:The file \S+ has been (?:updated|modified)|File created successfully)[^\n]{0,300}$/

/** An input with nothing in it but what the line says already. */
function isTold(face: Face, title: string): boolean {
  if (face.kind !== 'input') return false
  const fields = Object.values(object(face.value) ?? { value: face.value })
  return fields.length === 1 && fields[0] === title
}

function resultImages(body: Body | null, id: string): ReturnType<typeof imagesIn> {
  for (const value of list(contentOf(body)) ?? []) {
    const block = object(value)
    if (block?.['type'] === 'tool_result' && block['tool_use_id'] === id) return imagesIn(block['content'])
  }
  return []
}

/** Deeper ones are named and not shown: nobody can read them, and every level stands within the one before. */
const DEPTH_MAX = 8

function agentView(agentId: string, source: ViewSource, showTurn: ShowTurn): AgentView {
  const opened = source.agent(agentId)
  const { type = null, description = null } = opened?.subagent ?? {}
  if (opened === null || !source.choice.subagents || source.depth >= DEPTH_MAX)
    return { agentId, type, description, turns: null }
  const inner = { ...source, bodyOf: opened.bodyOf, depth: source.depth + 1 }
  return { agentId, type, description, turns: opened.turns.map((turn) => showTurn(turn, inner)) }
}

/** How many lines of a file were added and removed. */
function changedBy(face: Face): Changed | null {
  if (face.kind !== 'change' || face.hunks.length === 0) return null
  let added = 0
  let removed = 0
  for (const { before, after } of face.hunks) {
    const counted = countLines(diffLines(before, after))
    added += counted.added
    removed += counted.removed
  }
  return { path: face.path, added, removed }
}

function shortened(face: Face, folder: string): Face {
  return face.kind === 'change' ? { ...face, path: pathBelow(face.path, folder) } : face
}
