// Sessions that were broken, deleted or moved, and brought back by the command: the client sends all that was said.
import { deepStrictEqual } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { assistantRecord, projectFolder, systemRecord, userRecord, uuid, writeSession } from './transcript.mjs'

const PROMPT = 'What comes next, Ada?'
const CLEW = fileURLToPath(new URL('../../dist/bin/clew.js', import.meta.url))
const SAID = ['How long is a thread?', 'Long enough.', 'And a rope?', 'Longer.', 'And a river?', 'That depends.']
const LS = { type: 'tool_use', id: 'toolu_ls', name: 'Bash', input: { command: 'ls', description: 'List' } }
const YESTERDAY_S = Date.now() / 1000 - 86_400

export const mendedCases = [
  mended('a parent that was never written', (lines) => lines.with(2, changed(lines[2], { parentUuid: uuid(99) }))),
  mended('a torn record, and the next one on the same line', (lines) => [
    ...lines.slice(0, 2),
    `${lines[1].slice(0, 80)}${lines[2]}`,
    ...lines.slice(3),
  ]),
  mended('a run of NULs', (lines) => [...lines.slice(0, 3), '\0'.repeat(300), ...lines.slice(3)]),
  mended('two records that name each other as parents', (lines) =>
    lines.with(2, changed(lines[2], { parentUuid: uuid(4) })),
  ),
  mended('half a character', (lines) => lines.with(3, lines[3].replace('Longer.', 'Longer.\\ud83c')), [
    ...SAID.slice(0, 3),
    'Longer.\ufffd',
    ...SAID.slice(4),
  ]),
  mended('in the same file', (lines) => lines.with(2, changed(lines[2], { parentUuid: uuid(99) })), SAID, [
    '--out',
    'in-place',
  ]),
  {
    name: 'repair: a call that nobody answered',
    prompt: PROMPT,
    make: (root, cwd) => {
      const records = [userRecord(1, null, 'Which files are there?'), assistantRecord(2, 1, LS)]
      const id = writeSession(root, cwd, [...records, userRecord(3, 2, 'Never mind.'), assistantRecord(4, 3, 'Fine.')])
      return run(root, 'repair', id, '--apply').receipt.newSessionId
    },
    expect: (messages) => {
      const [call] = messages.flatMap(({ toolUses = [] }) => toolUses)
      const [result] = messages.flatMap(({ toolResults = [] }) => toolResults)
      deepStrictEqual([call?.id, result?.id], ['toolu_ls', 'toolu_ls'])
      deepStrictEqual(messages.at(-1).texts?.at(-1), PROMPT)
    },
  },
  {
    name: 'repair: killed while it compacted, after a compaction that had kept messages',
    prompt: PROMPT,
    make: (root, cwd) => {
      const keeps = { preservedMessages: { anchorUuid: uuid(4), uuids: [uuid(2)], allUuids: [uuid(2)] } }
      const id = writeSession(root, cwd, [
        userRecord(1, null, 'How long is a thread?'),
        assistantRecord(2, 1, 'Long enough.'),
        systemRecord(3, null, 'compact_boundary', { compactMetadata: { trigger: 'auto', preTokens: 1000, ...keeps } }),
        userRecord(4, 3, 'The summary of it all', { isCompactSummary: true, isVisibleInTranscriptOnly: true }),
        userRecord(5, 4, 'And a rope?'),
        assistantRecord(6, 5, 'Longer.'),
        systemRecord(7, null, 'compact_boundary', { compactMetadata: { trigger: 'auto', preTokens: 1000 } }),
      ])
      return run(root, 'repair', id, '--apply').receipt.newSessionId
    },
    expect: (messages) =>
      deepStrictEqual(
        messages.flatMap(({ texts = [] }) => texts),
        ['The summary of it all', 'Long enough.', 'And a rope?', 'Longer.', PROMPT],
      ),
  },
  {
    name: 'repair: two calls that a compaction kept, and the result of one',
    prompt: PROMPT,
    make: (root, cwd) => {
      const uuids = [2, 3, 4].map(uuid)
      const keeps = { preservedMessages: { anchorUuid: uuid(6), uuids, allUuids: uuids } }
      const result = { type: 'tool_result', tool_use_id: 'toolu_ls', content: 'rope.txt' }
      const id = writeSession(root, cwd, [
        userRecord(1, null, 'Which files are there?'),
        assistantRecord(2, 1, LS),
        assistantRecord(3, 2, { ...LS, id: 'toolu_other' }),
        userRecord(4, 2, [result], { sourceToolAssistantUUID: uuid(2) }),
        systemRecord(5, null, 'compact_boundary', { compactMetadata: { trigger: 'auto', preTokens: 1000, ...keeps } }),
        userRecord(6, 5, 'The summary of it all', { isCompactSummary: true, isVisibleInTranscriptOnly: true }),
      ])
      return run(root, 'repair', id, '--apply').receipt.newSessionId
    },
    expect: (messages) => {
      const ids = (list) => messages.flatMap((message) => (message[list] ?? []).map((one) => one.id)).sort()
      deepStrictEqual(ids('toolUses'), ['toolu_ls', 'toolu_other'])
      deepStrictEqual(ids('toolResults'), ['toolu_ls', 'toolu_other'])
      deepStrictEqual(messages.at(0).texts, ['The summary of it all'])
    },
  },
  {
    name: 'archive: deleted, and restored',
    prompt: PROMPT,
    make: (root, cwd) => {
      const { id, path } = written(root, cwd, (lines) => lines)
      const before = readFileSync(path)
      run(root, 'archive')
      rmSync(path)
      run(root, 'archive', 'restore', id)
      deepStrictEqual(readFileSync(path), before)
      return id
    },
    expect: sends(SAID),
  },
  {
    name: 'carry: out of one folder and into another',
    prompt: PROMPT,
    make: (root, cwd) => {
      const there = `${cwd}-there`
      mkdirSync(there)
      const { id, path } = written(root, there, (lines) => lines)
      const file = join(there, 'carried.clew')
      run(root, 'carry', id, '-o', file)
      rmSync(path)
      run(root, 'carry', '--import', file, '--project', cwd, '--apply')
      return id
    },
    expect: sends(SAID),
  },
  {
    name: 'mv: a project that was moved',
    prompt: PROMPT,
    make: (root, cwd) => {
      const { id } = written(root, `${cwd}-before`, (lines) => lines)
      run(root, 'mv', `${cwd}-before`, cwd, '--apply')
      return id
    },
    expect: sends(SAID),
  },
]

function mended(name, damage, said = SAID, options = []) {
  return {
    name: `repair: ${name}`,
    prompt: PROMPT,
    make: (root, cwd) => {
      const { id } = written(root, cwd, damage)
      return run(root, 'repair', id, '--apply', ...options).receipt.newSessionId
    },
    expect: sends(said),
  }
}

/** Quiet since yesterday: a file that was written a moment ago may be somebody's. */
function written(root, cwd, damage) {
  const records = SAID.map((text, index) =>
    index % 2 === 0 ? userRecord(index + 1, index || null, text) : assistantRecord(index + 1, index, text),
  )
  const id = writeSession(root, cwd, records)
  const path = join(projectFolder(root, cwd), `${id}.jsonl`)
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  writeFileSync(path, `${damage(lines).join('\n')}\n`)
  utimesSync(path, YESTERDAY_S, YESTERDAY_S)
  return { id, path }
}

function changed(line, fields) {
  return JSON.stringify({ ...JSON.parse(line), ...fields })
}

function sends(said) {
  const messages = said.map((text, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', texts: [text] }))
  return (sent) => deepStrictEqual(sent, [...messages, { role: 'user', texts: [PROMPT] }])
}

function run(root, ...words) {
  const home = join(root, '..', 'clew-home')
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    XDG_DATA_HOME: join(home, 'data'),
    XDG_CACHE_HOME: join(home, 'cache'),
  }
  const ran = spawnSync(process.execPath, [CLEW, ...words, '--json', '--root', root], { encoding: 'utf8', env })
  if (ran.status !== 0) throw new Error(`clew ${words.join(' ')}: ${ran.stderr}${ran.stdout}`)
  return JSON.parse(ran.stdout.trim().split('\n').at(-1) || 'null')
}
