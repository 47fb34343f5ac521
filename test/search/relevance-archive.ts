// A made-up archive to judge search by: the stories of one engineer in several projects, among much that has the same
// words in it. Two runs give the same bytes. Forks and continuations copy records as the clients do.

import { createHash } from 'node:crypto'
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { noise } from './relevance-noise.ts'
import { abroad } from './relevance-stories/abroad.ts'
import { atlas } from './relevance-stories/atlas.ts'
import { german } from './relevance-stories/german.ts'
import { infra } from './relevance-stories/infra.ts'
import { kestrel } from './relevance-stories/kestrel.ts'
import { ledger } from './relevance-stories/ledger.ts'
import { notebooks } from './relevance-stories/notebooks.ts'
import { rivals } from './relevance-stories/rivals.ts'
import type { Step, Story } from './relevance-stories/story.ts'

type Made = Readonly<Record<string, unknown>>

export interface MadeArchive {
  readonly sessions: number
  /** The uuids of the records in a Turn, by `session#turn`; of a subagent by `session/number`. */
  readonly places: ReadonlyMap<string, ReadonlySet<string>>
}

export const NOW_MS = Date.parse('2026-11-15T12:00:00Z')

export function writeArchive(root: string): MadeArchive {
  const stories = [...ledger, ...kestrel, ...atlas, ...infra, ...notebooks, ...german, ...abroad, ...rivals, ...noise()]
  const told = new Map<string, Telling>()
  const places = new Map<string, ReadonlySet<string>>()
  for (const story of stories) {
    const telling = new Telling(story, told)
    told.set(story.name, telling)
    for (const [place, uuids] of telling.places) places.set(place, uuids)
    for (const [path, records] of telling.files()) {
      const whole = join(root, 'projects', path)
      mkdirSync(dirname(whole), { recursive: true })
      writeFileSync(whole, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
      utimesSync(whole, telling.nowMs / 1000, telling.nowMs / 1000)
    }
  }
  return { sessions: stories.length, places }
}

export function sessionId(name: string): string {
  return uuidOf(`session ${name}`)
}

/** The id of the nth tool call of a session, from 1. */
export function callId(name: string, number: number): string {
  return `toolu_01${hash(`call ${name} ${number}`).slice(0, 22)}`
}

/** The id of the nth subagent of a session, from 1. */
export function agentId(name: string, number: number): string {
  return `a${hash(`agent ${name} ${number}`).slice(0, 16)}`
}

/** The uuid of the prompt of the nth Turn that was told, from 1. */
export function promptId(name: string, number: number): string {
  return uuidOf(`${name} ${number}.0`)
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function uuidOf(text: string): string {
  const hex = hash(text)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** One session on its way to its files. */
class Telling {
  readonly places = new Map<string, Set<string>>()
  nowMs: number
  readonly #story: Story
  readonly #main: Made[] = []
  readonly #agents: Made[][] = []
  #calls = 0
  #tip: string | null = null
  /** Behind the last record of each Turn: how many records there are, and the tip. */
  readonly #ends: { readonly records: number; readonly tip: string | null }[] = []

  constructor(story: Story, told: ReadonlyMap<string, Telling>) {
    this.#story = story
    this.nowMs = Date.parse(story.at)
    if (story.copies !== undefined) this.#copy(told.get(story.copies.of) as Telling, story.copies)
    if (story.title !== undefined) this.#main.push({ type: 'ai-title', aiTitle: story.title, sessionId: this.#id })
    for (const [index, { prompt, steps, isRewound, recap }] of story.turns.entries()) {
      const from = this.#tip
      if (recap !== undefined) this.#compact(recap, index + 1)
      this.#tell(`${index + 1}`, prompt, steps)
      this.#ends.push({ records: this.#main.length, tip: this.#tip })
      if (isRewound === true) this.#tip = from
    }
  }

  files(): readonly (readonly [string, readonly Made[]])[] {
    const { project } = this.#story
    const key = project.replaceAll('/', '-')
    const agents = this.#agents.map((records, index) => {
      const name = `agent-${agentId(this.#story.name, index + 1)}.jsonl`
      return [`${key}/${this.#id}/subagents/${name}`, records] as const
    })
    return [[`${key}/${this.#id}.jsonl`, this.#main], ...agents]
  }

  get #id(): string {
    return sessionId(this.#story.name)
  }

  #copy(from: Telling, { turns, as }: NonNullable<Story['copies']>): void {
    const end = from.#ends[turns - 1]
    for (const record of from.#main.slice(0, end?.records)) {
      if (typeof record['uuid'] !== 'string') continue
      const old = record['uuid']
      const uuid = as === 'sdk-fork' ? uuidOf(`copy ${this.#story.name} ${old}`) : old
      const own = as === 'continuation' ? {} : { sessionId: this.#id }
      const origin = as === 'sdk-fork' ? { forkedFrom: { sessionId: from.#id, messageUuid: old } } : {}
      this.#main.push({ ...record, ...own, ...origin, uuid, parentUuid: this.#tip })
      this.#tip = uuid
    }
  }

  #tell(number: string, prompt: string, steps: readonly Step[]): void {
    const { name } = this.#story
    const place = `${name}#${number}`
    this.nowMs += 90_000
    this.#user(place, `${name} ${number}.0`, prompt)
    for (const [index, step] of steps.entries()) this.#step(place, `${name} ${number}.${index + 1}`, step)
  }

  #step(place: string, seed: string, step: Step): void {
    if (step.does === 'say') this.#assistant(place, seed, { type: 'text', text: step.text })
    else if (step.does === 'think')
      this.#assistant(place, seed, { type: 'thinking', thinking: step.text, signature: 'x' })
    else if (step.does === 'call') this.#call(place, seed, step.tool, step.input, step.output, step.isError)
    else {
      const number = this.#agents.length + 1
      const id = agentId(this.#story.name, number)
      const report = this.#runAgent(number, id, step.prompt, step.steps)
      const input = { description: step.description, prompt: step.prompt, subagent_type: 'general-purpose' }
      this.#call(place, seed, 'Agent', input, report, false, { status: 'completed', agentId: id })
    }
  }

  #call(
    place: string,
    seed: string,
    tool: string,
    input: object,
    output: string,
    isError: boolean,
    result?: Made,
  ): void {
    const id = callId(this.#story.name, ++this.#calls)
    this.#assistant(place, seed, { type: 'tool_use', id, name: tool, input })
    const content = [{ type: 'tool_result', tool_use_id: id, content: output, is_error: isError }]
    this.#user(place, `${seed} result`, content, result === undefined ? {} : { toolUseResult: result })
  }

  #runAgent(number: number, id: string, prompt: string, steps: readonly Step[]): string {
    const { name } = this.#story
    const place = `${name}/${number}`
    const [main, tip] = [this.#main.splice(0), this.#tip]
    this.#tip = null
    this.#user(place, `${name} agent ${number}`, prompt)
    for (const [index, step] of steps.entries()) this.#step(place, `${name} agent ${number}.${index}`, step)
    const records = this.#main.splice(0).map((record) => ({ ...record, isSidechain: true, agentId: id }))
    this.#agents.push(records)
    this.#main.push(...main)
    this.#tip = tip
    const last = steps.at(-1)
    return last?.does === 'say' ? last.text : 'Done.'
  }

  #compact(recap: string, number: number): void {
    const seed = `${this.#story.name} compact ${number}`
    const compactMetadata = { trigger: 'auto', preTokens: 150_000 }
    const boundary = { type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted', compactMetadata }
    this.#add(seed, { ...boundary, logicalParentUuid: this.#tip, parentUuid: null })
    const content = `This session is being continued from a previous conversation.\n\nSummary:\n${recap}`
    this.#add(`${seed} recap`, { type: 'user', isCompactSummary: true, message: { role: 'user', content } })
  }

  #user(place: string, seed: string, content: unknown, more: Made = {}): void {
    this.#add(seed, { type: 'user', message: { role: 'user', content }, ...more }, place)
  }

  #assistant(place: string, seed: string, block: Made): void {
    const { model = 'claude-opus-5' } = this.#story
    const message = {
      id: `msg_${hash(seed).slice(0, 20)}`,
      type: 'message',
      role: 'assistant',
      model,
      content: [block],
    }
    this.#add(seed, { type: 'assistant', message, requestId: `req_${hash(seed).slice(20, 40)}` }, place)
  }

  #add(seed: string, fields: Made, place: string | null = null): void {
    this.nowMs += 7_000
    const uuid = uuidOf(seed)
    this.#main.push({
      parentUuid: this.#tip,
      isSidechain: false,
      userType: 'external',
      cwd: this.#story.project,
      sessionId: this.#id,
      version: '2.1.200',
      gitBranch: this.#story.gitBranch ?? 'main',
      ...fields,
      uuid,
      timestamp: new Date(this.nowMs).toISOString(),
    })
    this.#tip = uuid
    if (place === null) return
    const known = this.places.get(place)
    if (known === undefined) this.places.set(place, new Set([uuid]))
    else known.add(uuid)
  }
}
