// Hostile texts in every place of a conversation, exported: nothing of them comes to life in Markdown, and nothing that a
// terminal should not see is in any file.

import type { Nodes } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { expect, test } from 'vitest'
import { forbiddenIn } from '../cli/hostile.ts'
import { EVERYTHING, exportedHostile } from './exported.ts'
import { HOSTILE_TEXTS } from './hostile-texts.ts'

test('there are at least 200', () => {
  expect(new Set(HOSTILE_TEXTS.map(([, text]) => text)).size).toBeGreaterThanOrEqual(200)
})

const OWN_HTML =
  /^(?:<!-- clew export -->|<a id="turn-\d+">|<\/a>|<details>|<summary>[^<>]*<\/summary>|<\/details>|\s)*$/

test.each(HOSTILE_TEXTS)('Markdown: %s', async (_, text) => {
  for (const more of [[], EVERYTHING]) {
    const markdown = await exportedHostile(text, 'md', more)
    const found = [...nodesOf(markdown)]
    const html = found.filter((node) => node.type === 'html').map((node) => node.value)
    expect(html.filter((value) => !OWN_HTML.test(value))).toEqual([])
    expect(found.filter((node) => node.type === 'image' || node.type === 'imageReference')).toEqual([])
    const urls = found.flatMap((node) => (node.type === 'link' || node.type === 'definition' ? [node.url] : []))
    expect(urls.filter((url) => !/^(?:https?:|mailto:|#turn-\d+$)/i.test(url) && /^[^/?#]*:/.test(url))).toEqual([])
    // The outline is ours: a title, and a heading for each turn.
    const headings = found.flatMap((node) => (node.type === 'heading' && node.depth < 3 ? [node.depth] : []))
    expect(headings).toEqual([1, ...headings.slice(1).map(() => 2)])
    const turns = [...markdown.matchAll(/^<a id="turn-(\d+)"><\/a>$/gm)].length
    expect(headings.length - 1).toBe(turns)
    expect(turns).toBeGreaterThan(1)
    expect(forbiddenIn(Buffer.from(markdown), false)).toEqual([])
  }
})

test.each(HOSTILE_TEXTS)('other formats: %s', async (_, text) => {
  for (const format of ['html', 'txt', 'json', 'jsonl']) {
    const out = await exportedHostile(text, format, format.startsWith('json') ? [] : EVERYTHING)
    expect([format, forbiddenIn(Buffer.from(out), false)]).toEqual([format, []])
    if (format.startsWith('json')) for (const line of out.trim().split('\n')) JSON.parse(line)
  }
})

function* nodesOf(markdown: string): Generator<Nodes> {
  const queue: Nodes[] = [fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })]
  for (let next = 0; next < queue.length; next++) {
    const node = queue[next] as Nodes
    yield node
    if ('children' in node) queue.push(...node.children)
  }
}
