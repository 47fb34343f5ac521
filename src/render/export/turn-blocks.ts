// The blocks of a Turn in order, whatever they are written in: who speaks is told where it changes, and calls that are one
// line each stand together.

import type { Speaker } from './shown.ts'
import { speakerOf } from './shown.ts'
import type { CallView, TurnView, View } from './view.ts'

export interface BlockWriter {
  readonly speaker: (speaker: Speaker) => string
  readonly line: (call: CallView) => string
  readonly view: (view: View) => string
}

export function gatherBlocks(turn: TurnView, write: BlockWriter): readonly string[] {
  const blocks: string[] = []
  let calls: string[] = []
  const endCalls = (): void => {
    if (calls.length > 0) blocks.push(calls.join('\n'))
    calls = []
  }
  let last: Speaker | null = null
  for (const view of turn.views) {
    const speaker = speakerOf(view, last)
    if (speaker !== null) {
      endCalls()
      blocks.push(write.speaker(speaker))
      last = speaker
    }
    if (view.kind === 'tool' && view.call.whole === null) {
      calls.push(write.line(view.call))
      continue
    }
    endCalls()
    blocks.push(write.view(view))
  }
  endCalls()
  return blocks
}
