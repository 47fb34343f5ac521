// Content, edited or seen again.

import { applyEdits, fitsOldSide } from './apply-edit.ts'
import { editParts } from './apply-parts.ts'
import { hasMixedLineEnds, inStyleOf, linesOf, shownText } from './content.ts'
import type { Content, Deed, Hunk } from './model.ts'

type EditDeed = Extract<Deed, { kind: 'edit' }>
type Parts = Extract<Content, { kind: 'parts' }>

/** `doubt`: why what is known of the file may not be what the edit was made on. */
export function contentAfterEdit(known: Content, deed: EditDeed, doubt: string | null): Content {
  const isTrusted = deed.before !== null || !deed.isStale
  if (!isTrusted) return fromPatch(deed)
  // An old text that is empty makes a file, or fills one that was empty.
  const isMade = deed.edits.length === 1 && deed.edits[0]?.oldText === ''
  if (known.kind === 'parts' && !isMade) {
    const parts = doubt === null ? known : { ...known, moments: known.moments + 1 }
    return fitsKnown(parts, deed.patch) ? editParts(parts, deed.edits, deed.patch) : fromPatch(deed)
  }
  const isEmpty = known.kind === 'text' && shownText(known.text) === ''
  const base: Content = isMade && !isEmpty ? { kind: 'text', text: '', lineEnds: 'seen', doubt: null } : known
  if (base.kind !== 'text') return fromPatch(deed)
  const shown = shownText(base.text)
  if (deed.before === null && !fitsOldSide(shown, deed.patch)) return fromPatch(deed)
  const shownEdits = deed.edits.map((edit) => ({
    ...edit,
    oldText: shownText(edit.oldText),
    newText: edit.newText.replaceAll('\r\n', '\n'),
  }))
  const edited = applyEdits(shown, shownEdits, deed.patch)
  if (edited === null) return fromPatch(deed)
  const isMixed = hasMixedLineEnds(base.text) || deed.edits.some(({ newText }) => newText.includes('\r'))
  return {
    kind: 'text',
    text: inStyleOf(edited.text, base.text),
    lineEnds: isMixed ? 'assumed' : base.lineEnds,
    doubt: edited.isAmbiguous ? 'the edit can be made in two ways' : isMade ? null : (base.doubt ?? doubt),
  }
}

/** Nothing is known but what the patch shows. */
function fromPatch({ edits, patch }: EditDeed): Content {
  if (patch.length === 0) return { kind: 'unknown' }
  return editParts({ kind: 'parts', lines: [], isOpen: true, moments: 1 }, edits, patch)
}

function fitsKnown({ lines }: Parts, patch: readonly Hunk[]): boolean {
  return patch.every((hunk) => {
    const side = hunk.lines.filter((line) => line.startsWith(' ') || line.startsWith('-'))
    return side.every((line, place) => {
      const known = lines[hunk.oldStart - 1 + place] ?? null
      return known === null || known.trimStart() === line.slice(1).trimStart()
    })
  })
}

/** Whether two looks at a file may have seen the same: every line that both know is equal. */
export function agreesWith(known: Content, now: Content): boolean {
  const [old, fresh] = [linesOf(known), linesOf(now)]
  if (old === null || fresh === null) return false
  const isOpen = (content: Content): boolean => content.kind === 'parts' && content.isOpen
  if (old.length < fresh.length && !isOpen(known)) return false
  if (fresh.length < old.length && !isOpen(now)) return false
  return fresh.every((line, place) => {
    const other = old[place] ?? null
    return line === null || other === null || place >= old.length || line === other
  })
}

export function joinSeen(known: Parts, now: Parts): Content {
  const length = Math.max(known.lines.length, now.lines.length)
  const lines = Array.from({ length }, (_, place) => now.lines[place] ?? known.lines[place] ?? null)
  return { kind: 'parts', lines, isOpen: known.isOpen && now.isOpen, moments: known.moments + 1 }
}
