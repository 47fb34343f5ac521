// Hooks as the client runs them: they cost it next to nothing, say nothing, archive all the same, and do not go round in
// circles; and the settings they stand in are the user's.

import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Ran } from './run.ts'
import { clew, clewJson, command, environment, newFolder, sample } from './run.ts'

const SETTINGS = `{
  // mine
  "cleanupPeriodDays": 20, // days
  "permissions": { "allow": ["Bash(ls:*)"] }
}
`
let home = ''
let root = ''
let settings = ''
const env = (): NodeJS.ProcessEnv => environment({ HOME: home, CLAUDE_CONFIG_DIR: root })
const run = (...words: readonly string[]): Ran => clew(words, { env: { HOME: home, CLAUDE_CONFIG_DIR: root } })
const hookLine = (): string => {
  const [line] = /"command": "(?:[^"\\]|\\.)*"/.exec(readFileSync(settings, 'utf8')) ?? []
  return (JSON.parse(`{${line}}`) as { command: string }).command
}
const snapshots = (): number => {
  const folder = join(home, '.local', 'share', 'clew', 'archive', 'snapshots')
  return existsSync(folder) ? readdirSync(folder).length : 0
}

beforeEach(() => {
  home = newFolder('home')
  // A path with all that a shell could trip over.
  root = join(home, `it's a "claude" $HOME dir`)
  settings = join(root, 'settings.json')
  cpSync(join(sample, 'projects'), join(root, 'projects'), { recursive: true })
  writeFileSync(settings, SETTINGS, { mode: 0o640 })
})

describe('install', () => {
  test('adds hooks, keeps a backup, and does it once; uninstall leaves no trace', () => {
    expect(run('archive', 'install')).toMatchObject({ status: 0, err: '' })
    const installed = readFileSync(settings, 'utf8')
    expect(installed).toContain('// mine')
    expect(statSync(settings).mode & 0o777).toBe(0o640)
    const [backup = ''] = readdirSync(root).filter((name) => name.includes('clew-backup'))
    expect(readFileSync(join(root, backup), 'utf8')).toBe(SETTINGS)
    expect(run('archive', 'install', '--json').out).toContain('"change":"unchanged"')
    expect(readFileSync(settings, 'utf8')).toBe(installed)
    expect(run('archive', 'uninstall').status).toBe(0)
    expect(readFileSync(settings, 'utf8')).toBe(SETTINGS)
    expect(readdirSync(root).sort()).toEqual(['projects', 'settings.json'])
    expect(run('archive', 'uninstall').out).toContain('Nothing had to be changed')
  })

  test('where there are no settings, there are none afterwards', () => {
    const bare = join(home, 'bare')
    cpSync(join(sample, 'projects'), join(bare, 'projects'), { recursive: true })
    expect(run('archive', 'install', '--root', bare).status).toBe(0)
    expect(existsSync(join(bare, 'settings.json'))).toBe(true)
    expect(run('archive', 'uninstall', '--root', bare).status).toBe(0)
    expect(readdirSync(bare)).toEqual(['projects'])
  })

  test('a link to settings stays one', () => {
    const linked = join(home, 'linked')
    cpSync(join(sample, 'projects'), join(linked, 'projects'), { recursive: true })
    symlinkSync(settings, join(linked, 'settings.json'))
    expect(run('archive', 'install', '--root', linked).status).toBe(0)
    expect(lstatSync(join(linked, 'settings.json')).isSymbolicLink()).toBe(true)
    expect(readFileSync(settings, 'utf8')).toContain('CLEW_ARCHIVING')
  })

  test('what cannot be understood is left as it is, with the place', () => {
    writeFileSync(settings, '{\n  "a": 1\n  "b": 2\n}')
    const { status, err } = run('archive', 'install')
    expect(status).toBe(1)
    expect(err).toContain('settings.json was left as it is: it is no JSON at line 3, column 3')
    expect(readdirSync(root).sort()).toEqual(['projects', 'settings.json'])
  })
})

describe('the hook', () => {
  const fire = (more: NodeJS.ProcessEnv = {}): { ms: number; said: string } => {
    const startedMs = performance.now()
    const input = JSON.stringify({ session_id: '2ab6', hook_event_name: 'SessionEnd', reason: 'exit' })
    const ran = spawnSync('/bin/sh', ['-c', hookLine()], { env: { ...env(), ...more }, input })
    return { ms: performance.now() - startedMs, said: `${ran.status} ${ran.stdout}${ran.stderr}` }
  }
  const settled = async (wanted: number): Promise<number> => {
    for (let left = 200; left > 0 && snapshots() < wanted; left--) await setTimeout(50)
    return snapshots()
  }

  test('returns at once, says nothing, and archives in the background', async () => {
    run('archive', 'install')
    const first = fire()
    expect(first.said).toBe('0 ')
    expect(await settled(1)).toBe(1)
    expect(clewJson(['archive', 'list'], { env: { HOME: home, CLAUDE_CONFIG_DIR: root } })).toHaveLength(5)
    const others = [1, 2, 3, 4, 5].map(() => fire().ms)
    // The client waits for a shell, not for Node. The bound is for a machine that does other things too.
    expect(Math.min(first.ms, ...others)).toBeLessThan(50)
    await setTimeout(500)
    expect(snapshots()).toBe(1)
  })

  test.each([['CLEW_ARCHIVING'], ['CLEW_REENTRY']])('does nothing where %s is set', async (name) => {
    run('archive', 'install')
    expect(fire({ [name]: '1' }).said).toBe('0 ')
    await setTimeout(1000)
    expect(snapshots()).toBe(0)
  })

  test('works from a path with spaces and quotes', async () => {
    // Not a link: those are followed. So the whole command, copied.
    const folder = join(home, `o'brien "x" $y`, 'bin')
    cpSync(dirname(command), folder, { recursive: true })
    mkdirSync(join(home, `o'brien "x" $y`), { recursive: true })
    copyFileSync(join(dirname(command), '..', '..', 'package.json'), join(home, 'package.json'))
    symlinkSync(join(dirname(command), '..', '..', 'node_modules'), join(home, 'node_modules'))
    chmodSync(join(folder, 'clew.js'), 0o755)
    const installed = spawnSync(process.execPath, [join(folder, 'clew.js'), 'archive', 'install'], { env: env() })
    expect(installed.status).toBe(0)
    expect(fire().said).toBe('0 ')
    expect(await settled(1)).toBe(1)
  })
})

describe('auto', () => {
  const age = (days: number): void => {
    const then = Date.now() / 1000 - days * 86_400
    for (const name of readdirSync(join(root, 'projects'), { recursive: true, encoding: 'utf8' })) {
      utimesSync(join(root, 'projects', name), then, then)
    }
  }
  const settled = async (): Promise<number> => {
    for (let left = 100; left > 0 && snapshots() === 0; left--) await setTimeout(50)
    return snapshots()
  }

  test('said once, any command archives what is about to go, once a day', async () => {
    age(25)
    expect(run('list').status).toBe(0)
    await setTimeout(800)
    expect(snapshots()).toBe(0)
    expect(run('archive', 'auto', 'on').out).toContain('Auto is on')
    expect(run('list')).toMatchObject({ status: 0, err: '' })
    expect(await settled()).toBe(1)
    writeFileSync(join(root, 'projects', '-home-ada-tidewatch', 'new.jsonl'), '{}\n')
    age(26)
    expect(run('doctor').out).toContain('once a day by any command')
    await setTimeout(800)
    expect(snapshots()).toBe(1)
    expect(run('archive', 'auto', 'off').out).toContain('Auto is off')
  })

  test('what has time is left alone', async () => {
    age(5)
    run('archive', 'auto', 'on')
    run('list')
    await setTimeout(1500)
    expect(snapshots()).toBe(0)
  })
})

test('doctor says what is not set up, what has no copy, and that hooks lead nowhere', () => {
  for (const name of readdirSync(join(root, 'projects'), { recursive: true, encoding: 'utf8' })) {
    utimesSync(join(root, 'projects', name), new Date(0), new Date(0))
  }
  expect(run('doctor').out).toMatch(
    /Archive: not set up; nothing was archived yet\.\n5 conversations .* clew archive\n.*clew archive install/,
  )
  run('archive')
  run('archive', 'install')
  const after = run('doctor').out
  expect(after).toContain('Archive: set up, hooks of the client')
  expect(after).not.toContain('have no copy')
  writeFileSync(settings, readFileSync(settings, 'utf8').replaceAll('clew.js', 'gone.js'))
  expect(run('doctor').out).toContain('gone.js, which is gone. Mend them: clew archive install')
})

test('retire lets go of what is archived as it is now, and of nothing else', () => {
  for (const name of readdirSync(join(root, 'projects'), { recursive: true, encoding: 'utf8' })) {
    utimesSync(join(root, 'projects', name), new Date(0), new Date(0))
  }
  const going = (): number | undefined =>
    clewJson<{ goingSessions: number }>(['retire', '--keep-last', '0'], {
      env: { HOME: home, CLAUDE_CONFIG_DIR: root },
    })[0]?.goingSessions
  expect(going()).toBe(0)
  run('archive')
  expect(going()).toBe(5)
  const [path = ''] = readdirSync(join(root, 'projects', '-home-ada-dotfiles')).filter((name) =>
    name.endsWith('.jsonl'),
  )
  const whole = join(root, 'projects', '-home-ada-dotfiles', path)
  writeFileSync(whole, `${readFileSync(whole, 'utf8')}{}\n`)
  utimesSync(whole, new Date(0), new Date(0))
  expect(going()).toBe(4)
})
