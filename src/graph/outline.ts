// The full Reading's skeleton, in node numbers: which path is live, where other Branches leave it, and what hangs beside
// a path without being one (parallel tool results, late attachments, retried replies). Every node of the main thread is
// in exactly one Branch. No recursion: a chain may be a million long.

import type { Thread } from './thread.ts'
import { MESSAGE, PROMPT, SIDECHAIN } from './thread.ts'

export interface OutlineBranch {
  /** The Branch it leaves, and the node it leaves it at; null for the live one and for other roots. */
  readonly parent: number | null
  readonly fork: number | null
  /** From the first node of its own to its tip. The live one starts at a root. */
  readonly path: readonly number[]
  /** What hangs beside the path, each with the path node it belongs to. */
  readonly beside: ReadonlyMap<number, readonly number[]>
}

export interface Outline {
  /** The live Branch first, the others in file order of where they begin. */
  readonly branches: readonly OutlineBranch[]
  /** Sidechain nodes: they belong to subagents of clients that kept them in the main file. */
  readonly sidechain: readonly number[]
}

export function outlineOf(thread: Thread, parents: Int32Array, tip: number | null): Outline {
  const sidechain: number[] = []
  const { flags } = thread.first
  for (let index = 0; index < flags.length; index++) {
    if (((flags[index] as number) & SIDECHAIN) !== 0) sidechain.push(index)
  }
  const above = sidechain.length === 0 ? parents : mainParents(thread, parents)
  const tree = treeOf(thread, above)
  const branches: OutlineBranch[] = []
  const queue: Start[] = []
  const liveTip = tip === null ? -1 : mainNode(thread, parents, tip)
  if (liveTip >= 0) {
    addBranch(tree, branches, queue, { parent: null, fork: null, path: upwards(above, liveTip) })
  }
  const liveRoot = branches[0]?.path[0]
  const strays: number[] = []
  for (const root of tree.roots) {
    if (root === liveRoot) continue
    if ((tree.lastMessage[root] as number) >= 0) {
      queue.push({ parent: null, fork: null, path: downwards(tree, root) })
    } else strays.push(root)
  }
  queue.sort((one, other) => (one.path[0] as number) - (other.path[0] as number))
  for (let next = 0; next < queue.length; next++) addBranch(tree, branches, queue, queue[next] as Start)
  placeStrays(tree, branches, strays)
  return { branches, sidechain }
}

interface Start {
  readonly parent: number | null
  readonly fork: number | null
  readonly path: readonly number[]
}

/** In columns: a list of children for each of a million nodes would be a million lists, nearly all with one in it. */
interface Tree {
  /** By node: its first child, and the one that follows it among those of its parent; -1 for none. */
  readonly firstChild: Int32Array
  readonly nextSibling: Int32Array
  readonly roots: readonly number[]
  /** 1 when a prompt stands in the part of the tree below the node, or the node is one. */
  readonly hasPrompt: Uint8Array
  /** The last message, in file order, in that part; -1 when there is none. */
  readonly lastMessage: Int32Array
}

function treeOf(thread: Thread, above: Int32Array): Tree {
  const count = thread.nodes.length
  const firstChild = new Int32Array(count).fill(-1)
  const nextSibling = new Int32Array(count).fill(-1)
  const roots: number[] = []
  const hasPrompt = new Uint8Array(count)
  const lastMessage = new Int32Array(count).fill(-1)
  // From the last to the first, so that each one put before its siblings leaves them in file order.
  for (let index = count - 1; index >= 0; index--) {
    const flag = thread.first.flags[index] as number
    if ((flag & SIDECHAIN) !== 0) continue
    const parent = above[index] as number
    if (parent < 0) roots.push(index)
    else {
      nextSibling[index] = firstChild[parent] as number
      firstChild[parent] = index
    }
    if ((flag & PROMPT) !== 0) hasPrompt[index] = 1
    if ((flag & MESSAGE) !== 0) lastMessage[index] = index
  }
  roots.reverse()
  const downward = new Int32Array(count)
  let length = 0
  for (const root of roots) downward[length++] = root
  for (let next = 0; next < length; next++) {
    let child = firstChild[downward[next] as number] as number
    for (; child >= 0; child = nextSibling[child] as number) downward[length++] = child
  }
  for (let next = length - 1; next >= 0; next--) {
    const index = downward[next] as number
    const parent = above[index] as number
    if (parent < 0) continue
    if (hasPrompt[index] === 1) hasPrompt[parent] = 1
    if ((lastMessage[index] as number) > (lastMessage[parent] as number))
      lastMessage[parent] = lastMessage[index] as number
  }
  return { firstChild, nextSibling, roots, hasPrompt, lastMessage }
}

/** A main record below a sidechain hangs below whatever main record that hangs below. Each sidechain is walked once. */
function mainParents(thread: Thread, parents: Int32Array): Int32Array {
  const above = parents.slice()
  for (let index = 0; index < above.length; index++) {
    if (((thread.first.flags[index] as number) & SIDECHAIN) !== 0) continue
    const parent = mainNode(thread, above, above[index] as number)
    for (let at = index; at >= 0 && above[at] !== parent; ) {
      const next = above[at] as number
      above[at] = parent
      at = next
    }
  }
  return above
}

function mainNode(thread: Thread, parents: Int32Array, index: number): number {
  let at = index
  while (at >= 0 && ((thread.first.flags[at] as number) & SIDECHAIN) !== 0) at = parents[at] as number
  return at
}

function addBranch(tree: Tree, branches: OutlineBranch[], queue: Start[], start: Start): void {
  const number = branches.length
  const beside = new Map<number, number[]>()
  branches.push({ ...start, beside })
  const { path } = start
  for (let place = 0; place < path.length; place++) {
    const index = path[place] as number
    let child = tree.firstChild[index] as number
    for (; child >= 0; child = tree.nextSibling[child] as number) {
      if (child === path[place + 1]) continue
      if (tree.hasPrompt[child] === 1) queue.push({ parent: number, fork: index, path: downwards(tree, child) })
      else appendTo(beside, index, allBelow(tree, child))
    }
  }
}

function upwards(above: Int32Array, tip: number): readonly number[] {
  const path: number[] = []
  for (let at = tip; at >= 0; at = above[at] as number) path.push(at)
  return path.reverse()
}

/** From a node to the last message below it. */
function downwards(tree: Tree, start: number): readonly number[] {
  const path = [start]
  let at = start
  while (true) {
    const goal = tree.lastMessage[at] as number
    if (goal === at || goal < 0) return path
    let next = tree.firstChild[at] as number
    while (next >= 0 && tree.lastMessage[next] !== goal) next = tree.nextSibling[next] as number
    if (next < 0) return path
    path.push(next)
    at = next
  }
}

function allBelow(tree: Tree, start: number): number[] {
  const found = [start]
  for (let next = 0; next < found.length; next++) {
    let child = tree.firstChild[found[next] as number] as number
    for (; child >= 0; child = tree.nextSibling[child] as number) found.push(child)
  }
  return found
}

/** Roots without any message (hook progress, attachments) stand with the record that was written before them. */
function placeStrays(tree: Tree, branches: OutlineBranch[], strays: readonly number[]): void {
  if (strays.length === 0) return
  if (branches.length === 0) branches.push({ parent: null, fork: null, path: [strays[0] as number], beside: new Map() })
  const live = branches[0] as OutlineBranch
  const beside = live.beside as Map<number, number[]>
  const sorted = [...live.path].sort((one, other) => one - other)
  let place = 0
  for (const stray of strays) {
    while (place + 1 < sorted.length && (sorted[place + 1] as number) < stray) place++
    const found = allBelow(tree, stray).filter((index) => index !== live.path[0])
    if (found.length > 0) appendTo(beside, sorted[place] as number, found)
  }
}

function appendTo(beside: Map<number, number[]>, index: number, found: number[]): void {
  const known = beside.get(index)
  if (known === undefined) beside.set(index, found)
  else for (const node of found) known.push(node)
}
