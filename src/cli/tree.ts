import type { BranchShape } from '../conversation/branch-shape.ts'
import type { Subagent } from '../conversation/model.ts'
import { branchShapes } from '../conversation/reading.ts'
import { summarise } from '../conversation/summary.ts'
import { agentFiles, projectOf } from '../load/session.ts'
import { agentHead, headLine } from '../render/head.ts'
import { toJson } from '../render/terminal.ts'
import type { TreeSession } from '../render/tree.ts'
import { treeText } from '../render/tree.ts'
import { iso } from '../render/units.ts'
import { isStoredWhole } from '../search/stored.ts'
import { storedTree } from '../search/stored-tree.ts'
import type { Command, World } from './command.ts'
import { parseWords, ROOT_OPTIONS } from './command.ts'
import type { FoundReference } from './reference.ts'
import { findReference, openFound, subagentOf } from './reference.ts'
import { refuseUnread, unreadNote } from './unread.ts'

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
  const reference = positionals.join(' ') || undefined
  const { shape, agent, note } = await findReference(reference, values, world, async (found) => {
    await found.indexed.knowsKin(found.archive, found.file)
    return treeOf(found, values.json === true)
  })
  if (values.json) world.output.print(document(shape))
  else {
    const { sessionId, title } = shape
    const { columns, style } = world.output
    const head =
      agent === null ? headLine(title, sessionId, columns, style) : agentHead(agent, sessionId, columns, style)
    world.output.page(treeText(shape, head, columns, style))
  }
  if (note !== null) world.output.note(note)
  return 0
}

interface Tree {
  readonly shape: TreeSession
  /** The subagent that is shown instead of the conversation itself. */
  readonly agent: Subagent | null
  /** What could not be read of it. */
  readonly note: string | null
}

/** From what the index has counted, and else from all Envelopes. */
function treeOf(found: FoundReference, hasIds: boolean): Tree {
  const { archive, file, agentId, indexed } = found
  const stored = agentId === null ? indexed.ask((database) => storedTree(database, archive, file, hasIds)) : null
  const goesOn = stored !== null && (stored.continues !== null || stored.forkOf !== null)
  if (stored === null || !isWhole(found, goesOn)) return wovenTree(found)
  return { shape: stored, agent: null, note: null }
}

/** Only the files themselves tell how much of them was lost. */
function isWhole({ archive, file, indexed }: FoundReference, goesOn: boolean): boolean {
  const { own, left } = agentFiles(archive, projectOf(archive, file), file)
  const mains = goesOn ? (indexed.access.kin?.(archive, file)?.mains ?? []) : []
  return indexed.ask((database) => isStoredWhole(database, [file, ...own, ...left, ...mains])) ?? false
}

function wovenTree(found: FoundReference): Tree {
  const opened = openFound(found, 'resume')
  const { session, agentId } = opened
  refuseUnread(opened)
  const inner = agentId === null ? null : subagentOf(session, agentId, 'resume')
  const woven = inner?.woven ?? session.woven
  const { sessionId, title, path, continues, forkOf } = summarise(woven, 0)
  const branches = branchShapes(woven)
  const { subagents } = woven.agents
  const children = inner === null ? session.children : []
  const shape = { sessionId, title, path, continues, forkOf, branches, subagents, children }
  return { shape, agent: inner?.agent ?? null, note: unreadNote(opened) }
}

function document(shape: TreeSession): string {
  return toJson({ ...shape, branches: shape.branches.map(branchDocument) })
}

function branchDocument({ startedMs, segments, ...branch }: BranchShape): unknown {
  return { ...branch, startedAt: iso(startedMs), segments }
}
