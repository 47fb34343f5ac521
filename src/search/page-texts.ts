// The texts of a page, each written once: folders, branches, names that are not known here, and ids that are none of ours.

/** What nearly every page has. A page names them by number: new ones are added at the end. */
const KNOWN = [
  'assistant',
  'user',
  'system',
  'progress',
  'attachment',
  'summary',
  'file-history-snapshot',
  'queue-operation',
  'reply',
  'tool-result',
  'prompt',
  'injection',
  'recap',
  'boundary',
  'micro-boundary',
  'metadata',
  'unknown',
  'human',
  'agent',
  'model',
  'tool',
  'harness',
  'text',
  'thinking',
  'tool_use',
  'tool_result',
  'image',
  'end_turn',
  'stop_sequence',
  'max_tokens',
  'Bash',
  'Read',
  'Edit',
  'Write',
  'Grep',
  'Glob',
  'Task',
  'Agent',
  'TodoWrite',
  'WebFetch',
  'WebSearch',
  'msg_01',
  'req_01',
  'toolu_01',
  'last-prompt',
  'custom-title',
  'ai-title',
  'agent_progress',
  'bash_progress',
  'hook_progress',
  'mcp_progress',
  'query_update',
  'search_results_received',
  'waiting_for_task',
  'local_command',
  'compact_boundary',
  'microcompact_boundary',
  'turn_duration',
  'stop_hook_summary',
  'api_error',
  'enqueue',
  'dequeue',
  'main',
  'HEAD',
] as const

const KNOWN_NUMBERS: ReadonlyMap<string, number> = new Map(KNOWN.map((text, index) => [text, index + 1]))

export class TextWriter {
  readonly #texts: string[] = []
  readonly #numbers = new Map<string, number>()

  /** Its number, from 1; 0 for none. */
  text(value: string | null): number {
    return value === null ? 0 : (KNOWN_NUMBERS.get(value) ?? this.written(value))
  }

  /** The same for a text that textFinder may look for: it stands in the page, known or not. */
  written(value: string): number {
    const known = this.#numbers.get(value)
    if (known !== undefined) return known
    const number = KNOWN.length + this.#texts.push(value)
    this.#numbers.set(value, number)
    return number
  }

  bytes(): Buffer {
    return Buffer.from(JSON.stringify(this.#texts), 'utf8')
  }
}

export class TextReader {
  /** By number. */
  readonly #all: readonly (string | null)[]

  constructor(written: Buffer) {
    this.#all = [null, ...KNOWN, ...(JSON.parse(written.toString('utf8')) as readonly string[])]
  }

  text(number: number): string | null {
    return this.#all[number] as string | null
  }
}
