// Conversations by windows. Ids are looked up among the transcripts that were found, refs lead only to bytes of the
// conversation's own files, and every answer is bounded.

import type { Context, Hono } from 'hono'
import type { Row, RowTurn } from '../conversation/layout.ts'
import { contentOf, recapIn, resultText } from '../conversation/parts.ts'
import { typedLine } from '../conversation/typed.ts'
import type { ListedConversation } from '../load/list.ts'
import { readSpill } from '../load/spill.ts'
import type { Body } from '../record/model.ts'
import { promptText, typedText } from '../record/user.ts'
import { shownKind } from '../render/export/images.ts'
import type { TranscriptFile } from '../source/model.ts'
import type { ConversationHead, Place, ReadingHead, TurnHead, TurnWindow } from './api/conversation.ts'
import { Refused, textAsked } from './asked.ts'
import { placeOf } from './find-place.ts'
import { homeRow } from './home-row.ts'
import type { OpenConversations } from './open-conversations.ts'
import type { OpenReading } from './open-reading.ts'
import { LIVE_BRANCH } from './open-reading.ts'
import { findCall, openedCall, recordImages, SPILL_MAX } from './opened-call.ts'
import { readingAsked, wholeAsked } from './reading-asked.ts'
import { parseRef } from './record-ref.ts'
import { NO_RESUME, resumeOf } from './resume-view.ts'
import { envelopeAt, ROWS_MAX, replyBlocks, rowView, rowWindow } from './row-views.ts'
import type { RunningSessions } from './running-sessions.ts'

export function conversationRoutes(app: Hono, conversations: OpenConversations, sessions: RunningSessions): void {
  const { bytes } = conversations
  const at = '/api/conversations/:id'

  app.get(at, (context) => {
    const id = context.req.param('id')
    const gone = conversations.file(id) === null ? conversations.gone(id) : null
    if (gone !== null) {
      const reading = { ...LIVE_BRANCH, version: 'gone', rows: 0, turns: 0, forks: [], boundaries: [] }
      const kept = { row: homeRow(gone, true, null), transcripts: [gone.path], branches: [], reading }
      return context.json(headOf(gone, kept))
    }
    const { file, reading } = opened(context, conversations)
    const listed = conversations.row(file)
    const running = sessions.now().find((session) => session.id === listed.sessionId)?.state ?? null
    const head = headOf(listed, {
      row: homeRow(listed, false, running),
      transcripts: reading.paths,
      branches: reading.branches.map((branch) => ({ ...branch, isLive: branch.number === 0 })),
      reading: readingHead(reading),
    })
    return context.json(head)
  })

  app.get(`${at}/reading`, (context) => context.json(readingHead(opened(context, conversations).reading)))

  app.get(`${at}/rows`, (context) => {
    const { reading } = opened(context, conversations)
    const from = wholeAsked(context, 'from', 0)
    return context.json(rowWindow(reading, bytes, from, wholeAsked(context, 'count', 60)))
  })

  app.get(`${at}/row`, (context) => {
    const { reading } = opened(context, conversations)
    const index = wholeAsked(context, 'row', 0)
    const [row] = reading.rowsAt(index, 1)
    if (row === undefined) throw new Refused(`there is no row ${index}`, 404)
    return context.json(rowView(reading, bytes, row, index))
  })

  app.get(`${at}/turns`, (context) => {
    const { reading } = opened(context, conversations)
    const from = wholeAsked(context, 'from', 0)
    const count = Math.min(wholeAsked(context, 'count', 100), ROWS_MAX)
    const turns = reading.allTurns()
    const window: TurnWindow = {
      version: reading.version,
      total: turns.length,
      from,
      turns: turns.slice(from, from + count).map((turn): TurnHead => {
        const { promptRow, ...rest } = turn
        const [row] = promptRow < 0 ? [] : reading.rowsAt(promptRow, 1)
        const typed = row === undefined ? commandOf(reading, turn) : typedText(contentOf(readBody(reading, row)))
        return { ...rest, excerpt: typed === null ? null : excerptOf(typed) }
      }),
    }
    return context.json(window)
  })

  app.get(`${at}/place`, (context) => {
    const { file, reading } = opened(context, conversations)
    const record = textAsked(context, 'record')
    if (record === null) throw new Refused('“record” takes a uuid, or @ and an offset')
    const place: Place | null = placeOf(conversations, file, reading, record)
    if (place === null) throw new Refused('the conversation has no such record', 404)
    return context.json(place)
  })

  app.get(`${at}/call`, (context) => {
    const { file, reading } = opened(context, conversations)
    const { row, id } = callOf(context, reading)
    const found = findCall(reading, bytes, row, id)
    if (found === null) throw new Refused('the record makes no such call', 404)
    return context.json(openedCall(found, file.sessionFolder))
  })

  app.get(`${at}/spill`, (context) => {
    const { file, reading } = opened(context, conversations)
    const { row, id } = callOf(context, reading)
    const path = findCall(reading, bytes, row, id)?.spillPath ?? null
    const spill = path === null ? null : readSpill(file.sessionFolder, path, SPILL_MAX)
    if (spill === null) throw new Refused('that output is not there any more', 404)
    return plainText(spill.text)
  })

  app.get(`${at}/record`, (context) => {
    const { reading } = opened(context, conversations)
    const { path, ref } = recordOf(context, reading)
    const found = bytes.read(path, ref)
    if (found === null) throw new Refused('no record is there', 404)
    return plainText(found.toString('utf8'))
  })

  app.get(`${at}/text`, (context) => {
    const { reading } = opened(context, conversations)
    const { path, ref } = recordOf(context, reading)
    const body = bytes.body(path, ref)
    if (body === null) throw new Refused('no record is there', 404)
    const call = textAsked(context, 'call')
    if (call !== null) return plainText(resultText(body, call))
    return plainText(wholeText(body, ref, wholeAsked(context, 'block', 0), reading))
  })

  app.get(`${at}/image`, (context) => {
    const { reading } = opened(context, conversations)
    const { path, ref } = recordOf(context, reading)
    const image = recordImages(bytes.body(path, ref))[wholeAsked(context, 'number', 0)]
    const kind = image === undefined ? null : shownKind(image)
    if (image === undefined || kind === null) throw new Refused('no image that can be shown is there', 404)
    return new Response(Buffer.from(image.base64, 'base64'), { headers: { 'content-type': `image/${kind}` } })
  })

  function headOf(
    listed: ListedConversation,
    rest: Pick<ConversationHead, 'row' | 'transcripts' | 'branches' | 'reading'>,
  ): ConversationHead {
    const { continues, forkOf } = listed
    return {
      ...rest,
      resume: rest.row.isGone ? NO_RESUME : resumeOf(listed),
      parents: [
        ...(continues === null ? [] : [{ id: continues, relation: 'continues' as const }]),
        ...(forkOf === null ? [] : [{ id: forkOf, relation: 'forkOf' as const }]),
      ],
      children: conversations.children(listed.sessionId),
    }
  }

  /** The slash command or the shell line that a Turn without a Prompt begins with. */
  function commandOf(reading: OpenReading, { row, rows }: RowTurn): string | null {
    for (const first of reading.rowsAt(row, Math.min(rows, COMMAND_ROWS_MAX))) {
      const typed = first.kind === 'injection' ? typedLine(promptText(contentOf(readBody(reading, first)))) : null
      if (typed !== null) return typed
    }
    return null
  }

  function readBody(reading: OpenReading, { record }: Row): Body | null {
    return record.length > EXCERPT_BYTES_MAX ? null : bytes.body(reading.paths[record.transcript] ?? '', record)
  }
}

const EXCERPT_BYTES_MAX = 1 << 20
const EXCERPT_LENGTH = 160
const COMMAND_ROWS_MAX = 8

function excerptOf(typed: string): string {
  const text = typed.replace(/\s+/g, ' ').trim()
  return text.length > EXCERPT_LENGTH ? `${text.slice(0, EXCERPT_LENGTH - 1)}…` : text
}

export interface Opened {
  readonly file: TranscriptFile
  readonly reading: OpenReading
}

export function opened(context: Context, conversations: OpenConversations): Opened {
  const file = conversations.file(context.req.param('id') ?? '')
  if (file === null) throw new Refused('there is no such conversation', 404)
  const reading = conversations.reading(file, readingAsked(context))
  if (reading === null) throw new Refused('the conversation has no such branch, subagent or record', 404)
  return { file, reading }
}

function readingHead({ choice, version, rows, turns, forks, boundaries }: OpenReading): ReadingHead {
  return { ...choice, version, rows, turns, forks, boundaries }
}

function recordOf(
  context: Context,
  reading: OpenReading,
): { readonly path: string; readonly ref: NonNullable<ReturnType<typeof parseRef>> } {
  const ref = parseRef(context.req.query('ref') ?? '')
  if (ref === null) throw new Refused('“ref” takes what a row calls its ref')
  const path = reading.paths[ref.transcript]
  if (path === undefined) throw new Refused('the conversation has no such file', 404)
  return { path, ref }
}

/** The Row of a call is named by its number, which spares looking for it. */
function callOf(context: Context, reading: OpenReading): { readonly row: Row; readonly id: string } {
  const index = wholeAsked(context, 'row', 0)
  const [row] = reading.rowsAt(index, 1)
  const id = textAsked(context, 'call')
  if (row === undefined || id === null) throw new Refused('“row” and “call” name a call', 404)
  return { row, id }
}

function wholeText(
  body: Body,
  ref: { readonly offset: number; readonly length: number },
  block: number,
  reading: OpenReading,
): string {
  const envelope = envelopeAt(body, { ...ref, line: 0 }, reading.isSubagent)
  if (envelope?.kind === 'prompt') return typedText(contentOf(body))
  if (envelope?.kind !== 'reply') return recapIn(body) ?? promptText(contentOf(body))
  const found = replyBlocks(NO_ROW, body, envelope)[block]
  return found?.kind === 'text' || found?.kind === 'thinking' ? found.text : ''
}

const NO_ROW: Row = {
  kind: 'reply',
  turn: 0,
  record: { transcript: 0, line: 0, offset: 0, length: 0, key: 0 },
  ms: null,
  calls: [],
  further: [],
  opensReply: false,
  usage: null,
}

function plainText(text: string): Response {
  return new Response(text, { headers: { 'content-type': 'text/plain; charset=utf-8' } })
}
