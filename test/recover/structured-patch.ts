// The patch that the client keeps beside an edit: one hunk with three lines around it, and leading tabs made two spaces.

export interface MadeHunk {
  readonly oldStart: number
  readonly oldLines: number
  readonly newStart: number
  readonly newLines: number
  readonly lines: readonly string[]
}

export function structuredPatch(before: string, after: string): readonly MadeHunk[] {
  const [old, now] = [linesOf(before), linesOf(after)]
  let head = 0
  while (head < old.length && head < now.length && old[head] === now[head]) head++
  let tail = 0
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++
  if (head === old.length && head === now.length) return []
  const start = Math.max(0, head - 3)
  const [oldEnd, newEnd] = [old.length - tail, now.length - tail]
  const around = Math.min(3, tail)
  const lines = [
    ...old.slice(start, head).map((line) => ` ${spaced(line)}`),
    ...old.slice(head, oldEnd).map((line) => `-${spaced(line)}`),
    ...now.slice(head, newEnd).map((line) => `+${spaced(line)}`),
    ...old.slice(oldEnd, oldEnd + around).map((line) => ` ${spaced(line)}`),
  ]
  return [
    {
      oldStart: start + 1,
      oldLines: oldEnd + around - start,
      newStart: start + 1,
      newLines: newEnd + around - start,
      lines,
    },
  ]
}

function linesOf(text: string): readonly string[] {
  if (text === '') return []
  const lines = text.split('\n')
  return text.endsWith('\n') ? lines.slice(0, -1) : lines
}

function spaced(line: string): string {
  return line.replace(/^\t+/, (tabs) => '  '.repeat(tabs.length))
}
