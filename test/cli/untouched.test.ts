// Claude's files are only read: whatever a command does, each of them is afterwards what it was, to the last byte and the
// last time, and nothing lies beside them that was not there.

import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clew, command, environment, newFolder, sample } from './run.ts'

const home = newFolder('home')
const claude = join(home, '.claude')
const cache = join(home, 'cache')
cpSync(sample, claude, { recursive: true })
const before = snapshot(claude)

const COMMANDS = [
  ['list'],
  ['search', 'calendar feed'],
  ['search', '--exact', 'calendar feed'],
  ['search', '--regex', 'calend[a-z]+', '--project', 'tidewatch'],
  ['search', 'nothing has this word'],
  ['show', 'latest', '--include', 'tools,subagents'],
  ['tree', '2ab6'],
  ['usage'],
  ['usage', '--by', 'session', '--explain'],
  ['check'],
  ['repair', '2ab6'],
  ['repair', '8e8a', '--json'],
  ['scan'],
  ['scan', 'latest'],
  ['list', '--gone'],
  ['resume', '2ab6'],
  ['resume', '2ab6', '--messages', '--budget', '500'],
  ['retire', '--keep-last', '1'],
  ['doctor'],
  ['dedupe'],
  ['mv', '/home/ada/tidewatch', '/home/ada/code/tidewatch'],
  ['mv', '/home/ada/tidewatch', '/home/ada/code/tidewatch', '--rewrite-cwd', '--json'],
  ['carry', '2ab6', '-o', join(newFolder(), 'one.clew')],
  ['archive'],
  ['archive', 'list'],
  ['archive', 'verify'],
  ['archive', 'restore', '--all'],
  ['archive', 'prune', '--keep-last', '1'],
  ['archive', 'auto'],
  ['brief', '2ab6'],
  ['journal', '--date', '2026-10-27'],
  ['standup'],
  ['export', '2ab6', '--detail', 'full'],
  ['export', '2ab6', '--format', 'json'],
  ['files', '2ab6'],
  ['files', '--project', 'tidewatch', 'zone.ts'],
  ['restore-file', 'zone.ts'],
  ['blame', join(sample, '..', 'README.md')],
  ['why', 'HEAD'],
]

test.each(COMMANDS.map((words) => [words.join(' '), words] as const))('clew %s', (_, words) => {
  for (const more of [[], ['--no-index']]) {
    const { status } = clew([...words, ...more], {
      env: { HOME: home, XDG_CACHE_HOME: cache, CLAUDE_CONFIG_DIR: claude },
    })
    expect(status).toBeLessThan(2)
    expect(snapshot(claude)).toEqual(before)
  }
})

test('clew serve', async () => {
  const env = environment({ HOME: home, XDG_CACHE_HOME: cache, CLAUDE_CONFIG_DIR: claude })
  const child = spawn(process.execPath, [command, 'serve', '--json'], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  const line = await new Promise<Buffer>((resolve) => child.stdout.once('data', resolve))
  const { port, token } = JSON.parse(line.toString()) as { readonly port: number; readonly token: string }
  for (const asked of ['home', 'activity', 'health', 'journal/days', 'usage'])
    expect((await fetch(`http://127.0.0.1:${port}/api/${asked}`, { headers: { 'x-clew-token': token } })).status).toBe(
      200,
    )
  const over = new Promise((resolve) => child.on('exit', resolve))
  child.kill('SIGINT')
  expect(await over).toBe(0)
  expect(snapshot(claude)).toEqual(before)
})

test('what is written lies in the cache folder, is the archive or a key, for its owner alone', () => {
  expect(readdirSync(home).sort()).toEqual(['.claude', '.config', '.local', 'cache'])
  expect(readdirSync(join(home, '.local', 'share', 'clew'))).toEqual(['archive'])
  expect(lstatSync(join(home, '.local', 'share', 'clew', 'archive')).mode & 0o777).toBe(0o700)
  expect(readdirSync(join(home, '.config', 'clew'))).toEqual(['redact.key'])
  expect(lstatSync(join(home, '.config', 'clew', 'redact.key')).mode & 0o777).toBe(0o600)
  expect(readdirSync(join(cache)).sort()).toEqual(['clew'])
  const index = join(cache, 'clew', 'index.sqlite')
  expect(existsSync(index)).toBe(true)
  expect(lstatSync(index).mode & 0o777).toBe(0o600)
  expect(lstatSync(join(cache, 'clew')).mode & 0o777).toBe(0o700)
})

function snapshot(folder: string): Readonly<Record<string, string>> {
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  return Object.fromEntries(
    found.map((name) => {
      const { mode, size, mtimeMs, ctimeMs, ino } = lstatSync(join(folder, name))
      const isFile = lstatSync(join(folder, name)).isFile()
      const bytes = isFile
        ? createHash('sha256')
            .update(readFileSync(join(folder, name)))
            .digest('hex')
        : 'folder'
      return [name, [mode, size, mtimeMs, ctimeMs, ino, bytes].join(' ')]
    }),
  )
}
