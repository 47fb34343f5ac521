// One conversation, from an open session to the files of its export.

import { basename, join } from 'node:path'
import { readFull } from '../conversation/reading.ts'
import type { Bodies } from '../load/bodies.ts'
import { openBodies } from '../load/bodies.ts'
import { openSubagent } from '../load/session.ts'
import type { Redactor } from '../redact/model.ts'
import { conversationDocument } from '../render/export/conversation-document.ts'
import { fileStem } from '../render/export/file-name.ts'
import type { ExportHead } from '../render/export/head.ts'
import { htmlFolderIndex } from '../render/export/html.ts'
import { htmlPages } from '../render/export/html-pages.ts'
import { shownKind, withoutImageBytes } from '../render/export/images.ts'
import { markdownIndex, markdownPieces } from '../render/export/markdown.ts'
import { plainPieces } from '../render/export/plain.ts'
import { recordLines } from '../render/export/records.ts'
import type { ImagePlaces } from '../render/export/shown.ts'
import { toJson } from '../render/terminal.ts'
import { iso } from '../render/units.ts'
import { exportModel } from './export-model.ts'
import type { Opened } from './export-open.ts'
import { bodiesOf } from './export-open.ts'
import type { ExportPlan } from './export-plan.ts'
import type { Target, Written } from './export-target.ts'
import { withoutSuffix } from './export-target.ts'
import type { ExportViews } from './export-views.ts'
import { exportViews } from './export-views.ts'
import { Failure } from './failure.ts'

export async function exportConversation(
  opened: Opened,
  plan: ExportPlan,
  redactor: Redactor,
  target: Target,
): Promise<Written> {
  const bodies = openBodies()
  try {
    if (plan.isRedacted) learnAll(opened, redactor, bodies)
    return await writeExport({ opened, plan, redactor, target, bodies, head: redactor.value(opened.head) })
  } finally {
    bodies.close()
  }
}

/** A Secret may be named long before something tells that it is one: so all of it is looked through first. */
function learnAll({ session, woven, turns }: Opened, redactor: Redactor, bodies: Bodies): void {
  const own = bodiesOf(woven, bodies)
  for (const { records } of turns) for (const record of records) redactor.learn(withoutImageBytes(own(record)))
  for (const { agentId } of woven.agents.subagents) {
    const inner = openSubagent(session, agentId, 'resume')
    if (inner === null) continue
    const bodyOf = bodiesOf(inner, bodies)
    for (const { records } of readFull(inner).turns)
      for (const record of records) redactor.learn(withoutImageBytes(bodyOf(record)))
  }
}

interface Work {
  readonly opened: Opened
  readonly plan: ExportPlan
  readonly redactor: Redactor
  readonly target: Target
  readonly bodies: Bodies
  /** Redacted. */
  readonly head: ExportHead
}

async function writeExport(work: Work): Promise<Written> {
  const { plan, head, target, redactor, opened, bodies } = work
  const { format, choice } = plan
  const path = target.pathOf(fileStem(head.title, head.sessionId, head.startedMs))
  const write = writer(target)
  switch (format) {
    case 'json':
      await write(path, [
        `${toJson(redactor.value(conversationDocument(exportModel(opened, choice, bodies), about(work))))}\n`,
      ])
      return { head, format, path, ...write.told() }
    case 'jsonl':
      await writeRecords(work, path, write)
      return { head, format, path, ...write.told() }
    default: {
      const views = exportViews(opened, choice, redactor, bodies)
      const places = imagePlaces(work, views, path)
      if (format === 'html') return { head, format, ...(await writeHtml(work, views, places, path, write)) }
      const pieces =
        format === 'md'
          ? markdownPieces(head, views.names, views.turns, places)
          : plainPieces(head, views.turns, places)
      await write(path, pieces)
      if (choice.images === 'referenced') await writeImages(views, withoutSuffix(path), write)
      return { head, format, path, ...write.told() }
    }
  }
}

interface Write {
  (path: string, pieces: Parameters<Target['write']>[1]): Promise<void>
  readonly told: () => Pick<Written, 'files' | 'sizeBytes'>
}

function writer(target: Target): Write {
  let files = 0
  let sizeBytes = 0
  const write = async (path: string, pieces: Parameters<Target['write']>[1]): Promise<void> => {
    sizeBytes += await target.write(path, pieces)
    files++
  }
  return Object.assign(write, { told: () => ({ files, sizeBytes }) })
}

const PAGE_LENGTH_MAX = 4_000_000

/** One page, or a folder of the same name with an index and pages. */
async function writeHtml(
  { head, plan, target }: Work,
  views: ExportViews,
  places: ImagePlaces,
  path: string,
  write: Write,
): Promise<Pick<Written, 'path' | 'files' | 'sizeBytes'>> {
  const folder = withoutSuffix(path)
  const sizes = { wholeLength: plan.splitBytes, pageLength: Math.min(plan.splitBytes, PAGE_LENGTH_MAX) }
  let isPaged = false
  for (const { name, pieces } of htmlPages(head, views.names, views.turns, places, sizes, footNote(plan))) {
    if (name !== null && target.isStandardOutput)
      throw new Failure('this is too long for one page; name a file for the index with -o')
    isPaged = name !== null
    await write(name === null ? path : join(folder, name), pieces)
  }
  const first = isPaged ? join(folder, 'index.html') : path
  if (plan.choice.images === 'referenced')
    await writeImages(views, isPaged ? join(folder, basename(folder)) : folder, write)
  return { path: first, ...write.told() }
}

function footNote({ isRedacted }: ExportPlan): string {
  return isRedacted
    ? 'Exported by Clew. What looked like a secret was replaced.'
    : 'Exported by Clew, with secrets left as they are.'
}

function imagePlaces({ plan }: Work, { images }: ExportViews, path: string): ImagePlaces {
  const folder = `${basename(withoutSuffix(path))}.files`
  return {
    mode: plan.choice.images,
    image: (number) => images[number],
    reference: (number) => encodeURI(`${folder}/${imageFile(images, number)}`),
  }
}

function imageFile(images: ExportViews['images'], number: number): string {
  const image = images[number]
  return `image-${number + 1}.${image === undefined ? 'png' : (shownKind(image) ?? 'png')}`
}

async function writeImages({ images }: ExportViews, stem: string, write: Write): Promise<void> {
  for (const [number, image] of images.entries()) {
    if (shownKind(image) === null) continue
    await write(join(`${stem}.files`, imageFile(images, number)), [Buffer.from(image.base64, 'base64')])
  }
}

/** The records of Subagents stand in files of their own, as the client keeps them. */
async function writeRecords(
  { opened, plan, redactor, target, bodies, head }: Work,
  path: string,
  write: Write,
): Promise<void> {
  const { session, woven, turns } = opened
  const { title, sessionId } = head
  await write(path, recordLines(title, sessionId, turns, bodiesOf(woven, bodies), plan.choice, redactor))
  if (!plan.choice.subagents || target.isStandardOutput) return
  for (const { agentId, isInline } of woven.agents.subagents) {
    const inner = openSubagent(session, agentId, 'resume')
    if (inner === null || isInline) continue
    const name = `agent-${agentId.replace(/[^\w-]/g, '')}.jsonl`
    const lines = recordLines(title, sessionId, readFull(inner).turns, bodiesOf(inner, bodies), plan.choice, redactor)
    await write(join(withoutSuffix(path), 'subagents', name), lines)
  }
}

/** What a reader of the JSON document may want to know first. */
function about({ head, opened }: Work): Readonly<Record<string, unknown>> {
  const { choice, startedMs, endedMs, ...facts } = head
  const { rule, branch, tipUuid, chain } = opened.reading
  return {
    head: { ...facts, startedAt: iso(startedMs), endedAt: iso(endedMs) },
    choice,
    reading: { rule, branch, tipUuid, chain, isWhole: !opened.isNarrowed },
  }
}

/** Several conversations get a page that leads to each of them. */
export async function folderIndex(written: readonly Written[], plan: ExportPlan, target: Target): Promise<void> {
  if (!target.isFolder || written.length < 2 || (plan.format !== 'md' && plan.format !== 'html')) return
  const place = target.pathOf('index')
  const folder = place.slice(0, -basename(place).length)
  const rows = written.flatMap(({ head, path }) => (path === null ? [] : [{ head, file: path.slice(folder.length) }]))
  await target.write(place, [plan.format === 'md' ? markdownIndex(rows) : htmlFolderIndex(rows, footNote(plan))])
}
