// Half a surrogate pair in a text that is sent: the API takes the request for broken JSON (CC#45982).

import type { Draft } from './draft.ts'
import { addStep, changeOf, rowOf, shown, threadOf } from './draft.ts'
import { sentNodes } from './live-path.ts'
import { readAgain } from './row-text.ts'

export function mendSurrogates(draft: Draft): void {
  for (const { last } of sentNodes(threadOf(draft))) {
    const row = rowOf(draft, last)
    if (draft.facts.get(row)?.hasLoneSurrogate !== true) continue
    const before = [shown(draft, row, 'half a character')]
    changeOf(draft, row).hasLoneSurrogates = true
    readAgain(draft, row)
    const why = 'the API refuses a request with half a character in it'
    addStep(draft, ['surrogates', 'lone-surrogate', 'replace half a character by U+FFFD', why], before, [
      shown(draft, row, 'U+FFFD'),
    ])
  }
}
