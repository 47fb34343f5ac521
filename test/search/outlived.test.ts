// A subagent whose session was deleted: what the index remembers of that session must not decide which of two copies of a
// record is shown, or an index that was brought up to date answers other than one that is built now.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findTranscripts } from '../../src/load/found.ts'
import { Index } from '../../src/search/open-index.ts'
import { prompt, reply, session, sessionId, writeBelow } from '../cli/records.ts'

const NOW_MS = Date.parse('2026-03-02T10:00:00.000Z')
const [FORK, ORIGIN, AGENT] = [sessionId('1'), sessionId('2'), 'a1b2c3d4']

const root = mkdtempSync(join(tmpdir(), 'clew-outlived-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

test('one index brought up to date, one built now: the same copy speaks', async () => {
  const folder = 'projects/-home-ada-tidewatch'
  const said = prompt('u1', null, 'harmonic constants')
  const forkedFrom = { sessionId: ORIGIN, messageUuid: 'u1' }
  writeBelow(root, {
    [`${folder}/${ORIGIN}.jsonl`]: session(ORIGIN, [said, reply('a1', 'u1', 'Done.')]),
    [`${folder}/${FORK}.jsonl`]: session(FORK, [prompt('u2', null, 'moon', { forkedFrom }), reply('a2', 'u2', 'Yes.')]),
    [`${folder}/${FORK}/subagents/agent-${AGENT}.jsonl`]: session(FORK, [said], { agentId: AGENT, isSidechain: true }),
  })
  const kept = new Index(null)
  await kept.refresh(findTranscripts([root]), { nowMs: NOW_MS })
  rmSync(join(root, folder, `${FORK}.jsonl`))
  const archive = findTranscripts([root])
  await kept.refresh(archive, { nowMs: NOW_MS })
  const fresh = new Index(null)
  await fresh.refresh(archive, { nowMs: NOW_MS })
  expect(pathsFound(kept)).toEqual(pathsFound(fresh))
  kept.close()
  fresh.close()

  function pathsFound(index: Index): readonly string[] {
    const anything = { fields: new Set<never>(), sinceMs: null, untilMs: null, tool: null, file: null }
    const options = { ...anything, typed: 'harmonic', limit: 20, perConversation: 3 }
    const everywhere = { isWanted: null, gitBranch: null, model: null }
    return index.search(archive, options, everywhere, NOW_MS).hits.map(({ path }) => path)
  }
})
