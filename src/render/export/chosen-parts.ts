// The Parts of a Turn that were asked for, as the library has them. Nothing is condensed here: what is in is whole.

import type { Part, ReplyBlock } from '../../conversation/parts.ts'
import type { Choice } from './choice.ts'
import { showsInjection, showsSystem, withoutReminders } from './choice.ts'

export function chosenParts(parts: readonly Part[], choice: Choice): readonly Part[] {
  return parts.flatMap((part): readonly Part[] => {
    switch (part.kind) {
      case 'prompt':
        return [choice.client ? part : { ...part, text: withoutReminders(part.text) }]
      case 'injection':
        return showsInjection(part.injection, choice) ? [part] : []
      case 'system':
        return part.text === '' || showsSystem(part.subtype, choice) ? [part] : []
      case 'recap':
        return choice.recaps ? [part] : []
      case 'tool-result':
        return choice.tools === 'none' ? [] : [choice.client ? part : { ...part, text: withoutReminders(part.text) }]
      case 'reply':
        return [{ ...part, blocks: part.blocks.flatMap((block) => chosenBlock(block, choice)) }]
      default:
        return [part]
    }
  })
}

function chosenBlock(block: ReplyBlock, choice: Choice): readonly ReplyBlock[] {
  if (block.kind === 'thinking') return choice.thinking ? [block] : []
  if (block.kind !== 'tool') return [block]
  if (choice.tools === 'none') return []
  const { call } = block
  if (choice.client || call.result === null) return [block]
  return [{ ...block, call: { ...call, result: { ...call.result, text: withoutReminders(call.result.text) } } }]
}
