// An edit of a file that is known only in parts. The text that was replaced stood in the file once, so where it is found
// among the known lines is where it was; else only the patch knows where, and its lines are seen as it shows them.

import type { Content, Hunk, TextEdit } from './model.ts'

type Parts = Extract<Content, { kind: 'parts' }>
type Lines = readonly (string | null)[]

export function editParts(parts: Parts, edits: readonly TextEdit[], patch: readonly Hunk[]): Content {
  let lines: Lines | null = parts.lines
  for (const edit of edits) lines = lines === null ? null : editKnown(lines, edit)
  if (lines !== null) return { ...parts, lines }
  const patched = patchLines(parts.lines, patch)
  return patched === null ? { kind: 'unknown' } : { ...parts, lines: patched, moments: parts.moments + 1 }
}

/** Null when the old text is not found in one place of what is known. */
function editKnown(lines: Lines, { oldText, newText, isEverywhere }: TextEdit): Lines | null {
  // More of them may stand in a gap: there the lines stay unknown, but they must not become more or fewer.
  if (oldText === '' || (isEverywhere && (oldText.includes('\n') || newText.includes('\n')))) return null
  if (newText === '' && !oldText.endsWith('\n')) return null
  if (isEverywhere) return lines.map((line) => line?.replaceAll(oldText, () => newText) ?? null)
  const runs = knownRuns(lines)
  const found = runs.filter(({ text }) => text.includes(oldText))
  const run = found[0]
  if (run === undefined || found.length > 1 || run.text.indexOf(oldText) !== run.text.lastIndexOf(oldText)) return null
  const edited = run.text.replace(oldText, () => newText).split('\n')
  return [...lines.slice(0, run.start), ...edited, ...lines.slice(run.end)]
}

interface Run {
  readonly start: number
  readonly end: number
  readonly text: string
}

function knownRuns(lines: Lines): readonly Run[] {
  const runs: Run[] = []
  for (let start = 0; start < lines.length; start++) {
    if (lines[start] === null) continue
    let end = start
    while (end < lines.length && lines[end] !== null) end++
    runs.push({ start, end, text: lines.slice(start, end).join('\n') })
    start = end
  }
  return runs
}

/** Lines that begin with no space are in a patch as they are; of others the indent is not certain, so they are gaps. */
function patchLines(lines: Lines, patch: readonly Hunk[]): Lines | null {
  if (patch.length === 0) return null
  const all = [...lines]
  for (const hunk of [...patch].sort((one, other) => other.oldStart - one.oldStart)) {
    const at = Math.max(0, hunk.oldStart - 1)
    while (all.length < at) all.push(null)
    const known = all.slice(at, at + hunk.oldLines)
    const fresh: (string | null)[] = []
    let old = 0
    for (const line of hunk.lines) {
      const text = line.slice(1)
      if (line.startsWith(' ')) fresh.push(known[old++] ?? certainLine(text))
      else if (line.startsWith('-')) old++
      else if (line.startsWith('+')) fresh.push(certainLine(text))
    }
    all.splice(at, hunk.oldLines, ...fresh)
  }
  return all
}

function certainLine(text: string): string | null {
  return /^\s/.test(text) ? null : text
}
