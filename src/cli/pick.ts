// `clew` alone on a terminal: the picker over everything, and then what was picked.

import { readFull } from '../conversation/reading.ts'
import { openBodies } from '../load/bodies.ts'
import { findSession } from '../load/find.ts'
import type { FoundTranscripts } from '../load/found.ts'
import type { ListedConversation } from '../load/list.ts'
import { openSession } from '../load/session.ts'
import type { PickerHit } from '../render/picker-view.ts'
import { styleOf } from '../render/style.ts'
import type { SearchHit, SearchOptions } from '../search/model.ts'
import type { Index } from '../search/open-index.ts'
import type { World } from './command.ts'
import { nothingNote, openTranscripts } from './command.ts'
import { pick } from './picker.ts'
import { resume } from './resume.ts'
import { openedIndex } from './search-index.ts'
import { show } from './show.ts'
import { turnsOnly } from './shown.ts'

export async function pickConversation(roots: readonly string[], world: World): Promise<number> {
  const { output, progress, nowMs, home } = world
  const archive = openTranscripts(roots, world)
  return openedIndex(false, world, async (index) => {
    await index.refresh(archive, { nowMs, onProgress: progress.show })
    const rows = (await index.access().list(archive, progress.show)).filter((row) => row.messages > 0)
    progress.clear()
    if (rows.length === 0) {
      output.note(nothingNote(archive.roots, world))
      return 0
    }
    const { stdin: input, stdout } = process
    const source = {
      rows,
      preview: (row: ListedConversation) => previewOf(row, archive, index),
      search: (query: string) => searchAll(query, archive, index, nowMs),
    }
    const picked = await pick(source, { input, output: stdout, style: output.style, nowMs, home })
    if (picked === null) return 0
    const below = roots.flatMap((root) => ['--root', root])
    if (picked.action === 'show') return await show.run([picked.reference, ...below], world)
    return await resume.run([picked.row.sessionId, ...below], world)
  })
}

const PREVIEW_COLUMNS = 100

async function previewOf(row: ListedConversation, archive: FoundTranscripts, index: Index): Promise<string> {
  const access = index.access()
  const found = await findSession(archive, row.path, access)
  if (found.state !== 'found') return ''
  const session = openSession(archive, found.file, 'resume', access.read, access.kin)
  const bodies = openBodies()
  try {
    const reading = readFull(session.woven)
    const layout = { style: styleOf(false), columns: PREVIEW_COLUMNS }
    return turnsOnly({ session, woven: session.woven, reading, bodies }, reading.turns.slice(0, PREVIEW_TURNS), layout)
  } finally {
    bodies.close()
  }
}

/** More than anybody scrolls through in a preview. */
const PREVIEW_TURNS = 40
const HITS = 50

async function searchAll(
  query: string,
  archive: FoundTranscripts,
  index: Index,
  nowMs: number,
): Promise<readonly PickerHit[]> {
  const options: SearchOptions = {
    typed: query,
    fields: new Set(),
    sinceMs: null,
    untilMs: null,
    tool: null,
    file: null,
    limit: HITS,
    perConversation: 3,
  }
  const everything = { isWanted: null, gitBranch: null, model: null }
  const { hits } = await index.find(archive, options, everything, { nowMs })
  return hits.map((hit) => pickerHit(hit, nowMs))
}

function pickerHit(
  { ref, sessionId, title, project, timestampMs, snippet, path }: SearchHit,
  nowMs: number,
): PickerHit {
  const ageMs = timestampMs === null ? null : nowMs - timestampMs
  return {
    reference: ref,
    sessionId,
    title,
    project,
    ageMs,
    snippet: snippet?.text ?? '',
    marks: snippet?.marks ?? [],
    path,
  }
}
