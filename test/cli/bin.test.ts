// The command as npm installs it, its version and its help.

import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { clew, command, environment, projectFolder } from './run.ts'

const manifest = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as {
  readonly version: string
  readonly bin: { readonly clew: string }
  readonly files: readonly string[]
}

const COMMANDS = ['list', 'search', 'show', 'tree', 'check']

describe('the bin', () => {
  const path = join(projectFolder, manifest.bin.clew)

  test('exists, may be run and says what runs it', () => {
    expect(statSync(path).mode & 0o111).toBe(0o111)
    expect(readFileSync(path, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
    expect(manifest.files).toContain(manifest.bin.clew.split('/')[0])
  })

  test('runs by its own name', () => {
    expect(execFileSync(command, ['--version'], { env: environment(), encoding: 'utf8' })).toBe(`${manifest.version}\n`)
  })
})

test('--version and -v are the version of the package', () => {
  for (const word of ['--version', '-v']) {
    expect(clew([word])).toMatchObject({ status: 0, out: `${manifest.version}\n`, err: '' })
  }
})

describe('help', () => {
  const whole = clew(['--help'])

  test('names every command and is the answer to no command at all', () => {
    expect(whole.status).toBe(0)
    for (const name of COMMANDS) expect(whole.out).toMatch(new RegExp(`^ {2}${name} `, 'm'))
    for (const words of [[], ['-h'], ['help']]) expect(clew(words).out).toBe(whole.out)
  })

  test('of what is no command is the same error as the command itself', () => {
    for (const words of [['help', 'nope'], ['nope']])
      expect(clew(words)).toMatchObject({
        status: 1,
        out: '',
        err: 'clew: there is no command “nope”. Try: clew --help\n',
      })
  })

  const helps = new Map(COMMANDS.map((name) => [name, clew([name, '--help'])]))

  test.each(COMMANDS)('of %s has its usage and examples, and fits 120 columns', (name) => {
    const { status, out = '', err } = helps.get(name) ?? {}
    expect([status, err]).toEqual([0, ''])
    expect(out).toMatch(new RegExp(`^clew ${name} `))
    expect(out).toMatch(new RegExp(`\nExamples:\n( {2}clew ${name}.*\n)+`))
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(120)
    expect(clew(['help', name]).out).toBe(out)
  })

  test.each(COMMANDS)('of %s names only options that the command takes', (name) => {
    const named = new Set(helps.get(name)?.out.match(/--[a-z][a-z-]*/g))
    expect([...named]).toEqual(expect.arrayContaining(['--json', '--root']))
    // The values are nonsense, which is found out only after every option was known.
    const { err } = clew([name, ...[...named].flatMap((option) => [option, 'x'])])
    expect(err).not.toContain('Unknown option')
  })
})
