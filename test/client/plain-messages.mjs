// What was sent, without what the client adds of its own accord.

/**
 * [{ role, texts, toolUses, toolResults, others }], where empty lists are left out. Gone are cache_control, the texts
 * in <system-reminder>, and the messages of the role "system", which newer clients put between the others. Gone are line
 * breaks at the end of a text as well: the client adds one where it joins two messages. Neighbours of one role become
 * one message, so that it does not matter where it joins them and where not.
 */
export function plainMessages(messages) {
  const plain = []
  for (const message of messages) {
    if (message.role === 'system') continue
    const blocks = blocksOf(message.content).flatMap(plainBlock)
    if (blocks.length === 0) continue
    const last = plain.at(-1)
    const target = last?.role === message.role ? last : { role: message.role }
    if (target !== last) plain.push(target)
    for (const [list, value] of blocks) target[list] = [...(target[list] ?? []), value]
  }
  return plain
}

/** One block as [the list it belongs to, its value], in a list that is empty if nothing of it is left. */
function plainBlock(block) {
  if (block.type === 'text') return isReminder(block.text) ? [] : [['texts', block.text.replace(/\n+$/, '')]]
  if (block.type === 'tool_use') return [['toolUses', { id: block.id, name: block.name, input: block.input }]]
  if (block.type === 'tool_result') return [['toolResults', plainResult(block)]]
  // Images, thinking and what is still to come: by name only, so that none of it goes missing unseen.
  return [['others', block.type]]
}

function plainResult(block) {
  const texts = blocksOf(block.content).flatMap(plainBlock)
  const result = { id: block.tool_use_id, content: texts.map(([, value]) => value) }
  return block.is_error === true ? { ...result, isError: true } : result
}

function blocksOf(content) {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])
}

/** A whole block, never a part of one: a person may have pasted such words into a text of theirs. */
function isReminder(text) {
  const rest = text.replaceAll(/<system-reminder>[\s\S]*?<\/system-reminder>/g, '')
  return rest !== text && rest.trim() === ''
}
