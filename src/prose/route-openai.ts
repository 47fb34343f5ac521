// Any server that speaks the chat completions of OpenAI: theirs, or one on this machine. They differ in everything that
// is not in the middle of the road, so little is asked of them and nothing they say is taken for granted.

import { isNearby, serverAddress } from './address.ts'
import { boundedFetch, endedError } from './bounded-fetch.ts'
import { countIn, errorTextIn, isLoose, looseIn, parseLoose } from './loose-json.ts'
import type { Answer, Ask, Route, RouteOptions } from './model.ts'
import { ProseError, statusError } from './prose-error.ts'

const DEFAULT_ADDRESS = 'https://api.openai.com/v1'
/** Models that think first spend most of it unseen, and with less they answer with nothing. */
const ANSWER_TOKENS_MAX = 8000
const ADVICE = 'Look at OPENAI_BASE_URL, OPENAI_API_KEY and the name of the model'

export function openaiRoute({ environment, model = '' }: RouteOptions): Route {
  const address = serverAddress(environment['OPENAI_BASE_URL'] || DEFAULT_ADDRESS, 'OPENAI_BASE_URL')
  const key = environment['OPENAI_API_KEY'] ?? ''
  const isLocal = isNearby(address)
  if (model === '')
    throw new ProseError('setup', `the route openai has no model of its own: name (--model) one that ${address} knows`)
  if (key === '' && !isLocal) {
    throw new ProseError(
      'setup',
      `${address} needs a key: set OPENAI_API_KEY, or OPENAI_BASE_URL for a server of your own`,
    )
  }
  return {
    kind: 'openai',
    model,
    pricedAs: model,
    address,
    isLocal,
    answerTokensMax: ANSWER_TOKENS_MAX,
    overheadTokens: 20,
    ask: (ask) => askServer({ address, key, model }, ask),
  }
}

interface Server {
  readonly address: string
  readonly key: string
  readonly model: string
}

/** The newer name is the only one their own models take, and the older one the only one some servers know. */
async function askServer(server: Server, ask: Ask): Promise<Answer> {
  const names =
    server.address === DEFAULT_ADDRESS
      ? ['max_completion_tokens', 'max_tokens']
      : ['max_tokens', 'max_completion_tokens']
  const [first = '', second = ''] = names
  const response = await post(server, ask, first)
  const text = await response.text()
  if (response.status !== 400 || !text.includes(second)) return answerOf(response, text)
  const again = await post(server, ask, second)
  return answerOf(again, await again.text())
}

async function post({ address, key, model }: Server, ask: Ask, limitName: string): Promise<Response> {
  const messages = [
    { role: 'system', content: ask.system },
    { role: 'user', content: ask.prompt },
  ]
  try {
    return await boundedFetch(`${address}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key === '' ? {} : { authorization: `Bearer ${key}` }) },
      body: JSON.stringify({ model, messages, stream: false, [limitName]: ANSWER_TOKENS_MAX }),
      signal: AbortSignal.any([ask.signal, AbortSignal.timeout(ask.timeoutMs)]),
    })
  } catch (error) {
    throw error instanceof ProseError ? error : endedError(ask.signal, ask.timeoutMs)
  }
}

function answerOf(response: Response, text: string): Answer {
  const body = parseLoose(text)
  if (!response.ok) {
    throw statusError(response.status, errorTextIn(body, text), response.headers.get('retry-after'), ADVICE)
  }
  const usage = looseIn(body, 'usage')
  const spent = { inputTokens: countIn(usage, 'prompt_tokens'), outputTokens: countIn(usage, 'completion_tokens') }
  const choices = looseIn(body, 'choices')
  const choice = Array.isArray(choices) ? choices[0] : undefined
  const content = contentText(looseIn(choice, 'message')?.['content'])
  if (body === undefined || choice === undefined) {
    throw new ProseError('lasting', `the server did not answer as a model does. ${ADVICE}`, {
      ...spent,
      isCharged: true,
    })
  }
  if (content.trim() === '') {
    const hint = `If it is one that thinks first, ${ANSWER_TOKENS_MAX} tokens were not enough for it: name another model`
    throw new ProseError('lasting', `the model answered with nothing. ${hint}`, { ...spent, isCharged: true })
  }
  return { text: content, ...spent, costUsd: null, isCut: choice['finish_reason'] === 'length' }
}

/** A text, or a list of parts of which some are text. */
function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map((part: unknown) => (isLoose(part) && typeof part['text'] === 'string' ? part['text'] : ''))
    .join('')
}
