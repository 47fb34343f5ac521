// `clew tree`: where a conversation comes from, its branches, its segments and its subagents to any depth.

import { describe, expect, test } from 'vitest'
import { prompt, reply, session, sessionId, talk, toolUse, writeBelow } from './records.ts'
import { clew, clewJson, linesOf, newFolder, sample } from './run.ts'

interface Tree {
  readonly sessionId: string
  readonly title: string
  readonly path: string
  readonly continues: string | null
  readonly forkOf: string | null
  readonly branches: readonly {
    readonly number: number
    readonly isLive: boolean
    readonly parent: number | null
    readonly forkUuid: string | null
    readonly turns: number
    readonly prompts: readonly string[]
    readonly segments: readonly Readonly<Record<string, unknown>>[]
  }[]
  readonly subagents: readonly Readonly<Record<string, unknown>>[]
  readonly children: readonly { readonly sessionId: string; readonly relation: string }[]
}

function tree(reference: string, root = sample): Tree {
  return clewJson<Tree>(['tree', reference, '--root', root])[0] as Tree
}

const LOCAL_DAYS = '2ab65b76-d18a-44c3-9987-9ebb221d7c35'

describe('the sample', () => {
  const shape = tree('2ab6')

  test('has a live branch and one that leaves it', () => {
    const [live, left] = shape.branches
    expect(live).toMatchObject({ number: 0, isLive: true, parent: null, forkUuid: null, turns: 11 })
    expect(left).toMatchObject({ number: 1, isLive: false, parent: 0, turns: 1 })
    expect(left?.forkUuid).toMatch(/^238904ad-/)
    expect(live?.prompts).toHaveLength(11)
    expect(left?.prompts).toHaveLength(1)
  })

  test('has segments with the tokens before and after', () => {
    expect(shape.branches[0]?.segments).toMatchObject([
      { number: 0, boundaryUuid: null, preTokens: null, postTokens: null, turns: 8 },
      { number: 1, trigger: 'manual', preTokens: 22_614, postTokens: 16_640, turns: 3 },
    ])
  })

  test('has subagents with everything that links them', () => {
    const keys = ['agentId', 'toolUseId', 'parentAgentId', 'depth', 'path', 'type', 'turns']
    for (const agent of shape.subagents) expect(Object.keys(agent)).toEqual(expect.arrayContaining(keys))
    const byId = new Map(shape.subagents.map((agent) => [agent['agentId'], agent]))
    expect(byId.get('a53b576efea454709')).toMatchObject({
      parentAgentId: 'a3c070c45ad21bfd7',
      depth: 2,
      type: 'Explore',
      turns: 1,
      toolUseId: expect.stringMatching(/^toolu_/),
      path: expect.stringMatching(/subagents\/agent-a53b576efea454709\.jsonl$/),
    })
    expect(byId.get('a3c070c45ad21bfd7')).toMatchObject({ parentAgentId: null, depth: 1 })
  })

  test('knows its fork, and the fork knows it', () => {
    const fork = tree('f03e')
    expect(shape.children).toEqual([{ sessionId: fork.sessionId, relation: 'forkOf' }])
    expect([fork.forkOf, fork.continues]).toEqual([LOCAL_DAYS, null])
  })

  test('is drawn', () => {
    const { status, out, err } = clew(['tree', '2ab6', '--root', sample])
    expect([status, err]).toEqual([0, ''])
    expect(linesOf(out)).toEqual([
      `Local days instead of 24 hours  ${LOCAL_DAYS}`,
      '├─ branch 0 (live): 11 turns',
      '│  ├─ segment 0: start, 8 turns',
      '│  └─ segment 1: after compaction (manual), 22,614 → 16,640 tokens, 3 turns',
      '├─ branch 1 (abandoned, leaves branch 0 at 238904ad): 1 turn',
      '├─ agent a3c070c45ad21bfd7 (8 records) general-purpose: Find 24-hour days',
      '│  └─ agent a53b576efea454709 (5 records) Explore: Read the calendar feed',
      '├─ agent ad6f1926f670c97fd (5 records) Explore: Check the zone names',
      '└─ fork f03e2afd-cd80-459d-8bb4-9acf9e036188',
    ])
    expect(clew(['tree', 'f03e', '--root', sample]).out).toMatch(/\nforked from 2ab65b76-/)
    expect(clew(['tree', '408e', '--root', sample]).out).toMatch(/agent aa63c08 \(2 records, no call refers to it\)\n$/)
  })

  test('of one subagent is what is below it', () => {
    const { out } = clew(['tree', '2ab6/a3c0', '--root', sample])
    expect(linesOf(out)).toEqual([
      `general-purpose: Find 24-hour days  ${LOCAL_DAYS}/a3c070c45ad21bfd7`,
      '├─ branch 0 (live): 1 turn',
      '└─ agent a53b576efea454709 (5 records) Explore: Read the calendar feed',
    ])
  })
})

describe('other shapes', () => {
  test('a continuation names what it goes on from', () => {
    const [old, next] = [sessionId('1'), sessionId('2')]
    const root = writeBelow(newFolder(), {
      [`projects/-p/${old}.jsonl`]: session(old, [prompt('u1', null, 'before')]),
      [`projects/-p/${next}.jsonl`]: session(next, [prompt('u2', 'u1', 'after'), reply('a2', 'u2', 'yes')]),
    })
    expect(tree(next, root).continues).toBe(old)
    expect(tree(old, root).children).toEqual([{ sessionId: next, relation: 'continues' }])
    expect(clew(['tree', next, '--root', root]).out).toContain(`\ncontinues ${old}\n`)
    expect(clew(['tree', old, '--root', root]).out).toContain(`continuation ${next}`)
  })

  test('subagents below subagents are drawn as deep as they go', () => {
    const id = sessionId('3')
    const depth = 30
    const agent = (level: number): string => `a${String(level).padStart(3, '0')}`
    const call = (level: number): readonly Readonly<Record<string, unknown>>[] => [
      toolUse(`T${level}`, 'Task', { description: 'deeper', prompt: `p${level}` }),
    ]
    const files = Object.fromEntries(
      Array.from({ length: depth }, (_, level) => [
        [
          `projects/-p/${id}/subagents/agent-${agent(level)}.jsonl`,
          session(id, [prompt(`s${level}`, null, `p${level}`), reply(`r${level}`, `s${level}`, call(level + 1))], {
            isSidechain: true,
            agentId: agent(level),
          }),
        ],
        [
          `projects/-p/${id}/subagents/agent-${agent(level)}.meta.json`,
          JSON.stringify({ agentType: 'Explore', description: `level ${level}`, toolUseId: `T${level}` }),
        ],
      ]).flat(),
    )
    const root = writeBelow(newFolder(), {
      [`projects/-p/${id}.jsonl`]: session(id, [prompt('u', null, 'go'), reply('a', 'u', call(0))]),
      ...files,
    })
    const { subagents } = tree(id, root)
    expect(subagents.map((one) => one['depth'])).toEqual(Array.from({ length: depth }, (_, level) => level + 1))
    const lines = linesOf(clew(['tree', id, '--root', root], { env: { COLUMNS: '400' } }).out)
    expect(lines.at(-1)).toBe(`${'   '.repeat(depth - 1)}└─ agent a029 (2 records) Explore: level 29`)
  })

  test('no line is longer than the screen; the id is never cut', () => {
    const id = sessionId('4')
    const root = writeBelow(newFolder(), { [`projects/-p/${id}.jsonl`]: talk(id, 'very long '.repeat(15)) })
    const [head] = linesOf(clew(['tree', id, '--root', root], { env: { COLUMNS: '80' } }).out)
    expect(head).toHaveLength(80)
    expect(head).toMatch(new RegExp(`^very long .*…  ${id}$`))
  })

  test('two first prompts are two branches', () => {
    const id = sessionId('5')
    const root = writeBelow(newFolder(), {
      [`projects/-p/${id}.jsonl`]: session(id, [
        prompt('u1', null, 'one way'),
        reply('a1', 'u1', 'yes'),
        prompt('u2', null, 'another way'),
        reply('a2', 'u2', 'no'),
      ]),
    })
    expect(clew(['tree', id, '--root', root]).out).toMatch(/branch 1 \(abandoned, from the very beginning\): 1 turn/)
  })
})

test('what nothing was said in has no branch and no segment, in tree, list and show alike', () => {
  const id = sessionId('f')
  const CLAUDE_CONFIG_DIR = writeBelow(newFolder('claude'), {
    [`projects/-w/${id}.jsonl`]: [{ type: 'custom-title', customTitle: 'Only a name', sessionId: id }],
  })
  const env = { CLAUDE_CONFIG_DIR, XDG_CACHE_HOME: newFolder('cache') }
  clew(['list'], { env })
  for (const more of [[], ['--no-index']]) {
    const [row] = clewJson<object>(['list', ...more], { env })
    expect(row).toMatchObject({ title: 'Only a name', turns: 0, branches: 0, segments: 0 })
    expect(clewJson<object>(['tree', id, ...more], { env })[0]).toMatchObject({ branches: [] })
    expect(clewJson<object>(['show', id, ...more], { env })[0]).toMatchObject({
      conversation: { branches: 0, segments: 0 },
    })
    expect(clew(['list', ...more], { env }).out).not.toMatch(/branch|compaction/)
  }
})
