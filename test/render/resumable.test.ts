// What is offered to whoever wants to go on where the folder is gone: lines for a shell, whatever a transcript calls it.

import { expect, test } from 'vitest'
import { goneFolder } from '../../src/render/resumable.ts'

test.each([
  ['/home/ada/tides', '/home/ada/tides'],
  ["/home/ada/it's", "'/home/ada/it'\\''s'"],
  // Neither mkdir nor clew may take it for an option.
  ['-m777', './-m777'],
  ['C:\\tides', "'C:\\tides'"],
])('%s', (cwd, word) => {
  expect(goneFolder(cwd, () => false)?.remedies.map(({ command }) => command)).toEqual([
    `clew mv ${word} <new path> --apply`,
    `mkdir -p ${word}`,
  ])
})

test.each([null, '', '/there'])('nothing is missing: %s', (cwd) => {
  expect(goneFolder(cwd, (path) => path === '/there')).toBeNull()
})
