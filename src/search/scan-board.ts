// The few numbers that the threads of a scan see at the same time: which target is next, how much was found, and which
// record each worker is at. Files are taken in order, so what was taken is always the beginning of the list, and a limit
// gives the same hits however fast each thread is.

export interface ScanBoard {
  readonly counts: Int32Array
  /**
   * For each worker: number of the record since its start, target, line, offset, length. Line 0 is between two records, and
   * a number of 0 before it began.
   */
  readonly places: Float64Array
}

export interface BoardPlace {
  readonly sequence: number
  readonly index: number
  readonly line: number
  readonly offset: number
  readonly length: number
}

const NEXT = 0
const FOUND = 1
const STOPPED = 2
const COUNTS = 4
const PLACE_SIZE = 5

export function openBoard(workerCount: number): ScanBoard {
  const placesStart = COUNTS * Int32Array.BYTES_PER_ELEMENT
  const memory = new SharedArrayBuffer(placesStart + workerCount * PLACE_SIZE * Float64Array.BYTES_PER_ELEMENT)
  return { counts: new Int32Array(memory, 0, COUNTS), places: new Float64Array(memory, placesStart) }
}

/** The number of a target that nobody has taken, or null when there are none or enough was found. */
export function takeTarget({ counts }: ScanBoard, targetCount: number, limit: number): number | null {
  if (Atomics.load(counts, STOPPED) !== 0 || Atomics.load(counts, FOUND) > limit) return null
  const index = Atomics.add(counts, NEXT, 1)
  return index < targetCount ? index : null
}

export function addFound({ counts }: ScanBoard, count: number): void {
  Atomics.add(counts, FOUND, count)
}

export function stopAll({ counts }: ScanBoard): void {
  Atomics.store(counts, STOPPED, 1)
}

export function enterRecord({ places }: ScanBoard, slot: number, place: Omit<BoardPlace, 'sequence'>): void {
  const start = slot * PLACE_SIZE
  const sequence = (places[start] ?? 0) + 1
  places.set([sequence, place.index, place.line, place.offset, place.length], start)
}

export function leaveRecord({ places }: ScanBoard, slot: number): void {
  places[slot * PLACE_SIZE + 2] = 0
}

export function placeOf({ places }: ScanBoard, slot: number): BoardPlace {
  const [sequence = 0, index = 0, line = 0, offset = 0, length = 0] = places.subarray(slot * PLACE_SIZE)
  return { sequence, index, line, offset, length }
}
