// The frame that clients put around what a subagent hands back, in every form that a client has written.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { agentReport } from '../../src/conversation/tool/agent-report.ts'
import { prompt, reply, session, sessionId, toolResult, toolUse, writeBelow } from '../cli/records.ts'
import { newFolder } from '../cli/run.ts'
import { corpus } from '../corpus/corpus.ts'
import { exported } from './exported.ts'

const TOOLS = '  <tools-used-before-summary>Agent, Bash</tools-used-before-summary>\n  \n'
const FRAME =
  '[Subagent hand-back] The text below is the final report of a subagent. It is model output. The report follows:\n'
const LATE = "agentId: a1b2c3 (use SendMessage with to: 'a1b2c3', summary: '<5-10 word recap>' to continue this agent)"
const MIDDLE = "agentId: a1b2c3 (use SendMessage with to: 'a1b2c3' to continue this agent)"
const EARLY = "agentId: a1b2c3 (for resuming to continue this agent's work if needed)"
const BILL = '<usage>subagent_tokens: 3055\ntool_uses: 1\nduration_ms: 304</usage>'
const TREE = 'worktreePath: /home/ada/trees/one\nworktreeBranch: worktree-agent-a1b2c3'
const STARTED =
  'Async agent launched successfully. (This tool result is internal.)\nagentId: a1b2c3 (internal ID)\nThe agent is working.'

const FORMS: readonly (readonly [string, string, string])[] = [
  ['bare, as up to 2.0.46', 'Two lines.\n\n- one', 'Two lines.\n\n- one'],
  ['an id for resuming, 2.0.77', `Three lines.\n${EARLY}`, 'Three lines.'],
  ['and a bill, 2.1.42', `Three lines.\n${EARLY}\n${BILL}`, 'Three lines.'],
  ['a bill and an id that nobody can go on with', `Three lines.\nagentId: a1b2c3\n${BILL}`, 'Three lines.'],
  ['SendMessage, 2.1.100', `Three lines.\n${MIDDLE}\n${BILL}`, 'Three lines.'],
  ['a worktree', `Three lines.\n${MIDDLE}\n${TREE}\n${BILL}`, 'Three lines.'],
  ['a frame, 2.1.290', `${FRAME}  Three lines.\n${LATE}\n${BILL}`, 'Three lines.'],
  [
    'the tools above it, 2.1.325',
    `${TOOLS}${FRAME}  One.\n    code\n\n  Two.\n${LATE}\n${BILL}`,
    'One.\n  code\n\nTwo.',
  ],
  ['a forged frame within', `${FRAME}  Look:\n  ${FRAME}  x\n${LATE}`, `Look:\n${FRAME}x`],
  ['nothing in the frame', `${FRAME}${LATE}\n${BILL}`, ''],
  ['nothing but the id', `${LATE}\n${BILL}`, ''],
  ['started in the background, 2.1.325', STARTED, ''],
  ['started in the background, 2.0.77', STARTED.replace(/ \(This[^\n]*/, ''), ''],
  ['one of a team', 'Spawned successfully.\nagent_id: planner@tides', ''],
  ['a report about frames', `The client writes\n${FRAME}and more`, `The client writes\n${FRAME}and more`],
  ['a report about ids', `It ends in\n${LATE}\nand that is all.`, `It ends in\n${LATE}\nand that is all.`],
  ['an id of another kind', 'Found it.\nagentId: 7 of 9', 'Found it.\nagentId: 7 of 9'],
  ['nothing', '', ''],
]

describe('the words of a subagent', () => {
  test.each(FORMS)('%s', (_, text, report) => {
    expect(agentReport(text)).toBe(report)
  })

  test('it takes no longer than it should', () => {
    for (const piece of ['\n', '  \n', 'agentId: ', '\nagentId: x (use SendMessage )', '  ']) {
      const text = piece.repeat(200_000)
      const started = performance.now()
      agentReport(text)
      expect(performance.now() - started).toBeLessThan(2000)
    }
  })

  test.skipIf(corpus === null)('no frame is left of any result in the corpus', () => {
    const texts = resultsBelow(corpus ?? '')
    expect(texts.length).toBeGreaterThan(50)
    for (const text of texts)
      expect(agentReport(text)).not.toMatch(/^agentId: |^\[Subagent hand-back\]|<usage>|tools-used/m)
  })
})

describe('an export', () => {
  const id = sessionId('a')
  const root = writeBelow(newFolder('agents'), {
    [`projects/-home-ada-tidewatch/${id}.jsonl`]: session(id, [
      prompt('p', null, 'count the lines'),
      reply('r', 'p', [toolUse('toolu_1', 'Agent', { description: 'count', prompt: 'count them' })]),
      toolResult('t', 'r', 'toolu_1', `${TOOLS}${FRAME}  There are three lines.\n${LATE}\n${BILL}`),
      reply('e', 't', 'Three.'),
    ]),
  })
  const words = (format: string): readonly string[] => [id, '--root', root, '--detail', 'full', '-f', format]

  test.each(['md', 'html', 'txt'])('%s leaves the frame out', async (format) => {
    const text = await exported(words(format))
    expect(text).toContain('There are three lines.')
    expect(text).not.toMatch(/hand-back|tools-used|subagent_tokens|SendMessage/)
  })

  test.each(['md', 'html', 'txt'])('%s has it where the client is wanted', async (format) => {
    expect(await exported([...words(format), '--include', 'client'])).toContain('[Subagent hand-back]')
  })
})

function resultsBelow(folder: string): readonly string[] {
  const texts: string[] = []
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.jsonl')) continue
    const agents = new Set<unknown>()
    for (const line of readFileSync(join(folder, path), 'utf8').split('\n')) {
      if (!line.includes('"tool_use')) continue
      for (const block of blocksOf(line)) {
        if (block.type === 'tool_use' && (block.name === 'Task' || block.name === 'Agent')) agents.add(block.id)
        if (block.type === 'tool_result' && agents.has(block.tool_use_id)) texts.push(textOf(block.content))
      }
    }
  }
  return texts
}

interface RawBlock {
  readonly type?: string
  readonly id?: string
  readonly name?: string
  readonly tool_use_id?: string
  readonly content?: string | readonly { readonly text?: string }[]
}

function blocksOf(line: string): readonly RawBlock[] {
  try {
    const record = JSON.parse(line) as { readonly message?: { readonly content?: unknown } } | null
    const content = record?.message?.content
    return Array.isArray(content) ? content.filter((block) => typeof block === 'object' && block !== null) : []
  } catch {
    return []
  }
}

function textOf(content: RawBlock['content']): string {
  return typeof content === 'string' ? content : (content ?? []).map(({ text }) => text ?? '').join('\n')
}
