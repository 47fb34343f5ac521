import fc from 'fast-check'
import { expect, test } from 'vitest'
import { emptyNotes, writePage } from '../../src/notebook/page.ts'

const HEAD = '---\ndate: 2026-11-14\n---\n\n# Day\n\n'
const inner = (lines: string): string => `${lines}\n\n${emptyNotes('tidewatch')}`

test('a new page, and the same again: nothing to write', () => {
  const made = writePage(null, HEAD, inner('- one'))
  expect(made.state).toBe('new')
  expect(made.text.startsWith(HEAD)).toBe(true)
  expect(writePage(made.text, HEAD, inner('- one'))).toEqual({ state: 'unchanged', text: made.text })
})

test('what a person wrote around it and in the notes stays, byte for byte', () => {
  const made = writePage(null, HEAD, inner('- one')).text
  const theirs = `My own words ${made.replace('<!-- /clew:notes -->', 'Call Bea.\n<!-- /clew:notes -->')}\n## Later\n\n- buy milk  \n`
  const again = writePage(theirs, HEAD, inner('- one\n- two'))
  expect(again.state).toBe('changed')
  expect(again.text).toContain('- two')
  expect(again.text.startsWith('My own words ')).toBe(true)
  expect(again.text.endsWith('\n## Later\n\n- buy milk  \n')).toBe(true)
  expect(again.text).toContain('<!-- clew:notes tidewatch -->\nCall Bea.\n<!-- /clew:notes -->')
})

test('notes of a project that is gone from the page stay', () => {
  const made = writePage(null, HEAD, inner('- one')).text.replace(
    '<!-- /clew:notes -->',
    'Call Bea.\n<!-- /clew:notes -->',
  )
  expect(writePage(made, HEAD, '- nothing').text).toContain('Call Bea.')
})

test('what was changed between the marks is not written over unless asked', () => {
  const edited = writePage(null, HEAD, inner('- one')).text.replace('- one', '- uno')
  expect(writePage(edited, HEAD, inner('- two'))).toEqual({ state: 'edited', text: edited })
  expect(writePage(edited, HEAD, inner('- two'), true).text).toContain('- two')
})

test('without its end mark a page is left alone, whatever is asked', () => {
  const endless = writePage(null, HEAD, inner('- one')).text.replace('<!-- clew:end -->', 'Mine.')
  for (const force of [false, true])
    expect(writePage(endless, HEAD, inner('- two'), force)).toEqual({ state: 'unmarked', text: endless })
})

test('a page somebody began without us gets ours at its end', () => {
  const made = writePage('# My day\n\n- coffee\n', HEAD, inner('- one'))
  expect(made.text.startsWith('# My day\n\n- coffee\n\n<!-- clew:begin')).toBe(true)
  expect(writePage(made.text, HEAD, inner('- one')).state).toBe('unchanged')
})

test('line ends of another system are kept', () => {
  const made = writePage(null, HEAD, inner('- one')).text.replaceAll('\n', '\r\n')
  const again = writePage(made, HEAD, inner('- two'))
  expect(again.state).toBe('changed')
  expect(again.text.replaceAll('\r\n', '')).not.toContain('\n')
  expect(writePage(again.text, HEAD, inner('- two')).state).toBe('unchanged')
})

test('whatever stands around it, writing twice is writing once, and theirs is kept', () => {
  const words = fc.string().filter((text) => !text.includes('clew:'))
  fc.assert(
    fc.property(words, words, words, words, (before, after, note, line) => {
      const plain = (text: string): string => text.replaceAll('\r', '')
      const made = writePage(null, '', inner('- one')).text.trimEnd()
      const noted = made.replace('<!-- /clew:notes -->', () => `${plain(note)}\n<!-- /clew:notes -->`)
      const page = `${plain(before)}\n${noted}\n${plain(after)}`
      const once = writePage(page, '', inner(`- x${plain(line).replace(/[<>]/g, '')}`))
      expect(once.text.startsWith(`${plain(before)}\n<!-- clew:begin`)).toBe(true)
      expect(once.text.endsWith(`<!-- clew:end -->\n${plain(after)}`)).toBe(true)
      expect(once.text).toContain(`${plain(note)}\n<!-- /clew:notes -->`)
      expect(writePage(once.text, '', inner(`- x${plain(line).replace(/[<>]/g, '')}`)).state).toBe('unchanged')
    }),
  )
})
