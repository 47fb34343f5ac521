// Which records can be read by their structure alone, without decoding their texts. The quick way must give the same
// Envelope as the exact one, to the last field: a test reads every corpus line both ways.

import { isAscii } from '../base/text.ts'
import { nestedBlocks } from './drift.ts'
import { list, object } from './fields.ts'
import type { Body, Envelope, Links } from './model.ts'
import { mayMissAgentId } from './user.ts'

/** Records of which nobody needs a text before they are shown. */
export function isStructural(body: Body): boolean {
  switch (body['type']) {
    case 'assistant':
    case 'progress':
    case 'file-history-snapshot':
    case 'api-request':
    case 'api-request-blob':
    case 'api-request-shape':
      return true
    case 'user':
      return isResult(body)
    case 'attachment':
      return object(body['attachment'])?.['type'] !== 'queued_command'
    default:
      return false
  }
}

function isResult(body: Body): boolean {
  const content = object(body['message'])?.['content']
  return object(list(content)?.[0])?.['type'] === 'tool_result' && !mayMissAgentId(content)
}

/** A tool result in which all names are ASCII. */
export function isPlainResult(body: Body): boolean {
  if (body['type'] !== 'user' || !isResult(body)) return false
  for (const key in body) if (!isAscii(key)) return false
  for (const name of nestedBlocks(body)) if (!isAscii(name)) return false
  return true
}

/** False when a text in the lists and links of the Envelope might have been decoded wrongly. */
export function hasPlainLists({ toolUses, toolResults, blocks, links }: Envelope): boolean {
  for (const { id, name, promptKey } of toolUses) {
    // The key of a prompt outside of ASCII can only be told from the right text.
    if (promptKey !== undefined || !isAscii(id) || !isAscii(name)) return false
  }
  for (const { id } of toolResults) if (!isAscii(id)) return false
  for (const kind of blocks) if (!isAscii(kind)) return false
  for (const key in links) {
    const link = links[key as keyof Links]
    if (typeof link === 'string' && !isAscii(link)) return false
  }
  return true
}
