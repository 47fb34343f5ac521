// Who reads along: nobody, a program that stops early, a person with a pager.

import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { prompt, session, writeBelow } from './records.ts'
import { clew, command, environment, newFolder, sample } from './run.ts'

const long = writeBelow(newFolder(), {
  'projects/-p/long.jsonl': session(
    'long',
    Array.from({ length: 3000 }, (_, place) =>
      prompt(`u${place}`, place === 0 ? null : `u${place - 1}`, `line ${place} ${'x'.repeat(100)}`),
    ),
  ),
})
const words = `show long --root ${long}`

/** A pager that leaves a mark and, like a person who has seen enough, reads nothing. */
function pagerIn(folder: string): { readonly path: string; readonly mark: string } {
  const [path, mark] = [join(folder, 'pager'), join(folder, 'mark')]
  writeFileSync(path, `#!/bin/sh\necho seen >> '${mark}'\n`)
  chmodSync(path, 0o755)
  return { path, mark }
}

describe('a reader that closes its end', () => {
  test.each(['list', 'show long', 'show long --json', 'check --json', '--help'])(
    '%s | head -1 ends quietly',
    (what) => {
      const line = `{ '${process.execPath}' '${command}' ${what} --root '${long}'; echo "code $?" >&2; } | head -c 10`
      const { stderr, stdout } = spawnSync('sh', ['-c', line], { env: environment(), encoding: 'utf8' })
      expect(stdout).toHaveLength(10)
      expect(stderr).toBe('code 0\n')
    },
  )

  test('a closed standard output is no crash', () => {
    const line = `'${process.execPath}' '${command}' list --root '${sample}' >&-`
    const { stderr } = spawnSync('sh', ['-c', line], { env: environment(), encoding: 'utf8' })
    expect(stderr).not.toMatch(/\n {4}at /)
  })
})

test.skipIf(!existsSync('/dev/full')).each([
  ['list', 1],
  ['show long', 1],
  ['check', 2],
  ['--help', 1],
])('a full disk behind standard output: %s says so in one line', (what, code) => {
  const line = `'${process.execPath}' '${command}' ${what} --root '${long}' > /dev/full`
  const { stderr, status } = spawnSync('sh', ['-c', line], { env: environment(), encoding: 'utf8' })
  expect(stderr).toMatch(/^clew: ENOSPC: .*\n$/)
  expect(status).toBe(code)
})

test('what is not a terminal is never paged', () => {
  const { path, mark } = pagerIn(newFolder())
  const { out, status } = clew(words.split(' '), { env: { CLEW_PAGER: path, PAGER: path } })
  expect(status).toBe(0)
  expect(out.split('\n').length).toBeGreaterThan(9000)
  expect(existsSync(mark)).toBe(false)
})

// A pseudo terminal, as `script` of util-linux gives one.
const hasTerminal = spawnSync('sh', ['-c', 'script --version'], { encoding: 'utf8' }).stdout.includes('util-linux')
if (!hasTerminal) console.warn('SKIPPED: no `script` of util-linux, so nothing is tested on a terminal')

/** Everything that reached the terminal. */
function onTerminal(line: string, env: Readonly<Record<string, string>>, size = 'rows 30 cols 100'): string {
  const inner = `stty ${size}; '${process.execPath}' '${command}' ${line}; echo "code $?"`
  const { stdout } = spawnSync('sh', ['-c', 'script -qec "$INNER" /dev/null < /dev/null'], {
    env: environment({ INNER: inner, TERM: 'xterm', SHELL: '/bin/sh', ...env }),
    maxBuffer: 1 << 26,
    encoding: 'utf8',
  })
  return stdout.replaceAll('\r\n', '\n')
}

describe.runIf(hasTerminal)('on a terminal', () => {
  test('what does not fit goes to the pager, and leaving it early prints nothing more', () => {
    const { path, mark } = pagerIn(newFolder())
    expect(onTerminal(words, { CLEW_PAGER: path })).toBe('code 0\n')
    expect(readFileSync(mark, 'utf8')).toBe('seen\n')
  })

  test('a few lines that are too long for the screen count as many', () => {
    const { path, mark } = pagerIn(newFolder())
    const root = writeBelow(newFolder(), { 'projects/-p/x.jsonl': session('x', [prompt('u', null, 'y'.repeat(4000))]) })
    onTerminal(`show x --root ${root}`, { CLEW_PAGER: path })
    expect(existsSync(mark)).toBe(true)
  })

  test('what fits is printed, in colour', () => {
    const { path, mark } = pagerIn(newFolder())
    const out = onTerminal(`list --root ${sample}`, { CLEW_PAGER: path })
    expect(existsSync(mark)).toBe(false)
    expect(out).toMatch(/^\u001b\[2mAGE .*\u001b\[22m\n/)
    expect(onTerminal(`list --root ${sample}`, { NO_COLOR: '1' })).toMatch(/^AGE /)
    expect(onTerminal(`list --root ${sample}`, { TERM: 'dumb' })).toMatch(/^AGE /)
  })

  test('a pager that is not there is done without', () => {
    const out = onTerminal(words, { CLEW_PAGER: 'no-such-pager-anywhere' })
    expect(out).toContain('line 2999')
    expect(out).toMatch(/code 0\n$/)
  })

  test('a terminal that does not know its size is taken for an ordinary one', () => {
    const out = onTerminal(`list --root ${sample}`, { NO_COLOR: '1' }, 'rows 0 cols 0')
    expect(out).toContain('Local days instead of 24 hours')
  })
})
