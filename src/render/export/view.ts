// What an export shows of a Turn: plain values with whole texts in them, before anything is escaped. They are made from
// Records, redacted as one value, and then handed to one of the writers. Images stand apart, by number: a Redactor would
// take their bytes for Secrets.

import type { ToolStatus } from '../../conversation/model.ts'
import type { TokensAround } from '../../record/model.ts'

export interface TurnView {
  readonly number: number
  readonly startedMs: number | null
  readonly durationMs: number | null
  readonly views: readonly View[]
}

export type View =
  | {
      readonly kind: 'prompt'
      readonly id: string | null
      readonly text: string
      readonly images: readonly number[]
      readonly isQueued: boolean
    }
  | { readonly kind: 'text'; readonly id: string | null; readonly text: string; readonly isCut: boolean }
  | { readonly kind: 'thinking'; readonly id: string | null; readonly text: string; readonly isStored: boolean }
  | { readonly kind: 'tool'; readonly id: string | null; readonly call: CallView }
  /** What the harness wrote or did. */
  | { readonly kind: 'system'; readonly id: string | null; readonly label: string; readonly text: string }
  | { readonly kind: 'recap'; readonly id: string | null; readonly text: string }
  | ({
      readonly kind: 'boundary'
      readonly id: string | null
      readonly isMicro: boolean
      readonly trigger: string | null
    } & TokensAround)

export interface CallView {
  readonly name: string
  readonly title: string
  readonly status: ToolStatus
  /** Null where only the line is shown. */
  readonly whole: WholeCall | null
  /** Of a call that failed, why, in a few words. */
  readonly reason: string
  readonly changed: Changed | null
  readonly agent: AgentView | null
}

export interface WholeCall {
  readonly face: Face
  readonly output: string
  /** Where the output was too long for its record: the file that holds it, and whether `output` is its text. */
  readonly spill: { readonly path: string; readonly isRead: boolean; readonly isCut: boolean } | null
  readonly images: readonly number[]
}

/** How the input of a call is best shown. */
export type Face =
  | { readonly kind: 'shell'; readonly command: string; readonly description: string }
  | { readonly kind: 'change'; readonly path: string; readonly hunks: readonly Hunk[] }
  | { readonly kind: 'todos'; readonly todos: readonly Todo[] }
  | { readonly kind: 'plan'; readonly text: string }
  | { readonly kind: 'questions'; readonly questions: readonly Question[] }
  | { readonly kind: 'message'; readonly text: string }
  | { readonly kind: 'input'; readonly value: unknown }

/** Two whole texts rather than marked lines: a Secret of several lines is only found in a text that has them all. */
export interface Hunk {
  readonly oldStart: number | null
  readonly newStart: number | null
  readonly before: string
  readonly after: string
}

export interface Todo {
  readonly text: string
  readonly status: string
}

export interface Question {
  readonly question: string
  readonly options: readonly string[]
  readonly answer: string | null
}

export interface Changed {
  readonly path: string
  readonly added: number
  readonly removed: number
}

export interface AgentView {
  readonly agentId: string
  readonly type: string | null
  readonly description: string | null
  /** Null where only the call is shown. */
  readonly turns: readonly TurnView[] | null
}

export interface ImageContent {
  readonly mediaType: string
  readonly base64: string
}
