// What concerns a conversation as a whole: its Subagents, its timeline, where words stand in it, itself as Markdown.
// These are woven from stored Envelopes; none of them stands before the first screen.

import type { Hono } from 'hono'
import { readFull } from '../conversation/reading.ts'
import { agentHeads } from './agent-heads.ts'
import type { FoundRows } from './api/conversation.ts'
import { Refused, textAsked } from './asked.ts'
import { opened } from './conversation-routes.ts'
import { markdownOf } from './markdown-text.ts'
import type { OpenConversations } from './open-conversations.ts'
import { wovenOf } from './open-conversations.ts'
import type { OpenReading } from './open-reading.ts'
import { wholeAsked } from './reading-asked.ts'
import { timelineOf } from './timeline.ts'

export function wholeRoutes(app: Hono, conversations: OpenConversations): void {
  const at = '/api/conversations/:id'

  app.get(`${at}/agents`, (context) => {
    const { file } = opened(context, conversations)
    // Most conversations have none, and the list knows.
    const hasNone = conversations.row(file).subagents === 0
    return context.json(hasNone ? [] : agentHeads(conversations.session(file).woven))
  })

  app.get(`${at}/timeline`, (context) => {
    const { file, reading } = opened(context, conversations)
    return context.json(timelineOf(conversations.session(file), reading))
  })

  app.get(`${at}/find`, (context) => {
    const { reading } = opened(context, conversations)
    const typed = textAsked(context, 'q')
    if (typed === null) throw new Refused('“q” takes the words to look for')
    const path = reading.paths[0] ?? ''
    const { offsets, isBounded } = conversations.wordsIn(path, typed)
    const found: FoundRows = { version: reading.version, rows: rowsAt(reading, new Set(offsets)), isBounded }
    return context.json(found)
  })

  app.get(`${at}/markdown`, (context) => {
    const { file, reading } = opened(context, conversations)
    const session = conversations.session(file)
    const woven = wovenOf(session, reading.choice.agent)
    if (woven === null) throw new Refused('the conversation has no such subagent', 404)
    const number = wholeAsked(context, 'turn', 0)
    const turns = readFull(woven, reading.choice.branch).turns
    const wanted = number === 0 ? turns : turns.filter((turn) => turn.number === number)
    const detail = context.req.query('detail') === 'full' ? 'full' : 'compact'
    const text = markdownOf(session, woven, wanted.slice(0, TURNS_MAX), conversations.bytes, detail)
    return new Response(text, { headers: { 'content-type': 'text/markdown; charset=utf-8' } })
  })
}

/** Nobody pastes more; clew export has no such limit. */
const TURNS_MAX = 500

const STEP_ROWS = 4096

/** In the order in which they are shown. The uuid of a Row is had with the Row itself. */
function rowsAt(reading: OpenReading, offsets: ReadonlySet<number>): FoundRows['rows'] {
  const found: number[] = []
  for (let from = 0; from < reading.rows && offsets.size > 0; from += STEP_ROWS) {
    for (const [index, { record, calls, further }] of reading.rowsAt(from, STEP_ROWS).entries()) {
      const spots = [record, ...further, ...calls.flatMap(({ result }) => result ?? [])]
      if (spots.some((spot) => spot.transcript === 0 && offsets.has(spot.offset))) found.push(from + index)
    }
  }
  return found.map((row) => ({ row, uuid: null }))
}
