// What `clew carry` has packed, or would unpack: text for people, one JSON object for programs.

import { shortPath } from './list.ts'
import type { Style } from './style.ts'
import { safeLine, safeName, toJson } from './terminal.ts'
import { counted, size } from './units.ts'

export interface CarriedReport {
  readonly sessionId: string
  readonly title: string
  readonly cwd: string | null
  readonly file: string
  readonly files: readonly { readonly name: string; readonly sizeBytes: number }[]
  readonly packedBytes: number
  readonly leftOut: readonly string[]
  /** What lists the secrets in it, and what makes a document without them. */
  readonly scanCommand: string
  readonly exportCommand: string
  /** The session it goes on from, which is a file of its own. */
  readonly continues: string | null
}

export interface CarryLayout {
  readonly home: string
  readonly style: Style
}

export function carriedJson(report: CarriedReport): string {
  const { sessionId, title, cwd, file, files, packedBytes, leftOut, continues } = report
  const sizeBytes = bytesOf(files)
  return toJson({ sessionId, title, cwd, file, files, sizeBytes, packedBytes, leftOut, continues })
}

export function carriedText(report: CarriedReport, { home, style }: CarryLayout): string {
  const { title, file, files, packedBytes, leftOut, scanCommand, exportCommand, continues } = report
  return [
    `${style.bold(safeLine(title) || '(no title)')}: ${counted(files.length, 'file')}, ${size(bytesOf(files))}, packed into ${size(packedBytes)}`,
    `On the other machine: clew carry --import ${shortPath(safeName(file), home)} --project /its/path/there`,
    `It holds the whole conversation as it is, with any password that was said in it. To see them: ${safeLine(scanCommand)}`,
    `For somebody who shall only read it, without them: ${safeLine(exportCommand)} -o talk.html`,
    ...(continues === null
      ? []
      : [`It goes on from ${safeName(continues)}, which is a session of its own: carry that too.`]),
    ...leftOut.map((path) => style.bad(`left out: ${safeName(path)}`)),
  ].join('\n')
}

export interface ImportReport {
  readonly isApplied: boolean
  readonly manifest: { readonly sessionId: string; readonly title: string; readonly cwd: string | null }
  readonly sessionId: string
  readonly isRenamed: boolean
  readonly cwd: string
  readonly rewritesCwd: boolean
  readonly isThere: boolean
  /** The folder `projects` where there is none yet. */
  readonly newFolder: string | null
  readonly files: readonly { readonly to: string; readonly sizeBytes: number }[]
  /** How many of the files are so old that they get the time of now. */
  readonly renewed: number
  readonly conflicts: readonly string[]
  readonly written: number
  readonly resume: string
}

export function importJson(report: ImportReport): string {
  const { manifest, isApplied, sessionId, isRenamed, cwd, rewritesCwd, isThere, files, conflicts, written } = report
  return toJson({
    applied: isApplied,
    sessionId,
    fromSessionId: manifest.sessionId,
    renamed: isRenamed,
    title: manifest.title,
    cwd,
    fromCwd: manifest.cwd,
    rewriteCwd: rewritesCwd,
    alreadyThere: isThere,
    newFolder: report.newFolder,
    files,
    renewed: report.renewed,
    conflicts,
    written,
    resume: report.resume,
  })
}

export function importText(report: ImportReport, { style, home }: CarryLayout): string {
  const { manifest, files, cwd, isThere, isApplied, conflicts, newFolder } = report
  const title = style.bold(safeLine(manifest.title) || '(no title)')
  if (isThere) return `${title} is there already, as it is in this file. To go on with it: ${safeName(report.resume)}`
  const head = `${title}: ${counted(files.length, 'file')}, ${size(bytesOf(files))}, below ${safeName(cwd)}`
  return [
    head,
    ...(isApplied ? [] : files.map(({ to }) => `  ${shortPath(safeName(to), home)}`)),
    ...(newFolder === null
      ? []
      : [
          `${shortPath(safeName(newFolder), home)} ${isApplied ? 'was' : 'is'} not there yet, and ${isApplied ? 'was' : 'would be'} made.`,
        ]),
    ...pathLines(report),
    ...(report.isRenamed
      ? [`The id ${manifest.sessionId} is here already, with other content: this one becomes ${report.sessionId}.`]
      : []),
    ...renewedLines(report),
    ...conflicts.map((path) => style.bad(`in the way: ${safeName(path)}`)),
    ...(isApplied
      ? [`To go on with it: ${safeName(report.resume)}`]
      : [
          `${style.bold('Dry run: nothing was written.')} Nothing that is there would be replaced. To do it: add --apply`,
        ]),
  ].join('\n')
}

function pathLines({ manifest, cwd, rewritesCwd }: ImportReport): readonly string[] {
  if (manifest.cwd === null || manifest.cwd === cwd) return []
  const paths = `${safeName(manifest.cwd)} → ${safeName(cwd)}`
  return rewritesCwd
    ? [`The folder in its records is changed: ${paths}. To leave them as they are: --keep-cwd`]
    : [`Its records stay as they are; one is added that says where it is now: ${paths}`]
}

function renewedLines({ renewed, isApplied }: ImportReport): readonly string[] {
  if (renewed === 0) return []
  const gets = isApplied ? 'got' : renewed === 1 ? 'gets' : 'get'
  return [
    `${counted(renewed, 'file')} ${gets} the time of now: they are so old that the client would soon delete them.`,
  ]
}

function bytesOf(files: readonly { readonly sizeBytes: number }[]): number {
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
}
