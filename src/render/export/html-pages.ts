// The pieces of a conversation in HTML, gathered into one page or, when there is too much of it, into several. Pages are
// handed over as soon as there is a next one, so that a very long conversation is never in memory as a whole.

import type { Anchors } from './anchors.ts'
import { newAnchors } from './anchors.ts'
import type { ExportHead } from './head.ts'
import type { PagePlace, TurnLink } from './html.ts'
import { htmlEnd, htmlIndexPage, htmlStart } from './html.ts'
import { continuedTurn, turnPieces } from './html-turn.ts'
import type { ImagePlaces } from './shown.ts'
import type { TurnView } from './view.ts'

export interface HtmlPage {
  /** Null for the only page there is. */
  readonly name: string | null
  readonly pieces: readonly string[]
}

export interface PageSizes {
  /** More than this is not one page. */
  readonly wholeLength: number
  readonly pageLength: number
}

interface Body {
  readonly pieces: string[]
  readonly turns: Set<number>
  length: number
}

export function* htmlPages(
  head: ExportHead,
  names: readonly { readonly number: number; readonly name: string }[],
  turns: Iterable<TurnView>,
  images: ImagePlaces,
  sizes: PageSizes,
  note: string,
): Generator<HtmlPage> {
  const links = names.map(({ number, name }) => ({ number, name, page: '' }))
  const pageOf = new Map<number, string>()
  const finished: Body[] = []
  let written = 0
  let total = 0
  const last = (): Body => finished.at(-1) as Body
  for (const body of bodies(turns, images, newAnchors(), sizes.pageLength)) {
    finished.push(body)
    total += body.length
    for (const number of body.turns) if (!pageOf.has(number)) pageOf.set(number, pageName(written + finished.length))
    if (total <= sizes.wholeLength) continue
    for (; finished.length > 1; written++) yield pageOfBody(finished.shift() as Body, written + 1, false)
  }
  if (total <= sizes.wholeLength) {
    yield { name: null, pieces: [htmlStart(head, links, null), ...joined(finished), htmlEnd(null, note)] }
    return
  }
  yield pageOfBody(last(), written + 1, true)
  const paged = links.map((link) => ({ ...link, page: pageOf.get(link.number) ?? '' }))
  yield { name: 'index.html', pieces: [htmlIndexPage(head, paged, note)] }

  function pageOfBody(body: Body, number: number, isLast: boolean): HtmlPage {
    const place: PagePlace = {
      number,
      index: 'index.html',
      before: number === 1 ? null : pageName(number - 1),
      after: isLast ? null : pageName(number + 1),
    }
    const here: readonly TurnLink[] = links
      .filter((link) => body.turns.has(link.number))
      .map((link) => ({
        ...link,
        page: pageOf.get(link.number) === pageName(number) ? '' : (pageOf.get(link.number) ?? ''),
      }))
    return { name: pageName(number), pieces: [htmlStart(head, here, place), ...body.pieces, htmlEnd(place, note)] }
  }
}

function pageName(number: number): string {
  return `page-${String(number).padStart(3, '0')}.html`
}

/** Where a page ends within a Turn. Only between pages, so that one page of all of them has none of it. */
const TURN_ENDS = '</section>\n'

function* bodies(turns: Iterable<TurnView>, images: ImagePlaces, anchors: Anchors, lengthMax: number): Generator<Body> {
  let body = newBody()
  for (const turn of turns) {
    let isOpen = false
    for (const piece of turnPieces(turn, images, anchors)) {
      if (body.length > 0 && body.length + piece.length > lengthMax) {
        if (isOpen) body.pieces.push(TURN_ENDS)
        yield body
        body = newBody()
        if (isOpen) body.pieces.push(continuedTurn(turn.number))
      }
      body.pieces.push(piece)
      body.length += piece.length
      body.turns.add(turn.number)
      isOpen = true
    }
  }
  if (body.length > 0) yield body
}

function newBody(): Body {
  return { pieces: [], turns: new Set(), length: 0 }
}

/** All on one page: what was put in between pages goes again. */
function joined(all: readonly Body[]): readonly string[] {
  return all.flatMap(({ pieces }, place) => {
    const from = place > 0 && (pieces[0] ?? '').startsWith(CONTINUED) ? 1 : 0
    const isCut = pieces.at(-1) === TURN_ENDS
    return pieces.slice(from, isCut ? -1 : undefined)
  })
}

const CONTINUED = '<section class="turn"><h2>'
