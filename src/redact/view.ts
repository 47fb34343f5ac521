// A text as it was meant, and where each of its characters stands in the text as it was written.

export interface View {
  readonly text: string
  /** Whether anything is written in another way than it is meant. */
  readonly isChanged: boolean
  /** From positions in the view to those of the text. */
  readonly startOf: (at: number) => number
  readonly endOf: (at: number) => number
}

export interface ViewMaker {
  /** A stretch that stands in the text as it is. */
  readonly keep: (start: number, end: number) => void
  /** What is written from `start` to `end` means this character. */
  readonly put: (code: number, start: number, end: number) => void
  /** What follows stands somewhere else. Nothing reaches across: no rule matches a NUL. */
  readonly gap: () => void
  readonly finish: () => View
}

/** `room`: how long it may become, as far as that is known. */
export function viewOf(text: string, room: number): ViewMaker {
  let codes = new Uint16Array(room)
  let starts = new Int32Array(codes.length)
  let ends = new Int32Array(codes.length)
  let length = 0
  let isChanged = false
  const makeRoom = (count: number): void => {
    if (length + count <= codes.length) return
    const more = (length + count) * 2
    codes = grown(codes, new Uint16Array(more))
    starts = grown(starts, new Int32Array(more))
    ends = grown(ends, new Int32Array(more))
  }
  const add = (code: number, start: number, end: number): void => {
    makeRoom(1)
    codes[length] = code
    starts[length] = start
    ends[length] = end
    length++
  }
  return {
    keep: (start, end) => {
      if (end <= start) return
      makeRoom(end - start)
      for (let at = start; at < end; at++, length++) {
        codes[length] = text.charCodeAt(at)
        starts[length] = at
        ends[length] = at + 1
      }
    },
    put: (code, start, end) => {
      isChanged = true
      add(code, start, end)
    },
    gap: () => {
      const at = length === 0 ? 0 : (ends[length - 1] as number)
      for (const code of GAP) add(code, at, at)
    },
    finish: () => ({
      text: stringOf(codes.subarray(0, length)),
      isChanged,
      startOf: (at) => starts[at] ?? 0,
      endOf: (at) => ends[at - 1] ?? 0,
    }),
  }
}

const GAP = [10, 0, 10]

function grown<Room extends Uint16Array | Int32Array>(from: Room, to: Room): Room {
  to.set(from)
  return to
}

export function stringOf(codes: Uint16Array): string {
  let text = ''
  for (let from = 0; from < codes.length; from += PIECE)
    text += String.fromCharCode.apply(null, codes.subarray(from, from + PIECE) as unknown as number[])
  return text
}

const PIECE = 8192
