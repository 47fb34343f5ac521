// Where the disk went, in people's words: what each kind of bytes is, how much of it there is, and what can be done.

import { shortPath } from './list.ts'
import type { Style } from './style.ts'
import { tableLines } from './table.ts'
import { safeName, toJson } from './terminal.ts'
import { counted, size } from './units.ts'

/** The order in which they are shown where they weigh the same. */
const KINDS = {
  conversation: 'what was said and done',
  copies: 'records that another session has too: forks and continuations',
  replays: 'records written again into the same file',
  progress: 'progress of tools that are done long ago',
  requests: 'the client’s log of what it sent, which is the conversation again',
  results: 'results of tools a second time, for the client’s own screen',
  originals: 'whole files as they were before an edit',
  images: 'images',
  subagents: 'transcripts of subagents',
  spills: 'long outputs of tools, in files of their own',
  fileHistory: 'copies of edited files, for going back',
  other: 'other files: memory, titles, indexes',
} as const

type Kind = keyof typeof KINDS
const NAMES = Object.keys(KINDS) as readonly Kind[]

export type KindWeights = Readonly<Record<Kind, number>>

export interface WeighedProject {
  readonly root: string
  readonly projectKey: string | null
  readonly weights: KindWeights
  readonly totalBytes: number
}

export interface DedupeReport {
  readonly weights: KindWeights
  readonly totalBytes: number
  readonly projects: readonly WeighedProject[]
}

export interface DedupeLayout {
  readonly columns: number
  readonly home: string
  readonly style: Style
}

export function dedupeJson({ weights, totalBytes, projects }: DedupeReport): string {
  return toJson({
    totalBytes,
    kinds: kindsJson(weights, totalBytes),
    projects: projects.map(({ root, projectKey, weights: own, totalBytes: sum }) => ({
      root,
      projectKey,
      totalBytes: sum,
      kinds: kindsJson(own, sum),
    })),
    advice: adviceOf(weights, totalBytes),
  })
}

function kindsJson(weights: KindWeights, totalBytes: number): unknown {
  const share = (bytes: number): number => (totalBytes === 0 ? 0 : bytes / totalBytes)
  return NAMES.map((kind) => ({ kind, bytes: weights[kind], share: share(weights[kind]), meaning: KINDS[kind] }))
}

const PROJECTS_SHOWN = 20

export function dedupeText(report: DedupeReport, layout: DedupeLayout): string {
  const { columns, style, home } = layout
  const { projects, totalBytes } = report
  const roots = new Set(projects.map(({ root }) => root))
  const rows = projects
    .slice(0, PROJECTS_SHOWN)
    .map(({ root, projectKey, weights, totalBytes: sum }) => [
      size(sum),
      size(doubleOf(weights)),
      heaviest(weights),
      `${roots.size > 1 ? `${shortPath(safeName(root), home)} ` : ''}${projectKey === null ? '(no project)' : safeName(projectKey)}`,
    ])
  const more = projects.length - rows.length
  return [
    `${style.bold(size(totalBytes))} in ${counted(projects.length, 'project')}`,
    ...kindLines(report.weights, totalBytes, layout),
    '',
    ...tableLines(['TOTAL', 'AGAIN', 'MOST OF IT', 'PROJECT'], rows, {
      columns,
      style,
      numeric: [0, 1],
      paths: [3],
      spare: [2],
    }),
    ...(more > 0 ? [style.dim(`and ${more} more; --json has all of them`)] : []),
    '',
    ...adviceOf(report.weights, totalBytes).map(({ text, command }) => `${text}: ${style.bold(command)}`),
  ].join('\n')
}

/** Also for `clew doctor`. */
export function kindLines(
  weights: KindWeights,
  totalBytes: number,
  { columns, style }: DedupeLayout,
): readonly string[] {
  const rows = NAMES.filter((kind) => weights[kind] > 0)
    .sort((one, other) => weights[other] - weights[one])
    .map((kind) => [size(weights[kind]), percent(weights[kind], totalBytes), KINDS[kind]])
  return tableLines(['BYTES', 'SHARE', 'OF'], rows, { columns, style, numeric: [0, 1] })
}

function percent(bytes: number, totalBytes: number): string {
  const share = totalBytes === 0 ? 0 : (100 * bytes) / totalBytes
  return share > 0 && share < 1 ? '<1 %' : `${Math.round(share)} %`
}

function heaviest(weights: KindWeights): string {
  const kind = NAMES.reduce((most, one) => (weights[one] > weights[most] ? one : most), NAMES[0] as Kind)
  return KINDS[kind].split(/[:,]/)[0] ?? kind
}

/** What stands elsewhere as well, and which an archive keeps once. */
function doubleOf({ copies, replays, requests, results }: KindWeights): number {
  return copies + replays + requests + results
}

export interface Advice {
  readonly text: string
  readonly command: string
}

export function adviceOf(weights: KindWeights, totalBytes: number): readonly Advice[] {
  if (totalBytes === 0) return []
  const again = doubleOf(weights)
  return [
    {
      text: `Safe to compress: all of it, byte for byte; ${size(again)} of it are the same again and cost next to nothing there`,
      command: 'clew archive --all',
    },
    {
      text: 'Then old sessions may go, into a trash from which they can be taken back',
      command: 'clew retire --older-than 90d',
    },
    ...(weights.copies > totalBytes / 20
      ? [{ text: `Which sessions are copies of which (${size(weights.copies)})`, command: 'clew doctor' }]
      : []),
  ]
}
