// The two ways in. The lists are written out so that a change of the API is deliberate; docs/library.md tells each name.

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import * as core from '../src/index.ts'
import * as node from '../src/node.ts'

const DIST = join(import.meta.dirname, '../dist')

test('clew', () => {
  expect(Object.keys(core).sort()).toEqual([
    'LIST_PRICES',
    'PROBLEMS',
    'branchesOfConversation',
    'briefOf',
    'calendarOf',
    'conversationDocument',
    'conversationOf',
    'conversationProblems',
    'countDrift',
    'createRedactor',
    'driftOf',
    'earlierTranscripts',
    'foldUsage',
    'gatherLabels',
    'graphOf',
    'importConversation',
    'journalDay',
    'newLabels',
    'normalSession',
    'openScanner',
    'partsOf',
    'reachOf',
    'readContextTurns',
    'readFull',
    'readPrices',
    'readTranscript',
    'readTranscriptBytes',
    'referenceOf',
    'relate',
    'safe',
    'splitLines',
    'summarise',
    'titleOf',
    'toJson',
    'usageRecordOf',
    'usageTable',
    'weave',
  ])
})

test('clew/node', () => {
  expect(Object.keys(node).sort()).toEqual([
    'Follower',
    'Index',
    'REAL_DISK',
    'Store',
    'StoreError',
    'archiveFolder',
    'briefSource',
    'bytesInFile',
    'bytesInMemory',
    'checkProject',
    'chooseRoots',
    'compactToFit',
    'discover',
    'extract',
    'findSession',
    'findTranscripts',
    'fromEventLog',
    'gatherBriefs',
    'indexPath',
    'listConversations',
    'loadFile',
    'messagesOf',
    'openArchive',
    'openBodies',
    'openSession',
    'openStore',
    'openSubagent',
    'openTranscript',
    'planRepair',
    'prognosisOf',
    'proveRepair',
    'readCatalogue',
    'readLines',
    'readUsage',
    'restoreFiles',
    'scanFiles',
    'sessionStore',
    'sourceFiles',
    'takeSnapshot',
    'toEventLog',
    'tokensOf',
    'verifyArchive',
  ])
})

test('what is built for browsers imports only its own files', () => {
  const { files, others } = importsFrom(join(DIST, 'index.js'))
  expect(files.length).toBeGreaterThan(20)
  expect(others).toEqual([])
})

test('the same walk finds the modules of Node behind clew/node', () => {
  expect(importsFrom(join(DIST, 'node.js')).others.map((found) => found.split(' ').at(-1))).toContain('node:fs')
})

/** All files that a module leads to, and the names it imports that are no files of its own. */
function importsFrom(start: string): { readonly files: readonly string[]; readonly others: readonly string[] } {
  expect(existsSync(start), `${start} (npm run build)`).toBe(true)
  const queue = [start]
  const seen = new Set(queue)
  const others: string[] = []
  for (let next = 0; next < queue.length; next++) {
    const path = queue[next] as string
    const text = readFileSync(path, 'utf8')
    for (const [, name = ''] of text.matchAll(/(?:\bfrom|^import|\bimport\(|\brequire\()\s*['"]([^'"]+)['"]/gm)) {
      if (!name.startsWith('.')) {
        others.push(`${relative(DIST, path)} imports ${name}`)
        continue
      }
      const target = join(dirname(path), name)
      if (!seen.has(target)) queue.push(target)
      seen.add(target)
    }
  }
  return { files: queue, others }
}
