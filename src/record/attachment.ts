import { textKey } from '../base/text.ts'
import { isFromCoordinator, isQueuedPrompt } from './authorship.ts'
import { contentFacts } from './content.ts'
import { object, text } from './fields.ts'
import type { Body, Links } from './model.ts'
import type { TypeFacts } from './type-facts.ts'
import { NO_FACTS } from './type-facts.ts'
import { addFork, promptText } from './user.ts'

export function attachmentFacts(body: Body): TypeFacts {
  const attachment = object(body['attachment'])
  const subtype = text(attachment?.['type'])
  const links: { -readonly [Key in keyof Links]: Links[Key] } = {}
  addFork(body, links)
  if (attachment !== null && subtype === 'queued_command') {
    const sourceUuid = text(attachment['source_uuid'])
    if (sourceUuid !== null) links.queuedSourceUuid = sourceUuid
    const isMeta = attachment['isMeta'] === true
    if (isQueuedPrompt(attachment)) {
      const { blocks } = contentFacts(attachment['prompt'])
      links.textKey = textKey(promptText(attachment['prompt']))
      return { ...NO_FACTS, kind: 'prompt', subtype, author: 'human', isMeta, blocks, links }
    }
    const injection = isFromCoordinator(attachment) ? 'coordinator' : 'task-notification'
    return { ...NO_FACTS, kind: 'injection', subtype, injection, author: 'harness', isMeta, links }
  }
  return {
    ...NO_FACTS,
    kind: 'attachment',
    subtype,
    author: 'harness',
    links: body['forkedFrom'] === undefined ? null : links,
  }
}
