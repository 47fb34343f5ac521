// A sketch of the scanner → the texts the word index holds and the calls it makes: what textsOf and callsOf give for the parsed
// record. Only calls and attachments are parsed: what a call was given, and what is attached.

import { decodeUtf8 } from '../base/text.ts'
import type { Body, Envelope } from '../record/model.ts'
import * as layout from '../record/scan-layout.ts'
import type { Sketch } from '../record/sketch.ts'
import { inputOf } from '../record/sketch-envelope.ts'
import type { BatchCall } from './batch.ts'
import { callsOf } from './calls.ts'
import type { DocTexts } from './docs.ts'
import { isRepeated, textsOf } from './texts.ts'
import type { Words } from './words.ts'
import { decodedOutput } from './words.ts'

export interface SketchTexts {
  readonly texts: DocTexts | null
  readonly calls: readonly BatchCall[]
}

type ToolOf = (id: string) => string | undefined

const NOTHING: SketchTexts = { texts: null, calls: [] }
const NO_TEXTS: DocTexts = { prompt: '', reply: '', thinking: '', tools: '', files: '', commands: '', output: '' }

export function sketchTextsOf(record: number, envelope: Envelope, sketch: Sketch, toolOf: ToolOf): SketchTexts {
  switch (envelope.kind) {
    case 'tool-result':
      return { texts: resultTexts(sketch, toolOf), calls: [] }
    case 'system':
      return { texts: systemTexts(envelope, sketch, toolOf), calls: [] }
    case 'reply':
      return replyTexts(record, envelope, sketch, toolOf)
    case 'prompt':
      return promptTexts(envelope, sketch)
    case 'attachment':
      return isRepeated(envelope) ? NOTHING : attachedTexts(record, envelope, attachedOf(sketch), toolOf)
    default:
      return NOTHING
  }
}

function systemTexts(envelope: Envelope, sketch: Sketch, toolOf: ToolOf): DocTexts | null {
  if (sketch.text.length === 0) return null
  if (envelope.subtype === 'local_command') return textsOf(envelope, { content: decodeUtf8(sketch.text) }, toolOf)
  return { ...NO_TEXTS, output: ownWords(sketch) }
}

/** In a subagent's file the model wrote the prompt. */
function promptTexts({ author }: Envelope, sketch: Sketch): SketchTexts {
  const texts: Words[] = []
  for (let block = 0; block < sketch.blockCount; block++) {
    if (sketch.blockHas(block, layout.BLOCK_HAS_TEXT)) texts.push(wordsOf(sketch, block))
  }
  const said = joined(texts)
  if (said.length === 0) return NOTHING
  return { texts: author === 'human' ? { ...NO_TEXTS, prompt: said } : { ...NO_TEXTS, reply: said }, calls: [] }
}

function resultTexts(sketch: Sketch, toolOf: ToolOf): DocTexts | null {
  const tools: string[] = []
  const output: Words[] = []
  for (let block = 0; block < sketch.blockCount; block++) {
    if (sketch.blockKind(block) === 'tool_result') tools.push(toolOf(sketch.blockId(block)) ?? '')
    output.push(wordsOf(sketch, block, sketch.blockCount === 1 ? decodedOutput : decodeUtf8))
  }
  const all = { ...NO_TEXTS, tools: tools.join('\n').trim(), output: joined(output) }
  return all.tools.length + all.output.length === 0 ? null : all
}

function replyTexts(record: number, envelope: Envelope, sketch: Sketch, toolOf: ToolOf): SketchTexts {
  const said: Words[] = []
  const thoughts: Words[] = []
  for (let block = 0; block < sketch.blockCount; block++) {
    if (sketch.blockHas(block, layout.BLOCK_HAS_INPUT)) {
      const body = bodyOf(sketch)
      return { texts: textsOf(envelope, body, toolOf), calls: callsOf(record, body) }
    }
    if (sketch.blockHas(block, layout.BLOCK_HAS_TEXT)) said.push(wordsOf(sketch, block))
    else if (sketch.blockHas(block, layout.BLOCK_HAS_THINKING)) thoughts.push(wordsOf(sketch, block))
  }
  const reply = joined(said)
  const thinking = joined(thoughts)
  if (reply.length + thinking.length === 0) return NOTHING
  return { texts: { ...NO_TEXTS, reply, thinking }, calls: [] }
}

function attachedTexts(record: number, envelope: Envelope, body: Body, toolOf: ToolOf): SketchTexts {
  return { texts: textsOf(envelope, body, toolOf), calls: callsOf(record, body) }
}

function attachedOf(sketch: Sketch): Body {
  return { attachment: JSON.parse(decodeUtf8(sketch.attached)) as unknown }
}

/** As much of the Body as the texts and calls of a reply are made of. */
function bodyOf(sketch: Sketch): Body {
  const content: Body[] = []
  for (let block = 0; block < sketch.blockCount; block++) {
    const type = sketch.blockKind(block)
    if (sketch.blockHas(block, layout.BLOCK_HAS_INPUT))
      content.push({ type, id: sketch.blockId(block), name: sketch.blockName(block), input: inputOf(sketch, block) })
    else if (sketch.blockHas(block, layout.BLOCK_HAS_TEXT))
      content.push({ type, text: decodeUtf8(sketch.blockText(block)) })
    else if (sketch.blockHas(block, layout.BLOCK_HAS_THINKING))
      content.push({ type, thinking: decodeUtf8(sketch.blockText(block)) })
  }
  return { type: 'assistant', message: { content } }
}

function ownWords(sketch: Sketch): Words {
  return sketch.hasFlag(layout.FLAG_TEXT_OTHER) ? decodeUtf8(sketch.text) : sketch.text
}

/** Bytes that are all ASCII are words as they are. */
function wordsOf(sketch: Sketch, block: number, decode = decodeUtf8): Words {
  const bytes = sketch.blockText(block)
  return sketch.blockHas(block, layout.BLOCK_OTHER_THAN_ASCII) ? decode(bytes) : bytes
}

/** As one text, each in lines of its own. */
function joined(texts: readonly Words[]): Words {
  if (texts.length <= 1) return texts[0] ?? ''
  return texts.map((one) => (typeof one === 'string' ? one : decodeUtf8(one))).join('\n')
}
