// What a session says, record by record, in the shapes clients write: whoever holds the script can let it go on at any
// time, and the same seed says the same.

import type { Random } from '../random.ts'
import { randomRecords } from '../random.ts'

export type Raw = Readonly<Record<string, unknown>>

/** Few, so that searches find something; some of them fold, some are no words to the tokenizer of the index. */
export const WORDS =
  `tide harbour moon offset window clock Größe resume café 潮汐 ひらがな parse_line src/tides/day.ts record branch 🌊 naïve
  ERR_TOO_LONG merge`.split(/\s+/)

export class SessionScript {
  readonly sessionId: string
  readonly #random: Random
  readonly #agentId: string | null
  readonly #cwd: string
  /** What the next record hangs below; a fork takes it over. */
  last: string | null = null
  #clock = 1_790_000_000_000
  #calls = 0

  constructor(random: Random, sessionId: string, agentId: string | null = null) {
    this.#random = random
    this.sessionId = sessionId
    this.#agentId = agentId
    this.#cwd = random.pick(['/home/ada/tidewatch', '/home/ada/dotfiles'])
    this.#clock += random.below(1_000_000_000)
  }

  /** A prompt and what comes of it. */
  turn(): readonly Raw[] {
    const { chance, pick } = this.#random
    const records = [this.#link({ type: 'user', message: { role: 'user', content: this.#words() } })]
    for (let step = this.#random.below(3); step > 0; step--) records.push(...this.#call())
    if (chance(0.8)) records.push(this.#reply([{ type: 'text', text: this.#words() }]))
    if (chance(0.3)) records.push(pick(ASIDES)(this.sessionId, this.last, this.#words(), this.#now()))
    return records
  }

  compaction(): readonly Raw[] {
    const before = this.last
    this.last = null
    const kept = this.#random.chance(0.3) && before !== null ? { anchorUuid: before, uuids: [before] } : undefined
    return [
      this.#link({
        type: 'system',
        subtype: 'compact_boundary',
        content: 'Conversation compacted',
        ...(before === null ? {} : { logicalParentUuid: before }),
        compactMetadata: { trigger: 'auto', preTokens: this.#random.below(9e4), preservedMessages: kept },
      }),
      this.#link({ type: 'user', isCompactSummary: true, message: { role: 'user', content: this.#words() } }),
    ]
  }

  /** Everything that has ever been seen, in odd combinations. */
  odd(): readonly Raw[] {
    return randomRecords(this.#random, this.sessionId, 4)
  }

  /** The dialect whose records have no ids: each hangs below the one before it in the file. */
  eventLog(): readonly Raw[] {
    const { sessionId } = this
    const id = `T${this.#calls++}`
    return [
      ...(this.#random.chance(0.2) ? [{ type: 'session_start', sessionId }] : []),
      { type: 'message', role: 'user', content: this.#words(), sessionId, timestamp: this.#now() },
      { type: 'tool_use', toolName: 'Bash', toolInput: { command: this.#words() }, toolUseId: id, sessionId },
      ...(this.#random.chance(0.6) ? [{ type: 'tool_result', toolUseId: id, content: this.#words(), sessionId }] : []),
    ]
  }

  /** Short ones, for files of more than one page. */
  beats(count: number): readonly Raw[] {
    return Array.from({ length: count }, () => this.#link({ type: 'progress', data: { type: 'bash_progress' } }))
  }

  #call(): readonly Raw[] {
    const { chance, pick, below } = this.#random
    const id = `toolu_${this.sessionId.slice(0, 4)}${this.#calls++}`
    const path = `/home/ada/${pick(WORDS)}.ts`
    const input = pick<Raw>([
      { command: this.#words() },
      { file_path: path },
      { file_path: path, old_string: this.#words(), new_string: this.#words() },
      { prompt: this.#words(), description: this.#words() },
    ])
    const name = 'command' in input ? 'Bash' : 'prompt' in input ? 'Agent' : 'old_string' in input ? 'Edit' : 'Read'
    const thinking = chance(0.2) ? [{ type: 'thinking', thinking: this.#words() }] : []
    const call = this.#reply([...thinking, { type: 'tool_use', id, name, input }])
    // A call that was never answered stays open, and a later record may still answer it.
    if (chance(0.2)) return [call]
    const content = chance(0.1) ? `${this.#words()} `.repeat(100 + below(100)) : this.#words()
    const result = { type: 'tool_result', tool_use_id: id, content, is_error: chance(0.2) }
    return [call, this.#link({ type: 'user', message: { role: 'user', content: [result] } })]
  }

  #reply(content: readonly Raw[]): Raw {
    const message = {
      id: `msg_${this.#random.below(1e6)}`,
      role: 'assistant',
      model: this.#random.pick(['claude-opus-5', 'claude-haiku-5', '<synthetic>']),
      content,
      usage: { input_tokens: this.#random.below(900), output_tokens: this.#random.below(900) },
    }
    return this.#link({ type: 'assistant', message, requestId: `req_${this.#random.below(1e6)}` })
  }

  #link(record: Raw): Raw {
    const { chance, pick } = this.#random
    const uuid = newUuid(this.#random)
    const parentUuid = this.last
    this.last = uuid
    return {
      parentUuid,
      isSidechain: this.#agentId !== null,
      ...(this.#agentId === null ? {} : { agentId: this.#agentId }),
      cwd: this.#cwd,
      sessionId: this.sessionId,
      version: '2.1.325',
      gitBranch: pick(['main', 'tide/offset']),
      ...record,
      uuid: chance(0.02) ? uuid.toUpperCase() : uuid,
      timestamp: this.#now(),
    }
  }

  #now(): string | number {
    this.#clock += this.#random.below(60_000)
    if (this.#random.chance(0.02)) return this.#clock + 0.5
    return this.#random.chance(0.02) ? 'yesterday' : new Date(this.#clock).toISOString()
  }

  #words(): string {
    const words = Array.from({ length: 1 + this.#random.below(6) }, () => this.#random.pick(WORDS))
    return this.#random.chance(0.03) ? `${words.join(' ')} \ud83c` : words.join(' ')
  }
}

/** What stands beside the conversation. */
const ASIDES: readonly ((sessionId: string, last: string | null, words: string, timestamp: string | number) => Raw)[] =
  [
    (sessionId, _, customTitle) => ({ type: 'custom-title', customTitle, sessionId }),
    (sessionId, _, aiTitle) => ({ type: 'ai-title', aiTitle, sessionId }),
    (sessionId, last, lastPrompt) => ({ type: 'last-prompt', lastPrompt, leafUuid: last, sessionId }),
    (sessionId, _, content, timestamp) => ({
      type: 'queue-operation',
      operation: 'enqueue',
      content,
      timestamp,
      sessionId,
    }),
    (sessionId, _, tag) => ({ type: 'tag', tag, sessionId }),
    (sessionId, last, words) => ({ type: 'never-seen', words: [words, { last }], sessionId }),
    (_, last, summary) => ({ type: 'summary', summary, leafUuid: last }),
  ]

export function newUuid({ below }: Random): string {
  const digits = Array.from({ length: 32 }, () => below(16).toString(16)).join('')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
