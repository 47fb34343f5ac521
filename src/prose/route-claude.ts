// The client itself, as a program without a memory: no session is kept, no settings, hooks, servers or tools of the user
// are loaded, and it runs in an empty folder. What surprised us: even without tools the client reads a file that the
// prompt names as `@/some/file` and sends it along. Two things are done about that, see `withoutMentions`.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endedError } from './bounded-fetch.ts'
import type { Loose } from './loose-json.ts'
import { countIn, inputTokensIn, looseIn, parseLoose } from './loose-json.ts'
import type { Answer, Ask, Route, RouteOptions } from './model.ts'
import { ProseError, statusError } from './prose-error.ts'
import type { Ran } from './run-claude.ts'
import { runClaude } from './run-claude.ts'

const DEFAULT_MODEL = 'haiku'
const ANSWER_TOKENS_MAX = 2000
const ADVICE = 'Does `claude -p hello` answer?'

/** The client takes short names and knows the newest model behind each; a table of prices wants the whole name. */
const FULL_NAMES: Readonly<Record<string, string>> = {
  haiku: 'claude-haiku-5-5',
  sonnet: 'claude-sonnet-5-5',
  opus: 'claude-opus-5-5',
}

export function claudeRoute({ environment, model = DEFAULT_MODEL }: RouteOptions): Route {
  // A model named like an option would be one.
  if (!/^[\w[\]][\w.:/@[\]-]*$/.test(model)) throw new ProseError('setup', `“${model}” is no name of a model`)
  return {
    kind: 'claude',
    model,
    pricedAs: FULL_NAMES[model] ?? model,
    address: 'claude',
    isLocal: false,
    answerTokensMax: ANSWER_TOKENS_MAX,
    // Measured with 2.1.325: about 500 for what it says of itself, the date and the machine.
    overheadTokens: 1000,
    ask: async (ask) => {
      const folder = mkdtempSync(join(tmpdir(), 'clew-prose-'))
      const remove = (): void => rmSync(folder, { recursive: true, force: true })
      process.once('exit', remove)
      try {
        return await askClient(ask, model, environment, folder)
      } finally {
        process.off('exit', remove)
        remove()
      }
    },
  }
}

async function askClient(
  ask: Ask,
  model: string,
  environment: RouteOptions['environment'],
  folder: string,
): Promise<Answer> {
  const ran = await runClaude({
    words: wordsFor(ask, model),
    environment: childEnvironment(environment, folder),
    folder,
    input: withoutMentions(ask.prompt),
    timeoutMs: ask.timeoutMs,
    signal: ask.signal,
  })
  if (ran.end === 'missing') {
    throw new ProseError(
      'setup',
      'there is no program named claude on the PATH. Install Claude Code, or take another route',
    )
  }
  if (ran.end === 'killed') throw endedError(ask.signal, ask.timeoutMs)
  return answerOf(ran)
}

function wordsFor(ask: Ask, model: string): readonly string[] {
  const budget = ask.budgetUsd === null ? [] : ['--max-budget-usd', Math.max(ask.budgetUsd, 0.0001).toFixed(4)]
  return [
    ...['--print', '--output-format', 'json', '--model', model, '--system-prompt', ask.system],
    ...['--no-session-persistence', '--setting-sources', '', '--strict-mcp-config', '--tools', ''],
    ...['--disable-slash-commands', ...budget],
  ]
}

/** What the user's client needs to be the user's is kept: the account, a proxy, another provider. */
function childEnvironment(environment: RouteOptions['environment'], folder: string): RouteOptions['environment'] {
  // Started within a session, we would pass on whose child we are.
  const { CLAUDECODE, CLAUDE_CODE_ENTRYPOINT, CLAUDE_CODE_SSE_PORT, OLDPWD, ...kept } = environment
  return {
    ...kept,
    PWD: folder,
    CLEW_REENTRY: '1',
    CLAUDE_CODE_DISABLE_ATTACHMENTS: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(ANSWER_TOKENS_MAX),
    CLAUDE_CODE_MAX_RETRIES: '0',
    MAX_THINKING_TOKENS: '0',
  }
}

/** An at sign of another width names no file. A variable that forbids mentions is set too; an older client may not know it. */
function withoutMentions(prompt: string): string {
  return prompt.replaceAll('@', '＠')
}

function withMentions(answer: string): string {
  return answer.replaceAll('＠', '@')
}

function answerOf({ output, errorOutput, exitCode }: Ran): Answer {
  const result = resultIn(parseLoose(output))
  if (result === undefined) throw clientError(errorOutput || output, exitCode)
  const usage = looseIn(result, 'usage')
  const spent = {
    inputTokens: inputTokensIn(usage),
    outputTokens: countIn(usage, 'output_tokens'),
    costUsd: typeof result['total_cost_usd'] === 'number' ? countIn(result, 'total_cost_usd') : null,
  }
  const text = typeof result['result'] === 'string' ? result['result'] : ''
  if (result['is_error'] === true || exitCode !== 0) throw resultError(result, text, spent)
  if (text.trim() === '') {
    throw new ProseError('lasting', 'the model answered with nothing. Try again, or name another model', spent)
  }
  return { text: withMentions(text), ...spent, isCut: result['stop_reason'] === 'max_tokens' }
}

/** Some settings make it a list of everything that happened, with the result at its end. */
function resultIn(output: Loose | undefined): Loose | undefined {
  const last: unknown = Array.isArray(output) ? output.at(-1) : output
  return typeof last === 'object' && last !== null && 'type' in last && last.type === 'result'
    ? (last as Loose)
    : undefined
}

function resultError(result: Loose, text: string, spent: Partial<Answer>): ProseError {
  const status = result['api_error_status']
  if (typeof status === 'number') return statusError(status, text, null, ADVICE)
  if (/\/login|API key|log in/i.test(text))
    return new ProseError('setup', `Claude Code is not logged in (${text}). ${ADVICE}`)
  const why = text || String(result['subtype'] ?? 'it did not say why')
  return new ProseError('lasting', `Claude Code gave no answer (${why})`, spent)
}

function clientError(said: string, exitCode: number | null): ProseError {
  if (/unknown option/i.test(said)) {
    return new ProseError(
      'setup',
      `this Claude Code is too old to be asked without leaving traces (${said}). Update it`,
    )
  }
  return new ProseError(
    'lasting',
    `Claude Code ended with ${exitCode} and no answer (${said || 'it did not say why'}). ${ADVICE}`,
  )
}
