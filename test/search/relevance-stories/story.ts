// How the stories of the relevance archive are told: a session is its Turns, a Turn is a prompt and what was done about it.

export type Step =
  | { readonly does: 'say'; readonly text: string }
  | { readonly does: 'think'; readonly text: string }
  | {
      readonly does: 'call'
      readonly tool: string
      readonly input: object
      readonly output: string
      readonly isError: boolean
    }
  | { readonly does: 'agent'; readonly description: string; readonly prompt: string; readonly steps: readonly Step[] }

export interface Turn {
  readonly prompt: string
  readonly steps: readonly Step[]
  /** Taken back: the next Turn hangs where this one did. */
  readonly isRewound?: boolean
  /** Told by the client before this Turn, after a compaction. */
  readonly recap?: string
}

export interface Story {
  readonly name: string
  readonly project: string
  readonly at: string
  readonly gitBranch?: string
  readonly model?: string
  readonly title?: string
  /** Begins with copies of the first Turns of another: under its old id, under the new one, or with new uuids. */
  readonly copies?: { readonly of: string; readonly turns: number; readonly as: 'continuation' | 'fork' | 'sdk-fork' }
  readonly turns: readonly Turn[]
}

export const turn = (prompt: string, ...steps: readonly Step[]): Turn => ({ prompt, steps })
export const say = (text: string): Step => ({ does: 'say', text })
export const think = (text: string): Step => ({ does: 'think', text })

export function bash(command: string, output: string, isError = false): Step {
  return { does: 'call', tool: 'Bash', input: { command, description: 'Run it' }, output, isError }
}

export function read(path: string, output: string): Step {
  return { does: 'call', tool: 'Read', input: { file_path: path }, output, isError: false }
}

export function edit(path: string, before: string, after: string): Step {
  const input = { file_path: path, old_string: before, new_string: after }
  return { does: 'call', tool: 'Edit', input, output: `The file ${path} has been updated.`, isError: false }
}

export function write(path: string, content: string): Step {
  const output = `File created successfully at: ${path}`
  return { does: 'call', tool: 'Write', input: { file_path: path, content }, output, isError: false }
}

export function grep(pattern: string, output: string): Step {
  return { does: 'call', tool: 'Grep', input: { pattern, output_mode: 'content' }, output, isError: false }
}

export function web(url: string, prompt: string, output: string): Step {
  return { does: 'call', tool: 'WebFetch', input: { url, prompt }, output, isError: false }
}

export const agent = (description: string, prompt: string, ...steps: readonly Step[]): Step => ({
  does: 'agent',
  description,
  prompt,
  steps,
})
