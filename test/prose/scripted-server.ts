// A server on loopback that answers what it was told to, in order, and remembers what it was asked.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** What to do with a request. The last one is used again for whatever comes after it. */
export type Act = (asked: Asked, response: ServerResponse) => void

export interface ScriptedServer {
  readonly address: string
  readonly asked: readonly Asked[]
  readonly close: () => Promise<void>
}

export async function startServer(acts: readonly Act[]): Promise<ScriptedServer> {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const { method = '', url = '', headers } = request
    const one = { method, path: url, headers, body: Buffer.concat(parts).toString('utf8') }
    asked.push(one)
    acts[Math.min(asked.length, acts.length) - 1]?.(one, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export function send(status: number, body: string, headers: Readonly<Record<string, string>> = {}): Act {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
  }
}

/** The answer of a model, in the form of the protocol it was asked in. */
export function say(text: string, usage: readonly [input: number, output: number] = [100, 20]): Act {
  return (asked, response) => {
    const isAnthropic = asked.path.endsWith('/v1/messages')
    const body = isAnthropic ? messageOf(text, usage) : completionOf(text, usage)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
}

/** Answers each question by citing the first number it holds. */
export const citing: Act = (asked, response) => {
  const number = /\n\[(\d+)\]/.exec(promptOf(asked))?.[1] ?? '0'
  say(`- Something was done. [${number}]`)(asked, response)
}

export const silence: Act = () => undefined

export const reset: Act = (_, response) => {
  response.socket?.destroy()
}

/** What a person would have typed, of either protocol. */
export function promptOf({ body }: Asked): string {
  const { messages } = JSON.parse(body) as { messages: readonly { role: string; content: string }[] }
  return messages.findLast(({ role }) => role === 'user')?.content ?? ''
}

function messageOf(text: string, [input, output]: readonly [number, number]): object {
  return {
    id: 'msg_scripted',
    type: 'message',
    role: 'assistant',
    model: 'scripted',
    content: text === '' ? [] : [{ type: 'text', text }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: input, output_tokens: output },
  }
}

function completionOf(text: string, [input, output]: readonly [number, number]): object {
  return {
    id: 'scripted',
    object: 'chat.completion',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: text } }],
    usage: { prompt_tokens: input, completion_tokens: output },
  }
}
