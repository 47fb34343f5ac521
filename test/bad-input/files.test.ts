// Folders as nobody should find them. What is a transcript is read, what
// is none becomes a Problem with its path, and nothing hangs, throws or leads out of the archive.

import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import * as path from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkProject } from '../../src/load/check.ts'
import { findTranscripts } from '../../src/load/found.ts'
import { listProject } from '../../src/load/list.ts'
import { discover } from '../../src/source/discover.ts'
import { talk, textOf } from '../graph/transcript-of.ts'
import { inFolder } from './read-case.ts'

interface FolderCase {
  readonly name: string
  readonly write: (folder: string) => void
  /** Done after the files were found and before they are read. */
  readonly meanwhile?: (folder: string) => void
  /** Below which path it is looked for; the folder itself unless it says so. */
  readonly root?: string
  /** One line for each file that was found: its path and how many records were read. */
  readonly files: readonly string[]
  /** One line for each Problem: its code and path. */
  readonly problems: readonly string[]
  readonly afterwards?: (folder: string) => void
}

const ID = '5e551011-0000-4000-8000-000000000000'
const TEXT = textOf(talk(null, '1', '2'))
const AGENT = textOf(talk(null, 'a1', 'a2').map((record) => ({ ...record, isSidechain: true, agentId: 'a' })))

/** Writes the transcript, with the folders above it. */
function put(folder: string, name: string, text = TEXT): void {
  fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
  fs.writeFileSync(path.join(folder, name), text)
}

function fifo(folder: string, name: string): void {
  execFileSync('mkfifo', [path.join(folder, name)])
}

const oddName = (folder: string): Buffer =>
  Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0xfe]), Buffer.from('.jsonl')])

const nothing = (): void => undefined

const ODD_FILES: readonly FolderCase[] = [
  {
    name: 'a FIFO',
    write: (folder) => [put(folder, 'good.jsonl'), fifo(folder, 'pipe.jsonl')],
    files: ['good.jsonl 2'],
    problems: ['file-not-regular pipe.jsonl'],
  },
  {
    name: 'five FIFOs, more than there are threads to wait in',
    write: (folder) => [put(folder, 'good.jsonl'), ...['a', 'b', 'c', 'd', 'e'].map((n) => fifo(folder, `${n}.jsonl`))],
    files: ['good.jsonl 2'],
    problems: ['a', 'b', 'c', 'd', 'e'].map((name) => `file-not-regular ${name}.jsonl`),
  },
  {
    name: 'a FIFO that is named itself',
    write: (folder) => fifo(folder, 'pipe.jsonl'),
    root: 'pipe.jsonl',
    files: [],
    problems: ['file-not-regular pipe.jsonl'],
  },
  {
    name: 'a folder named like a transcript',
    write: (folder) => [put(folder, 'good.jsonl'), put(folder, 'x.jsonl/inner.jsonl')],
    files: ['good.jsonl 2'],
    problems: ['file-not-regular x.jsonl'],
  },
  {
    name: 'links in a circle',
    write: (folder) => {
      put(folder, 'good.jsonl')
      fs.symlinkSync('b.jsonl', path.join(folder, 'a.jsonl'))
      fs.symlinkSync('a.jsonl', path.join(folder, 'b.jsonl'))
      fs.symlinkSync('.', path.join(folder, 'circle'))
    },
    files: ['good.jsonl 2'],
    problems: ['file-not-regular a.jsonl', 'file-not-regular b.jsonl'],
  },
  {
    name: 'a link to itself as the root',
    write: (folder) => fs.symlinkSync('me', path.join(folder, 'me')),
    root: 'me',
    files: [],
    problems: ['folder-unreadable me'],
  },
  {
    name: 'a link to /dev/zero',
    write: (folder) => [put(folder, 'good.jsonl'), fs.symlinkSync('/dev/zero', path.join(folder, 'zero.jsonl'))],
    files: ['good.jsonl 2'],
    problems: ['file-not-regular zero.jsonl'],
  },
  {
    name: 'a link to a good transcript',
    write: (folder) => [put(folder, 'good.jsonl'), fs.symlinkSync('good.jsonl', path.join(folder, 'link.jsonl'))],
    files: ['good.jsonl 2'],
    problems: ['file-not-regular link.jsonl'],
  },
  {
    name: 'a link to nothing',
    write: (folder) => fs.symlinkSync('gone', path.join(folder, 'link.jsonl')),
    files: [],
    problems: ['file-not-regular link.jsonl'],
  },
  {
    name: 'two names for one file',
    write: (folder) => [
      put(folder, 'a.jsonl'),
      fs.linkSync(path.join(folder, 'a.jsonl'), path.join(folder, 'b.jsonl')),
    ],
    files: ['a.jsonl 2', 'b.jsonl 2'],
    problems: [],
  },
  {
    name: 'a folder that is not there',
    write: nothing,
    root: 'gone',
    files: [],
    problems: ['folder-unreadable gone'],
  },
  {
    name: 'a root that is a file of another kind',
    write: (folder) => put(folder, 'x.txt'),
    root: 'x.txt',
    files: [],
    problems: ['folder-unreadable x.txt'],
  },
]

const NAMES: readonly FolderCase[] = [
  ...[
    ['a line end', 'a\nb.jsonl'],
    ['ESC', '\u001b[31mred\u0007.jsonl'],
    ['255 bytes', `${'x'.repeat(249)}.jsonl`],
    ['an agent of 255 bytes', `agent-${'x'.repeat(243)}.jsonl`],
    ['nothing before the ending', '.jsonl'],
    ['two dots', '...jsonl'],
    ['quotes, blanks and a star', `'" *?.jsonl`],
    ['a leading dash', '--help.jsonl'],
    ['characters outside of the first plane', '😀é.jsonl'],
    ['half of a composed character', 'e\u0301.jsonl'],
    ['__proto__', '__proto__.jsonl'],
  ].map(([name = '', file = '']) => ({
    name: `a name with ${name}`,
    write: (folder: string) => put(folder, file),
    files: [`${file} 2`],
    problems: [],
  })),
  {
    name: 'names that differ in capitals only',
    write: (folder) => [put(folder, 'a.jsonl'), put(folder, 'A.jsonl')],
    files: ['A.jsonl 2', 'a.jsonl 2'],
    problems: [],
  },
  {
    name: 'a name that is not UTF-8',
    write: (folder) => [put(folder, 'good.jsonl'), fs.writeFileSync(oddName(folder), TEXT)],
    files: ['good.jsonl 2'],
    problems: ['file-unreadable \ufffd\ufffd.jsonl'],
    afterwards: (folder) => fs.rmSync(oddName(folder)),
  },
]

const LAYOUT: readonly FolderCase[] = [
  { name: 'an empty folder', write: nothing, files: [], problems: [] },
  {
    name: 'an empty project',
    write: (folder) => fs.mkdirSync(path.join(folder, 'projects/-p'), { recursive: true }),
    files: [],
    problems: [],
  },
  { name: 'an empty file', write: (folder) => put(folder, 'a.jsonl', ''), files: ['a.jsonl 0'], problems: [] },
  {
    name: 'a session folder without a transcript (CC#95403)',
    write: (folder) => [put(folder, `${ID}/tool-results/x.txt`), put(folder, `${ID}/subagents/agent-a.jsonl`, AGENT)],
    files: [`${ID}/subagents/agent-a.jsonl 2`],
    problems: [],
  },
  {
    name: 'the journal of a workflow',
    write: (folder) => [put(folder, `${ID}.jsonl`), put(folder, `${ID}/subagents/workflows/wf_1/journal.jsonl`)],
    files: [`${ID}.jsonl 2`],
    problems: [],
  },
  {
    name: 'a session called journal',
    write: (folder) => put(folder, 'journal.jsonl'),
    files: ['journal.jsonl 2'],
    problems: [],
  },
  {
    name: 'transcripts in folders that hold none',
    write: (folder) => [put(folder, 'a.jsonl'), put(folder, 'memory/b.jsonl'), put(folder, 'x/tool-results/c.jsonl')],
    files: ['a.jsonl 2'],
    problems: [],
  },
  {
    name: 'one session in two projects',
    write: (folder) => [put(folder, `projects/-a/${ID}.jsonl`), put(folder, `projects/-b/${ID}.jsonl`)],
    files: [`projects/-a/${ID}.jsonl 2`, `projects/-b/${ID}.jsonl 2`],
    problems: [],
  },
]

const MEANWHILE: readonly FolderCase[] = [
  {
    name: 'removed',
    write: (folder) => [put(folder, 'a.jsonl'), put(folder, 'b.jsonl')],
    meanwhile: (folder) => fs.rmSync(path.join(folder, 'a.jsonl')),
    files: ['a.jsonl 0', 'b.jsonl 2'],
    problems: ['file-unreadable a.jsonl'],
  },
  {
    name: 'truncated',
    write: (folder) => put(folder, 'a.jsonl'),
    meanwhile: (folder) => fs.truncateSync(path.join(folder, 'a.jsonl'), TEXT.indexOf('\n') + 1),
    files: ['a.jsonl 1'],
    problems: [],
  },
  {
    name: 'grown',
    write: (folder) => put(folder, 'a.jsonl'),
    meanwhile: (folder) => fs.appendFileSync(path.join(folder, 'a.jsonl'), textOf(talk('2', '3', '4'))),
    files: ['a.jsonl 4'],
    problems: [],
  },
  {
    name: 'replaced by a FIFO',
    write: (folder) => put(folder, 'a.jsonl'),
    meanwhile: (folder) => [fs.rmSync(path.join(folder, 'a.jsonl')), fifo(folder, 'a.jsonl')],
    files: ['a.jsonl 0'],
    problems: ['file-not-regular a.jsonl'],
  },
  {
    name: 'replaced by a link',
    write: (folder) => [put(folder, 'a.jsonl'), put(folder, 'b.txt')],
    meanwhile: (folder) => [
      fs.rmSync(path.join(folder, 'a.jsonl')),
      fs.symlinkSync('b.txt', path.join(folder, 'a.jsonl')),
    ],
    files: ['a.jsonl 0'],
    problems: ['file-not-regular a.jsonl'],
  },
  {
    name: 'replaced by a folder',
    write: (folder) => put(folder, 'a.jsonl'),
    meanwhile: (folder) => [fs.rmSync(path.join(folder, 'a.jsonl')), fs.mkdirSync(path.join(folder, 'a.jsonl'))],
    files: ['a.jsonl 0'],
    problems: ['file-not-regular a.jsonl'],
  },
]

describe.each([
  ['odd files', ODD_FILES],
  ['names', NAMES],
  ['layout', LAYOUT],
  ['a file between finding and reading it', MEANWHILE],
])('%s', (_, cases) => {
  for (const { name, write, meanwhile, root = '.', files, problems, afterwards } of cases)
    test(name, () =>
      inFolder((folder) => {
        write(folder)
        const archive = findTranscripts([path.join(folder, root)])
        meanwhile?.(folder)
        const checked = archive.projects.flatMap((project) => checkProject(project))
        for (const project of archive.projects) listProject(project)
        for (const { path: file, account } of checked) {
          const stat = fs.lstatSync(file, { throwIfNoEntry: false })
          expect(account.sizeBytes).toBe(stat?.isFile() ? stat.size : 0)
          expect(account.records + account.problems + account.tail + account.blank).toBe(account.sizeBytes)
        }
        const below = (file: string | undefined): string => path.relative(folder, file ?? '')
        const told = [...archive.problems, ...checked.flatMap((file) => file.problems)]
        expect(checked.map((file) => `${below(file.path)} ${file.recordCount}`).sort()).toEqual([...files].sort())
        expect(told.map(({ code, position }) => `${code} ${below(position?.path)}`).sort()).toEqual(
          [...problems].sort(),
        )
        expect(discover(folder).files.every((file) => file.path.startsWith(folder))).toBe(true)
        afterwards?.(folder)
      }),
    )
})
