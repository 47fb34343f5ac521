// The pieces that Markdown and pages are made of.

import fc from 'fast-check'
import type { Nodes } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { describe, expect, test } from 'vitest'
import { withoutReminders } from '../../src/render/export/choice.ts'
import { codeSpan, fenced } from '../../src/render/export/fence.ts'
import { ansiHtml } from '../../src/render/export/html-ansi.ts'
import { markdownHtml } from '../../src/render/export/html-markdown.ts'
import { promptHtml } from '../../src/render/export/html-prompt.ts'
import { diffLines } from '../../src/render/export/line-diff.ts'
import { fitMarkdown } from '../../src/render/export/markdown-source.ts'
import { parseMarkdown } from '../../src/render/export/parse-markdown.ts'
import { HOSTILE_TEXTS } from './hostile-texts.ts'

/** Pieces of Markdown and HTML in odd combinations. */
const odd = fc
  .array(
    fc.oneof(
      fc.constantFrom(...HOSTILE_TEXTS.map(([, text]) => text)),
      fc.constantFrom(
        '`',
        '```\n',
        '~~~',
        '<',
        '>',
        '\\',
        '*',
        '[',
        '](',
        ')',
        '\n',
        '\n\n',
        '    ',
        '- ',
        '> ',
        '|',
        '!',
        '&lt;',
      ),
      fc.string({ unit: 'grapheme', maxLength: 8 }),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(''))

const TAG = /<(\/?)([^\s>]*)([^>]*)>/g
const OWN = /^(?:p|h[3-6]|em|strong|del|code|pre|br|hr|blockquote|ul|ol|li|a|div|table|thead|tbody|tr|th|td|sup|span)$/
const ATTRIBUTES =
  /^(?: (?:class="[a-z -]+"|start="\d+"|data-language="[\w+#.-]+"|rel="noopener noreferrer nofollow"|href="(?:https?:|mailto:)[^"<>]*"))*$/i

test('what is made of any Markdown has only elements and attributes of ours', () => {
  fc.assert(
    fc.property(odd, (text) => {
      for (const html of [markdownHtml(text), promptHtml(text), ansiHtml(text)]) {
        for (const [whole, , name = '', attributes = ''] of html.matchAll(TAG)) {
          expect([whole, OWN.test(name), ATTRIBUTES.test(attributes)]).toEqual([whole, true, true])
        }
      }
    }),
    { numRuns: 500 },
  )
})

test('any Markdown fits into a document: no HTML, no images, no open block, headings below ours', () => {
  fc.assert(
    fc.property(odd, fc.boolean(), (text, keepsLines) => {
      const fitted = fitMarkdown(text.replace(/[\u0000-\u0008\u000b-\u001f]/g, ''), { below: 2, keepsLines })
      const settings = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }
      const nodes = [...nodesOf(fromMarkdown(`${fitted}\n\n## ours`, settings))]
      const wrong = nodes.filter(({ type }) => type === 'html' || type === 'image' || type === 'imageReference')
      expect(wrong).toEqual([])
      const high = nodes.filter((node) => node.type === 'heading' && node.depth < 3)
      expect(high.length).toBe(1)
    }),
    { numRuns: 500 },
  )
})

function* nodesOf(root: Nodes): Generator<Nodes> {
  const queue: Nodes[] = [root]
  for (let next = 0; next < queue.length; next++) {
    const node = queue[next] as Nodes
    yield node
    if ('children' in node) queue.push(...node.children)
  }
}

test('a fence is longer than any inside, and code within a line is one piece', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('`', '~', 'a', ' ', '\n') }), (text) => {
      const code = parseMarkdown(fenced(text))?.children ?? []
      expect(code.map((node) => (node.type === 'code' ? node.value : null))).toEqual([text.replace(/\n$/, '')])
      const line = text.replace(/\s+/g, ' ').trim()
      const paragraph = parseMarkdown(codeSpan(text))?.children[0]
      if (line !== '') expect(paragraph).toMatchObject({ children: [{ type: 'inlineCode', value: line }] })
    }),
  )
})

test('a difference leads from the one text to the other', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', '', '  d'), { maxLength: 12 })
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const told = diffLines(before.join('\n'), after.join('\n'))
      const side = (left: string): string => told.flatMap(({ mark, text }) => (mark === left ? [] : [text])).join('\n')
      const plain = (text: string): string => text.replace(/\n$/, '')
      expect(side('+')).toBe(plain(before.join('\n')))
      expect(side('-')).toBe(plain(after.join('\n')))
    }),
  )
})

describe('colours', () => {
  test.each([
    ['\u001b[31mred\u001b[0m plain', '<span class="a-red">red</span> plain'],
    [
      '\u001b[1;32mbold\u001b[22m green\u001b[39m',
      '<span class="a-green a-bold">bold</span><span class="a-green"> green</span>',
    ],
    ['\u001b[38;5;196mred', '<span class="a-red">red</span>'],
    ['\u001b[38;2;10;200;30mgreen', '<span class="a-green">green</span>'],
    ['\u001b[2Jcleared', '\\x1b[2Jcleared'],
    ['one\rtwo\r\nthree', 'one\ntwo\nthree'],
    ['\u001b[31m<b>&\u001b[0m', '<span class="a-red">&lt;b&gt;&amp;</span>'],
  ])('%j', (text, html) => expect(ansiHtml(text)).toBe(html))
})

test.each([
  ['no reminder', 'plain', 'plain'],
  ['at the end', 'said\n<system-reminder>x</system-reminder>', 'said'],
  ['between', 'a <system-reminder>x</system-reminder> b', 'a b'],
  ['two of them', '<system-reminder>x</system-reminder>a<system-reminder>\ny</system-reminder>', 'a'],
  ['never ended', 'a <system-reminder> b', 'a <system-reminder> b'],
])('reminders are left out: %s', (_, text, kept) => expect(withoutReminders(text)).toBe(kept))

test.each([
  ['stars', '*a '],
  ['quotations', '> '],
  ['links', '[a]('],
  ['rows of a table', '|a|b|\n'],
  ['fences', '```x\n'],
  ['tags', '<a '],
  ['reminders', '<system-reminder>'],
])('a hundred thousand %s take no time', (_, piece) => {
  const text = piece.repeat(100_000)
  const startedMs = performance.now()
  markdownHtml(text)
  promptHtml(text)
  fitMarkdown(text, { below: 2, keepsLines: true })
  withoutReminders(text)
  ansiHtml(text)
  expect(performance.now() - startedMs).toBeLessThan(4000)
})
