// Where records were written: session, agent, folder, branch and version stay the same over many of them. A page has each such
// Scene once, and says how many records in a row are of it.

import type { Envelope } from '../record/model.ts'
import { type ColumnReader, ColumnWriter } from './page-column.ts'
import type { TextReader, TextWriter } from './page-texts.ts'

type Scene = Pick<Envelope, 'sessionId' | 'agentId' | 'cwd' | 'gitBranch' | 'version' | 'isSidechain'>

export function packScenes(envelopes: readonly Envelope[], texts: TextWriter): ColumnWriter {
  const scenes: Scene[] = []
  const runs = new ColumnWriter()
  let now: Scene | null = null
  let count = 0
  for (const one of envelopes) {
    if (now === null || !isSame(one, now)) {
      if (now !== null) runs.whole(count)
      const known = scenes.findIndex((scene) => isSame(one, scene))
      const number = known >= 0 ? known : scenes.push(one) - 1
      runs.whole(number)
      now = scenes[number] as Scene
      count = 0
    }
    count++
  }
  runs.whole(count)
  const to = new ColumnWriter()
  to.whole(scenes.length)
  for (const { sessionId, agentId, cwd, gitBranch, version, isSidechain } of scenes) {
    // By the id of a session others are found: it stands in the page whatever it is.
    to.whole(sessionId === null ? 0 : texts.written(sessionId))
    for (const text of [agentId, cwd, gitBranch, version]) to.whole(texts.text(text))
    to.whole(isSidechain ? 1 : 0)
  }
  for (const value of runs.values) to.whole(value)
  return to
}

function isSame(one: Scene, other: Scene): boolean {
  return (
    one.sessionId === other.sessionId &&
    one.cwd === other.cwd &&
    one.gitBranch === other.gitBranch &&
    one.version === other.version &&
    one.agentId === other.agentId &&
    one.isSidechain === other.isSidechain
  )
}

export class SceneReader {
  readonly #from: ColumnReader
  readonly #scenes: Scene[] = []
  #now: Scene | undefined
  #left = 0

  constructor(from: ColumnReader, texts: TextReader) {
    this.#from = from
    for (let left = from.whole(); left > 0; left--) {
      this.#scenes.push({
        sessionId: texts.text(from.whole()),
        agentId: texts.text(from.whole()),
        cwd: texts.text(from.whole()),
        gitBranch: texts.text(from.whole()),
        version: texts.text(from.whole()),
        isSidechain: from.whole() === 1,
      })
    }
  }

  next(): Scene {
    if (this.#left === 0) {
      this.#now = this.#scenes[this.#from.whole()]
      this.#left = this.#from.whole()
    }
    this.#left--
    return this.#now as Scene
  }
}
