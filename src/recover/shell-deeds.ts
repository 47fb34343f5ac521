// What a shell command did to files, where its words leave no doubt; else which files it may have changed.

import { object, text } from '../record/fields.ts'
import type { Deed } from './model.ts'
import { absolutePath, nameOf } from './paths.ts'
import type { ShellScript, SimpleCommand } from './shell-words.ts'
import { readScript } from './shell-words.ts'

interface ShellCall {
  readonly command: string
  readonly cwd: string | null
  readonly kept: unknown
  readonly isFine: boolean
}

export function shellDeeds({ command, cwd, kept, isFine }: ShellCall): readonly Deed[] {
  const result = object(kept)
  const isInBackground = result?.['backgroundTaskId'] !== undefined || result?.['interrupted'] === true
  const script = isInBackground || !isFine ? null : readScript(command)
  // Without `&&` one that failed is not noticed, unless it had something to say about it.
  const isSure = script?.isStrict === true || text(result?.['stderr']) === ''
  const certain = script === null || !isSure || cwd === null ? null : certainDeeds(script, cwd)
  return certain ?? unclear(command, cwd)
}

/** Whether it matters how the command went: only one that surely did something to files has to be sure of that. */
export function needsResult(command: string): boolean {
  return CHANGES_NAMED.test(command) || command.includes('>')
}

/** Null as soon as one of them is unclear. */
function certainDeeds({ commands }: ShellScript, cwd: string): readonly Deed[] | null {
  const deeds: Deed[] = []
  let folder = cwd
  for (const command of commands) {
    const [program, first] = command.words
    if (program === 'cd' && first !== undefined && command.words.length === 2 && first !== '-') {
      folder = absolutePath(first, folder)
      continue
    }
    const done = deedsOfCommand(command, folder)
    if (done === null) return null
    deeds.push(...done)
  }
  return deeds
}

function deedsOfCommand({ words, redirect, hereText }: SimpleCommand, folder: string): readonly Deed[] | null {
  const [program = '', ...rest] = words
  if (redirect !== null) {
    const path = absolutePath(redirect.path, folder)
    if (path === '/dev/null') return isReader(words) ? [] : null
    if (program === 'cat' && rest.length === 0 && hereText !== null) {
      if (redirect.isAppend) return [{ kind: 'append', path, text: hereText }]
      return [{ kind: 'write', path, before: null, text: hereText, isNew: true }]
    }
    return isReader(words) || program === 'cat' || program === 'printf' ? [{ kind: 'change', path }] : null
  }
  if (hereText !== null) return null
  if (program === 'rm') return removed(rest, /^-[rRfvI]+$/, folder)
  if (program === 'mv') return moved(rest, /^-[fv]+$/, folder, false)
  if (program === 'cp') return moved(rest, /^-[fvpaRr]+$/, folder, true)
  if (program === 'git' && rest[0] === 'rm') return removed(rest.slice(1), /^-[rfq]+$/, folder)
  if (program === 'git' && rest[0] === 'mv') return moved(rest.slice(1), /^-[fvk]*[fv]$/, folder, false)
  return isReader(words) ? [] : null
}

function removed(rest: readonly string[], options: RegExp, folder: string): readonly Deed[] | null {
  const names = namesOf(rest, options)
  return names?.map((name) => ({ kind: 'remove', path: absolutePath(name, folder) })) ?? null
}

function moved(rest: readonly string[], options: RegExp, folder: string, isCopy: boolean): readonly Deed[] | null {
  const names = namesOf(rest, options)
  const to = names?.at(-1)
  if (names === null || to === undefined || names.length < 2) return null
  const isInto = names.length > 2 || /(?:^|\/)\.{0,2}\/?$|\/$/.test(to)
  const target = absolutePath(to, folder)
  return names
    .slice(0, -1)
    .map((name) => ({ kind: 'move', from: absolutePath(name, folder), to: target, isCopy, isInto }))
}

function namesOf(rest: readonly string[], options: RegExp): readonly string[] | null {
  const names = rest.filter((word) => !options.test(word))
  return names.length === 0 || names.some((name) => name.startsWith('-') || name === '') ? null : names
}

const READERS: ReadonlySet<string> = new Set(
  `ls cat head tail less wc grep rg egrep fgrep file stat diff cmp du df tree pwd echo test which type date true false sleep
  md5sum sha256sum shasum mkdir rmdir touch chmod tsc jest vitest pytest go cargo ps env uname whoami jq sort uniq cut`.split(
    /\s+/,
  ),
)
const GIT_READERS: ReadonlySet<string> = new Set(
  'status diff log show add commit blame branch push fetch rev-parse ls-files remote tag'.split(' '),
)
const WRITES = /^(?:-[a-zA-Z]*i\b|--fix|--write|-w|--in-place|fmt|fix|generate|mod)$/

/** Programs that leave the files alone that they are told. */
function isReader(words: readonly string[]): boolean {
  const [program = '', second = ''] = words
  if (program === 'git') return GIT_READERS.has(second)
  if (program === 'grep' || program === 'rg') return true
  return READERS.has(program) && !words.some((word) => WRITES.test(word))
}

/** Programs that change what nobody names: git, formatters, loops. */
const SWEEPING =
  /\bgit\s+(?:-C\s+\S+\s+)?(?:checkout|restore|stash|reset|merge|pull|rebase|apply|am|cherry-pick|revert|clean|switch)\b|--write\b|--fix\b|\b(?:fmt|format|prettier|black|isort|codemod|patch|rsync|unzip|tar|generate|xargs)\b|\bfind\b[^|]*(?:-delete|-exec)|\bfor\b.*\bdo\b/s
const CHANGES_NAMED = /\b(?:rm|mv|cp|sed|perl|tee|truncate|dd|install|ln)\b/
const STANDS_FOR_MORE = /[*?$`{[]|\s-\w*[rR]/

function unclear(command: string, cwd: string | null): readonly Deed[] {
  const names = [...new Set((command.match(/[\w.@+-]*[\w+-]+(?:\.[\w+-]+)*/g) ?? []).map(nameOf))]
  const looked = command.slice(0, 20_000)
  const isSweeping = SWEEPING.test(looked) || (CHANGES_NAMED.test(looked) && STANDS_FOR_MORE.test(looked))
  if (names.length === 0 && !isSweeping) return []
  return [{ kind: 'unclear', folder: cwd ?? '/', names, isSweeping }]
}
