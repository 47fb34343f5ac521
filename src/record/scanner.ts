// The quick implementation of reading lines: a few kilobytes of WebAssembly that walk over the bytes sixteen at a time.
// It runs wherever WebAssembly with SIMD does, in Node and in browsers. What it may know of the format it is told here,
// from the same lists that everybody else uses.

import { decodeUtf8 } from '../base/text.ts'
import { KNOWN_BLOCKS, KNOWN_KEYS } from './known.ts'
import { SILENT } from './metadata.ts'
import * as layout from './scan-layout.ts'

export interface Scanner {
  /** Where lines are put that are to be scanned, from its beginning on. */
  readonly input: Uint8Array
  /** Whole lines of the input. Gives how many sketches there are now; `scanned` says up to where. */
  readonly scan: (from: number, end: number) => number
  readonly scanned: () => number
  readonly sketches: Int32Array
  readonly blocks: Int32Array
  readonly texts: Uint8Array
  /** All ids of the sketches, one behind the other. */
  readonly ids: () => string
  readonly name: (number: number) => string
  /** Those that `name` was asked for, by their numbers. */
  readonly names: readonly string[]
}

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer }
  readonly start: () => number
  readonly inputAt: () => number
  readonly sketchesAt: () => number
  readonly blocksAt: () => number
  readonly idsAt: () => number
  readonly idsLength: () => number
  readonly textsAt: () => number
  readonly scan: (from: number, end: number) => number
  readonly scanned: () => number
  readonly addKey: (table: number, at: number, length: number, number: number, what: number) => void
  readonly nameOf: (at: number, length: number) => number
  readonly nameAt: (name: number) => number
  readonly nameLength: (name: number) => number
  readonly namesKept: () => number
  readonly nameBytesKept: () => number
  readonly endKinds: () => void
  readonly forgetNames: () => void
}

/** What is used of WebAssembly, whose types come only with those of a whole browser. */
interface WebAssemblyPart {
  readonly Module: new (bytes: object) => object
  readonly Instance: new (compiled: object) => { readonly exports: unknown }
}

declare const WebAssembly: WebAssemblyPart

/** The bytes of `dist/record/scan.wasm`, or what the platform has compiled from them. */
export function openScanner(scanner: Uint8Array | ArrayBuffer | object): Scanner {
  const compiled = scanner instanceof WebAssembly.Module ? scanner : new WebAssembly.Module(scanner)
  const wasm = new WebAssembly.Instance(compiled).exports as Exports
  wasm.start()
  const { buffer } = wasm.memory
  const inputAt = wasm.inputAt()
  const input = new Uint8Array(buffer, inputAt, layout.INPUT_BYTES)
  // No line has been scanned when this is used, so the place for texts is free.
  const textsAt = wasm.textsAt()
  const texts = new Uint8Array(buffer, textsAt, layout.INPUT_BYTES)
  const put = (text: string): number => {
    for (let at = 0; at < text.length; at++) texts[at] = text.charCodeAt(at)
    return text.length
  }
  for (const [table, keys] of TABLES.entries()) {
    for (const [number, [key, what]] of keys.entries()) wasm.addKey(table, textsAt, put(key), number, what)
  }
  const names: string[] = []
  const forget = (): void => {
    wasm.forgetNames()
    names.length = 0
    for (const kind of KINDS) wasm.nameOf(textsAt, put(kind))
    wasm.endKinds()
    for (const subtype of SPECIAL) wasm.nameOf(textsAt, put(subtype))
  }
  forget()
  const ids = new Uint8Array(buffer, wasm.idsAt(), 1 << 20)
  return {
    input,
    scan: (from, end) => {
      if (wasm.namesKept() > NAMES_ENOUGH || wasm.nameBytesKept() > NAME_BYTES_ENOUGH) forget()
      return wasm.scan(inputAt + from, inputAt + end)
    },
    scanned: () => wasm.scanned() - inputAt,
    sketches: new Int32Array(buffer, wasm.sketchesAt(), layout.SKETCHES_MAX * layout.SKETCH_NUMBERS),
    blocks: new Int32Array(buffer, wasm.blocksAt(), layout.BLOCKS_MAX * layout.BLOCK_NUMBERS),
    texts,
    ids: () => decodeUtf8(ids.subarray(0, wasm.idsLength())),
    names,
    name: (number) => {
      const known = names[number]
      if (known !== undefined) return known
      const raw = decodeUtf8(new Uint8Array(buffer, wasm.nameAt(number), wasm.nameLength(number)))
      const name = raw.includes('\\') ? (JSON.parse(`"${raw}"`) as string) : raw
      names[number] = name
      return name
    },
  }
}

const NAMES_ENOUGH = 3072
const NAME_BYTES_ENOUGH = 3 << 18

/** The first three have a meaning of their own to the scanner. */
const KINDS = [...new Set(['tool_result', 'tool_use', 'text', ...KNOWN_BLOCKS])]

/** Subtypes that have rules of their own; the scanner knows them by their place behind the kinds. */
const SPECIAL = ['compact_boundary', 'microcompact_boundary', 'queued_command']

type Keys = readonly (readonly [key: string, what: number])[]

const RECORD: Readonly<Record<string, number>> = {
  type: layout.DO_TYPE,
  uuid: layout.ID_UUID,
  parentUuid: layout.ID_PARENT,
  requestId: layout.ID_REQUEST,
  logicalParentUuid: layout.ID_LOGICAL_PARENT,
  sourceToolAssistantUUID: layout.ID_SOURCE_ASSISTANT,
  sourceToolUseID: layout.ID_SOURCE_CALL,
  parentToolUseID: layout.ID_PARENT_CALL,
  sessionId: layout.NAME_SESSION,
  agentId: layout.NAME_AGENT,
  cwd: layout.NAME_CWD,
  gitBranch: layout.NAME_BRANCH,
  version: layout.NAME_VERSION,
  attributionAgent: layout.NAME_AGENT_TYPE,
  toolDenialKind: layout.NAME_DENIAL,
  timestamp: layout.DO_TIME,
  isSidechain: layout.DO_SIDECHAIN,
  teamName: layout.DO_TEAM,
  isMeta: layout.DO_META,
  apiBlockIndex: layout.DO_BLOCK_INDEX,
  message: layout.DO_MESSAGE,
  toolUseResult: layout.DO_RESULT,
  data: layout.DO_PROGRESS,
  forkedFrom: layout.DO_FORK,
  isCompactSummary: layout.DO_FALSE,
  attachment: layout.DO_ATTACHMENT,
  subtype: layout.DO_SUBTYPE,
  content: layout.DO_OWN_TEXT,
  messageId: layout.DO_SNAPSHOT_OF,
  promptId: layout.DO_PROMPT_ID,
  origin: layout.DO_ORIGIN,
  promptSource: layout.DO_PROMPT_SOURCE,
  turnOrigin: layout.DO_TURN_ORIGIN,
  isVisibleInTranscriptOnly: layout.DO_PROMPT_MARK,
  planContent: layout.DO_GIVE_UP,
  error: layout.DO_NO_SYSTEM,
  compactMetadata: layout.DO_NO_SYSTEM,
  microcompactMetadata: layout.DO_NO_SYSTEM,
}

const tokens = (place: number): number => layout.DO_TOKENS + place

/** In the order of the TABLE numbers of the layout. */
const TABLES: readonly Keys[] = [
  [...KNOWN_KEYS].map((key) => [key, RECORD[key] ?? layout.DO_SKIP]),
  [
    ['id', layout.ID_MESSAGE],
    ['model', layout.NAME_MODEL],
    ['stop_reason', layout.NAME_STOP],
    ['content', layout.DO_CONTENT],
    ['usage', layout.DO_USAGE],
  ],
  [
    ['input_tokens', tokens(layout.TOKENS_INPUT)],
    ['output_tokens', tokens(layout.TOKENS_OUTPUT)],
    ['cache_read_input_tokens', tokens(layout.TOKENS_READ)],
    ['cache_creation_input_tokens', tokens(layout.TOKENS_WRITE)],
    ['cache_creation', layout.DO_WRITES],
    ['speed', layout.DO_SPEED],
    ['inference_geo', layout.DO_GEO],
    ['service_tier', layout.DO_TIER],
  ],
  [['ephemeral_1h_input_tokens', tokens(layout.TOKENS_WRITE_1H)]],
  [
    ['type', layout.DO_KIND],
    ['text', layout.DO_TEXT],
    ['thinking', layout.DO_THINKING],
    ['input', layout.DO_INPUT],
    ['content', layout.DO_RESULT_TEXT],
    ['is_error', layout.DO_ERROR],
    ['id', layout.DO_BLOCK_ID],
    ['tool_use_id', layout.DO_CALL_ID],
    ['name', layout.DO_BLOCK_NAME],
    ['toolUseId', layout.DO_GIVE_UP],
    ['toolName', layout.DO_GIVE_UP],
  ],
  [
    ['type', layout.DO_PART_KIND],
    ['text', layout.DO_PART_TEXT],
  ],
  [
    ['agentId', layout.ID_SPAWNED],
    ['persistedOutputPath', layout.ID_SPILL],
  ],
  [
    ['type', layout.NAME_SUBTYPE],
    ['agentId', layout.ID_SPAWNED],
  ],
  [
    ['sessionId', layout.NAME_FORK_SESSION],
    ['messageUuid', layout.ID_FORK_UUID],
  ],
  [['type', layout.NAME_SUBTYPE]],
  [['kind', layout.DO_ORIGIN_KIND]],
  [
    ...[...SILENT].map((type): Keys[number] => [type, layout.METADATA]),
    ['file-history-delta', layout.SNAPSHOT],
    ['attachment', layout.ATTACHMENT],
  ],
  [
    ['human', layout.MARK_HUMAN],
    ['typed', layout.MARK_TYPED],
    ['system', layout.MARK_SYSTEM],
    ['task_notification', layout.MARK_TASK],
  ],
]
