import type { Woven } from '../src/conversation/build.ts'
import { weave } from '../src/conversation/build.ts'
import type { TipRule } from '../src/graph/context.ts'
import { gatherLabels, newLabels } from '../src/record/labels.ts'
import { splitLines } from '../src/record/split.ts'
import type { ReadTranscript } from '../src/record/transcript.ts'
import { readTranscript } from '../src/record/transcript.ts'

export function wovenOf(
  bytes: Uint8Array,
  tipRule: TipRule = 'resume',
): { readonly woven: Woven; readonly read: ReadTranscript } {
  const labels = newLabels()
  const read = readTranscript('made.jsonl', splitLines(bytes), {
    visit: (envelope, body) => gatherLabels(labels, envelope, body),
  })
  const { envelopes, problems } = read
  const main = { path: 'made.jsonl', sessionId: 'made', envelopes, problems, labels }
  const relation = { continues: null, forkOf: null }
  const woven = weave(
    { sessionId: 'made', projectKey: 'p', main, earlier: [], agents: [], relation, sidecarTitle: null },
    tipRule,
  )
  return { woven, read }
}
