// A conversation about the tide, as long as one likes.

import type { Raw } from '../cli/records.ts'
import { prompt, reply, session, toolResult, toolUse } from '../cli/records.ts'

/** Each a question, an answer, a call with its result, and what came of it. */
export function turns(id: string, from: number, to: number): readonly Raw[] {
  const records: Raw[] = []
  for (let turn = from; turn <= to; turn++) {
    const name = (part: string): string => `${id.slice(0, 4)}${String(turn).padStart(5, '0')}-${part}`
    const before = turn === 1 ? null : `${id.slice(0, 4)}${String(turn - 1).padStart(5, '0')}-z`
    records.push(
      prompt(name('u'), before, `Question ${turn}: what about the tide at ${turn} o'clock?`),
      reply(
        name('a'),
        name('u'),
        `## Step ${turn}\n\n${'The tide comes and goes. '.repeat(1 + (turn % 12))}\n\n- one\n- **two**\n`,
      ),
      reply(name('c'), name('a'), [toolUse(`t-${turn}`, 'Bash', { command: `tide --hour ${turn}` })]),
      toolResult(name('r'), name('c'), `t-${turn}`, `high water at ${turn}`),
      reply(name('z'), name('r'), turn % 3 === 0 ? `\`\`\`ts\nexport const hour = ${turn}\n\`\`\`` : `It is ${turn}.`),
    )
  }
  const startedMs = Date.UTC(2026, 9, 1, 8) + from * 60_000
  const timed = session(id, records)
  return timed.map((record, place) => ({ ...record, timestamp: new Date(startedMs + place * 7_000).toISOString() }))
}
