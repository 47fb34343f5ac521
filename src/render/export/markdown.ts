// A Conversation as Markdown, in pieces. What people said is quoted, what Claude said stands as it is, tools are folded.
// Everything that comes from a transcript is cleaned first and then either fitted, escaped or fenced.

import { safeLine, safeName } from '../terminal.ts'
import { counted } from '../units.ts'
import { cleanText } from './clean.ts'
import { codeSpan, fenced } from './fence.ts'
import { folded } from './fold.ts'
import type { ExportHead } from './head.ts'
import { dayAndTime, duration, headFacts, leftOut, titleOfHead } from './head.ts'
import { shownKind } from './images.ts'
import { callMarkdown, lineMarkdown } from './markdown-call.ts'
import { asText, fitMarkdown } from './markdown-source.ts'
import type { ImagePlaces } from './shown.ts'
import { boundaryText, changedFiles, imageName } from './shown.ts'
import { gatherBlocks } from './turn-blocks.ts'
import type { TurnView, View } from './view.ts'

/** Tells our own files from those of others. */
export const MARKDOWN_MARK = '<!-- clew export -->'

export function* markdownPieces(
  head: ExportHead,
  names: readonly { readonly number: number; readonly name: string }[],
  turns: Iterable<TurnView>,
  images: ImagePlaces,
): Generator<string> {
  yield `${MARKDOWN_MARK}\n\n# ${asText(titleOfHead(head))}\n\n`
  yield `${headFacts(head).map(asText).join(' · ')}\n\n`
  yield `Session ${codeSpan(safeName(head.sessionId + (head.agentId === null ? '' : `/${head.agentId}`)))}. `
  yield `${leftOut(head)}\n\n`
  if (names.length > 3) {
    for (const { number, name } of names) yield `- [${number}. ${asText(name)}](#turn-${number})\n`
    yield '\n'
  }
  for (const turn of turns) yield turnMarkdown(turn, images)
}

export function turnMarkdown(turn: TurnView, images: ImagePlaces): string {
  const time = dayAndTime(turn.startedMs)
  const worked = turn.durationMs === null || turn.durationMs < 1000 ? '' : ` (${duration(turn.durationMs)})`
  const blocks = [
    `<a id="turn-${turn.number}"></a>`,
    `## ${turn.number}${time === null ? '' : ` · ${time}${worked}`}`,
    ...turnBlocks(turn, images, 0),
  ]
  return `${blocks.join('\n\n')}\n\n`
}

/** Also of the Turns of a Subagent, which stand within the call that started it. */
function turnBlocks(turn: TurnView, images: ImagePlaces, depth: number): readonly string[] {
  const blocks = [
    ...gatherBlocks(turn, {
      speaker: (speaker) => `**${speaker}**`,
      line: lineMarkdown,
      view: (view) => viewMarkdown(view, images, depth),
    }),
  ]
  const changed = changedFiles(turn)
  if (changed.length > 0 && depth === 0) {
    const told = changed.map(({ path, added, removed }) => `${codeSpan(safeName(path))} +${added} −${removed}`)
    blocks.push(`*${counted(changed.length, 'file')} changed:* ${told.join(', ')}`)
  }
  return blocks.filter((block) => block !== '')
}

function viewMarkdown(view: View, images: ImagePlaces, depth: number): string {
  switch (view.kind) {
    case 'prompt': {
      const said = fitMarkdown(cleanText(view.text), { below: 3, keepsLines: true })
      const shown = view.images.map((number) => imageMarkdown(number, images))
      const queued = view.isQueued ? ['*(sent while it was working)*'] : []
      return quoted([said, ...shown, ...queued].filter((part) => part !== '').join('\n\n'))
    }
    case 'text':
      return fitMarkdown(cleanText(view.text), { below: 2, keepsLines: false }) + (view.isCut ? ' …' : '')
    case 'thinking':
      if (!view.isStored) return '*Thinking: not stored by the client.*'
      return folded('Thinking', fenced(cleanText(view.text).trim()))
    case 'tool': {
      const { agent } = view.call
      const inner = agent?.turns?.flatMap((turn) => turnBlocks(turn, images, depth + 1)) ?? []
      const pictures = view.call.whole?.images.map((number) => imageMarkdown(number, images)) ?? []
      const nested = inner.length === 0 ? [] : [quoted(inner.join('\n\n'))]
      return callMarkdown(view.call, [...pictures, ...nested])
    }
    case 'system':
      return systemMarkdown(view.label, cleanText(view.text).trim())
    case 'recap':
      return folded('Recap written by the client', fenced(cleanText(view.text).trim()))
    case 'boundary':
      return `---\n\n*${asText(boundaryText(view))}*\n\n---`
  }
}

const SYSTEM_LENGTH = 200

function systemMarkdown(label: string, text: string): string {
  const lead = `*System, ${asText(safeLine(label))}:*`
  if (text === '') return lead.replace(/:\*$/, '*')
  if (text.length <= SYSTEM_LENGTH && !text.includes('\n')) return `${lead} ${codeSpan(text)}`
  return folded(`System, ${safeLine(label)}`, fenced(text))
}

function imageMarkdown(number: number, { mode, image, reference }: ImagePlaces): string {
  const found = image(number)
  const name = imageName(found)
  const kind = found === undefined ? null : shownKind(found)
  if (kind === null || found === undefined || mode === 'placeholder' || mode === 'none') return `*[${name}]*`
  return mode === 'embedded'
    ? `![${name}](data:image/${kind};base64,${found.base64})`
    : `![${name}](${reference(number)})`
}

function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n')
}

/** Several exports in one folder. */
export function markdownIndex(rows: readonly { readonly head: ExportHead; readonly file: string }[]): string {
  const lines = rows.map(({ head, file }) => {
    const facts = [dayAndTime(head.startedMs) ?? '', safeLine(head.project), counted(head.turns, 'turn')]
    return `- [${asText(titleOfHead(head))}](<${file}>) ${facts
      .filter((fact) => fact !== '')
      .map(asText)
      .join(' · ')}`
  })
  return `${MARKDOWN_MARK}\n\n# ${counted(rows.length, 'conversation')}\n\n${lines.join('\n')}\n`
}
