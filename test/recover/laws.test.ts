// Random work on files, by a client whose disk is known. Whatever the histories call certain must have been so.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { certaintyOf } from '../../src/recover/content.ts'
import { historiesFrom, wrongClaims } from './claims.ts'
import type { Habits } from './scripted-client.ts'
import { ScriptedClient, USUAL } from './scripted-client.ts'

const CWD = '/home/ada/tides'
const NAMES = ['a.ts', 'b.ts', 'src/c.ts'].map((name) => `${CWD}/${name}`)
const AGENTS = ['', '', 'a1', 'a2']
const LINES = [
  '',
  'one',
  'two',
  '\tthree',
  '\ttwo',
  '  four',
  'ünf',
  'one one',
  '$& $1',
  '1\tx',
  '     2→y',
  'x'.repeat(2003),
]

const line = fc.constantFrom(...LINES)
const body = fc
  .record({
    lines: fc.array(line, { maxLength: 8 }),
    end: fc.constantFrom('\n', '\n', '\r\n'),
    hasFinal: fc.boolean(),
    hasMark: fc.integer({ max: 9, min: 0 }),
  })
  .map(
    ({ lines, end, hasFinal, hasMark }) =>
      `${hasMark === 0 ? '\ufeff' : ''}${lines.join(end)}${hasFinal && lines.length > 0 ? end : ''}`,
  )

const step = fc.record({
  kind: fc.constantFrom(
    'write',
    'edit',
    'edit',
    'edit',
    'read',
    'read',
    'range',
    'outside',
    'remove',
    'move',
    'copy',
    'folder',
    'here',
    'append',
    'sed',
    'reject',
    'notice',
    'prompt',
    'restore',
    'fails',
  ),
  agent: fc.constantFrom(...AGENTS),
  file: fc.constantFrom(...NAMES),
  other: fc.constantFrom(...NAMES),
  text: body,
  fresh: line,
  from: fc.nat(9),
  length: fc.nat(20),
  isEverywhere: fc.boolean(),
})

const habits: fc.Arbitrary<Habits> = fc.record({
  keepsAgentResults: fc.boolean(),
  originalMax: fc.constantFrom(1e9, 1e9, 20, 0),
  isArrow: fc.boolean(),
  keepsLineEnds: fc.boolean(),
  isForgiving: fc.boolean(),
  hasBackups: fc.boolean(),
})

type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

function act(
  client: ScriptedClient,
  { kind, agent, file, other, text, fresh, from, length, isEverywhere }: Step,
): unknown {
  const now = client.disk.get(file)
  const name = file.slice(CWD.length + 1)
  const otherName = other.slice(CWD.length + 1)
  const plain = text.replaceAll('\r\n', '\n').replace('\ufeff', '')
  switch (kind) {
    case 'write':
      return client.write(agent, file, plain)
    case 'edit': {
      const shown = (now ?? '').replaceAll('\r\n', '\n').replace('\ufeff', '')
      // A long line in every place of one letter, again and again, is longer than a string may be.
      const isMany = isEverywhere && fresh.length < 100
      return client.edit(agent, file, shown.slice(from, from + length), fresh, isMany)
    }
    case 'read':
      return client.read(agent, file)
    case 'range':
      return client.read(agent, file, 1 + (from % 4), 1 + (length % 5))
    case 'outside':
      return client.outside(file, from === 0 ? null : text)
    case 'remove':
      return now === undefined ? undefined : client.bash(agent, `rm -f ${name}`, () => client.disk.delete(file))
    case 'move':
    case 'copy':
      if (now === undefined || file === other) return
      return client.bash(agent, `${kind === 'move' ? 'mv' : 'cp'} ${name} ${otherName}`, () => {
        client.disk.set(other, now)
        if (kind === 'move') client.disk.delete(file)
      })
    case 'folder':
      return client.bash(agent, 'rm -rf src && ls', () => client.disk.delete(`${CWD}/src/c.ts`))
    case 'here':
      return client.bash(agent, `cat > ${name} <<'EOF'\n${plain}\nEOF\nls`, () => client.disk.set(file, `${plain}\n`))
    case 'append':
      return client.bash(agent, `cat >> ${name} <<'EOF'\n${plain}\nEOF`, () =>
        client.disk.set(file, `${now ?? ''}${plain}\n`),
      )
    case 'sed':
      return client.bash(agent, `sed -i 's/one/eins/' ${name}`, () => {
        if (now !== undefined) client.disk.set(file, now.replaceAll('one', 'eins'))
      })
    case 'fails':
      return client.bash(agent, `rm ${name} && false`, () => client.disk.delete(file), true)
    case 'reject':
      return client.reject(agent, file, plain)
    case 'notice':
      return client.notice(agent, file)
    case 'prompt':
      return client.prompt('Go on.')
    case 'restore':
      if (now !== undefined) client.outside(other, now)
  }
}

const RUNS = Number(process.env['CLEW_RECOVER_RUNS'] ?? 2000)

test('what is called certain was so', () => {
  let exact = 0
  let text = 0
  let all = 0
  fc.assert(
    fc.property(habits, fc.array(step, { minLength: 1, maxLength: 40, size: 'max' }), (chosen, steps) => {
      const client = new ScriptedClient('11111111-0000-4000-8000-000000000000', CWD, chosen)
      for (const path of NAMES.slice(1)) client.outside(path, 'one\n\ttwo\n  four\nlast')
      for (const one of steps) act(client, one)
      expect(wrongClaims(client)).toEqual([])
      for (const { versions } of historiesFrom(client).values()) {
        for (const { content } of versions) {
          const certainty = certaintyOf(content)
          if (certainty === 'absent') continue
          all++
          if (certainty === 'exact') exact++
          else if (certainty === 'text') text++
        }
      }
    }),
    { numRuns: RUNS },
  )
  // Not by saying nothing: half of these clients keep little, and most steps are nobody's.
  process.stdout.write(`${exact} exact, ${text} text of ${all}\n`)
  expect((exact + text) / all).toBeGreaterThan(0.45)
}, 120_000)

test('with results kept, every write and every edit is known', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 25 }), (steps) => {
      const client = new ScriptedClient('11111111-0000-4000-8000-000000000000', CWD, USUAL)
      for (const one of steps) act(client, one)
      for (const { versions } of historiesFrom(client).values()) {
        for (const { cause, content, place } of versions) {
          if (place.tool !== 'Write' && place.tool !== 'Edit') continue
          expect([cause, certaintyOf(content)]).toEqual([cause, expect.stringMatching(/^(?:exact|text)$/)])
        }
      }
    }),
    { numRuns: Math.ceil(RUNS / 4) },
  )
}, 120_000)

// Found by the first law: what was seen last was taken for what had been moved there before.
test('a file that nobody has seen, copied over another, is not what was there', () => {
  const client = new ScriptedClient('11111111-0000-4000-8000-000000000000', CWD, USUAL)
  const [a, b, c] = NAMES as [string, string, string]
  client.outside(b, 'one\nlast')
  client.outside(c, 'one\nlast')
  client.read('', c)
  client.bash('', "sed -i 's/one/eins/' src/c.ts", () => client.disk.set(c, 'eins\nlast'))
  client.bash('', 'mv src/c.ts a.ts', () => {
    client.disk.set(a, 'eins\nlast')
    client.disk.delete(c)
  })
  client.bash('', 'cp b.ts a.ts', () => client.disk.set(a, 'one\nlast'))
  client.read('', a)
  expect(wrongClaims(client)).toEqual([])
  expect(
    historiesFrom(client)
      .get(a)
      ?.versions.map(({ cause }) => cause),
  ).toEqual(['moved', 'copied', 'read'])
})

// Found by the first law too: what a doubtful version was taken for came back from somewhere else.
test.each([
  ['a look', false],
  ['a backup', true],
])('what is the same again at %s was not so all the time', (_, hasBackups) => {
  const client = new ScriptedClient('11111111-0000-4000-8000-000000000000', CWD, { ...USUAL, hasBackups })
  const [a, b] = NAMES as [string, string]
  client.outside(a, 'two')
  client.read('', a)
  client.write('', a, 'two')
  client.outside(b, 'one')
  client.read('', b)
  client.bash('', "sed -i 's/one/eins/' b.ts", () => client.disk.set(b, 'eins'))
  client.bash('', 'mv b.ts a.ts', () => {
    client.disk.set(a, 'eins')
    client.disk.delete(b)
  })
  client.outside(a, 'one')
  if (hasBackups) client.prompt('Go on.')
  else client.read('', a)
  expect(wrongClaims(client)).toEqual([])
  const versions = historiesFrom(client).get(a)?.versions ?? []
  expect(versions.slice(-2).map(({ cause, content }) => [cause, certaintyOf(content)])).toEqual([
    ['moved', 'doubtful'],
    hasBackups ? ['backup', 'exact'] : ['read', 'text'],
  ])
})
