// The line that goes on with a conversation, given to real shells: whatever a folder is called, it is that folder, and
// nothing else is run.

import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { resumeCommand } from '../../src/render/resume-command.ts'
import { asFileName, forbiddenIn, HOSTILE } from './hostile.ts'
import { environment, newFolder } from './run.ts'

/** Where `claude` would run and what it would be told. */
function ran(shell: string, line: string): readonly string[] {
  const script = `claude() { printf '%s\\0' "$PWD" "$@"; }\n${line}`
  const { stdout, stderr } = spawnSync(shell, ['-c', script], { env: environment(), cwd: folder, encoding: 'utf8' })
  expect(stderr).toBe('')
  return stdout.split('\0').slice(0, -1)
}

const folder = newFolder()
const has = (shell: string): boolean => spawnSync(shell, ['-c', ':']).error === undefined
const shells = ['sh', 'bash', 'zsh', 'ksh'].filter(has)
/** Not every `sh` knows `$'…'`. */
const dollarShells = shells.filter((shell) => shell !== 'sh')
const id = '2ab65b76-d18a-44c3-9987-9ebb221d7c35'

const PRINTABLE = [
  'plain',
  'with space',
  "it's",
  `"quoted"`,
  '$(touch owned)',
  '`touch owned`',
  '; touch owned #',
  '&& touch owned',
  '*',
  '~',
  '!!',
  'back\\slash',
  '-',
  '--help',
  '=ls',
  'ünïcödé 日本語 👨‍👩‍👧',
]

describe('folders', () => {
  test.each(PRINTABLE)('%j', (name) => {
    const cwd = join(folder, name)
    mkdirSync(cwd, { recursive: true })
    const line = resumeCommand({ sessionId: id, cwd })
    for (const shell of shells) expect(ran(shell, line), shell).toEqual([cwd, '--resume', id])
  })

  test.each(Object.entries(HOSTILE))('with %s', (_, text) => {
    for (const name of [asFileName(text), asFileName(`'${text}\\`)]) {
      const cwd = join(folder, `x${name}`)
      mkdirSync(cwd, { recursive: true })
      const line = resumeCommand({ sessionId: id, cwd })
      expect(forbiddenIn(Buffer.from(line), false)).toEqual([])
      expect(line).not.toMatch(/[\n\t]/)
      for (const shell of line.includes("$'") ? dollarShells : shells)
        expect(ran(shell, line), `${shell}: ${line}`).toEqual([cwd, '--resume', id])
    }
  })

  test.each(['-', '-P', 'plain', ''])('%j that is not absolute is never an option or a place in CDPATH', (name) => {
    mkdirSync(join(folder, 'elsewhere', name), { recursive: true })
    mkdirSync(join(folder, name), { recursive: true })
    const line = `CDPATH=${join(folder, 'elsewhere')}; ${resumeCommand({ sessionId: id, cwd: name })}`
    for (const shell of shells) expect(ran(shell, line)[0], shell).toBe(name === '' ? folder : join(folder, name))
  })

  test('that nobody knows are not gone to', () => {
    expect(resumeCommand({ sessionId: id, cwd: null })).toBe(`claude --resume ${id}`)
  })

  test('of the ordinary kind are not quoted', () => {
    expect(resumeCommand({ sessionId: id, cwd: '/home/ada/tidewatch' })).toBe(
      `cd /home/ada/tidewatch && claude --resume ${id}`,
    )
  })
})

describe('ids', () => {
  test.each([...PRINTABLE, ''])('%j', (sessionId) => {
    const [, ...words] = ran('sh', resumeCommand({ sessionId, cwd: folder }))
    expect(words).toEqual(sessionId.startsWith('-') ? [`--resume=${sessionId}`] : ['--resume', sessionId])
  })

  test.runIf(has('bash')).each(Object.entries(HOSTILE))('with %s', (_, text) => {
    const sessionId = asFileName(text)
    expect(ran('bash', resumeCommand({ sessionId, cwd: folder }))).toEqual([folder, '--resume', sessionId])
  })
})
