import type { Body } from '../../record/model.ts'

export type FileAction = 'read' | 'created' | 'edited' | 'deleted' | 'searched'

export interface FileTouch {
  readonly path: string
  readonly action: FileAction
}

/** What one line can say about a tool call, and what it touched. */
export interface ToolView {
  readonly title: string
  readonly files: readonly FileTouch[]
  readonly command: string | null
}

export type ToolReader = (input: Body) => ToolView

export function titled(title: string): ToolView {
  return { title, files: [], command: null }
}
