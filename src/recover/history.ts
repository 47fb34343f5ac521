// Deeds in the order of time → for each file the Versions it had. Whatever a record shows of a file is compared with what
// was known: where the two differ, somebody else has changed it, and that is a Version of its own.

import { assertUnreachable } from '../base/assert.ts'
import { certaintyOf, contentOfBytes, contentOfSeen, shownText } from './content.ts'
import { agreesWith, contentAfterEdit, joinSeen } from './edit-content.ts'
import type { Content, Deed, DeedPlace, FileHistory, PlacedDeed, SeenLines, Version, VersionCause } from './model.ts'
import { isBelow, nameOf } from './paths.ts'

export function historiesOf(deeds: Iterable<PlacedDeed>): ReadonlyMap<string, FileHistory> {
  const files = new Map<string, FileState>()
  for (const { deed, place } of deeds) apply(files, deed, place)
  const told = [...files.values()].filter(({ versions }) => versions.length > 0)
  return new Map(told.map(({ path, versions, later }) => [path, { path, versions, later }]))
}

interface FileState {
  readonly path: string
  readonly versions: Version[]
  content: Content
  /** Which agents know the file as it is: the client lets nobody else edit it. */
  seenBy: Set<string>
  later: DeedPlace | null
}

type Files = Map<string, FileState>

const NOTHING: Content = { kind: 'unknown' }

function apply(files: Files, deed: Deed, place: DeedPlace): void {
  switch (deed.kind) {
    case 'write': {
      const file = stateOf(files, deed.path)
      if (deed.before !== null) showBefore(file, deed.before, place)
      const content = contentAfterWrite(deed, file.content)
      add(file, deed.isNew ? 'created' : 'written', content, place, { wrote: deed.text.split('\n') })
      break
    }
    case 'edit':
      edit(stateOf(files, deed.path), deed, place)
      break
    case 'append': {
      const file = stateOf(files, deed.path)
      add(file, 'appended', appended(file, deed.text), place, { wrote: deed.text.split('\n') })
      break
    }
    case 'read':
      look(stateOf(files, deed.path), deed.seen, place)
      break
    case 'backup':
      confirm(files, deed.path, deed.bytes, place)
      break
    case 'remove':
      eachAt(files, deed.path, (file) => {
        const more = file.path === deed.path ? {} : { from: deed.path }
        add(file, 'deleted', { kind: 'absent' }, place, more)
      })
      break
    case 'move':
      move(files, deed, place)
      break
    case 'change':
      add(stateOf(files, deed.path), 'changed', NOTHING, place)
      break
    case 'unclear':
      doubt(files, deed, place)
      break
    default:
      assertUnreachable(deed)
  }
}

function stateOf(files: Files, path: string): FileState {
  const known = files.get(path)
  if (known !== undefined) return known
  const made: FileState = { path, versions: [], content: NOTHING, seenBy: new Set(), later: null }
  files.set(path, made)
  return made
}

interface More {
  readonly from?: string
  readonly wrote?: readonly string[]
}

function add(file: FileState, cause: VersionCause, content: Content, place: DeedPlace, more: More = {}): void {
  const { path, versions } = file
  const { from = null, wrote = [] } = more
  versions.push({ path, number: versions.length + 1, cause, content, place, from, wrote })
  file.content = content
  file.seenBy = new Set([agentOf(place)])
  // What was deleted may have been changed before, and is asked for as it was then.
  if (cause !== 'deleted') file.later = null
}

function agentOf({ sessionId, agentId }: DeedPlace): string {
  return `${sessionId}/${agentId ?? ''}`
}

/** A text that the client had before it wrote: what was known, or what somebody else had made of it. */
function showBefore(file: FileState, before: string, place: DeedPlace): void {
  const shown = shownText(before)
  if (file.content.kind === 'text' && shownText(file.content.text) === shown) {
    if (file.content.doubt !== null) assure(file, 'before', file.content, place)
    return
  }
  const isKnown = before !== shown
  const content: Content = { kind: 'text', text: before, lineEnds: isKnown ? 'seen' : 'assumed', doubt: null }
  const isFirst = file.content.kind === 'unknown' || agreesWith(file.content, contentOfSeen(allOf(shown)))
  add(file, isFirst ? 'before' : 'outside', content, place)
}

function allOf(text: string): SeenLines {
  const lines = text.split('\n')
  return { start: 1, lines, total: lines.length }
}

/**
 * What was doubtful turns out to be so now. When the doubtful Version was made it may have been otherwise all the same:
 * somebody may have put back what somebody had changed.
 */
function assure(file: FileState, cause: VersionCause, content: TextContent, place: DeedPlace): void {
  add(file, cause, { ...content, lineEnds: 'assumed', doubt: null }, place)
}

type TextContent = Extract<Content, { kind: 'text' }>

/** The last Version turns out to be known better. */
function settle(file: FileState, content: Content): void {
  const last = file.versions.pop()
  if (last !== undefined) file.versions.push({ ...last, content })
  file.content = content
}

/** Older clients kept the line ends of a file that they wrote anew. */
function contentAfterWrite({ text, isNew }: Extract<Deed, { kind: 'write' }>, known: Content): Content {
  const isPlain = known.kind === 'text' && known.lineEnds === 'seen' && !known.text.includes('\r')
  return { kind: 'text', text, lineEnds: isNew || isPlain ? 'seen' : 'assumed', doubt: null }
}

function appended({ content, later }: FileState, text: string): Content {
  if (content.kind !== 'text') return NOTHING
  const why = later === null ? UNWATCHED : SHELL
  return { ...content, text: content.text + text, doubt: content.doubt ?? why }
}

const UNWATCHED = 'nothing shows what the file was just before'
const SHELL = 'a shell command may have changed it before'

function edit(file: FileState, deed: Extract<Deed, { kind: 'edit' }>, place: DeedPlace): void {
  if (deed.before !== null) showBefore(file, deed.before, place)
  const isWatched = deed.before !== null || (file.seenBy.has(agentOf(place)) && file.later === null)
  const content = contentAfterEdit(file.content, deed, isWatched ? null : file.later === null ? UNWATCHED : SHELL)
  const wrote = deed.edits.flatMap(({ newText }) => newText.split('\n'))
  const isNew = deed.edits.length === 1 && deed.edits[0]?.oldText === '' && deed.before !== null && deed.before === ''
  add(file, isNew ? 'created' : 'edited', content, place, { wrote })
}

function look(file: FileState, seen: SeenLines, place: DeedPlace): void {
  const now = contentOfSeen(seen)
  const last = file.versions.at(-1)
  const isExtended = last !== undefined && (last.cause === 'read' || last.cause === 'outside')
  const isSame = agreesWith(file.content, now)
  if (isSame && (file.content.kind === 'text' || file.content.kind === 'bytes')) {
    // A look at some lines lets its agent edit the file, although the others may have changed.
    if (now.kind !== 'text') file.seenBy.delete(agentOf(place))
    else {
      if (file.content.kind === 'text' && file.content.doubt !== null) assure(file, 'read', file.content, place)
      file.seenBy.add(agentOf(place))
      file.later = null
    }
    return
  }
  if (isSame && file.content.kind === 'parts') {
    const joined = now.kind === 'parts' ? joinSeen(file.content, now) : now
    if (isExtended && last.content.kind === 'parts' && now.kind === 'parts') {
      settle(file, joined)
      file.seenBy.add(agentOf(place))
    } else add(file, 'read', joined, place)
    return
  }
  add(file, file.content.kind === 'unknown' ? 'read' : 'outside', now, place)
}

/** A copy of the bytes: nothing tells more. What was known without its line ends is now known with them. */
function confirm(files: Files, path: string, bytes: Uint8Array | null, place: DeedPlace): void {
  if (bytes === null) {
    const file = files.get(path)
    if (file !== undefined && file.content.kind !== 'absent' && file.versions.length > 0)
      add(file, 'deleted', { kind: 'absent' }, place)
    return
  }
  const file = stateOf(files, path)
  const content = contentOfBytes(bytes)
  if (isCopyOf(file.content, content)) {
    if (file.content.kind === 'text' && file.content.doubt !== null) add(file, 'backup', content, place)
    else settle(file, content)
    file.later = null
  } else
    add(file, file.content.kind === 'unknown' || file.content.kind === 'parts' ? 'backup' : 'outside', content, place)
}

function isCopyOf(known: Content, copy: Content): boolean {
  if (known.kind !== 'text' || copy.kind !== 'text') return false
  return known.lineEnds === 'seen' ? known.text === copy.text : shownText(known.text) === shownText(copy.text)
}

function eachAt(files: Files, path: string, act: (file: FileState) => void): void {
  for (const file of [...files.values()]) {
    const isThere = file.content.kind !== 'absent' && file.versions.length > 0
    if (isThere && (file.path === path || isBelow(file.path, path))) act(file)
  }
}

function move(files: Files, deed: Extract<Deed, { kind: 'move' }>, place: DeedPlace): void {
  const { from, to, isCopy, isInto } = deed
  const isFolder = isInto || [...files.keys()].some((path) => isBelow(path, to))
  const target = isFolder ? `${to === '/' ? '' : to}/${nameOf(from)}` : to
  let isKnown = false
  eachAt(files, from, (file) => {
    isKnown = true
    const why =
      file.later === null ? `as it was when it was last seen, before it was ${isCopy ? 'copied' : 'moved'}` : SHELL
    const content: Content =
      file.content.kind === 'text' ? { ...file.content, doubt: file.content.doubt ?? why } : NOTHING
    const path = target + file.path.slice(from.length)
    if (path === file.path) return
    add(stateOf(files, path), isCopy ? 'copied' : 'moved', content, place, { from: file.path })
    if (!isCopy) add(file, 'deleted', { kind: 'absent' }, place)
  })
  // What nobody has seen stands there now: whoever looks next does not see what was there before.
  if (!isKnown && (files.get(target)?.versions.length ?? 0) > 0)
    add(stateOf(files, target), isCopy ? 'copied' : 'moved', NOTHING, place, { from })
}

function doubt(files: Files, deed: Extract<Deed, { kind: 'unclear' }>, place: DeedPlace): void {
  const names = new Set(deed.names)
  for (const file of files.values()) {
    if (file.later !== null || file.content.kind === 'absent') continue
    if (names.has(nameOf(file.path)) || (deed.isSweeping && isBelow(file.path, deed.folder))) file.later = place
  }
}

/** The newest Version with content that may be handed out as what the file was. */
export function newestCertain(versions: readonly Version[]): Version | null {
  const sure = versions.findLast(({ content }) => /^(?:exact|text)$/.test(certaintyOf(content)))
  return sure ?? versions.findLast(({ content }) => certaintyOf(content) === 'doubtful') ?? null
}
