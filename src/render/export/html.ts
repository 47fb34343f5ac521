// One page: what it begins with and what it ends with. There is no script in it, nothing is loaded from anywhere, and a
// policy in its head forbids both.

import { safeLine } from '../terminal.ts'
import { counted } from '../units.ts'
import type { ExportHead } from './head.ts'
import { dayAndTime, headFacts, leftOut, titleOfHead } from './head.ts'
import { escapeHtml, htmlLine } from './html-escape.ts'
import { STYLE, STYLE_HASH } from './html-style.ts'

/** Tells our own files from those of others. */
export const HTML_MARK = '<meta name="generator" content="Clew">'

export interface TurnLink {
  readonly number: number
  readonly name: string
  /** Of the page it is on; empty on the page itself. */
  readonly page: string
}

/** What a page of several is, and how to leave it. */
export interface PagePlace {
  readonly number: number
  readonly index: string
  readonly before: string | null
  readonly after: string | null
}

export function htmlStart(head: ExportHead, links: readonly TurnLink[], place: PagePlace | null): string {
  const title = escapeHtml(titleOfHead(head))
  const on = place === null ? '' : `, page ${place.number}`
  const kind = head.agentId === null ? 'A conversation with Claude Code' : 'A subagent of Claude Code'
  const facts = headFacts(head).map((fact) => `<li>${escapeHtml(fact)}</li>`)
  const all = links.map((link) => linkHtml(link)).join('')
  const list = `<ol>${all}</ol>`
  return `${documentStart(`${titleOfHead(head)}${on}`, head)}
<header class="head"><p class="by">${kind}${escapeHtml(on)}</p><h1 dir="auto">${title}</h1>
<ul class="facts">${facts.join('')}</ul>
<p class="note">${escapeHtml(leftOut(head))} Session <code>${htmlLine(head.sessionId)}${head.agentId === null ? '' : `/${htmlLine(head.agentId)}`}</code></p></header>
<div class="frame"><nav class="side" aria-label="Turns">${list}</nav>
<main>${place === null ? '' : pageLinks(place)}<details class="toc"><summary>${counted(links.length, 'turn')}</summary>${list}</details>
`
}

export function htmlEnd(place: PagePlace | null, note: string): string {
  return `${place === null ? '' : pageLinks(place)}</main></div>
<footer><p>${escapeHtml(note)}</p></footer>
</body></html>
`
}

/** The first page of a conversation that is too long for one: where each Turn is. */
export function htmlIndexPage(head: ExportHead, links: readonly TurnLink[], note: string): string {
  const facts = headFacts(head).map((fact) => `<li>${escapeHtml(fact)}</li>`)
  return `${documentStart(titleOfHead(head), head)}
<header class="head"><p class="by">A conversation with Claude Code</p><h1 dir="auto">${escapeHtml(titleOfHead(head))}</h1>
<ul class="facts">${facts.join('')}</ul><p class="note">${escapeHtml(leftOut(head))}</p></header>
<div class="frame"><main><ol class="index">${links.map((link) => linkHtml(link, `turn-${link.number}`)).join('')}</ol></main></div>
<footer><p>${escapeHtml(note)}</p></footer>
</body></html>
`
}

/** Several exports in one folder. */
export function htmlFolderIndex(
  rows: readonly { readonly head: ExportHead; readonly file: string }[],
  note: string,
): string {
  const lines = rows.map(({ head, file }) => {
    const facts = [dayAndTime(head.startedMs) ?? '', safeLine(head.project), counted(head.turns, 'turn')]
    const told = facts.filter((fact) => fact !== '').map(escapeHtml)
    return `<li><a href="${escapeHtml(encodeURI(file))}">${escapeHtml(titleOfHead(head))}</a><br><span class="when">${told.join(' · ')}</span></li>`
  })
  return `${documentStart(counted(rows.length, 'conversation'), null)}
<header class="head"><p class="by">Conversations with Claude Code</p><h1>${counted(rows.length, 'conversation')}</h1></header>
<div class="frame"><main><ol class="index">${lines.join('')}</ol></main></div>
<footer><p>${escapeHtml(note)}</p></footer>
</body></html>
`
}

function documentStart(title: string, head: ExportHead | null): string {
  // Files beside the page are asked for by the scheme of the page itself.
  const images = head?.choice.images === 'referenced' ? " 'self' file:" : ''
  const policy = `default-src 'none'; style-src '${STYLE_HASH}'; img-src data:${images}; base-uri 'none'; form-action 'none'`
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
${HTML_MARK}
<meta name="referrer" content="no-referrer"><meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style></head>
<body>`
}

function linkHtml({ number, name, page }: TurnLink, id = ''): string {
  const named = id === '' ? '' : ` id="${id}"`
  return `<li${named}><a href="${page}#turn-${number}"><span class="number">${number}</span> <span dir="auto">${escapeHtml(name)}</span></a></li>`
}

function pageLinks({ number, index, before, after }: PagePlace): string {
  const back = before === null ? '' : `<a rel="prev" href="${before}">← Page ${number - 1}</a>`
  const on = after === null ? '' : `<a rel="next" href="${after}">Page ${number + 1} →</a>`
  const all = `<a href="${index}">All turns</a>`
  return `<nav class="pages" aria-label="Pages">${[back, all, on].filter((one) => one !== '').join(' ')}</nav>\n`
}
