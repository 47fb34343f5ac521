// One ToolCall to the facts a Brief needs, and nothing larger: its input and output may be megabytes and are let go.

import type { PlacedRecord, ToolCall, ToolStatus } from '../conversation/model.ts'
import { resultText } from '../conversation/parts.ts'
import { agentReport } from '../conversation/tool/agent-report.ts'
import { viewTool } from '../conversation/tool/known.ts'
import { list, object, text } from '../record/fields.ts'
import type { Body } from '../record/model.ts'
import { cite } from './citation.ts'
import { shorten } from './condense.ts'
import { fileTouches } from './files.ts'
import type { GitFacts } from './git.ts'
import { gitFacts } from './git.ts'
import type { Citation, CommandPurpose, FileOutcome } from './model.ts'
import { errorLine, outcomeOf } from './outcome.ts'
import type { PlanningFacts } from './planning.ts'
import { planningFacts } from './planning.ts'
import { purposeOf } from './purpose.ts'
import { SHELLS, simpleCommands } from './shell.ts'

export interface CallFacts {
  readonly name: string
  readonly status: ToolStatus
  readonly timestampMs: number | null
  readonly agentId: string | null
  /** Started by this call: one agent, or the agents of a workflow. */
  readonly workflowId: string | null
  readonly cites: readonly Citation[]
  /** What it was about, in one line: a path, a command, a pattern. A retry is about the same. */
  readonly subject: string
  readonly report: string | null
  readonly files: readonly FileFact[]
  readonly command: CommandFact | null
  readonly failure: string | null
  readonly refusal: string | null
  readonly planning: PlanningFacts
  readonly git: GitFacts
}

export interface FileFact {
  readonly path: string
  readonly outcome: FileOutcome
  readonly added: number | null
  readonly removed: number | null
}

export interface CommandFact {
  readonly command: string
  readonly purpose: CommandPurpose
  readonly outcome: string | null
  readonly wentWell: boolean | null
}

/** A call with both its Bodies; what a tool is asked and answers is read here and nowhere else. */
export interface OpenCall {
  readonly name: string
  readonly status: ToolStatus
  /** By the person: a rule or a hook that forbids something is nobody's decision. */
  readonly isRefused: boolean
  readonly input: Body
  readonly output: string
  /** `toolUseResult`: what the client kept for itself. Absent in subagents of print mode. */
  readonly kept: Body | null
  readonly cwd: string | null
}

export type ReadBody = (record: PlacedRecord) => Body | null

export function readCall(call: ToolCall, pathOf: (record: PlacedRecord) => string, bodyOf: ReadBody): CallFacts {
  const open = openCall(call, bodyOf)
  const { name } = call
  const records = call.result === null ? [call.call] : [call.call, call.result]
  return {
    name,
    status: open.status,
    timestampMs: call.call.envelope.timestampMs,
    agentId: call.agentId,
    workflowId: text(open.kept?.['runId']),
    cites: records.map((record) => cite(pathOf(record), record.envelope)),
    subject: viewTool(name, open.input).title,
    report:
      isAgent(name) && open.status === 'ok' && open.kept?.['isAsync'] !== true
        ? shorten(agentReport(open.output), 600)
        : null,
    files: fileTouches(open),
    command: commandFact(open),
    failure: failureOf(open),
    refusal: open.isRefused ? refusalOf(open.output) : null,
    planning: planningFacts(open),
    git: gitFacts(open),
  }
}

function openCall(call: ToolCall, bodyOf: ReadBody): OpenCall {
  const body = bodyOf(call.call)
  const result = call.result === null ? null : bodyOf(call.result)
  const output = resultText(result, call.id)
  return {
    name: call.name,
    status: call.status,
    isRefused: call.result?.envelope.links?.toolDenialKind === 'user-rejected',
    input: inputOf(body, call.id),
    output,
    kept: object(result?.['toolUseResult']),
    cwd: call.call.envelope.cwd,
  }
}

function failureOf({ status, isRefused, output }: OpenCall): string | null {
  if (isRefused || (status !== 'error' && status !== 'denied')) return null
  return errorLine(output) ?? 'failed without a word'
}

function inputOf(body: Body | null, id: string): Body {
  // The event-log dialect writes a call as a record of its own.
  if (body?.['type'] === 'tool_use') return object(body['toolInput']) ?? object(body['input']) ?? {}
  for (const value of list(object(body?.['message'])?.['content'] ?? body?.['content']) ?? []) {
    const block = object(value)
    if (block !== null && block['name'] !== undefined && (text(block['id']) ?? '') === id)
      return object(block['input']) ?? {}
  }
  return {}
}

function commandFact({ name, status, input, output }: OpenCall): CommandFact | null {
  const command = text(input['command'])
  if (command === null || !SHELLS.has(name)) return null
  const purpose = purposeOf(simpleCommands(command))
  if (input['run_in_background'] === true) return { command, purpose, outcome: 'in the background', wentWell: null }
  if (status !== 'ok' && status !== 'error') return { command, purpose, outcome: status, wentWell: null }
  const { text: outcome, wentWell } = outcomeOf(output, status === 'error')
  return { command, purpose, outcome, wentWell }
}

function isAgent(name: string): boolean {
  return name === 'Task' || name === 'Agent'
}

export const REFUSED = 'refused'

/** What the person said when they did not allow it; the client's own sentence around it is left out. */
function refusalOf(output: string): string {
  const said = /(?:the user said|user provided the following reason[^:]*):\s*([\s\S]+)$/i.exec(output)?.[1]
  return said === undefined ? REFUSED : `${REFUSED}: ${shorten(said, 300)}`
}
