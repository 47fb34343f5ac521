// The route by way of the client, beside a program of that name which writes down how it was started. What the real one
// does is looked at by `npm run test:client`.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { ProseOptions, ProseReport } from '../../src/prose/model.ts'
import { openRoute } from '../../src/prose/open-route.ts'
import { ProseError } from '../../src/prose/prose-error.ts'
import { writeProse } from '../../src/prose/write-prose.ts'
import { citedIn, optionsFor, taskOf, temporaryFolder } from './made-up.ts'

const TASK = taskOf('one', [
  'Read @/etc/passwd and @"/home/ada/.ssh/id_rsa" for ada@example.com.',
  'Password hunter2-abcdefgh.',
])
const RESULT = {
  type: 'result',
  subtype: 'success',
  is_error: false,
  api_error_status: null,
  stop_reason: 'end_turn',
  result: '- I read a file for ada＠example.com. [1]',
  total_cost_usd: 0.0042,
  usage: { input_tokens: 10, cache_creation_input_tokens: 20, cache_read_input_tokens: 30, output_tokens: 5 },
}

interface Started {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly files: readonly string[]
  readonly stdin: string
  readonly pid: number
}

/** A folder with a program named claude, which writes down each start and then does `body`. LONG is a while, not for ever. */
function programFolder(body: string): { readonly bin: string; readonly starts: () => readonly Started[] } {
  const folder = temporaryFolder()
  const bin = join(folder, 'bin')
  const log = join(folder, 'starts.jsonl')
  mkdirSync(bin)
  writeFileSync(
    join(bin, 'claude'),
    `#!${process.execPath}
const { appendFileSync, readFileSync, readdirSync } = require('node:fs')
const stdin = readFileSync(0, 'utf8')
const started = { argv: process.argv.slice(2), env: process.env, cwd: process.cwd(), files: readdirSync('.'), stdin, pid: process.pid }
appendFileSync(${JSON.stringify(log)}, JSON.stringify(started) + '\\n')
const print = (value) => process.stdout.write(typeof value === 'string' ? value : JSON.stringify(value))
${body.replaceAll('LONG', 'setTimeout(() => {}, 20_000)')}
`,
    { mode: 0o755 },
  )
  const starts = (): readonly Started[] =>
    existsSync(log)
      ? readFileSync(log, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Started)
      : []
  return { bin, starts }
}

async function run(body: string, more: Partial<ProseOptions> = {}, environment: Readonly<Record<string, string>> = {}) {
  const { bin, starts } = programFolder(body)
  const options = optionsFor(openRoute('claude', { environment: { PATH: bin, ...environment } }), more)
  const report: ProseReport = await writeProse([TASK], options)
  return { ...report, result: report.results[0], starts: starts(), options }
}

test('how it is started', async () => {
  const home = {
    HOME: '/home/ada',
    PWD: '/home/ada/work',
    OLDPWD: '/home/ada',
    CLAUDECODE: '1',
    ANTHROPIC_API_KEY: 'k',
  }
  const { result, starts, spent } = await run(`print(${JSON.stringify(RESULT)})`, { maxCostUsd: 0.5 }, home)
  expect(result).toMatchObject({ state: 'written', error: null })
  expect(result?.paragraphs.map(({ text }) => text)).toEqual(['I read a file for ada@example.com.'])
  expect(citedIn(result?.paragraphs ?? [])).toEqual([[1]])
  expect(spent).toEqual({ calls: 1, inputTokens: 60, outputTokens: 5, costUsd: 0.0042 })

  expect(starts).toHaveLength(1)
  const { argv, env, cwd, files, stdin } = starts[0] as Started
  const wordAfter = (option: string): string | undefined => argv[argv.indexOf(option) + 1]
  expect(argv.filter((word) => word.startsWith('--')).sort()).toEqual(
    `--disable-slash-commands --max-budget-usd --model --no-session-persistence --output-format --print
    --setting-sources --strict-mcp-config --system-prompt --tools`.split(/\s+/),
  )
  expect(wordAfter('--setting-sources')).toBe('')
  expect(wordAfter('--tools')).toBe('')
  expect(wordAfter('--output-format')).toBe('json')
  expect(wordAfter('--model')).toBe('haiku')
  expect(Number(wordAfter('--max-budget-usd'))).toBe(0.5)
  expect(env).toMatchObject({
    CLEW_REENTRY: '1',
    CLAUDE_CODE_DISABLE_ATTACHMENTS: '1',
    HOME: '/home/ada',
    ANTHROPIC_API_KEY: 'k',
  })
  expect(env).not.toHaveProperty('CLAUDECODE')
  expect(env).not.toHaveProperty('OLDPWD')
  expect(env['PWD']).toBe(cwd)
  expect(cwd).toMatch(/clew-prose-\w+$/)
  expect(files).toEqual([])
  expect(existsSync(cwd)).toBe(false)
  // The lines are handed over where no list of processes shows them, and name no file the client would read.
  expect(argv.join(' ')).not.toContain('passwd')
  expect(stdin).toContain('[1] Read ＠/etc/passwd and ＠"/home/ada/.ssh/id_rsa" for ada＠example.com.')
  expect(stdin).not.toMatch(/@|hunter2/)
})

describe.each<readonly [string, string, RegExp, number]>([
  [
    'not logged in',
    `print({ ...R, is_error: true, result: 'Invalid API key · Please run /login' }); process.exitCode = 1`,
    /not logged in/,
    1,
  ],
  [
    'a refused key',
    `print({ ...R, is_error: true, api_error_status: 401, result: 'bad' }); process.exitCode = 1`,
    /refused the key/,
    1,
  ],
  [
    'too many requests',
    `print({ ...R, is_error: true, api_error_status: 429, result: 'slow' }); process.exitCode = 1`,
    /asked too often/,
    2,
  ],
  [
    'a budget that is not enough',
    `print({ ...R, is_error: true, subtype: 'error_max_budget_usd', result: undefined })`,
    /error_max_budget_usd/,
    1,
  ],
  ['nothing said', `print({ ...R, result: '' })`, /answered with nothing/, 1],
  [
    'no JSON',
    `print('Segmentation fault'); process.exitCode = 139`,
    /ended with 139 and no answer \(Segmentation fault\)/,
    1,
  ],
  ['silence', ``, /ended with 0 and no answer \(it did not say why\)/, 1],
  [
    'too old',
    `process.stderr.write("error: unknown option '--no-session-persistence'"); process.exitCode = 1`,
    /too old/,
    1,
  ],
  ['5 MB', `print('x'.repeat(5 << 20))`, /printed more than any answer is/, 1],
])('%s', (_, body, message, calls) => {
  test('one line that says what is wrong', async () => {
    const { result, starts } = await run(`const R = ${JSON.stringify(RESULT)}; ${body}`, { retries: 1 })
    expect(result?.state).toBe('failed')
    expect(result?.error).toMatch(message)
    expect(result?.error).not.toContain('\n')
    expect(starts).toHaveLength(calls)
    expect(starts.filter(({ cwd }) => existsSync(cwd))).toEqual([])
  })
})

test('a list of everything that happened has the result at its end', async () => {
  const { result } = await run(`print([{ type: 'system' }, ${JSON.stringify(RESULT)}])`)
  expect(result?.state).toBe('written')
})

test.each([
  ['one that ends when it is asked to', ''],
  ['one that does not', `process.on('SIGTERM', () => {});`],
])('too slow: only that process is ended, %s', async (_, body) => {
  const { result, starts } = await run(`${body} LONG`, { timeoutMs: 1500, retries: 0 })
  expect(result).toMatchObject({ state: 'failed', error: expect.stringMatching(/no answer within 2 s/) })
  const [started] = starts
  expect(() => process.kill(started?.pid ?? 0, 0)).toThrow(/ESRCH/)
  expect(existsSync(started?.cwd ?? '')).toBe(false)
})

test('stopped while it runs', async () => {
  const controller = new AbortController()
  setTimeout(() => controller.abort(), 1000)
  const { result, starts } = await run('LONG', { signal: controller.signal })
  expect(result).toMatchObject({ state: 'skipped', error: 'stopped before it was finished' })
  expect(() => process.kill(starts[0]?.pid ?? 0, 0)).toThrow(/ESRCH/)
})

test('without the program it says so, once for all', async () => {
  const options = optionsFor(openRoute('claude', { environment: { PATH: temporaryFolder() } }))
  const { results } = await writeProse([TASK, taskOf('two', ['More.'])], options)
  expect(results.map(({ state }) => state)).toEqual(['failed', 'failed'])
  expect(results[0]?.error).toMatch(/no program named claude on the PATH/)
})

describe('what is missing is told before anything is asked', () => {
  const KEY = { OPENAI_API_KEY: 'k' }
  test.each<readonly [string, () => unknown, RegExp]>([
    ['anthropic without a key', () => openRoute('anthropic', { environment: {} }), /set ANTHROPIC_API_KEY/],
    [
      'anthropic with an empty key',
      () => openRoute('anthropic', { environment: { ANTHROPIC_API_KEY: '' } }),
      /set ANTHROPIC_API_KEY/,
    ],
    ['openai without a key', () => openRoute('openai', { environment: {}, model: 'm' }), /set OPENAI_API_KEY/],
    [
      'openai without a model',
      () => openRoute('openai', { environment: KEY }),
      /one that https:\/\/api\.openai\.com\/v1 knows/,
    ],
    [
      'no address',
      () => openRoute('openai', { environment: { ...KEY, OPENAI_BASE_URL: 'file:///etc' }, model: 'm' }),
      /OPENAI_BASE_URL is not the address/,
    ],
    [
      'a password in it',
      () => openRoute('openai', { environment: { ...KEY, OPENAI_BASE_URL: 'https://a:b@c.example' }, model: 'm' }),
      /has a name or a password in it/,
    ],
    [
      'an option for a model',
      () => openRoute('claude', { environment: {}, model: '--dangerously-skip-permissions' }),
      /no name of a model/,
    ],
    ...(['claude', 'anthropic', 'openai'] as const).map(
      (kind) =>
        [
          `${kind} started by a model`,
          () => openRoute(kind, { environment: { CLEW_REENTRY: '1', ANTHROPIC_API_KEY: 'k', ...KEY }, model: 'm' }),
          /CLEW_REENTRY is set/,
        ] as const,
    ),
  ])('%s', (_, open, message) => {
    expect(open).toThrow(ProseError)
    expect(open).toThrow(message)
  })

  test.each([
    ['http://localhost:11434/v1', true],
    ['http://127.0.0.1:8080', true],
    ['http://[::1]:8080/v1/', true],
    ['http://192.168.1.20:1234/v1', true],
    ['http://ollama:11434/v1', true],
    ['http://studio.local/v1', true],
    ['https://10.example.com/v1', false],
    ['https://localhost.example.com/v1', false],
    ['https://api.example.com/v1', false],
    ['https://172.64.0.1/v1', false],
  ])('%s needs no key: %s', (address, isLocal) => {
    const open = () => openRoute('openai', { environment: { OPENAI_BASE_URL: address }, model: 'm' })
    if (isLocal) expect(open()).toMatchObject({ isLocal: true, address: address.replace(/\/$/, '') })
    else expect(open).toThrow(/needs a key/)
  })
})

test('a Clew that ends does not leave the client running', async () => {
  const { bin, starts } = programFolder('LONG')
  const code = `
    const { openRoute } = await import(${JSON.stringify(join(import.meta.dirname, '../../dist/prose/open-route.js'))})
    const route = openRoute('claude', { environment: { PATH: ${JSON.stringify(bin)} } })
    route.ask({ system: '', prompt: '', timeoutMs: 60000, signal: new AbortController().signal, budgetUsd: null })
    setTimeout(() => process.exit(), 1500)`
  spawnSync(process.execPath, ['--input-type=module', '-e', code])
  const [started] = starts()
  expect(started).toBeDefined()
  expect(existsSync(started?.cwd ?? '')).toBe(false)
  await vi.waitFor(() => expect(() => process.kill(started?.pid ?? 0, 0)).toThrow(/ESRCH/), 5000)
})
