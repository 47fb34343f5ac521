// Every way to narrow a search: what is found with it, and that nothing else is.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { SearchField, SearchHit, SearchOptions } from '../../src/search/model.ts'
import type { ConversationFilter } from '../../src/search/scope.ts'
import { openSearch } from './open-search.ts'
import { agentId, callId, NOW_MS, promptId, sessionId, writeArchive } from './relevance-archive.ts'

const scratch = mkdtempSync(join(tmpdir(), 'clew-filters-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))
const { places } = writeArchive(scratch)
const search = await openSearch(scratch, NOW_MS)

/** `session#turn` where it is known, `session/number` for a subagent, else the session's id. */
function placeOf({ records, sessionId: id }: SearchHit): string {
  const [place] = [...places].find(([, uuids]) => records.some((uuid) => uuid !== null && uuids.has(uuid))) ?? []
  return place ?? id
}

const placesOf = (hits: readonly SearchHit[]): readonly string[] => [...new Set(hits.map(placeOf))].sort()
const fields = (...names: readonly SearchField[]): Partial<SearchOptions> => ({ fields: new Set(names) })
const inProject = (name: string): Partial<ConversationFilter> => ({
  isWanted: ({ project }) => project === `/home/ada/${name}`,
})
const since = (day: string): Partial<SearchOptions> => ({ sinceMs: Date.parse(day) })
const until = (day: string): Partial<SearchOptions> => ({ untilMs: Date.parse(day) })

describe('only what was asked for', () => {
  test.each<[string, string, Partial<SearchOptions & ConversationFilter>, readonly string[]]>([
    ['prompts', 'idempotency', fields('prompts'), ['double-charge#2']],
    ['prompts without it', 'purgeIdempotencyKeys', fields('prompts'), []],
    ['replies', 'purgeIdempotencyKeys', fields('replies'), ['double-charge#3']],
    ['thinking', 'recognises', fields('thinking'), ['leakage#1']],
    ['replies, not thinking', 'recognises', fields('replies', 'prompts'), []],
    ['tools', 'reclaimed', fields('tools'), ['runner-disk#1']],
    ['replies, not tools', 'reclaimed', fields('replies'), []],
    ['files', 'ring.rs', fields('files'), ['ring-buffer#1']],
    ['commands, not files', 'ring.rs', fields('commands'), []],
    ['commands', 'xmllint', fields('commands'), ['sepa-xml#1']],
    ['prompts, not commands', 'xmllint', fields('prompts', 'replies', 'files'), []],
    ['titles', 'downtime', fields('titles'), [sessionId('alter-table')]],
    ['prompts, not titles', 'downtime', fields('prompts'), []],
    ['two fields', 'xmllint', fields('prompts', 'commands'), ['sepa-xml#1']],
    ['words in fields that the query names', 'path:book.ts cmd:nothing', {}, []],
    ['since', 'copyright', since('2026-06-01'), ['copyright-new#1']],
    ['until', 'copyright', until('2026-06-01'), ['copyright-old#1']],
    ['since and until', 'copyright', { ...since('2026-02-01'), ...until('2026-06-01') }, []],
    ['titles since', 'downtime', since('2026-10-01'), []],
    ['titles until', 'downtime', until('2026-07-01'), []],
    ['titles then', 'downtime', { ...since('2026-07-01'), ...until('2026-07-05') }, [sessionId('alter-table')]],
    ['a tool', 'lock', { tool: 'WebFetch' }, ['alter-table#1']],
    ['a tool in other letters', 'lock', { tool: 'webfetch' }, ['alter-table#1']],
    ['a tool and nothing else', '', { tool: 'WebFetch' }, ['alter-table#1']],
    ['a tool that is none', 'lock', { tool: '…' }, []],
    ['a tool, not a title', 'downtime', { tool: 'WebFetch' }, []],
    ['a file by its whole path', 'key', { file: '/home/ada/ledger/src/payments/create.ts' }, ['double-charge#2']],
    ['a file by its end', 'key', { file: 'payments/create.ts' }, ['double-charge#2']],
    ['a file from here', 'key', { file: './src/payments/create.ts' }, ['double-charge#2']],
    ['a folder', 'key', { file: 'src/payments/' }, ['double-charge#2']],
    ['part of a name', 'key', { file: 'ate.ts' }, []],
    ['a common word and a file', 'the', { file: 'src/telemetry/ring.rs' }, ['ring-buffer#1']],
    ['a project', 'bigint', inProject('ledger'), ['bigint-money#1', 'type-check#1']],
    ['another project', 'bigint', inProject('kestrel'), []],
    ['a project and its subagents', 'Netty', inProject('infra'), ['oom-killed#1', 'oom-killed/1']],
    ['a git branch', 'timescaledb', { gitBranch: 'postgres' }, ['pg-upgrade#2']],
    ['a git branch in other letters', 'bundle', { gitBranch: 'PERF/' }, ['bundle-moment#1']],
    ['another git branch', 'timescaledb', { gitBranch: 'main' }, []],
    ['a model', 'helm', { model: 'sonnet' }, ['helm-rollback#1']],
    ['another model', 'helm', { model: 'haiku' }, []],
    [
      'all at once',
      'web',
      { ...inProject('infra'), ...since('2026-10-01'), tool: 'Bash', model: 'Sonnet' },
      ['helm-rollback#1'],
    ],
    ['an id outside', sessionId('oom-killed'), inProject('ledger'), []],
    ['an id inside', sessionId('oom-killed'), inProject('infra'), [sessionId('oom-killed')]],
    ['a record outside', promptId('alter-table', 2), inProject('infra'), []],
    ['a record inside', promptId('alter-table', 2), inProject('ledger'), ['alter-table#2']],
    ['a tool call outside', callId('deadlock', 3), inProject('infra'), []],
    ['a subagent outside', agentId('oom-killed', 1), inProject('ledger'), []],
  ])('%s', (_, typed, more, expected) => {
    const { hits } = search(typed, { perConversation: 9, ...more })
    expect(placesOf(hits.filter(({ isLoose }) => isLoose !== true))).toEqual(expected)
  })
})

describe('what only comes close is narrowed as well', () => {
  test.each<[string, string, Partial<SearchOptions & ConversationFilter>, (hit: SearchHit) => boolean]>([
    ['a project', 'NAT gateway bill', inProject('ledger'), ({ project }) => project === '/home/ada/ledger'],
    [
      'time',
      'NAT gateway bill',
      since('2026-08-01'),
      ({ timestampMs }) => (timestampMs ?? 0) >= Date.parse('2026-08-01'),
    ],
    ['fields', 'NAT gateway bill', fields('prompts'), ({ field }) => field === 'prompts'],
    [
      'a tool',
      'why the backup goes through python',
      { tool: 'Bash' },
      ({ field }) => field !== 'prompts' && field !== 'replies',
    ],
    [
      'a file',
      'how did the ring overflow',
      { file: 'ring.rs' },
      ({ sessionId: id }) => id === sessionId('ring-buffer'),
    ],
  ])('%s', (_, typed, more, isInside) => {
    expect(search(typed, more).hits.filter((hit) => !isInside(hit))).toEqual([])
  })
})

describe('how many', () => {
  test('a limit', () => {
    for (const limit of [1, 2, 7]) expect(search('test', { limit }).hits.length).toBe(limit)
  })

  test('a few of each conversation, and how many more there are', () => {
    const all = search('timescaledb OR replication OR pg_upgrade', { perConversation: Number.POSITIVE_INFINITY }).hits
    expect(placesOf(all)).toEqual(['pg-upgrade#1', 'pg-upgrade#2', 'pg-upgrade#3'])
    expect(all.map(({ more }) => more)).toEqual(all.map(() => 0))
    const [first, ...others] = search('timescaledb OR replication OR pg_upgrade', { perConversation: 1 }).hits
    expect(others).toEqual([])
    expect(first?.more).toBe(all.length - 1)
  })

  test('many words, many conversations', () => {
    const { hits } = search('error', { limit: 30, perConversation: 1 })
    expect(new Set(hits.map((hit) => hit.sessionId)).size).toBe(hits.length)
  })
})
