// More than a thousand Secrets of every kind, in every encoding, in every place of a transcript: not eight characters of
// one may be in anything that leaves this machine.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { exportCommand } from '../../src/cli/export.ts'
import { journal } from '../../src/cli/journal.ts'
import { scan } from '../../src/cli/scan.ts'
import { citing, startServer } from '../prose/scripted-server.ts'
import { randomOf } from '../random.ts'
import type { Planted } from '../redact/planted.ts'
import { ENCODINGS, KINDS, NOT_SECRET, plant } from '../redact/planted.ts'
import { runHere } from './in-process.ts'
import type { Raw } from './records.ts'
import { prompt, reply, session, sessionId, toolResult, toolUse, writeBelow } from './records.ts'
import { clew, newFolder } from './run.ts'

const COUNT = 1_050
const ID = sessionId('a')
const AGENT = 'a3c070c45ad21bfd7'
const root = newFolder('claude')
const planted: Planted[] = []
const ROOT = ['--root', root, '--no-index']
const NOW_MS = Date.parse('2026-11-15T12:00:00Z')

/** Where a text can stand, as the records of one turn. */
const SINKS: readonly ((text: string, key: string, last: string | null) => readonly Raw[])[] = [
  (text, key, last) => [
    prompt(`${key}-p`, last, `Please look at this: ${text}`),
    reply(`${key}-e`, `${key}-p`, 'Done.'),
  ],
  (text, key, last) => [prompt(`${key}-p`, last, 'Go on'), reply(`${key}-e`, `${key}-p`, `It says ${text}`)],
  (text, key, last) => called(key, last, 'Bash', { command: text }, 'ok'),
  (text, key, last) =>
    called(key, last, 'Bash', { command: 'cat notes' }, text, { toolUseResult: { stdout: text, stderr: '' } }),
  (text, key, last) => called(key, last, 'Bash', { command: 'npm test' }, `Exit code 1\nError: ${text}`, {}, true),
  (text, key, last) =>
    called(key, last, 'Write', { file_path: '/home/ada/x.txt', content: text }, 'ok', {
      toolUseResult: { type: 'create', content: text },
    }),
  (text, key, last) => {
    const structuredPatch = [{ oldStart: 1, newStart: 1, lines: [' a', ...text.split('\n').map((line) => `+${line}`)] }]
    return called(key, last, 'Edit', { file_path: '/home/ada/x.txt', old_string: 'a', new_string: text }, 'ok', {
      toolUseResult: { structuredPatch, originalFile: text },
    })
  },
  (text, key, last) => called(key, last, 'TodoWrite', { todos: [{ content: text, status: 'pending' }] }, 'ok'),
  (text, key, last) =>
    called(key, last, 'AskUserQuestion', { questions: [{ question: 'Which?', options: [{ label: text }] }] }, text, {
      toolUseResult: { answers: { 'Which?': text } },
    }),
  (text, key, last) => called(key, last, 'ExitPlanMode', { plan: text }, 'ok'),
  (text, key, last) => called(key, last, 'WebFetch', { url: 'https://tide.ada.dev', prompt: text }, text),
  (text, key, last) => [
    prompt(`${key}-p`, last, 'Think'),
    reply(`${key}-t`, `${key}-p`, [{ type: 'thinking', thinking: text, signature: 's' }]),
    {
      type: 'user',
      isMeta: true,
      uuid: `${key}-m`,
      parentUuid: `${key}-t`,
      message: { role: 'user', content: `<system-reminder>${text}</system-reminder>` },
    },
    reply(`${key}-e`, `${key}-m`, 'Thought.'),
  ],
]

function called(
  key: string,
  last: string | null,
  name: string,
  input: unknown,
  output: string,
  more: Raw = {},
  isError = false,
): readonly Raw[] {
  const result = toolResult(`${key}-r`, `${key}-c`, `t-${key}`, output, more)
  const content = [{ type: 'tool_result', tool_use_id: `t-${key}`, content: output, is_error: isError }]
  return [
    prompt(`${key}-p`, last, `Number ${key}, please`),
    reply(`${key}-c`, `${key}-p`, [toolUse(`t-${key}`, name, input)]),
    { ...result, message: { role: 'user', content } },
    reply(`${key}-e`, `${key}-r`, 'Done.'),
  ]
}

beforeAll(() => {
  const random = randomOf(20261116)
  const encodings = Object.values(ENCODINGS)
  const records: Raw[] = []
  const inner: Raw[] = []
  const last: { main: string | null; agent: string | null } = { main: null, agent: null }
  for (let number = 0; number < COUNT; number++) {
    const one = plant(random, number)
    planted.push(one)
    // Kinds, encodings and places are of different numbers, so that each meets each.
    const text = encodings[number % encodings.length]?.write(one.text, one.secret) ?? ''
    const isInner = number % 10 === 9
    const made = SINKS[number % SINKS.length]?.(text, `k${number}`, isInner ? last.agent : last.main) ?? []
    if (isInner) {
      inner.push(...made)
      last.agent = `k${number}-e`
    } else {
      records.push(...made)
      last.main = `k${number}-e`
    }
  }
  const start = called(
    'agent',
    last.main,
    'Agent',
    { description: 'Look', prompt: 'Number k9, please', subagent_type: 'Explore' },
    'ok',
    { toolUseResult: { agentId: AGENT } },
  )
  const title = `Deploy with ${planted[0]?.secret}`
  writeBelow(root, {
    [`projects/-x/${ID}.jsonl`]: [
      ...session(ID, [...records, ...start]),
      { type: 'custom-title', customTitle: title, sessionId: ID },
    ],
    [`projects/-x/${ID}/subagents/agent-${AGENT}.jsonl`]: session(ID, inner, { agentId: AGENT, isSidechain: true }),
  })
})

const pieces = new Map<string, string>()
/** Whether a piece may begin with these four characters: asked for every place of every text, it has to be quick. */
const beginnings = new Uint8Array(1 << 22)

function placeOf(text: string, at: number): number {
  const [a, b, c, d] = [text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2), text.charCodeAt(at + 3)]
  return (a ^ (b << 5) ^ (c << 10) ^ (d << 15)) & (beginnings.length - 1)
}

function learnPieces(): void {
  for (const { kind, secret } of planted) {
    const prefix = NOT_SECRET.exec(secret)?.[0] ?? ''
    for (let at = 0; at + 8 <= secret.length; at++) {
      const piece = secret.slice(at, at + 8)
      if (prefix.includes(piece)) continue
      pieces.set(piece, `${kind}: ${piece} of ${secret}`)
      beginnings[placeOf(piece, 0)] = 1
    }
  }
}

/** What of them is in a text, as it stands or in any of the encodings. */
function leaksIn(text: string): readonly string[] {
  if (pieces.size === 0) learnPieces()
  const leaks = new Set<string>()
  for (const view of new Set([text, ...Object.values(ENCODINGS).map(({ read }) => read(text))])) {
    for (let at = 0; at + 8 <= view.length; at++) {
      const leak = beginnings[placeOf(view, at)] === 1 ? pieces.get(view.slice(at, at + 8)) : undefined
      if (leak !== undefined) leaks.add(leak)
    }
  }
  return [...leaks]
}

function written(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  return files.map((one) => `${one.name}\n${readFileSync(join(one.parentPath, one.name), 'utf8')}`).join('\n')
}

describe('nothing leaves', () => {
  const env = { XDG_CONFIG_HOME: newFolder('config') }

  test('there are enough of them', () => {
    expect(planted.length).toBeGreaterThanOrEqual(1_000)
    expect(new Set(planted.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(60)
    expect(KINDS.length).toBeGreaterThanOrEqual(60)
    expect(Object.keys(ENCODINGS).length).toBeGreaterThanOrEqual(6)
  })

  test('each of them would be noticed, however it is written', () => {
    const all = planted.filter(({ secret }) => secret.length >= 8 && leaksIn(secret).length === 0)
    expect(all).toEqual([])
    const { text, secret } = planted[0] as Planted
    for (const [name, { write }] of Object.entries(ENCODINGS))
      expect([name, leaksIn(`before ${write(text, secret)} after`).length > 0]).toEqual([name, true])
  })

  test.each([
    ['md', 'compact'],
    ['md', 'full'],
    ['html', 'compact'],
    ['html', 'full'],
    ['txt', 'compact'],
    ['txt', 'full'],
    ['json', 'full'],
    ['jsonl', 'full'],
  ])(
    'export %s, %s',
    async (format, detail) => {
      const folder = newFolder('out')
      const words = ['-f', format, '--detail', detail, '-o', join(folder, `x.${format}`)]
      const { status, err, out } = await runHere(exportCommand, ['aaaa', ...ROOT, ...words], NOW_MS, env)
      expect([status, leaksIn(err + out)]).toEqual([0, []])
      const text = written(folder)
      expect(text.length).toBeGreaterThan(50_000)
      expect(leaksIn(text).slice(0, 5)).toEqual([])
    },
    120_000,
  )

  test('everything that can be included, printed by the command itself', () => {
    const all = 'thinking,tools,injections,subagents,images,recaps,client'
    const words = ['-f', 'html', '--detail', 'full', '--include', all]
    const { out, err, status } = clew(['export', 'aaaa', ...ROOT, ...words], { env })
    expect(status).toBe(0)
    expect(leaksIn(out + err).slice(0, 5)).toEqual([])
  }, 120_000)

  test('journal --llm', async () => {
    const server = await startServer([citing])
    const route = ['--llm', 'openai', '--model', 'x', '--max-cost', '100']
    const words = [...ROOT, '--tz', 'UTC', '--date', '2026-03-01', ...route]
    const cache = newFolder('cache')
    const { status, err } = await runHere(journal, words, 0, {
      OPENAI_BASE_URL: `${server.address}/v1`,
      XDG_CACHE_HOME: cache,
      ...env,
    })
    await server.close()
    expect([status, leaksIn(err)]).toEqual([0, []])
    const sent = server.asked.map(({ body }) => `${body}\n${JSON.stringify(JSON.parse(body), null, 1)}`).join('\n')
    expect(sent.length).toBeGreaterThan(10_000)
    expect(leaksIn(sent).slice(0, 5)).toEqual([])
    expect(leaksIn(written(cache)).slice(0, 5)).toEqual([])
  }, 120_000)

  test.each([[[]], [['--json']]])(
    'scan %j tells where they are, and not what they are',
    async (words) => {
      const { out, err, status } = await runHere(scan, ['aaaa', ...ROOT, ...words], NOW_MS, env)
      expect(status).not.toBe(0)
      expect(out.length).toBeGreaterThan(1_000)
      expect(leaksIn(out + err).slice(0, 5)).toEqual([])
    },
    120_000,
  )
})
