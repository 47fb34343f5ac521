// The Turns of a page. What people said and what Claude did look different at first sight: the one is tinted and set
// off, the other is plain text with quiet lines for its tools.

import { assertUnreachable } from '../../base/assert.ts'
import { safeLine } from '../terminal.ts'
import { counted, iso } from '../units.ts'
import type { Anchors } from './anchors.ts'
import { dayAndTime, duration } from './head.ts'
import { callHtml, changedHtml, markHtml } from './html-call.ts'
import { escapeHtml, htmlLine, htmlText } from './html-escape.ts'
import { markdownHtml } from './html-markdown.ts'
import { promptHtml } from './html-prompt.ts'
import { shownKind } from './images.ts'
import type { ImagePlaces, Speaker } from './shown.ts'
import { boundaryText, callCounts, changedFiles, imageName, speakerOf } from './shown.ts'
import type { AgentView, TurnView, View } from './view.ts'

/** In pieces, so that a very long Turn can be cut between two of them. The first opens the Turn, the last ends it. */
export function* turnPieces(turn: TurnView, images: ImagePlaces, anchors: Anchors): Generator<string> {
  yield `<section class="turn" id="turn-${turn.number}">${headingHtml(turn)}`
  // What changed belongs to what was done: a compaction behind it comes after.
  const done = turn.views.findLastIndex(({ kind }) => kind === 'text' || kind === 'tool') + 1
  yield* viewsHtml(turn.views.slice(0, done), images, anchors)
  yield changedFilesHtml(turn)
  yield* viewsHtml(turn.views.slice(done), images, anchors)
  yield '</section>\n'
}

/** The same Turn on the next page. */
export function continuedTurn(number: number): string {
  return `<section class="turn"><h2><a href="#turn-${number}">${number}</a> <span class="when">continued</span></h2>\n`
}

function headingHtml({ number, startedMs, durationMs }: TurnView): string {
  const time = dayAndTime(startedMs)
  const when = time === null ? '' : ` <time class="when" datetime="${iso(startedMs) ?? ''}">${time}</time>`
  const worked = durationMs === null || durationMs < 1000 ? '' : ` <span class="when">${duration(durationMs)}</span>`
  return `<h2><a href="#turn-${number}" aria-label="Turn ${number}">${number}</a>${when}${worked}</h2>\n`
}

type CallViewOf = Extract<View, { kind: 'tool' }>

function* viewsHtml(views: readonly View[], images: ImagePlaces, anchors: Anchors): Generator<string> {
  let last: Speaker | null = null
  let calls: CallViewOf[] = []
  for (const view of views) {
    const speaker = speakerOf(view, last)
    last = speaker ?? last
    // A prompt says itself that it is one.
    if (speaker === 'Claude') yield '<p class="by">Claude</p>\n'
    if (view.kind === 'tool') {
      calls.push(view)
      continue
    }
    if (calls.length > 0) yield runHtml(calls, images, anchors)
    calls = []
    yield viewHtml(view, images, anchors)
  }
  if (calls.length > 0) yield runHtml(calls, images, anchors)
}

/** More calls in a row than these are folded into one line. */
const RUN_MAX = 8

function runHtml(calls: readonly CallViewOf[], images: ImagePlaces, anchors: Anchors): string {
  const lines = calls.map(({ id, call }) => {
    const anchor = anchors('t', id)
    const pictures = call.whole?.images.map((number) => imageHtml(number, images)).join('') ?? ''
    return callHtml(call, anchor, pictures + agentHtml(call.agent, images, anchors))
  })
  const inner = `<div class="calls">${lines.join('\n')}</div>\n`
  if (calls.length <= RUN_MAX) return inner
  const summary = escapeHtml(callCounts(calls.map(({ call }) => call)))
  return `<details class="fold run"><summary>${summary}</summary>${inner}</details>\n`
}

function agentHtml(agent: AgentView | null, images: ImagePlaces, anchors: Anchors): string {
  if (agent === null) return ''
  const name = [agent.type, agent.description].flatMap((part) => (part === null ? [] : [safeLine(part)])).join(': ')
  const label = `<p class="by">Subagent <code>${htmlLine(agent.agentId)}</code> ${escapeHtml(name)}</p>`
  if (agent.turns === null) return ''
  const inner = agent.turns.map((turn) => [...viewsHtml(turn.views, images, anchors)].join('')).join('')
  return `<div class="agent">${label}${inner}</div>`
}

function viewHtml(view: Exclude<View, CallViewOf>, images: ImagePlaces, anchors: Anchors): string {
  switch (view.kind) {
    case 'prompt': {
      const anchor = anchors('p', view.id)
      const queued = view.isQueued ? ', sent while it was working' : ''
      const pictures = view.images.map((number) => imageHtml(number, images)).join('')
      return `<div class="prompt" id="${anchor}"><p class="by">Prompt${queued} ${markHtml(anchor)}</p><div dir="auto">${promptHtml(view.text)}</div>${pictures}</div>\n`
    }
    case 'text': {
      const anchor = anchors('r', view.id)
      const cut = view.isCut ? '<p class="cut">…</p>' : ''
      return `<div class="said${view.isCut ? ' is-cut' : ''}" id="${anchor}" dir="auto">${markHtml(anchor)}${markdownHtml(view.text)}${cut}</div>\n`
    }
    case 'thinking': {
      const anchor = anchors('h', view.id)
      if (!view.isStored) return `<p class="quiet" id="${anchor}">Thinking: not stored by the client</p>\n`
      return foldHtml(anchor, 'thinking', 'Thinking', markdownHtml(view.text))
    }
    case 'system': {
      const anchor = anchors('s', view.id)
      return systemHtml(anchor, safeLine(view.label), view.text.trim())
    }
    case 'recap':
      return foldHtml(anchors('c', view.id), 'recap', 'Recap written by the client', markdownHtml(view.text))
    case 'boundary': {
      const anchor = anchors('b', view.id)
      return `<div class="boundary" id="${anchor}"><span>${escapeHtml(boundaryText(view))}</span></div>\n`
    }
    default:
      return assertUnreachable(view)
  }
}

const SYSTEM_LENGTH = 300

function systemHtml(anchor: string, label: string, text: string): string {
  const lead = `<b>System</b> ${escapeHtml(label)}`
  if (text === '') return `<p class="quiet" id="${anchor}">${lead}</p>\n`
  if (text.length <= SYSTEM_LENGTH && !text.includes('\n'))
    return `<p class="quiet" id="${anchor}">${lead}: <code>${htmlText(text)}</code></p>\n`
  return `<details class="fold quiet" id="${anchor}"><summary>${lead}</summary><pre><code>${htmlText(text)}</code></pre></details>\n`
}

function foldHtml(anchor: string, name: string, summary: string, inner: string): string {
  return `<details class="fold ${name}" id="${anchor}"><summary>${summary} ${markHtml(anchor)}</summary><div class="inside">${inner}</div></details>\n`
}

function imageHtml(number: number, { mode, image, reference }: ImagePlaces): string {
  const found = image(number)
  const name = escapeHtml(imageName(found))
  const kind = found === undefined ? null : shownKind(found)
  if (kind === null || found === undefined || mode === 'placeholder' || mode === 'none')
    return `<p class="image">[${name}]</p>`
  const source = mode === 'embedded' ? `data:image/${kind};base64,${found.base64}` : escapeHtml(reference(number))
  return `<p class="image"><img alt="${name}" src="${source}"></p>`
}

function changedFilesHtml(turn: TurnView): string {
  const files = changedFiles(turn)
  if (files.length === 0) return ''
  const told = files.map(
    ({ path, added, removed }) => `<li><code>${htmlLine(path)}</code>${changedHtml(added, removed)}</li>`,
  )
  return `<div class="changed"><p class="by">${counted(files.length, 'file')} changed</p><ul>${told.join('')}</ul></div>\n`
}
