// Which conversations are looked at. The live Branch comes from its Layout in the index, without reading a transcript;
// whatever else somebody wants to see (another Branch, what the model saw, a Subagent) is woven from stored Envelopes,
// and the last few that were woven are kept.

import { statSync } from 'node:fs'
import type { Woven } from '../conversation/build.ts'
import { readContextTurns, readFull } from '../conversation/reading.ts'
import { readContextAt } from '../conversation/reading-at.ts'
import { readingLayout } from '../conversation/reading-layout.ts'
import { summarise } from '../conversation/summary.ts'
import { isCopy, mainFiles } from '../load/found.ts'
import type { ListedConversation } from '../load/list.ts'
import type { OpenSession } from '../load/session.ts'
import { openSession, openSubagent } from '../load/session.ts'
import type { FoundInFile } from '../search/find-in-file.ts'
import type { TranscriptFile } from '../source/model.ts'
import type { ReadingChoice, Relative } from './api/conversation.ts'
import type { Growing, ReadTo } from './growing-reading.ts'
import { GrowingReading } from './growing-reading.ts'
import type { OpenReading } from './open-reading.ts'
import { madeReading, storedReading } from './open-reading.ts'
import { RecordBytes } from './record-bytes.ts'
import { parseRef } from './record-ref.ts'
import type { ServerWorld } from './server-world.ts'

/** Each may be some ten megabytes. */
const KEPT_MAX = 2

interface KeptSession {
  readonly stamp: string
  readonly session: OpenSession
  readonly readings: Map<string, OpenReading>
}

export class OpenConversations {
  readonly bytes = new RecordBytes()
  readonly #world: ServerWorld
  readonly #onError: (error: unknown) => void
  readonly #kept = new Map<string, KeptSession>()
  readonly #growing = new Map<string, GrowingReading>()
  #files: { readonly archive: object; readonly byId: ReadonlyMap<string, TranscriptFile> } | null = null

  constructor(world: ServerWorld, onError: (error: unknown) => void = () => undefined) {
    this.#world = world
    this.#onError = onError
  }

  /** The transcript of a session, looked up among those that were found: an id is never a path. */
  file(id: string): TranscriptFile | null {
    const archive = this.#world.archive()
    if (this.#files?.archive !== archive) {
      const byId = new Map<string, TranscriptFile>()
      for (const file of mainFiles(archive)) {
        const known = file.sessionId === null ? undefined : byId.get(file.sessionId)
        // One session stored twice is still one session: its newer file is taken.
        if (file.sessionId !== null && (known === undefined || known.modifiedMs < file.modifiedMs))
          byId.set(file.sessionId, file)
      }
      this.#files = { archive, byId }
    }
    return this.#files.byId.get(id) ?? null
  }

  /** What the index remembers of one whose file was deleted. */
  gone(id: string): ListedConversation | null {
    const { index, archive } = this.#world
    return index.gone(archive().roots).find(({ row }) => row.sessionId === id)?.row ?? null
  }

  row(file: TranscriptFile): ListedConversation {
    const place = { isCopy: isCopy(this.#world.archive(), file.path) }
    const stored = this.#world.index.row(file.path)
    if (stored !== null) return { ...stored, ...place }
    const summary = summarise(this.session(file).woven, 0)
    return { ...summary, ...place, modifiedMs: summary.lastRecordMs ?? file.modifiedMs, sizeBytes: file.sizeBytes }
  }

  /** Null when there is no such Branch, Subagent or record. */
  reading(file: TranscriptFile, choice: ReadingChoice): OpenReading | null {
    if (isLive(choice)) return this.#growing.get(file.path)?.reading ?? this.#stored(file) ?? this.#made(file, choice)
    return this.#made(file, choice)
  }

  /** Tells when the live Branch has more to show. Everybody who follows the same conversation hears the same. */
  follow(id: string, onNews: (news: Growing) => void): { readonly stop: () => void } {
    const file = this.file(id)
    if (file === null) return { stop: () => undefined }
    let growing = this.#growing.get(file.path)
    if (growing === undefined) {
      growing = new GrowingReading({
        path: file.path,
        bytes: this.bytes,
        start: () => this.#storedTo(file) ?? this.#madeTo(file),
        stored: () => this.#storedTo(file),
        again: () => this.#madeTo(file),
        onError: this.#onError,
      })
      this.#growing.set(file.path, growing)
    }
    const one = growing
    const leave = one.listen(onNews)
    return {
      stop: () => {
        if (leave() === 0) {
          one.close()
          this.#growing.delete(file.path)
        }
      },
    }
  }

  /** Conversations that go on from this one or were forked from it. */
  children(id: string): readonly Relative[] {
    return this.#world.index.children(id)
  }

  /** Where in a transcript these words stand. */
  wordsIn(path: string, typed: string): FoundInFile {
    return this.#world.index.findInFile(path, typed)
  }

  session(file: TranscriptFile): OpenSession {
    return this.#keep(file).session
  }

  close(): void {
    for (const one of this.#growing.values()) one.close()
    this.#growing.clear()
    this.bytes.close()
  }

  #stored(file: TranscriptFile): OpenReading | null {
    const { layouts } = this.#world.index
    const head = layouts.head(file.path)
    return head === null ? null : storedReading(layouts, head, layouts.paths(head))
  }

  #storedTo(file: TranscriptFile): ReadTo | null {
    const { layouts } = this.#world.index
    const head = layouts.head(file.path)
    if (head === null) return null
    // A last line without an end is read again when it has one; should its record be known already, that is declined.
    return { reading: storedReading(layouts, head, layouts.paths(head)), offset: head.offset, line: head.line }
  }

  /** As the file stands at this moment, whatever the archive knows of it; null where it knows of none. */
  #madeTo({ sessionId }: TranscriptFile): ReadTo | null {
    const found = this.file(sessionId ?? '')
    if (found === null) return null
    const stat = statSync(found.path, { throwIfNoEntry: false })
    if (stat === undefined) return null
    const now = { ...found, sizeBytes: stat.size, modifiedMs: stat.mtimeMs, changedMs: stat.ctimeMs }
    const { main } = this.#keep(now, found).session
    const reading = this.#made(now, LIVE, found)
    if (reading === null) return null
    const { account, lineCount, transcript } = main
    // A last line without an end goes on, or ends, in the same line.
    const isOpen = account.tail > 0 || transcript.problems.some(({ code }) => code === 'no-final-newline')
    return { reading, offset: account.sizeBytes - account.tail, line: isOpen ? lineCount : lineCount + 1 }
  }

  #made(file: TranscriptFile, choice: ReadingChoice, found = file): OpenReading | null {
    const kept = this.#keep(file, found)
    const key = JSON.stringify(choice)
    const known = kept.readings.get(key)
    if (known !== undefined) return known
    const made = makeReading(kept.session, choice, kept.stamp)
    if (made !== null) kept.readings.set(key, made)
    return made
  }

  /** `found` is the file as the archive has it; `file` may be newer. */
  #keep(file: TranscriptFile, found = file): KeptSession {
    const files = this.#ownFiles(found).map((one) => (one === found ? file : one))
    const stamp = files
      .map(({ path, sizeBytes, modifiedMs, changedMs, identity }) =>
        [path, sizeBytes, modifiedMs, changedMs, identity].join(' '),
      )
      .join('\n')
    const known = this.#kept.get(file.path)
    if (known?.stamp === stamp) return known
    const archive = this.#world.archive()
    const project = archive.projects.find((one) => one.files.includes(found)) ?? { key: '', root: '' }
    const own = { ...project, files, sizeBytes: 0 }
    const { read } = this.#world.index.access()
    const session = openSession({ roots: [], copies: [], projects: [own], problems: [] }, file, 'resume', read)
    const kept = { stamp, session, readings: new Map() }
    this.#kept.delete(file.path)
    this.#kept.set(file.path, kept)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > KEPT_MAX && oldest !== undefined) this.#kept.delete(oldest)
    return kept
  }

  /** The transcript, what its Layout says it goes on from, and its Subagents: not the other hundred of its project. */
  #ownFiles(file: TranscriptFile): readonly TranscriptFile[] {
    const head = this.#world.index.layouts.head(file.path)
    const earlier = new Set(head === null ? [] : this.#world.index.layouts.paths(head))
    // A flat file of a Subagent does not say in its name whose it is.
    const isOwn = ({ role, sessionId, projectKey }: TranscriptFile): boolean =>
      role === 'subagent' && (sessionId === null ? projectKey === file.projectKey : sessionId === file.sessionId)
    const all = this.#world.archive().projects.flatMap(({ files }) => files)
    return all.filter((one) => one === file || earlier.has(one.path) || isOwn(one))
  }
}

const LIVE: ReadingChoice = { reading: 'full', branch: 0, agent: null, at: null }

function isLive({ reading, branch, agent }: ReadingChoice): boolean {
  return reading === 'full' && branch === 0 && agent === null
}

function makeReading(session: OpenSession, choice: ReadingChoice, stamp: string): OpenReading | null {
  const woven = choice.agent === null ? session.woven : openSubagent(session, choice.agent, 'resume')
  if (woven === null || choice.branch >= Math.max(1, woven.outline.branches.length)) return null
  const reading =
    choice.reading === 'full'
      ? readFull(woven, choice.branch)
      : choice.at === null
        ? readContextTurns(woven)
        : readContextAt(woven, parseRef(choice.at) ?? NO_RECORD)
  if (reading === null) return null
  const paths = [woven.source.main.path, ...woven.source.earlier.map(({ path }) => path)]
  return madeReading(readingLayout(woven, reading), { choice, version: `made ${keyOf(stamp)}`, paths })
}

const NO_RECORD = { transcript: -1, offset: -1 }

/** Short, and another one whenever a file has changed. */
function keyOf(stamp: string): string {
  let key = 0
  for (let at = 0; at < stamp.length; at++) key = (key * 31 + stamp.charCodeAt(at)) >>> 0
  return key.toString(36)
}

export function wovenOf(session: OpenSession, agent: string | null): Woven | null {
  return agent === null ? session.woven : openSubagent(session, agent, 'resume')
}
