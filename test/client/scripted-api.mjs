// A Messages API that says what it was told to say, and remembers what it was asked.
import { createServer } from 'node:http'

const USAGE = { input_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 5 }

/**
 * Each request for a message takes the next of `answers`: a text, or a list of content blocks. Behind the last one, and
 * for the small requests without tools (titles and the like), the answer is `small`.
 * `requests` has every request in the order it came: { method, path, body }.
 */
export async function startApi(answers = [], small = 'ok') {
  const left = [...answers]
  const requests = []
  const server = createServer(async (request, response) => {
    const path = request.url.split('?')[0]
    const body = parsed(await textOf(request))
    requests.push({ method: request.method, path, body })
    if (request.method !== 'POST') return sendJson(response, 404, errorOf(`no ${request.method} ${path} here`))
    if (path === '/v1/messages/count_tokens') return sendJson(response, 200, { input_tokens: 10 })
    if (path !== '/v1/messages') return sendJson(response, 404, errorOf(`no ${path} here`))
    const isMain = (body?.tools?.length ?? 0) > 0
    const message = messageOf(body, blocksOf((isMain ? left.shift() : undefined) ?? small), requests.length)
    if (body?.stream === true) sendStream(response, message)
    else sendJson(response, 200, message)
  })
  await new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return { port: server.address().port, requests, close: () => closed(server) }
}

function closed(server) {
  return new Promise((resolve) => {
    server.close(resolve)
    server.closeAllConnections()
  })
}

async function textOf(request) {
  const parts = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function errorOf(message) {
  return { type: 'error', error: { type: 'not_found_error', message } }
}

function blocksOf(answer) {
  return typeof answer === 'string' ? [{ type: 'text', text: answer }] : answer
}

function messageOf(body, content, number) {
  return {
    id: `msg_scripted${String(number).padStart(4, '0')}`,
    type: 'message',
    role: 'assistant',
    model: body?.model ?? 'scripted',
    content,
    stop_reason: content.some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: USAGE,
  }
}

function sendJson(response, status, value) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

function sendStream(response, message) {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  const send = (value) => response.write(`event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`)
  send({ type: 'message_start', message: { ...message, content: [], stop_reason: null } })
  for (const [index, block] of message.content.entries()) {
    const { start, delta } = streamed(block)
    send({ type: 'content_block_start', index, content_block: start })
    if (delta !== undefined) send({ type: 'content_block_delta', index, delta })
    send({ type: 'content_block_stop', index })
  }
  const { stop_reason, stop_sequence } = message
  send({ type: 'message_delta', delta: { stop_reason, stop_sequence }, usage: USAGE })
  send({ type: 'message_stop' })
  response.end()
}

/** A block begins empty, and its content follows. One delta for all of it is enough. */
function streamed(block) {
  if (block.type === 'text') {
    return { start: { type: 'text', text: '' }, delta: { type: 'text_delta', text: block.text } }
  }
  if (block.type === 'tool_use') {
    const delta = { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
    return { start: { ...block, input: {} }, delta }
  }
  return { start: block }
}
