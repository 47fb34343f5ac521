// A Digest as headed lists of lines: what every way of showing one has in common. Empty lists are left out.

import { pathBelow } from '../base/path-below.ts'
import { shorten } from './condense.ts'
import type { Citation, CommandRun, Digest, FileTally, Told } from './model.ts'

export interface Section {
  readonly heading: string
  readonly lines: readonly SectionLine[]
}

export type Mark = 'good' | 'bad' | 'open' | 'none'

export interface SectionLine {
  readonly mark: Mark
  readonly text: string
  /** What is told beside it: counts, an outcome. */
  readonly note: string
  readonly cites: readonly Citation[]
}

export interface SectionOptions {
  /** Paths below it are shown without it. */
  readonly project: string
  /** Long Prompts are cut; all of a Prompt stands in the conversation. */
  readonly promptMax: number
}

export function digestSections(digest: Digest, options: SectionOptions): readonly Section[] {
  const { project } = options
  const changed = digest.files.filter(({ outcome }) => outcome !== 'read')
  const read = digest.files.filter(({ outcome }) => outcome === 'read')
  return present([
    section('Done', digest.done.map(plain)),
    section(
      'Changed',
      changed.map((file) => fileLine(file, project)),
    ),
    section('Read', read.length === 0 ? [] : [readLine(read, project)]),
    section('Commands', commandLines(digest.commands)),
    section(
      'Commits',
      digest.commits.map(({ hash, subject, branch, cites }) =>
        line(subject || '(no message)', [hash?.slice(0, 10), branch === null ? null : `on ${branch}`], cites, 'good'),
      ),
    ),
    section(
      'Pull requests',
      digest.pullRequests.map(({ url, title, cites }) =>
        line(title ?? url, [title === null ? null : url], cites, 'good'),
      ),
    ),
    section(
      'Plans',
      digest.plans.map(({ text, state, cites }) =>
        line(firstLine(text), [state], cites, state === 'accepted' ? 'good' : state === 'rejected' ? 'bad' : 'open'),
      ),
    ),
    section(
      'Todos',
      digest.todos.map(({ text, state, cites }) => line(text, [state], cites, state === 'done' ? 'good' : 'open')),
    ),
    section(
      'Decisions',
      digest.decisions.map(({ question, answer, cites }) =>
        line(
          `${shorten(question, 200)} → ${answer === null ? 'not answered' : answer}`,
          [],
          cites,
          answer === null ? 'open' : 'none',
        ),
      ),
    ),
    section(
      'Subagents',
      digest.agents.map((agent) =>
        line(
          `${agent.description ?? agent.agentId}${agent.report === null ? '' : `: ${shorten(agent.report, 240)}`}`,
          [agent.type, agent.toolCalls === 0 ? null : times(agent.toolCalls, 'call')],
          agent.cites,
          agent.status === 'ok' ? 'good' : agent.status === 'pending' ? 'open' : 'bad',
        ),
      ),
    ),
    section(
      'Went wrong',
      digest.failings.map(({ text, times: often, isMended, cites }) =>
        line(
          text,
          [often > 1 ? `${often}×` : null, isMended ? 'mended later' : null],
          cites,
          isMended ? 'good' : 'bad',
        ),
      ),
    ),
    section('Tools', digest.tools.length === 0 ? [] : [toolsLine(digest)]),
  ])
}

export function present(sections: readonly Section[]): readonly Section[] {
  return sections.filter(({ lines }) => lines.length > 0)
}

export function section(heading: string, lines: readonly SectionLine[]): Section {
  return { heading, lines }
}

export function plain({ text, cites }: Told): SectionLine {
  return line(text, [], cites)
}

export function line(
  text: string,
  notes: readonly (string | null | undefined)[],
  cites: readonly Citation[],
  mark: Mark = 'none',
): SectionLine {
  return { mark, text, note: notes.filter((note) => note != null && note !== '').join(', '), cites }
}

export function fileLine(file: FileTally, project: string): SectionLine {
  const { path, outcome, added, removed, edits, cites } = file
  const lines = added === null && removed === null ? null : `+${added ?? 0} −${removed ?? 0}`
  const often = edits > 1 ? `${edits} edits` : null
  return line(`${outcome} ${pathBelow(path, project)}`, [lines, often], cites)
}

function readLine(files: readonly FileTally[], project: string): SectionLine {
  const names = files.slice(0, 12).map(({ path }) => pathBelow(path, project))
  if (files.length > names.length) names.push(`… ${files.length - names.length} more`)
  return line(names.join(', '), [], files.flatMap(({ cites }) => cites[0] ?? []).slice(0, 20))
}

const MOVING_GIT = /\b(?:push|merge|rebase|tag|reset|revert|cherry-pick|stash|create|clone|commit)\b/

/** Looking around is left out: what was run to find something out is many lines and says little afterwards. */
function commandLines(commands: readonly CommandRun[]): readonly SectionLine[] {
  const telling = commands.filter(({ purpose, command, wentWell }) =>
    purpose === 'git' ? MOVING_GIT.test(command) : purpose === 'other' ? wentWell === null : true,
  )
  const left = commands.filter((command) => !telling.includes(command))
  if (left.length === 0) return telling.map(commandLine)
  const rest = line(
    `${times(left.length, 'other command')}`,
    [],
    left.flatMap(({ cites }) => cites[0] ?? []).slice(0, 20),
  )
  return [...telling.map(commandLine), rest]
}

export function commandLine({ command, purpose, wentWell, outcome, times: often, cites }: CommandRun): SectionLine {
  const mark: Mark = wentWell === null ? 'open' : wentWell ? 'good' : 'bad'
  return line(
    shorten(command, 160),
    [purpose === 'other' ? null : purpose, outcome, often > 1 ? `${often}×` : null],
    cites,
    mark,
  )
}

function toolsLine({ tools }: Digest): SectionLine {
  const told = tools.map(({ name, calls, failed }) => `${name} ${calls}${failed === 0 ? '' : ` (${failed} failed)`}`)
  return line(told.join(', '), [], tools.flatMap(({ cites }) => cites[0] ?? []).slice(0, 20))
}

export function times(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

function firstLine(text: string): string {
  return shorten(
    text
      .split('\n')
      .find((one) => one.trim() !== '')
      ?.replace(/^#+\s*/, '') ?? '',
    160,
  )
}
