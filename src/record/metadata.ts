// Records without a place in the chain: titles, tips, queue operations, file snapshots, totals, request logs.

import { textKey } from '../base/text.ts'
import { isHumanText } from './authorship.ts'
import { object, text } from './fields.ts'
import type { Body, Links } from './model.ts'
import type { TypeFacts } from './type-facts.ts'
import { NO_FACTS } from './type-facts.ts'
import { promptText } from './user.ts'

const METADATA: TypeFacts = { ...NO_FACTS, kind: 'metadata', author: 'harness' }

/** The types with nothing in them that a graph could use, nor a list or a search: the scanner reads them. */
export const SILENT: ReadonlySet<string> = new Set([
  'agent-color',
  'agent-name',
  'api-request',
  'api-request-blob',
  'api-request-shape',
  'atis-latch',
  'attribution-snapshot',
  'bridge-session',
  'content-replacement',
  'continued-in',
  'cost-state',
  'frame-link',
  'mode',
  'permission-mode',
  'tools-used',
  'worktree-state',
])

/** And those of which a name or a text is taken. */
const PLAIN: ReadonlySet<string> = new Set([...SILENT, 'ai-title', 'custom-title', 'pr-link', 'tag'])

export function metadataFacts(type: string, body: Body): TypeFacts | null {
  if (PLAIN.has(type)) return METADATA
  switch (type) {
    case 'last-prompt':
    case 'summary':
      return { ...METADATA, links: leafLinks(body) }
    case 'queue-operation':
      return { ...METADATA, subtype: text(body['operation']), links: queueLinks(body) }
    case 'file-history-snapshot':
    case 'file-history-delta':
      return { ...METADATA, links: snapshotLinks(body) }
    case 'relocated':
      return { ...METADATA, links: relocatedLinks(body) }
    default:
      return null
  }
}

function leafLinks(body: Body): Links | null {
  const leafUuid = text(body['leafUuid'])
  if (leafUuid === null) return null
  return body['explicit'] === true ? { leafUuid, leafIsExplicit: true } : { leafUuid }
}

function queueLinks(body: Body): Links | null {
  const content = body['content']
  // Notices of background tasks pass through the same queue; they are nobody's prompt.
  return isHumanText(content) ? { textKey: textKey(promptText(content)) } : null
}

function snapshotLinks(body: Body): Links | null {
  const uuid = text(body['messageId']) ?? text(object(body['snapshot'])?.['messageId'])
  return uuid === null ? null : { snapshotOfUuid: uuid }
}

function relocatedLinks(body: Body): Links | null {
  const cwd = text(body['relocatedCwd'])
  return cwd === null ? null : { relocatedCwd: cwd }
}
