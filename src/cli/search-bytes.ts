// `clew search --exact` and `--regex`, and what a search for words falls back to when it finds none: the bytes themselves.

import { existsSync } from 'node:fs'
import type { FoundTranscripts } from '../load/found.ts'
import { loadFile } from '../load/read.ts'
import { describeFromDisk } from '../search/describe.ts'
import type { ExactOptions, ExactResult } from '../search/exact.ts'
import { searchExact } from '../search/exact.ts'
import { indexPath } from '../search/index-path.ts'
import type { SearchOptions } from '../search/model.ts'
import type { ScanPattern } from '../search/scan-model.ts'
import { checkPattern } from '../search/scan-pattern.ts'
import type { ConversationFilter } from '../search/scope.ts'
import type { World } from './command.ts'
import { Failure } from './failure.ts'
import { bringUp, noteProblems, openedIndex } from './search-index.ts'

export interface BytesChoice {
  readonly pattern: ScanPattern
  readonly options: SearchOptions
  readonly filter: ConversationFilter
  readonly noIndex: boolean
}

export async function searchBytes(archive: FoundTranscripts, choice: BytesChoice, world: World): Promise<ExactResult> {
  const { pattern, options, filter, noIndex } = choice
  const reason = checkPattern(pattern)
  if (reason !== null) throw new Failure(reason)
  const { fields, sinceMs, untilMs, limit, perConversation } = options
  const onProgress = world.progress.show
  const base = { pattern, fields, sinceMs, untilMs, limit, perConversation, onProgress }
  const isNarrow = filter.isWanted !== null || filter.gitBranch !== null || filter.model !== null
  // What is known about conversations is needed only to choose some of them; else nobody waits for an index.
  if (!isNarrow && (noIndex || !existsSync(indexPath(world)))) {
    return finished(
      await searchExact(archive, { ...base, isWanted: null }, loadFile, describeFromDisk(archive, loadFile)),
      world,
    )
  }
  return openedIndex(noIndex, world, async (index) => {
    const unread = isNarrow ? await bringUp(index, archive, world) : []
    const wanted = isNarrow ? index.filesWanted(archive, filter) : null
    const isWanted: ExactOptions['isWanted'] = wanted === null ? null : (file) => wanted.has(file.path)
    return finished(await index.exact(archive, { ...base, isWanted }), world, unread)
  })
}

function finished(result: ExactResult, world: World, unread: ExactResult['problems'] = []): ExactResult {
  world.progress.clear()
  noteProblems([...unread, ...result.problems], world)
  return result
}
