// Body → the texts the word index holds, by who said them. What a client repeats in every session (listings of skills and
// tools, its own prompt) is left out: nobody looks for it, and it would bury what was said. `--exact` looks there too.

import { contentOf, flatText } from '../conversation/parts.ts'
import { viewTool } from '../conversation/tool/known.ts'
import type { FileTouch } from '../conversation/tool/view.ts'
import { typedLine, untagged } from '../conversation/typed.ts'
import { list, object, text } from '../record/fields.ts'
import type { Body, Envelope } from '../record/model.ts'
import { promptText } from '../record/user.ts'
import { attachedFile } from './calls.ts'

export interface RecordTexts {
  prompt: string
  reply: string
  thinking: string
  /** Names of tools that were called or answered. */
  tools: string
  files: string
  commands: string
  /** What tools were given and what they printed, and what the client itself wrote. */
  output: string
}

/** Null for a record without a text of its own. `toolOf` knows the tools of calls that are not answered yet. */
export function textsOf(
  envelope: Envelope,
  body: Body,
  toolOf: (id: string) => string | undefined,
): RecordTexts | null {
  switch (envelope.kind) {
    case 'prompt': {
      const said = promptText(contentOf(body))
      // In a subagent's file the model wrote the prompt.
      return envelope.author === 'human' ? texts({ prompt: said }) : texts({ reply: said })
    }
    case 'injection': {
      const said = promptText(contentOf(body))
      // A plan that was accepted: the model wrote it, and it is nowhere else as a whole.
      return text(body['planContent']) === null ? commandTexts(said) : texts({ reply: said })
    }
    case 'reply':
      return replyTexts(body)
    case 'tool-result':
      return resultTexts(body, toolOf)
    case 'recap':
      return texts({ output: promptText(contentOf(body)) })
    case 'system': {
      const said = allTexts([body['content'], body['error']])
      return envelope.subtype === 'local_command' ? commandTexts(said) : texts({ output: said })
    }
    case 'attachment':
      return isRepeated(envelope) ? null : attachmentTexts(body)
    case 'metadata':
      return metadataTexts(envelope, body)
    case 'unknown':
      return texts({ output: allTexts([body]) })
    default:
      return null
  }
}

/** What was typed, or what it printed, without the tags of the client. */
function commandTexts(said: string): RecordTexts | null {
  const typed = typedLine(said)
  return typed === null ? texts({ output: untagged(said) }) : texts({ prompt: typed })
}

/** Of an attachment: it says the same in every session. */
export function isRepeated({ subtype }: Envelope): boolean {
  return REPEATED.has(subtype ?? '')
}

const REPEATED: ReadonlySet<string> = new Set([
  'agent_listing_delta',
  'auto_mode',
  'command_permissions',
  'date',
  'date_change',
  'deferred_tools_delta',
  'deferred_tools_record',
  'environment',
  'mcp_instructions_delta',
  'model',
  'prompt_snapshot',
  'remote_session_change',
  'session_context',
  'skill_listing',
  'task_reminder',
  'todo_reminder',
  'total_tokens_reminder',
])

/** Always with the same keys in the same order: most of what reads them is compiled for one shape. */
function texts(some: Partial<RecordTexts>): RecordTexts | null {
  const { prompt = '', reply = '', thinking = '', tools = '', files = '', commands = '', output = '' } = some
  const said = prompt.length + reply.length + thinking.length
  const done = tools.length + files.length + commands.length + output.length
  return said + done === 0 ? null : { prompt, reply, thinking, tools, files, commands, output }
}

function replyTexts(body: Body): RecordTexts | null {
  if (body['type'] === 'tool_use') return toolTexts([{ ...body, input: body['toolInput'] ?? body['input'] }], '', '')
  const content = contentOf(body)
  if (typeof content === 'string') return texts({ reply: content })
  const said: string[] = []
  const thoughts: string[] = []
  const calls: Body[] = []
  for (const value of list(content) ?? []) {
    const block = object(value)
    const own = text(block?.['text'])
    const thought = text(block?.['thinking'])
    if (own !== null) said.push(own)
    else if (thought !== null) thoughts.push(thought)
    else if (block !== null && block['input'] !== undefined) calls.push(block)
  }
  return toolTexts(calls, said.join('\n'), thoughts.join('\n'))
}

function toolTexts(calls: readonly Body[], reply: string, thinking: string): RecordTexts | null {
  const tools: string[] = []
  const files: string[] = []
  const commands: string[] = []
  const others: unknown[] = []
  for (const call of calls) {
    const name = text(call['name']) ?? text(call['toolName']) ?? ''
    const { files: touched, command } = viewTool(name, call['input'])
    tools.push(name)
    for (const { path } of touched) files.push(path)
    if (command !== null && command !== '') commands.push(command)
    const input = object(call['input'])
    others.push(input === null ? call['input'] : otherValues(input, touched, command))
  }
  return texts({
    reply,
    thinking,
    tools: tools.join('\n'),
    files: files.join('\n'),
    commands: commands.join('\n'),
    output: allTexts(others),
  })
}

/** What a call was given beside the files it touches and the command it runs. */
function otherValues(input: Body, touched: readonly FileTouch[], command: string | null): readonly unknown[] {
  const others: unknown[] = []
  for (const value of Object.values(input))
    if (value !== command && !touched.some(({ path }) => path === value)) others.push(value)
  return others
}

function resultTexts(body: Body, toolOf: (id: string) => string | undefined): RecordTexts | null {
  if (body['type'] === 'tool_result') {
    const id = text(body['toolUseId']) ?? text(body['tool_use_id']) ?? ''
    return texts({ tools: toolOf(id) ?? '', output: flatText(body['content']) })
  }
  const tools: string[] = []
  const output: string[] = []
  for (const value of list(contentOf(body)) ?? []) {
    const block = object(value)
    if (block?.['type'] === 'tool_result') {
      tools.push(toolOf(text(block['tool_use_id']) ?? '') ?? '')
      output.push(flatText(block['content']))
    } else output.push(text(block?.['text']) ?? '')
  }
  return texts({ tools: tools.join('\n').trim(), output: output.join('\n') })
}

function attachmentTexts(body: Body): RecordTexts | null {
  const { type: _, hookEvent: __, hookName: ___, toolUseID: ____, ...rest } = object(body['attachment']) ?? {}
  return texts({ files: attachedFile(body)?.path ?? '', output: allTexts([rest]) })
}

function metadataTexts(envelope: Envelope, body: Body): RecordTexts | null {
  // Old clients left a prompt that was never delivered only in the queue.
  if (envelope.type === 'queue-operation') return texts({ prompt: promptText(body['content']) })
  if (envelope.type === 'pr-link') return texts({ output: allTexts([body['prUrl'], body['prRepository']]) })
  return null
}

/** Every text inside some values. No recursion: a body may be nested a million deep. */
function allTexts(values: readonly unknown[]): string {
  const found: string[] = []
  const waiting = [...values].reverse()
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (typeof value === 'string') found.push(value)
    else if (typeof value === 'object' && value !== null) {
      for (const inner of Object.values(value).reverse()) waiting.push(inner)
    }
  }
  return found.join('\n')
}
