// How texts of a transcript become elements: each kind of text rendered to a string in Node, and looked at. Whatever a
// text says, there is no element and no attribute but those that are listed here.

import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { ansiParts } from '../../src/web/text/ansi.ts'
import { cleanText } from '../../src/web/text/clean.ts'
import { Diff, numberedLines } from '../../src/web/text/diff.tsx'
import { JsonView } from '../../src/web/text/json-view.tsx'
import { LANGUAGES, languageName, languageOfPath } from '../../src/web/text/languages.ts'
import { linkedParts } from '../../src/web/text/links.ts'
import { Markdown } from '../../src/web/text/markdown.tsx'
import { linesInPieces } from '../../src/web/text/pieces.ts'
import { PlainText } from '../../src/web/text/plain-text.tsx'
import { Terminal } from '../../src/web/text/terminal.tsx'
import { HOSTILE_TEXTS } from '../render/hostile-texts.ts'

const markdown = (text: string): string => renderToStaticMarkup(createElement(Markdown, { text }))
/** Without the frame around it. */
const inner = (text: string): string => markdown(text).replace(/^<div class="markdown" dir="auto">|<\/div>$/g, '')

describe('Markdown', () => {
  test.each([
    ['a paragraph', '<p>a paragraph</p>'],
    ['# One\n\n## Two', '<h3>One</h3><h4>Two</h4>'],
    ['*a* **b** ~~c~~ `d`', '<p><em>a</em> <strong>b</strong> <del>c</del> <code>d</code></p>'],
    ['- a\n- b', '<ul><li>a</li><li>b</li></ul>'],
    ['3. a', '<ol start="3"><li>a</li></ol>'],
    ['> a\n\n---', '<blockquote><p>a</p></blockquote><hr/>'],
    ['a  \nb', '<p>a<br/>b</p>'],
    ['<b>x</b>', '<p>&lt;b&gt;x&lt;/b&gt;</p>'],
    ['<div>\nx\n</div>', '&lt;div&gt;\nx\n&lt;/div&gt;'],
    ['![alt](https://a.example/x.png)', /^<p><a href="https:\/\/a\.example\/x\.png"[^>]*>\[image: alt\]<\/a><\/p>$/],
    ['[x](javascript:alert(1))', '<p>x</p>'],
    ['[x][missing]', '<p>[x][missing]</p>'],
    ['a[^1]\n\n[^1]: note', /<sup>\[1\]<\/sup>.*<div class="foot">/],
    ['| a | b |\n|:-:|--:|\n| 1 | 2 |', /<th class="center">a<\/th><th class="right">b<\/th>/],
    ['- [x] done\n- [ ] open', /☑<\/span> done<\/li>.*☐<\/span> open/],
  ])('%j', (text, expected) => {
    if (typeof expected === 'string') expect(inner(text)).toBe(expected)
    else expect(inner(text)).toMatch(expected)
  })

  test('a link leads outward, and says where', () => {
    expect(inner('[x](https://a.example/?q=1)')).toBe(
      '<p><a href="https://a.example/?q=1" title="https://a.example/?q=1" target="_blank" rel="noopener noreferrer">x</a></p>',
    )
    expect(inner('<mailto:ada@a.example>')).toContain('href="mailto:ada@a.example"')
  })

  test('code is text, with a button to copy it', () => {
    expect(inner('```ts\na < b\n```')).toMatch(
      /^<div class="code">.*<button type="button" class="copy">.*<pre><code>a &lt; b<\/code><\/pre>/s,
    )
  })

  test('what would take too long to parse is shown as it is', () => {
    const cases = ['a'.repeat(90_000), '> '.repeat(500), `${'| a '.repeat(30)}\n`.repeat(4000), '*'.repeat(20_000)]
    for (const text of cases) {
      const startedMs = performance.now()
      expect(markdown(text)).toContain('class="plain-text"')
      expect(performance.now() - startedMs).toBeLessThan(2000)
    }
  })
})

describe('hostile texts', () => {
  const ELEMENTS = new Set(
    `div p h3 h4 h5 h6 em strong del code pre br hr blockquote ul ol li a span sup section table thead tbody tr th td
    button`.split(/\s+/),
  )
  const ATTRIBUTES = new Set(
    'class dir href title target rel start type aria-label aria-live aria-expanded aria-hidden role tabindex colspan'.split(
      ' ',
    ),
  )
  const SINKS: Readonly<Record<string, (text: string) => string>> = {
    Markdown: markdown,
    'plain text': (text) => renderToStaticMarkup(createElement(PlainText, { text })),
    terminal: (text) => renderToStaticMarkup(createElement(Terminal, { text: `\x1b[31m${text}\x1b[0m ${text}` })),
    'good JSON': (text) => renderToStaticMarkup(createElement(JsonView, { json: JSON.stringify({ [text]: [text] }) })),
    'broken JSON': (json) => renderToStaticMarkup(createElement(JsonView, { json })),
    diff: (text) => {
      const hunks = [{ oldStart: 1, newStart: 1, lines: [{ mark: '+', text } as const] }]
      return renderToStaticMarkup(createElement(Diff, { hunks, path: text }))
    },
  }

  test.each(Object.keys(SINKS))('%s has no element and no attribute but ours', (name) => {
    expect(HOSTILE_TEXTS.length).toBeGreaterThanOrEqual(200)
    const foreign = HOSTILE_TEXTS.flatMap(([what, text]) => foreignTo(SINKS[name]?.(text) ?? '', what))
    expect(foreign).toEqual([])
  })

  test('what is looked for is found', () => {
    expect(foreignTo('<p><img src="x" onerror="1"><a href="javascript:1">', '')).toEqual([
      ' <img>',
      ' src',
      ' onerror',
      ' javascript:1',
    ])
  })

  function foreignTo(html: string, what: string): readonly string[] {
    return [...html.matchAll(/<([a-z][\w-]*)((?:\s+[^\s"'<>=]+(?:="[^"]*")?)*)\s*\/?>/gi)].flatMap(
      ([, name = '', rest = '']) => {
        const found = [...rest.matchAll(/([^\s"'<>=]+)(?:="([^"]*)")?/g)]
        const hrefs = found.filter(([, attribute]) => attribute === 'href').map(([, , value = '']) => value)
        return [
          ...(ELEMENTS.has(name.toLowerCase()) ? [] : [`${what} <${name}>`]),
          ...found
            .map(([, attribute = '']) => attribute)
            .filter((one) => !ATTRIBUTES.has(one.toLowerCase()))
            .map((one) => `${what} ${one}`),
          ...hrefs.filter((href) => !/^(?:https?:\/\/|mailto:)/i.test(href)).map((href) => `${what} ${href}`),
        ]
      },
    )
  }
})

describe('terminal colours', () => {
  test.each<readonly [string, readonly (readonly [string, string])[]]>([
    ['plain', [['plain', '']]],
    ['\x1b[31mred\x1b[0m', [['red', 'ansi-fg-red']]],
    ['\x1b[1;92mbold\x1b[0m', [['bold', 'ansi-fg-green ansi-bold']]],
    ['\x1b[38;5;208morange\x1b[0m', [['orange', 'ansi-fg-red']]],
    ['\x1b[38;2;20;220;30mgreen\x1b[0m', [['green', 'ansi-fg-green']]],
    ['\x1b[44mon blue\x1b[0m', [['on blue', 'ansi-bg-blue']]],
    ['a\x1b[2Kb\x1b[3Ac', [['abc', '']]],
    ['\x1b]0;title\x07text', [['text', '']]],
    ['\x1b]8;;https://evil.example\x1b\\link\x1b]8;;\x1b\\', [['link', '']]],
  ])('%j', (text, expected) => {
    const parts = ansiParts(text)
    const merged: [string, string][] = []
    for (const { text: part, classes } of parts) {
      const last = merged.at(-1)
      if (last?.[1] === classes) last[0] += part
      else merged.push([part, classes])
    }
    expect(merged).toEqual(expected)
  })

  test('ten thousand colours are bounded', () => {
    expect(ansiParts('\x1b[31mx\x1b[32my'.repeat(15_000)).length).toBeLessThanOrEqual(20_001)
  })
})

test.each([
  ['see https://a.example/x?y=1, or not', ['https://a.example/x?y=1']],
  ['(https://a.example/x)', ['https://a.example/x']],
  ['javascript:alert(1) data:text/html,x file:///etc', []],
  ['http://b.example/"onmouseover="x', ['http://b.example/']],
])('addresses in %j', (text, expected) => {
  const parts = linkedParts(text)
  expect(parts.filter(({ isLink }) => isLink).map((part) => part.text)).toEqual(expected)
  expect(parts.map((part) => part.text).join('')).toBe(text)
})

test('what cannot be seen is made visible', () => {
  expect(cleanText('a\u202eb\u0000c\u0007\r\nd\re\tf')).toBe('a⟨U+202E⟩b␀c␇\nd\ne\tf')
})

test('lines of a change are numbered on both sides', () => {
  const lines = numberedLines([
    {
      oldStart: 4,
      newStart: 4,
      lines: [
        { mark: ' ', text: 'a' },
        { mark: '-', text: 'b' },
        { mark: '+', text: 'c' },
        { mark: '+', text: 'd' },
      ],
    },
    { oldStart: null, newStart: null, lines: [{ mark: '+', text: 'e' }] },
  ])
  expect(lines.map(({ mark, oldNumber, newNumber }) => [mark, oldNumber, newNumber])).toEqual([
    [' ', 4, 4],
    ['-', 5, null],
    ['+', null, 5],
    ['+', null, 6],
    ['@', null, null],
    ['+', null, null],
  ])
})

test('pieces are whole lines, and together the text', () => {
  for (const text of ['', 'a', 'a\n', 'a\nb\nc\nd\ne', '\n\n\n\n']) {
    const pieces = linesInPieces(text, 2)
    expect(pieces.map((piece) => piece.text).join('')).toBe(text)
    expect(pieces.slice(0, -1).every((piece) => piece.text.split('\n').length === 3)).toBe(true)
  }
})

test('languages by their names and by files', () => {
  expect(['ts', 'TypeScript', 'sh', 'c++', 'klingon', '__proto__', 'constructor'].map(languageName)).toEqual([
    'typescript',
    'typescript',
    'bash',
    'cpp',
    null,
    null,
    null,
  ])
  expect(['src/a.ts', 'Makefile', 'a.b.yml', 'x.unknown'].map(languageOfPath)).toEqual(['ts', 'makefile', 'yml', ''])
  expect(Object.keys(LANGUAGES).length).toBeGreaterThan(30)
})
