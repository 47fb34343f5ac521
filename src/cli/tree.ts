import { branchesOfConversation } from '../conversation/reading.ts'
import { summarise } from '../conversation/summary.ts'
import { agentHead, headLine } from '../render/head.ts'
import { toJson } from '../render/terminal.ts'
import type { TreeSession } from '../render/tree.ts'
import { treeText } from '../render/tree.ts'
import { iso } from '../render/units.ts'
import type { Command, World } from './command.ts'
import { parseWords, ROOT_OPTIONS } from './command.ts'
import { openReference, subagentOf } from './reference.ts'

export const tree: Command = {
  name: 'tree',
  failureCode: 1,
  help: `clew tree <id|prefix|latest|title|path>[/<agentId>] [--json] [--root DIR]

The shape of a conversation: sessions it comes from and that come from it, branches with their fork points,
segments between compactions with tokens before and after, subagents to any depth.

Examples:
  clew tree latest
  clew tree 3f05 --json | jq '.subagents[] | {agentId, type, depth}'`,
  run,
}

async function run(words: readonly string[], world: World): Promise<number> {
  const { values, positionals } = parseWords(tree, words, ROOT_OPTIONS)
  if (values.help) {
    world.output.print(tree.help)
    return 0
  }
  const { session, agentId } = await openReference(positionals.join(' ') || undefined, values, world, 'resume')
  const opened = agentId === null ? null : subagentOf(session, agentId, 'resume')
  const woven = opened?.woven ?? session.woven
  const { sessionId, title, path, continues, forkOf } = summarise(woven, 0)
  const branches = branchesOfConversation(woven)
  const shape: TreeSession = {
    sessionId,
    title,
    path,
    continues,
    forkOf,
    branches,
    subagents: woven.agents.subagents,
    children: opened === null ? session.children : [],
  }
  if (values.json) world.output.print(document(shape))
  else {
    const { columns, style } = world.output
    const head =
      opened === null ? headLine(title, sessionId, columns, style) : agentHead(opened.agent, sessionId, columns, style)
    world.output.page(treeText(shape, head, columns, style))
  }
  return 0
}

function document(shape: TreeSession): string {
  return toJson({
    ...shape,
    branches: shape.branches.map(({ turns, segments, ...branch }) => ({
      ...branch,
      turns: turns.length,
      prompts: turns.flatMap(({ prompt }) => (prompt?.envelope.uuid == null ? [] : [prompt.envelope.uuid])),
      startedAt: iso(turns[0]?.startedMs ?? null),
      segments: segments.map((segment) => ({
        ...segment,
        turns: turns.filter((turn) => turn.segment === segment.number).length,
      })),
    })),
  })
}
