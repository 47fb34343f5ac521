// The official SDK, loaded when it is used. It repeats nothing by itself, traces nothing, logs nothing, and looks for no
// other credentials than the key it is given.

import { serverAddress } from './address.ts'
import { boundedFetch, endedError } from './bounded-fetch.ts'
import { countIn, errorTextIn, inputTokensIn, isLoose, looseIn } from './loose-json.ts'
import type { Answer, Ask, Route, RouteOptions } from './model.ts'
import { ProseError, statusError } from './prose-error.ts'

const DEFAULT_ADDRESS = 'https://api.anthropic.com'
const DEFAULT_MODEL = 'claude-haiku-5-5'
const ANSWER_TOKENS_MAX = 2000
const ADVICE = 'Look at ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL and the name of the model'

export function anthropicRoute({ environment, model = DEFAULT_MODEL }: RouteOptions): Route {
  const apiKey = environment['ANTHROPIC_API_KEY'] ?? ''
  const address = serverAddress(environment['ANTHROPIC_BASE_URL'] || DEFAULT_ADDRESS, 'ANTHROPIC_BASE_URL')
  if (apiKey === '') {
    throw new ProseError(
      'setup',
      'the route anthropic needs a key: set ANTHROPIC_API_KEY, or take the route claude or openai',
    )
  }
  return {
    kind: 'anthropic',
    model,
    pricedAs: model,
    address,
    // Something nearby that speaks this protocol passes it on, and somebody pays.
    isLocal: false,
    answerTokensMax: ANSWER_TOKENS_MAX,
    overheadTokens: 20,
    ask: (ask) => askSdk({ apiKey, address, model }, ask),
  }
}

interface Access {
  readonly apiKey: string
  readonly address: string
  readonly model: string
}

async function askSdk({ apiKey, address, model }: Access, ask: Ask): Promise<Answer> {
  const { Anthropic } = await import('@anthropic-ai/sdk')
  const client = new Anthropic({
    apiKey,
    authToken: null,
    baseURL: address,
    maxRetries: 0,
    timeout: ask.timeoutMs,
    logLevel: 'off',
    openTelemetry: { traces: false, propagation: false },
    fetch: boundedFetch,
  })
  try {
    const message: unknown = await client.messages.create(
      {
        model,
        max_tokens: ANSWER_TOKENS_MAX,
        system: ask.system,
        messages: [{ role: 'user', content: ask.prompt }],
      },
      { signal: ask.signal },
    )
    return answerOf(message)
  } catch (error) {
    throw error instanceof ProseError ? error : sdkError(error, ask, Anthropic)
  }
}

type Sdk = typeof import('@anthropic-ai/sdk').Anthropic

function sdkError(
  error: unknown,
  ask: Ask,
  { APIError, APIConnectionTimeoutError, APIUserAbortError }: Sdk,
): ProseError {
  if (ask.signal.aborted || error instanceof APIUserAbortError || error instanceof APIConnectionTimeoutError) {
    return endedError(ask.signal, ask.timeoutMs)
  }
  // It wraps what our own fetch has thrown.
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof ProseError) return cause
  if (error instanceof APIError && typeof error.status === 'number') {
    const body: unknown = error.error
    const said = errorTextIn(isLoose(body) ? body : undefined, error.message)
    return statusError(error.status, said, error.headers?.get('retry-after') ?? null, ADVICE)
  }
  const said = error instanceof Error ? error.message : String(error)
  return new ProseError('lasting', `the server did not answer as a model does (${said}). ${ADVICE}`, {
    isCharged: true,
  })
}

/** The types promise a message; a server in between may have sent anything. */
function answerOf(message: unknown): Answer {
  if (!isLoose(message) || !Array.isArray(message['content'])) {
    throw new ProseError('lasting', `the server did not answer as a model does. ${ADVICE}`, { isCharged: true })
  }
  const usage = looseIn(message, 'usage')
  const spent = { inputTokens: inputTokensIn(usage), outputTokens: countIn(usage, 'output_tokens') }
  const text = message['content']
    .map((block: unknown) => (isLoose(block) && block['type'] === 'text' ? String(block['text']) : ''))
    .join('')
  if (text.trim() === '') {
    const why = message['stop_reason'] === 'refusal' ? 'declined to answer' : 'answered with nothing'
    throw new ProseError('lasting', `the model ${why}. Try again, or name another model`, { ...spent, isCharged: true })
  }
  return { text, ...spent, costUsd: null, isCut: message['stop_reason'] === 'max_tokens' }
}
