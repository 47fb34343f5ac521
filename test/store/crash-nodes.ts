// Files and folders of the simulated disk: what they are now, and what of it would outlast a power cut.

/** Bytes that were written and that no sync has covered. Lost ones were called clean by a sync that failed. */
export interface Unsynced {
  readonly from: number
  readonly to: number
  isLost: boolean
}

export interface FileNode {
  readonly kind: 'file'
  bytes: Buffer
  size: number
  unsynced: Unsynced[]
  modifiedMs: number
  mode?: number
}

/** One or two names that change at once: a rename inside of a folder is never seen halfway. */
export interface NameChange {
  readonly order: number
  /** Lasts only with this one: a file that moves to another folder may be found in both, never in none. */
  readonly after: NameChange | null
  readonly names: readonly { readonly folder: FolderNode; readonly name: string; readonly node: DiskNode | null }[]
}

export interface FolderNode {
  readonly kind: 'folder'
  readonly names: Map<string, DiskNode>
  /** What a power cut cannot take back, with the order of the change that made it so. */
  readonly lasting: Map<string, { readonly node: DiskNode | null; readonly order: number }>
  changes: NameChange[]
}

export type DiskNode = FileNode | FolderNode
export function newFolderNode(): FolderNode {
  return { kind: 'folder', names: new Map(), lasting: new Map(), changes: [] }
}

export function nodeAt(root: FolderNode, path: string): DiskNode | null {
  let node: DiskNode | undefined = root
  for (const name of path.split('/')) {
    if (name === '') continue
    if (node?.kind !== 'folder') return null
    node = node.names.get(name)
  }
  return node ?? null
}

/** A later change of the same name may have been made to last before an earlier one. */
export function makeLast({ order, names, after }: NameChange): void {
  if (after !== null) makeLast(after)
  for (const { folder, name, node } of names) {
    if ((folder.lasting.get(name)?.order ?? 0) < order) folder.lasting.set(name, { node, order })
  }
}
