// Calls that ran side by side, and what stands around their results. What each row says is what client 2.1.327 wrote into the
// copy when it resumed exactly these records with --fork-session; attachments, system and meta records are told too.

import { expect, test } from 'vitest'
import { readContext } from '../../src/graph/context.ts'
import type { Written } from './transcript-of.ts'
import {
  a,
  at,
  attachment,
  compaction,
  keeps,
  lastPrompt,
  progress,
  sidechain,
  system,
  talk,
  threadOf,
  toolResult,
  toolUse,
  u,
} from './transcript-of.ts'

const A = toolUse('A', '1', ['TA'], 'M')
const B = toolUse('B', 'A', ['TB'], 'M')
const C = toolUse('C', 'B', ['TC'], 'M')
const ra = toolResult('ra', 'A', 'TA')
const rb = toolResult('rb', 'B', 'TB')
const rc = toolResult('rc', 'C', 'TC')
const ONE = u('1', null)
const TWO = [ONE, A, B]
const THREE = [...TWO, C]

// The client throws away those that are not whole.
const HOOK = { type: 'hook_additional_context', hookName: 'PostToolUse:Bash', hookEvent: 'PostToolUse', content: ['.'] }
const hook = (uuid: string, parentUuid: string): Written => attachment(uuid, parentUuid, { ...HOOK, toolUseID: 'TA' })
const meta = (uuid: string, parentUuid: string): Written => u(uuid, parentUuid, { isMeta: true })
const skill = (uuid: string, parentUuid: string): Written =>
  u(uuid, parentUuid, { isMeta: true, sourceToolUseID: 'TA' })
/** Both calls and results on the way, and something between the first result and the second call. */
const between = (...records: readonly Written[]): readonly Written[] => {
  const last = records.at(-1) as { readonly uuid: string }
  return [ONE, A, ra, ...records, toolUse('B', last.uuid, ['TB'], 'M'), rb, a('4', 'rb')]
}

const ROWS: readonly (readonly [string, readonly Written[], string])[] = [
  ['the next record hangs below the last result', [...TWO, ra, rb, a('4', 'rb')], '1 A B ra rb 4'],
  ['below the first', [...TWO, ra, rb, a('4', 'ra')], '1 A B ra rb 4'],
  ['results the other way round', [...TWO, rb, ra, a('4', 'rb')], '1 A B rb ra 4'],
  ['times the other way round', [...TWO, ...at(50, ra), ...at(20, rb), ...at(60, a('4', 'ra'))], '1 A B ra rb 4'],
  [
    'three results, the next record below the second written',
    [...THREE, rc, ra, rb, a('4', 'ra')],
    '1 A B C rc ra rb 4',
  ],
  ['parts and results in turn', [ONE, A, ra, B, rb, C, rc, a('4', 'ra')], '1 A ra B rb C rc 4'],
  ['a result written after the next record', [...TWO, rb, a('4', 'rb'), ra, lastPrompt('4')], '1 A B rb ra 4'],
  ['a result written before all calls', [rb, ...TWO, ra, a('4', 'ra')], '1 A rb B ra 4'],
  ['parts on the way stay, the child was written first', [ONE, B, A, ra, rb, a('4', 'rb')], '1 A B ra rb 4'],
  [
    'results on the way stay',
    [...THREE, toolResult('rb', 'ra', 'TB', 'B'), rc, ra, a('4', 'rb')],
    '1 A B C rc ra rb 4',
  ],
  ['nothing comes before the first part on the way', siblingParts('ra'), '1 A B ra rb 4'],
  ['nor if that is another', siblingParts('rb'), '1 B A ra rb 4'],
  ['a result again at the end', [...TWO, ra, rb, a('4', 'rb'), ra, lastPrompt('4')], '1 A B ra rb 4'],
  ['a result again before the next record', [...TWO, ra, rb, ra, a('4', 'rb')], '1 A B ra rb 4'],
  ['a call again behind the results', [...TWO, ra, rb, A, a('4', 'rb')], '1 A B ra rb 4'],
  ['two replies', twoReplies(), '1 A B ra rb D E re rd 4'],
  [
    'a result below another reply, found by its call',
    [...TWO, u('b', '1'), toolResult('ra', 'b', 'TA', null), rb, a('4', 'rb')],
    '1 A B ra rb 4',
  ],
  ['a prompt between the parts', between(u('p', 'ra')), '1 A ra p B rb 4'],
  ['a prompt behind the parts, a result after it', [...TWO, rb, u('p', 'rb'), ra, a('4', 'p')], '1 A B rb ra p 4'],
  [
    'records of an inline subagent',
    [...TWO, ...sidechain(u('q', 'A'), a('r', 'q')), rb, ra, a('4', 'ra')],
    '1 A B rb ra 4',
  ],

  [
    'what hooks said below both results',
    [...TWO, ra, hook('x', 'ra'), rb, hook('y', 'rb'), a('4', 'x')],
    '1 A B ra x rb y 4',
  ],
  ['a result between a result and its hook', [...TWO, rb, ra, hook('y', 'rb'), a('4', 'y')], '1 A B rb ra y 4'],
  ['what a skill said beside', [...TWO, ra, skill('s', 'ra'), rb, a('4', 'rb')], '1 A B ra s rb 4'],
  ['what nobody called for', [...TWO, ra, hook('x', 'ra'), meta('s', 'x'), rb, a('4', 'rb')], '1 A B ra x s rb 4'],
  [
    'what was printed below a call',
    [...TWO, system('s', 'A', 'local_command'), ra, rb, a('4', 'rb')],
    '1 A B s ra rb 4',
  ],
  ['below the only call', [ONE, A, ra, meta('s', 'ra'), a('4', 'ra')], '1 A ra s 4'],
  [
    'a queued prompt beside',
    [...TWO, ra, attachment('q', 'ra', { type: 'queued_command', prompt: 'q' }), rb, a('4', 'rb')],
    '1 A B ra q rb 4',
  ],
  [
    'a prompt beside, and what hangs below it',
    [...TWO, ra, u('p', 'ra'), meta('s', 'p'), rb, a('4', 'rb')],
    '1 A B ra rb 4',
  ],
  [
    'a note that leads on to another reply',
    [...TWO, ra, hook('x', 'ra'), a('D', 'x'), u('p', 'D'), rb, a('4', 'rb')],
    '1 A B ra rb 4',
  ],
  [
    'or to a prompt',
    [...TWO, ra, rb, meta('s', 'rb'), hook('x', 's'), u('p', 'x'), hook('y', 'rb'), a('4', 'rb'), lastPrompt('4')],
    '1 A B ra rb y 4',
  ],
  [
    'or to a part of the same reply',
    [ONE, A, ra, hook('x', 'ra'), toolUse('B', 'x', ['TB'], 'M'), rb, a('4', 'ra')],
    '1 A B ra x rb 4',
  ],
  ['a note below nothing', [...TWO, ra, meta('s', 'ghost'), rb, a('4', 'rb')], '1 A B ra rb 4'],
  ['a note below progress', [...TWO, ra, progress('p', 'ra'), hook('x', 'p'), rb, a('4', 'rb')], '1 A B ra x rb 4'],
  ['below a reply without calls', [ONE, a('2', '1'), meta('s', '2'), u('3', '2'), a('4', '3')], '1 2 3 4'],
  ['notes in a circle', [...TWO, ra, hook('x', 'y'), hook('y', 'x'), rb, a('4', 'rb')], '1 A B ra rb 4'],

  ['a hook between the parts', between(hook('x', 'ra')), '1 A B ra x rb 4'],
  ['beside the way too', [ONE, A, ra, hook('x', 'ra'), B, rb, a('4', 'rb')], '1 A B ra x rb 4'],
  ['a skill', between(skill('s', 'ra')), '1 A B ra s rb 4'],
  ['a system record', between(system('s', 'ra')), '1 A B ra s rb 4'],
  ['what nobody called for, between the parts', between(meta('s', 'ra')), '1 A ra s B rb 4'],
  ['and a hook', between(hook('x', 'ra'), meta('s', 'x')), '1 A ra x s B rb 4'],
  ['a command of the client', between(system('s', 'ra', 'local_command')), '1 A ra s B rb 4'],
  ['progress', between(progress('s', 'ra')), '1 A ra B rb 4'],

  ['kept by a compaction', compacted('A', 'B', 'ra', 'rb', '4'), 'cb sum A B ra rb 4 5 6'],
  ['kept in another order', compacted('A', 'B', 'rb', 'ra', '4'), 'cb sum A B rb ra 4 5 6'],
  ['kept without the calls', compacted('rb', '4'), 'cb sum rb 4 5 6'],
]

test.each(ROWS)('%s', (_, written, wanted) => {
  const thread = threadOf(written)
  const { nodes } = readContext(thread, 'resume')
  expect(nodes.map((node) => thread.nodes[node]?.uuid).join(' ')).toBe(wanted)
})

function siblingParts(nextBelow: string): readonly Written[] {
  const [one, other] = [toolUse('B', '1', ['TB'], 'M'), toolUse('A', '1', ['TA'], 'M')]
  return [ONE, one, other, ra, rb, a('4', nextBelow)]
}

function twoReplies(): readonly Written[] {
  const calls = [toolUse('D', 'ra', ['TD'], 'N'), toolUse('E', 'D', ['TE'], 'N')]
  return [...TWO, ra, ...calls, rb, toolResult('re', 'E', 'TE'), toolResult('rd', 'D', 'TD'), a('4', 're')]
}

function compacted(...kept: readonly string[]): readonly Written[] {
  return [...TWO, ra, rb, a('4', 'rb'), ...compaction('cb', 'sum', keeps('sum', ...kept)), ...talk('sum', '5', '6')]
}
