// Parents in numbers, made into a forest: cycles cut, loose parts joined without making new ones. A negative number is no
// parent, whatever the reason.

/** Cuts each cycle above its first member in file order and returns those members. */
export function cutCycles(parents: Int32Array): readonly number[] {
  const state = new Uint8Array(parents.length)
  const cut: number[] = []
  for (let start = 0; start < parents.length; start++) {
    // Nearly always the parent was written before, and is known to lead to a root.
    const parent = parents[start] as number
    if (state[start] === 0 && (parent < 0 || state[parent] === 2)) {
      state[start] = 2
      continue
    }
    const path: number[] = []
    let at = start
    while (at >= 0 && state[at] === 0) {
      state[at] = 1
      path.push(at)
      at = parents[at] as number
    }
    if (at >= 0 && state[at] === 1) {
      let first = at
      for (let member = parents[at] as number; member !== at; member = parents[member] as number) {
        if (member < first) first = member
      }
      parents[first] = -1
      cut.push(first)
    }
    for (const member of path) state[member] = 2
  }
  return cut
}

/** The root above each node. There must be no cycles left. */
export function rootsOf(parents: Int32Array): Int32Array {
  const roots = new Int32Array(parents.length).fill(-1)
  for (let start = 0; start < parents.length; start++) {
    const parent = parents[start] as number
    const known = parent < 0 ? start : (roots[parent] as number)
    if (known !== -1) {
      roots[start] = known
      continue
    }
    const path: number[] = []
    let at = start
    while (roots[at] === -1 && (parents[at] as number) >= 0) {
      path.push(at)
      at = parents[at] as number
    }
    const root = roots[at] === -1 ? at : (roots[at] as number)
    roots[at] = root
    for (const member of path) roots[member] = root
  }
  return roots
}

export interface Joiner {
  /** Hangs a root below another node; false when that node hangs below the root itself. */
  readonly join: (root: number, below: number) => boolean
}

/** `roots` as rootsOf gave them. Joining a hundred thousand parts takes as many steps, not their square. */
export function joinerOf(roots: Int32Array): Joiner {
  const joined = new Int32Array(roots.length)
  for (let index = 0; index < joined.length; index++) joined[index] = index
  const find = (part: number): number => {
    let at = part
    while (joined[at] !== at) {
      joined[at] = joined[joined[at] as number] as number
      at = joined[at] as number
    }
    return at
  }
  return {
    join: (root, below) => {
      const above = find(roots[below] as number)
      const own = find(root)
      if (above === own) return false
      joined[own] = above
      return true
    },
  }
}
