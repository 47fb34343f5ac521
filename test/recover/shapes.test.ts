// Small forms that have gone wrong for others: what a Read shows, what a shell command says, how a commit is printed.

import { describe, expect, test } from 'vitest'
import { alignLines } from '../../src/recover/align.ts'
import { applyEdits } from '../../src/recover/apply-edit.ts'
import { parseCommit } from '../../src/recover/commit.ts'
import { contentOfSeen } from '../../src/recover/content.ts'
import { absolutePath, isNamedBy } from '../../src/recover/paths.ts'
import { seenByRead } from '../../src/recover/read-output.ts'
import { shellDeeds } from '../../src/recover/shell-deeds.ts'

describe('the output of Read alone', () => {
  const reminder = '\n\n<system-reminder>\nConsider it.\n</system-reminder>\n'
  const whole = (text: string): object => ({ kind: 'text', text, lineEnds: 'assumed', doubt: null })
  test.each([
    ['arrows', '     1→a\n     2→b\n     3→', whole('a\nb\n')],
    ['tabs', '1\ta\n2\t\tb', whole('a\n\tb')],
    ['a reminder behind it', `     1→a\n     2→${reminder}`, whole('a\n')],
    ['lines that look like numbers', '1\t1\tx\n2\t     2→y\n3\t', whole('1\tx\n     2→y\n')],
    ['an empty line', '1\t', whole('')],
  ])('%s', (_, output, content) => {
    const seen = seenByRead({}, undefined, output)
    expect(seen === null ? null : contentOfSeen(seen)).toEqual(content)
  })

  test.each([
    ['a range', { offset: 5, limit: 2 }, '5\ta\n6\tb', [null, null, null, null, 'a', 'b']],
    ['a cut', {}, '1\ta\n... [2 lines truncated] ...', ['a']],
    ['a long line', { limit: 9 }, `1\ta\n2\t${'x'.repeat(2000)}`, ['a', null]],
  ])('%s has gaps', (_, input, output, lines) => {
    const seen = seenByRead(input, undefined, output)
    expect(seen === null ? null : contentOfSeen(seen)).toEqual({ kind: 'parts', lines, isOpen: true, moments: 1 })
  })

  test('a file of more lines than are shown is open at its end', () => {
    const lines = Array.from({ length: 2000 }, (_, place) => `${place + 1}\tx`)
    expect(seenByRead({}, undefined, lines.join('\n'))?.total).toBeNull()
  })

  test('what is no numbered text is nothing', () => {
    expect(seenByRead({}, undefined, 'file contents here')).toBeNull()
    expect(seenByRead({}, { type: 'image', file: { base64: '' } }, '')).toBeNull()
  })
})

describe('shell commands', () => {
  const deeds = (command: string): readonly unknown[] =>
    shellDeeds({ command, cwd: '/w', kept: { stderr: '' }, isFine: true })
  test.each([
    ['rm a.ts', [{ kind: 'remove', path: '/w/a.ts' }]],
    [
      'cd src && rm -f "a b.ts" ../c.ts',
      [
        { kind: 'remove', path: '/w/src/a b.ts' },
        { kind: 'remove', path: '/w/c.ts' },
      ],
    ],
    ['git mv a.ts lib/ && ls', [{ kind: 'move', from: '/w/a.ts', to: '/w/lib', isCopy: false, isInto: true }]],
    ['mv a.ts b.ts', [{ kind: 'move', from: '/w/a.ts', to: '/w/b.ts', isCopy: false, isInto: false }]],
    [
      "cat > a.ts <<'EOF'\none\n$two\nEOF",
      [{ kind: 'write', path: '/w/a.ts', before: null, text: 'one\n$two\n', isNew: true }],
    ],
    ["cat >> a.ts <<'EOF'\none\nEOF\nls", [{ kind: 'append', path: '/w/a.ts', text: 'one\n' }]],
    ['echo x > a.ts', [{ kind: 'change', path: '/w/a.ts' }]],
    ['ls -la && git status && cat a.ts 2>/dev/null', []],
  ])('%j is certain', (command, expected) => {
    expect(deeds(command)).toEqual(expected)
  })

  test.each([
    'rm *.ts',
    'rm $FILE',
    'rm a.ts || true',
    'rm a.ts | cat',
    '(rm a.ts)',
    'if true; then rm a.ts; fi',
    'rm a.ts &',
    'git rm --cached a.ts',
    'cat > a.ts <<EOF\n$x\nEOF',
    'sed -i s/a/b/ a.ts',
    'mv -n a.ts b.ts',
    'rm `ls`',
    'rm a.{ts,js}',
    'npx prettier --write a.ts',
    'rm ~/a.ts',
  ])('%j is unclear', (command) => {
    expect(deeds(command)).toEqual([expect.objectContaining({ kind: 'unclear' })])
  })

  test('one that may have failed unnoticed is unclear', () => {
    const kept = { stderr: 'rm: cannot remove' }
    expect(shellDeeds({ command: 'rm a.ts; ls', cwd: '/w', kept, isFine: true })).toMatchObject([{ kind: 'unclear' }])
    expect(shellDeeds({ command: 'rm a.ts', cwd: '/w', kept: {}, isFine: false })).toMatchObject([{ kind: 'unclear' }])
  })
})

test('an edit is made again exactly, or not at all', () => {
  const edit = (oldText: string, newText: string, isEverywhere = false): object => ({ oldText, newText, isEverywhere })
  const applied = (before: string, ...edits: readonly object[]): unknown => applyEdits(before, edits as never, [])
  expect(applied('a b a', edit('b', '$& $1'))).toEqual({ text: 'a $& $1 a', isAmbiguous: false })
  expect(applied('a b a', edit('a', 'c'))).toBeNull()
  expect(applied('a b a', edit('a', 'c', true))).toEqual({ text: 'c b c', isAmbiguous: false })
  expect(applied('', edit('', 'new'))).toEqual({ text: 'new', isAmbiguous: false })
  expect(applied('a\nb\n', edit('a', ''))).toEqual({ text: 'b\n', isAmbiguous: true })
})

test('a commit as git prints it', () => {
  const printed =
    'abc\0Ada\x002026-03-01T10:00:00Z\x002026-03-01T10:00:00Z\0tides: \0\ndiff --git a/x b/x\n--- a/x\n+++ b/src/x.ts\n@@ -1 +1,2 @@\n-old\n+++ b/not-a-file\n+new\n@@ -9,0 +10 @@\n+last\n\\ No newline at end of file\ndiff --git a/y b/y\n--- a/y\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n--- /dev/null\n+++ "b/\\303\\274 \\"q\\".ts"\n@@ -0,0 +1 @@\n+y\n'
  expect(parseCommit(printed)).toMatchObject({
    hash: 'abc',
    subject: 'tides: ',
    files: [
      { path: 'src/x.ts', added: ['++ b/not-a-file', 'new', 'last'] },
      { path: 'ü "q".ts', added: ['y'] },
    ],
  })
})

test('lines are found again where they went', () => {
  expect([...alignLines(['a', 'b', 'c'], ['x', 'a', 'c', 'b'])]).toEqual([
    -1,
    0,
    expect.any(Number),
    expect.any(Number),
  ])
  const before = Array.from({ length: 5000 }, (_, place) => `line ${place}`)
  const after = before.flatMap((line, place) => (place % 10 === 0 ? ['new', line] : place % 7 === 0 ? [] : [line]))
  const pairs = alignLines(before, after)
  expect(
    after.every((line, place) => (line === 'new' ? pairs[place] === -1 : before[pairs[place] ?? -1] === line)),
  ).toBe(true)
})

test('paths', () => {
  expect(absolutePath('../b/./c.ts', '/w/a')).toBe('/w/b/c.ts')
  expect(absolutePath('C:\\w\\a.ts', '/w')).toBe('C:\\w\\a.ts')
  expect(isNamedBy('/w/src/day.ts', 'day.ts')).toBe(true)
  expect(isNamedBy('/w/src/day.ts', 'y.ts')).toBe(false)
  expect(isNamedBy('C:\\w\\src\\day.ts', 'src/day.ts')).toBe(true)
})
