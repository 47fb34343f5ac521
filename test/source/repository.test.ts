// Worktrees roll up to their repository, by git's own files or, where those are gone, by the name the client gives them.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { repositoryOf } from '../../src/source/repository.ts'

const folder = mkdtempSync(join(tmpdir(), 'clew-repository-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const at = (...names: readonly string[]): string => join(folder, ...names)

function write(path: string, text: string): void {
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, text)
}

function worktree(place: string, common: string, name: string): void {
  write(join(place, '.git'), `gitdir: ${join(common, 'worktrees', name)}\n`)
  write(join(common, 'worktrees', name, 'commondir'), '../..\n')
  write(join(common, 'worktrees', name, 'gitdir'), `${join(place, '.git')}\n`)
}

mkdirSync(at('tidewatch', '.git', 'worktrees'), { recursive: true })
mkdirSync(at('tidewatch', 'src', 'deep'), { recursive: true })
worktree(at('tidewatch-fix'), at('tidewatch', '.git'), 'tidewatch-fix')
mkdirSync(at('tidewatch-fix', 'src'))
worktree(at('tidewatch', '.claude', 'worktrees', 'here'), at('tidewatch', '.git'), 'here')
worktree(at('bare', 'main'), at('bare', '.bare'), 'main')
worktree(at('other', 'main'), at('other', 'project.git'), 'main')
mkdirSync(at('tidewatch', '.git', 'modules', 'charts'), { recursive: true })
write(at('tidewatch', 'charts', '.git'), 'gitdir: ../.git/modules/charts\n')
write(at('broken', '.git'), 'no pointer at all')
mkdirSync(at('plain'))

test.each([
  ['a repository is its own', ['tidewatch'], ['tidewatch']],
  ['a folder in it stays what it is', ['tidewatch', 'src', 'deep'], ['tidewatch', 'src', 'deep']],
  ['a worktree', ['tidewatch-fix'], ['tidewatch']],
  ['a folder in a worktree', ['tidewatch-fix', 'src'], ['tidewatch']],
  ['a worktree of the client', ['tidewatch', '.claude', 'worktrees', 'here'], ['tidewatch']],
  ['one that was removed', ['tidewatch', '.claude', 'worktrees', 'gone', 'src'], ['tidewatch']],
  ['one in a worktree', ['tidewatch-fix', '.claude', 'worktrees', 'gone'], ['tidewatch']],
  ['one of a repository that is gone too', ['nowhere', '.claude', 'worktrees', 'x'], ['nowhere']],
  ['a folder that only looks like it', ['tidewatch-worktrees', 'x'], ['tidewatch-worktrees', 'x']],
  ['a worktree of a bare repository', ['bare', 'main'], ['bare']],
  ['a worktree of a bare repository with a name', ['other', 'main'], ['other', 'project.git']],
  ['a submodule is its own', ['tidewatch', 'charts'], ['tidewatch', 'charts']],
  ['a broken pointer', ['broken'], ['broken']],
  ['no repository', ['plain'], ['plain']],
  ['nothing', ['not', 'there'], ['not', 'there']],
])('%s', (_, from, to) => {
  expect(repositoryOf(at(...from))).toBe(at(...to))
})

test('what is no path of this system stays as it is', () => {
  for (const name of ['', 'relative/path', '-home-ada-tidewatch', 'C:\\Users\\ada\\tidewatch'])
    expect(repositoryOf(name)).toBe(name)
  expect(repositoryOf('C:\\code\\tidewatch\\.claude\\worktrees\\fix')).toBe('C:\\code\\tidewatch')
})
