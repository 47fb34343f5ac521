// The token accounts against an independent program, and against the client's own.

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ClientAccount } from '../../src/digest/usage-explain.ts'
import { compareWithClient } from '../../src/digest/usage-explain.ts'
import { foldUsage } from '../../src/digest/usage-fold.ts'
import { readCostState } from '../../src/load/cost-state.ts'
import { findTranscripts, mainFiles } from '../../src/load/found.ts'
import { readUsage } from '../../src/load/usage.ts'
import { clewJson, projectFolder, sample } from '../cli/run.ts'
import { clientCases, corpus } from './corpus.ts'

interface Row {
  readonly kind: string
  readonly key: string | null
  readonly messages: number
  readonly partialMessages: number
  readonly input_tokens: number
  readonly output_tokens: number
  readonly cache_read_input_tokens: number
  readonly cache_creation_input_tokens: number
  readonly cache_creation: { readonly ephemeral_5m_input_tokens: number; readonly ephemeral_1h_input_tokens: number }
}

const PUBLIC = ['projects', 'odd-names', 'synthetic']

const archives: readonly (readonly [string, readonly string[]])[] = [
  ['the sample', [sample]],
  ...(corpus === null ? [] : [['the client’s corpus', [join(corpus, 'client')]] as const]),
  ...(corpus === null
    ? []
    : [['the public corpus', PUBLIC.map((name) => join(corpus ?? '', 'public', name))] as const]),
]

test.each(archives)('%s: the total is the sum over unique message ids', (_, folders) => {
  const script = join(projectFolder, 'scripts/verify-usage.mjs')
  const ran = spawnSync(process.execPath, [script, ...folders], { encoding: 'utf8', timeout: 120_000 })
  const verified = JSON.parse(ran.stdout) as Record<string, number>
  const roots = folders.flatMap((folder) => ['--root', folder])
  for (const by of ['day', 'model', 'agent']) {
    const rows = clewJson<Row>(['usage', '--by', by, '--no-index', ...roots])
    const total = rows.at(-1)
    expect(total?.kind).toBe('total')
    expect({
      messages: total?.messages,
      partialMessages: total?.partialMessages,
      input_tokens: total?.input_tokens,
      output_tokens: total?.output_tokens,
      cache_read_input_tokens: total?.cache_read_input_tokens,
      cache_creation_input_tokens: total?.cache_creation_input_tokens,
      ephemeral_1h_input_tokens: total?.cache_creation.ephemeral_1h_input_tokens,
    }).toEqual({
      messages: verified['messages'],
      partialMessages: verified['partialMessages'],
      input_tokens: verified['input_tokens'],
      output_tokens: verified['output_tokens'],
      cache_read_input_tokens: verified['cache_read_input_tokens'],
      cache_creation_input_tokens: verified['cache_creation_input_tokens'],
      ephemeral_1h_input_tokens: verified['ephemeral_1h_input_tokens'],
    })
    expect(rows.slice(0, -1).reduce((sum, row) => sum + row.messages, 0)).toBe(total?.messages)
  }
})

/** Where the client's account cannot be that of its transcript, and why. */
const DIFFERENT: Readonly<Record<string, string>> = {
  compact_auto: 'a compaction leaves no record',
  compact_auto_small: 'a compaction leaves no record',
  compact_manual: 'a compaction leaves no record',
  compact_reactive: 'a compaction leaves no record',
  i_compact_rewind_behind: 'a compaction leaves no record',
  i_summarize_from: 'a summary leaves no record',
  i_aititle: 'a title leaves no record',
  empty: 'an empty reply leaves no record',
  killme: 'a compaction leaves no record',
  i_interrupt: 'what was interrupted is in the transcript alone',
  interrupt_stream: 'what was interrupted is in the transcript alone',
  enospc: 'the account was not written any more',
  torn: 'the account was not written any more',
  kill9: 'the account was not written any more',
}

describe.runIf(corpus !== null)('the client’s own account', () => {
  test('is the same in every session where it can be', async () => {
    const compared: (ClientAccount & { readonly name: string })[] = []
    for (const { name, folder } of clientCases()) {
      const archive = findTranscripts([folder])
      const messages = foldUsage(await readUsage(archive))
      for (const { path, sessionId } of mainFiles(archive)) {
        const state = readCostState(path)
        if (state !== null)
          compared.push({ name: name.split('/')[1] ?? '', ...compareWithClient(messages, sessionId ?? '', state) })
      }
    }
    const differing = compared.filter(({ isEqual }) => !isEqual)
    console.log(`cost-state: ${compared.length} sessions, ${compared.length - differing.length} equal`)
    expect(differing.map(({ name }) => name).filter((name) => DIFFERENT[name] === undefined)).toEqual([])
    expect(differing.filter(({ reasons }) => reasons.length === 0)).toEqual([])
    expect(compared.length - differing.length).toBeGreaterThanOrEqual(53)
  })
})
