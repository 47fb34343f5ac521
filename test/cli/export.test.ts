// `clew export`: what goes where, what is left out, and every way it says no.

import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { exportCommand } from '../../src/cli/export.ts'
import { openForExport } from '../../src/cli/export-open.ts'
import type { ExportFormat, ExportPlan } from '../../src/cli/export-plan.ts'
import { exportConversation } from '../../src/cli/exported.ts'
import { findTranscripts } from '../../src/load/found.ts'
import { openSession } from '../../src/load/session.ts'
import { createRedactor } from '../../src/redact/redactor.ts'
import { chooseParts, PARTS } from '../../src/render/export/choice.ts'
import { importConversation } from '../../src/render/export/conversation-document.ts'
import { exported, refused } from '../render/exported.ts'
import { hostileFiles } from './hostile.ts'
import { runHere } from './in-process.ts'
import { prompt, reply, session, talk, toolResult, toolUse, writeBelow } from './records.ts'
import { clew, clewJson, newFolder, sample } from './run.ts'

const ROOT = ['--root', sample]

describe('what comes out', () => {
  test('the format is what the file is called', async () => {
    const folder = newFolder()
    const marks = {
      md: '<!-- clew export -->',
      html: '<!doctype html>',
      json: '{"clew":',
      jsonl: '{"type":"custom',
      txt: 'Local',
    }
    for (const [suffix, mark] of Object.entries(marks)) {
      await exported(['2ab6', ...ROOT, '-o', join(folder, `x.${suffix}`)])
      expect(readFileSync(join(folder, `x.${suffix}`), 'utf8').startsWith(mark)).toBe(true)
    }
    expect(await exported(['2ab6', ...ROOT])).toContain('# Local days instead of 24 hours')
  })

  test('some turns', async () => {
    const turns = async (...words: readonly string[]): Promise<readonly string[]> =>
      [...(await exported(['2ab6', ...ROOT, ...words])).matchAll(/^## (\d+)/gm)].map(([, number]) => number ?? '')
    expect(await turns('--last', '2')).toEqual(['10', '11'])
    expect(await turns('--turns', '3')).toEqual(['3'])
    expect(await turns('--turns', '9..')).toEqual(['9', '10', '11'])
    expect(await turns('--turns', '..2')).toEqual(['1', '2'])
    expect((await turns('--branch', '1')).length).toBeGreaterThan(0)
    expect((await turns('--reading', 'context')).length).toBeLessThan(11)
    expect(await exported(['2ab6#07338147', ...ROOT])).toContain('is the tide cache keyed by date only?')
  })

  test('compact and full, and what is put in and left out', async () => {
    const compact = await exported(['2ab6', ...ROOT])
    const full = await exported(['2ab6', ...ROOT, '--detail', 'full'])
    expect(compact).toContain('- ✓ **Read** `src/tides/day.ts`')
    expect(compact).not.toContain('DAY_MS = 24 * 60')
    expect(full).toContain('-const DAY_MS = 24 * 60 * 60 * 1000')
    expect(full).toContain('```diff')
    expect(full).toContain('harbour days')
    expect(await exported(['2ab6', ...ROOT, '--exclude', 'tools'])).not.toContain('**Read**')
    expect(await exported(['2ab6', ...ROOT, '--include', 'tools'])).toContain('```diff')
    expect(await exported(['f03e', ...ROOT, '--detail', 'full', '--exclude', 'subagents,thinking'])).not.toContain(
      'Thinking',
    )
    expect(await exported(['f03e', ...ROOT, '--detail', 'full'])).toContain('Thinking')
  })

  test('the client’s own prompts are left out of every format, unless they are asked for', async () => {
    const snapshot = 'The client keeps its own prompt here.'
    const root = writeBelow(newFolder(), { 'projects/p/1.jsonl': session('1', withReminders()) })
    for (const format of ['md', 'html', 'txt', 'json', 'jsonl']) {
      const more = format.startsWith('json') ? [] : ['--detail', 'full']
      const out = await exported(['2ab6', ...ROOT, '-f', format, ...more])
      expect([format, out.includes(snapshot)]).toEqual([format, false])
      const made = await exported(['latest', '--root', root, '-f', format, ...more])
      expect([format, /psst|between the lines|from a hook/.test(made)]).toEqual([format, false])
      expect([format, made.includes('asked') && made.includes('answered') && made.includes('printed')]).toEqual([
        format,
        true,
      ])
    }
    expect(await exported(['2ab6', ...ROOT, '--detail', 'full', '--include', 'client'])).toContain(snapshot)
  })

  test('a spill is read from beside the transcript, and from nowhere else', async () => {
    const full = await exported(['2ab6', ...ROOT, '--detail', 'full', '-f', 'txt'])
    expect(full).toContain('From b1a2c3d4e.txt.')
    expect(full.split('\n').length).toBeGreaterThan(600)
  })

  test('questions are shown with their answers, todos as a list', async () => {
    const asked = { questions: [{ question: 'Which way?', options: [{ label: 'left' }, { label: 'right' }] }] }
    const answers = { 'Which way?': 'right' }
    const records = [
      prompt('u', null, 'go'),
      reply('a', 'u', [toolUse('t1', 'AskUserQuestion', asked)]),
      toolResult('r', 'a', 't1', 'answered', { toolUseResult: { answers } }),
      reply('b', 'r', [toolUse('t2', 'TodoWrite', { todos: [{ content: 'walk', status: 'completed' }] })]),
      toolResult('s', 'b', 't2', 'ok'),
    ]
    const root = writeBelow(newFolder(), { 'projects/p/1.jsonl': session('1', records) })
    expect(await exported(['latest', '--root', root])).toMatch(
      /\*\*Which way\?\*\*\n\n- left\n- right\n\nAnswer: \*\*right\*\*/,
    )
    const html = await exported(['latest', '--root', root, '-f', 'html', '--detail', 'full'])
    expect(html).toContain('<li class="chosen">right</li>')
    expect(html).toContain('<li class="done">walk</li>')
  })
})

describe('who says what, and what it cost', () => {
  const records = [
    prompt('u', null, 'quote me'),
    reply('a', 'u', '> quote me\n\nThat is what you said.', {}),
    reply('b', 'a', [toolUse('t', 'Bash', { command: 'ls' })]),
    toolResult('r', 'b', 't', 'tides'),
    reply('c', 'r', 'Done.'),
    prompt('v', 'c', 'thanks'),
  ]
  const root = writeBelow(newFolder(), { 'projects/p/1.jsonl': session('1', records) })

  test.each([
    ['md', ['**Prompt**', '> quote me', '**Claude**', '> quote me']],
    ['txt', ['Prompt:', '> quote me', 'Claude:', '> quote me']],
  ] as const)('a prompt is told from a quotation: %s', async (format, wanted) => {
    const out = await exported(['latest', '--root', root, '-f', format, '--exclude', 'tools', '--detail', 'full'])
    const lines = out.split('\n').filter((line) => /^(\*\*|> |Prompt:|Claude:)/.test(line))
    expect(lines).toEqual([...wanted, wanted[0], '> thanks'])
  })

  test('the work is never longer than the time from the first to the last', async () => {
    const late = [
      ...records.slice(0, 5),
      { type: 'system', subtype: 'local_command', uuid: 'l', parentUuid: 'c', content: '/model' },
    ]
    const times = ['00:00', '00:01', '00:02', '00:03', '00:04', '04:50']
    const timed = session('1', late).map((record, place) => ({
      ...record,
      timestamp: `2026-03-01T10:${times[place]}Z`,
    }))
    const path = writeBelow(newFolder(), { 'projects/p/1.jsonl': timed })
    const { head } = JSON.parse(await exported(['latest', '--root', path, '-f', 'json'])) as {
      readonly head: { readonly startedAt: string; readonly endedAt: string; readonly workedMs: number }
    }
    expect(head.workedMs).toBe(Date.parse(head.endedAt) - Date.parse(head.startedAt))
    expect(head.workedMs).toBe(4_000)
  })

  test('tokens are those of the turns shown, and those of their subagents stand beside them', async () => {
    const { head } = JSON.parse(await exported(['a43e', ...ROOT, '-f', 'json'])) as {
      readonly head: Record<'outputTokens' | 'agentOutputTokens', number>
    }
    const [row] = clewJson<{ readonly output_tokens: number }>([
      ...['usage', '--by', 'session', '--explain', 'a43e0f11', '--no-index'],
      ...ROOT,
    ])
    expect(head.agentOutputTokens).toBeGreaterThan(0)
    expect(head.outputTokens + head.agentOutputTokens).toBe(row?.output_tokens)
    expect(await exported(['a43e', ...ROOT])).toMatch(
      /these turns: 118,821 tokens in, 466 out; their subagents: [\d,]+ in, 163 out/,
    )
  })
})

describe('where it goes', () => {
  test('a file for its owner alone, whole, with nothing left beside it', async () => {
    const folder = newFolder()
    await exported(['2ab6', ...ROOT, '-o', join(folder, 'deep', 'er', 'a.md')])
    expect(readdirSync(join(folder, 'deep', 'er'))).toEqual(['a.md'])
    expect(statSync(join(folder, 'deep', 'er', 'a.md')).mode & 0o777).toBe(0o600)
  })

  test('several conversations go into a folder, with an index and names that stay', async () => {
    const folder = newFolder()
    for (const format of ['md', 'html']) {
      await exported(['--since', '2026-01-01', '--project', 'tidewatch', ...ROOT, '-f', format, '-o', folder])
      const names = readdirSync(folder).filter((name) => name.endsWith(format))
      expect(names).toEqual(
        [
          `2026-10-27-tides-an-hour-late-since-the-clock-change-branch-f03e2afd.${format}`,
          `2026-10-27-local-days-instead-of-24-hours-2ab65b76.${format}`,
          `2026-10-28-moon-phase-beside-the-tide-table-a43e0f11.${format}`,
          `index.${format}`,
        ].sort(),
      )
      const index = readFileSync(join(folder, `index.${format}`), 'utf8')
      expect(names.filter((name) => name !== `index.${format}` && !index.includes(name))).toEqual([])
    }
  })

  test('a dash is standard output', async () => {
    for (const name of ['-', '/dev/stdout'])
      expect(await exported(['a43e', ...ROOT, '-o', name])).toBe(await exported(['a43e', ...ROOT]))
  })

  test('a folder may have a dot in its name', async () => {
    const folder = join(newFolder(), 'notes-26.11')
    await exported(['2ab6', 'a43e', ...ROOT, '-o', folder])
    expect(readdirSync(folder).length).toBe(3)
  })

  test('what is named twice is exported once', async () => {
    const folder = newFolder()
    await exported(['2ab6', 'a43e', '2ab65b76', 'Local days instead of 24 hours', ...ROOT, '-o', folder, '-f', 'txt'])
    expect(readdirSync(folder).length).toBe(2)
    expect(await exported(['2ab6', '2ab65', ...ROOT])).toContain('# Local days instead of 24 hours')
  })

  test('--until is with its day, here', async () => {
    const timestamp = new Date(2026, 9, 28, 20, 30).toISOString()
    const root = writeBelow(newFolder(), { 'projects/p/1.jsonl': talk('1', 'what is the time?', { timestamp }) })
    const count = async (...words: readonly string[]): Promise<number> => {
      const folder = newFolder()
      const { status } = await runHere(exportCommand, [...words, '--root', root, '-o', folder, '-f', 'txt'], Date.now())
      return status === 0 ? readdirSync(folder).length : 0
    }
    expect(await count('--until', '2026-10-28')).toBe(1)
    expect(await count('--until', '2026-10-27')).toBe(0)
    expect(await count('--since', '2026-10-28', '--until', '2026-10-28')).toBe(1)
    expect(await count('--since', '2026-10-29')).toBe(0)
  })

  test('a session that lies in two places does not replace itself', async () => {
    const [root, folder] = [newFolder(), newFolder()]
    for (const name of ['one', 'other']) cpSync(join(sample, 'projects'), join(root, name), { recursive: true })
    await exported(['--since', '2026-01-01', '--root', root, '-o', folder, '-f', 'txt'])
    const names = readdirSync(folder)
    expect(names.length).toBe(10)
    expect(names).toContain('2026-10-27-local-days-instead-of-24-hours-2ab65b76-2.txt')
  })

  test('what Clew wrote is replaced, what somebody else wrote is not', async () => {
    const folder = newFolder()
    for (const suffix of ['md', 'html', 'json', 'jsonl', 'txt']) {
      const path = join(folder, `a.${suffix}`)
      await exported(['a43e', ...ROOT, '-o', path])
      await exported(['2ab6', ...ROOT, '-o', path])
      writeFileSync(path, 'mine')
      expect(await refused(['2ab6', ...ROOT, '-o', path])).toContain('not from Clew; --force replaces it')
      expect(readFileSync(path, 'utf8')).toBe('mine')
      await exported(['2ab6', ...ROOT, '-o', path, '--force'])
      expect(readFileSync(path, 'utf8')).not.toBe('mine')
    }
  })

  test('never a Claude directory, by whatever way', async () => {
    const claude = newFolder('claude')
    cpSync(sample, claude, { recursive: true })
    const before = readdirSync(claude, { recursive: true }).sort()
    const link = join(newFolder(), 'link')
    symlinkSync(claude, link)
    for (const path of [
      join(claude, 'a.md'),
      join(claude, 'projects', 'x', 'a.jsonl'),
      join(link, 'a.md'),
      `${claude}/`,
    ]) {
      expect(await refused(['2ab6', '--root', claude, '-o', path])).toContain('inside a Claude directory')
    }
    expect(readdirSync(claude, { recursive: true }).sort()).toEqual(before)
  })

  test('a page that is too long becomes an index and pages', async () => {
    const folder = newFolder()
    await exported(['2ab6', ...ROOT, '--detail', 'full', '--split', '8k', '-o', join(folder, 'a.html')])
    const pages = readdirSync(join(folder, 'a'))
    expect(pages.length).toBeGreaterThan(4)
    expect(existsSync(join(folder, 'a.html'))).toBe(false)
    const links = [
      ...readFileSync(join(folder, 'a', 'index.html'), 'utf8').matchAll(/href="(page-\d+\.html)#(turn-\d+)"/g),
    ]
    expect(links.length).toBe(11)
    for (const [, page = '', id = ''] of links)
      expect(readFileSync(join(folder, 'a', page), 'utf8')).toContain(`<section class="turn" id="${id}"`)
    // Cut or not, the same parts are there.
    const whole = await exported(['2ab6', ...ROOT, '--detail', 'full', '-f', 'html'])
    const cut = pages.map((name) => readFileSync(join(folder, 'a', name), 'utf8')).join('')
    const ids = (html: string): readonly string[] =>
      [...html.matchAll(/ id="([a-z]-[\w-]+)"/g)].map(([, id]) => id ?? '').sort()
    expect(ids(cut)).toEqual(ids(whole))
    for (const name of pages) expect(unclosed(readFileSync(join(folder, 'a', name), 'utf8'))).toEqual([])
    expect(await refused(['2ab6', ...ROOT, '--split', '8k', '-f', 'html'])).toContain('too long for one page')
  })

  test('--json tells what was written', () => {
    const path = join(newFolder(), 'a.md')
    const [told] = clewJson<Record<string, unknown>>(['export', '2ab6', ...ROOT, '-o', path])
    const { title, sizeBytes } = { title: 'Local days instead of 24 hours', sizeBytes: statSync(path).size }
    expect(told).toEqual({
      sessionId: '2ab65b76-d18a-44c3-9987-9ebb221d7c35',
      agentId: null,
      title,
      format: 'md',
      path,
      files: 1,
      turns: 11,
      sizeBytes,
      redacted: expect.any(Object),
    })
  })
})

describe('records', () => {
  test('are read again by Clew, with their subagents', async () => {
    const path = join(newFolder(), 'copy.jsonl')
    await exported(['2ab6', ...ROOT, '-o', path])
    const show = (name: string, root: readonly string[]): string =>
      clew(['show', name, ...root, '--include', 'tools,subagents', '--no-index']).out.replace(/^.*\n.*\n/, '')
    expect(show(path, [])).toBe(show('2ab6', ROOT))
    const [shown] = clewJson<{ readonly problems: readonly { readonly severity: string }[] }>(['show', path])
    expect((shown?.problems ?? []).filter(({ severity }) => severity !== 'info')).toEqual([])
    await exported(['2ab6', ...ROOT, '--last', '2', '-o', path])
    expect(clew(['show', path]).out.match(/^── \d+/gm)).toEqual(['── 1', '── 2'])
  })
})

describe('redaction comes before everything else', () => {
  const FORMATS = ['md', 'html', 'txt', 'json', 'jsonl'] as const
  const SECRET = 'hunter2-opensesame'

  async function exportedBy(root: string, format: ExportFormat): Promise<string> {
    const archive = findTranscripts([root])
    const file = archive.projects[0]?.files.find(({ role }) => role === 'main')
    if (file === undefined) throw new Error('no session')
    const plan: ExportPlan = {
      format,
      choice: chooseParts('full', PARTS, [], 'placeholder'),
      reading: 'full',
      branch: null,
      turns: null,
      last: null,
      splitBytes: 1e9,
      isRedacted: true,
    }
    let out = ''
    const found = { session: openSession(archive, file, 'resume'), agentId: null, record: null, isCopy: false }
    await exportConversation(openForExport(found, plan), plan, createRedactor({ literals: [SECRET] }), {
      isStandardOutput: false,
      isFolder: true,
      pathOf: (stem) => `${stem}.${format}`,
      write: async (path, pieces) => {
        out += path + [...pieces].join('')
        return 0
      },
    })
    return out
  }

  test.each(FORMATS)('a secret in every place there is: %s', async (format) => {
    const out = await exportedBy(writeBelow(newFolder(), hostileFiles(SECRET, '1'.repeat(8))), format)
    expect(out).toContain('⟦secret:')
    expect(out).not.toContain(SECRET)
    expect(out).not.toContain('opensesame')
  })

  test.each(FORMATS)('a secret that a title would cut in two: %s', async (format) => {
    const records = [prompt('u', null, `${'word '.repeat(37)} ${SECRET} and more of it`), reply('a', 'u', 'yes')]
    const out = await exportedBy(writeBelow(newFolder(), { 'projects/p/1.jsonl': session('1', records) }), format)
    expect(out).toContain('⟦secret:')
    expect(out).not.toContain('hunter2')
  })

  test.each(FORMATS)('a key of several lines in a change: %s', async (format) => {
    const key = ['MIIEpAIBAAKCAQEA7bq2Zk1uT9xWvYq3sN5rJ8', 'gL0aHcE4dFi6KmPoRtSuVwXyZ1B2C3D4E5F6G7']
    const lines = ['-----BEGIN RSA PRIVATE KEY-----', ...key, '-----END RSA PRIVATE KEY-----']
    const input = { file_path: '/k', old_string: 'x', new_string: lines.join('\n') }
    const structuredPatch = [{ oldStart: 1, newStart: 1, lines: ['-x', ...lines.map((line) => `+${line}`), ' y'] }]
    const records = [
      prompt('u', null, 'go'),
      reply('a', 'u', [toolUse('t', 'Edit', input)]),
      toolResult('r', 'a', 't', 'done', { toolUseResult: { structuredPatch } }),
    ]
    const out = await exportedBy(writeBelow(newFolder(), { 'projects/p/1.jsonl': session('1', records) }), format)
    expect(out).toContain('⟦secret:')
    expect(out).not.toContain('gL0aHcE4')
  })
})

describe('what is refused, in one line', () => {
  const path = join(newFolder(), 'x.md')
  const fifo = join(newFolder(), 'fifo.md')
  spawnSync('mkfifo', [fifo])
  test.each([
    [['2ab6', '-f', 'pdf'], 'there is no format “pdf”; there are md, html, json, jsonl, txt'],
    [['2ab6', '--turns', '40..50'], 'there is no turn 40..50; the conversation has 11 turns'],
    [['2ab6', '--turns', '12'], 'there is no turn 12'],
    [['2ab6', '--turns', '5..2'], '--turns 5..2 ends before it begins'],
    [['2ab6', '--turns', 'x'], '--turns takes N, N..M, N.. or ..M'],
    [['2ab6', '--last', '0'], '--last takes a number from 1'],
    [['2ab6', '--last', '2', '--turns', '1'], 'one of them'],
    [['2ab6', '--branch', '9'], 'there is no branch 9'],
    [['2ab6', '--branch', '1', '--reading', 'context'], '--branch needs --reading full'],
    [['2ab6', '--include', 'jokes'], '--include takes thinking or tools'],
    [['2ab6', '--detail', 'some'], '--detail takes compact or full'],
    [['2ab6', '-f', 'json', '--detail', 'compact'], 'always full'],
    [['2ab6', '--images', 'referenced'], 'needs -o'],
    [['2ab6', '--images', 'referenced', '-o', join(newFolder(), 'x.txt')], 'is for md and html'],
    [['2ab6', '--split', 'much'], '--split takes a size'],
    [['2ab6', '--json'], '--json tells what was written: it needs -o'],
    [['2ab6', 'a43e'], 'name a folder for them with -o FOLDER'],
    [['2ab6', 'a43e', '-o', '/dev/null'], '/dev/null is no regular file'],
    [['2ab6', 'a43e', '-o', join(newFolder(), 'two.md')], 'several conversations need a folder'],
    [['2ab6', '-o', '/dev/null'], '/dev/null is no regular file'],
    [['2ab6', '-o', '/dev/null', '--force'], '/dev/null is no regular file'],
    [['2ab6', '-o', '/dev/stderr', '--force'], '/dev/stderr is no regular file'],
    [['2ab6', '-o', '/proc/self/fd/1', '--force'], 'no regular file'],
    [['2ab6', '-o', fifo, '--force'], 'no regular file'],
    [['2ab6', '-o', ''], 'an empty name'],
    [['2ab6', '-o', join(newFolder(), 'b.pdf')], 'there is no format “pdf”; there are md, html, json, jsonl, txt'],
    [['2ab6', 'a43e', 'nope', '-o', dirname(path)], 'no conversation has the id, title or path “nope”'],
    [['2ab6', 'a43e', '--turns', '9', '-o', dirname(path)], 'a43e: there is no turn 9; the conversation has 2 turns'],
    [['nobody', '-o', path], 'no conversation has the id'],
    [['2ab6#ffffffff'], 'the conversation has no record “ffffffff”'],
    [[], 'which conversation?'],
    [['--since', 'yore'], '--since takes a date like 2026-11-14, or 30m, 12h, 7d, 2w; not “yore”'],
    [['--since', '1m'], 'none of 5 conversations matches'],
    [['--since', '2026-10-02', '--until', '2026-10-01'], '--until is before --since'],
    [['2ab6', '-o', '/dev/null/x.md'], 'cannot write /dev/null/x.md: ENOTDIR'],
  ])('%j', async (words, said) => {
    const err = await refused([...words, ...ROOT])
    expect(err).toContain(said)
    expect(err.trim().split('\n').length).toBe(1)
    expect(readdirSync(dirname(path))).toEqual([])
  })

  test('a folder where a file of the export would be', async () => {
    const folder = newFolder()
    const name = '2026-10-27-local-days-instead-of-24-hours-2ab65b76.md'
    mkdirSync(join(folder, name))
    expect(await refused(['2ab6', ...ROOT, '-o', folder, '--force'])).toContain(
      `${name} is a folder, and is not replaced`,
    )
  })
})

test('imported from the file that was written', async () => {
  const path = join(newFolder(), 'a.json')
  mkdirSync(join(path, '..'), { recursive: true })
  await exported(['a43e', ...ROOT, '-o', path])
  const model = importConversation(JSON.parse(readFileSync(path, 'utf8')))
  expect(model?.conversation.title.text).toBe('Moon phase beside the tide table')
  expect(model?.subagents.length).toBe(1)
})

function withReminders() {
  const reminder = '<system-reminder>psst</system-reminder>'
  return [
    prompt('u', null, `asked ${reminder}`),
    { type: 'user', uuid: 'm', parentUuid: 'u', isMeta: true, message: { role: 'user', content: 'between the lines' } },
    {
      type: 'attachment',
      uuid: 'h',
      parentUuid: 'm',
      attachment: { type: 'hook_additional_context', content: ['from a hook'] },
    },
    reply('a', 'h', [{ type: 'text', text: 'answered' }, toolUse('t', 'Bash', { command: 'ls' })]),
    toolResult('r', 'a', 't', `printed\n\n${reminder}`, { toolUseResult: { stdout: `printed\n\n${reminder}` } }),
  ]
}

/** Elements that are opened and not closed, or the other way round. */
function unclosed(html: string): readonly string[] {
  const open: string[] = []
  const VOID = new Set(['meta', 'br', 'hr', 'img', '!doctype'])
  for (const [, slash, name = ''] of html.matchAll(/<(\/?)([a-z!][a-z0-9]*)[^>]*>/gi)) {
    if (VOID.has(name.toLowerCase())) continue
    if (slash === '') open.push(name)
    else if (open.pop() !== name) return [`</${name}>`]
  }
  return open
}
