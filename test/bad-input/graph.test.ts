// Chains that lead nowhere or two ways at once. The full Reading goes
// from the root to the live tip, over whatever bridges that takes.

import type { Written } from '../graph/transcript-of.ts'
import {
  a,
  at,
  attachment,
  boundary,
  compaction,
  explicitTip,
  keeps,
  lastPrompt,
  NIL_UUID,
  progress,
  sidechain,
  summary,
  system,
  talk,
  toolResult,
  toolUse,
  u,
} from '../graph/transcript-of.ts'
import type { GraphCase } from './graph-case.ts'
import { testGraphs } from './graph-case.ts'

const LINEAR = talk(null, '1', '2', '3', '4')
const PAIR = talk(null, '1', '2')
const THREE_CALLS = ['a', 'b', 'c'].map((name, place) =>
  toolUse(`2${name}`, place === 0 ? '1' : `2${'abc'[place - 1]}`, [`T${name}`], 'M'),
)

const PARENTS: readonly GraphCase[] = [
  {
    name: 'a parent that was never written',
    written: [...PAIR, ...talk('ghost', '3', '4')],
    full: '1 2 3 4',
    problems: 'missing-parent',
    islands: 1,
  },
  { name: 'of the first record', written: talk('ghost', '1', '2'), full: '1 2', problems: 'missing-parent' },
  {
    name: 'of every record',
    written: [u('1', 'x'), a('2', 'y'), u('3', 'z'), a('4', 'w')],
    full: '1 2 3 4',
    problems: 'missing-parent missing-parent missing-parent missing-parent',
    islands: 3,
  },
  {
    name: 'an orphan tree between live records',
    written: [...PAIR, ...talk('ghost', 'x', 'y', 'z'), ...talk('y', 'v'), ...talk('2', '3', '4')],
    full: '1 2 3 4',
    problems: 'missing-parent',
    branches: 3,
    islands: 1,
  },
  { name: 'children before their parents', written: [...LINEAR].reverse(), full: '1 2 3 4' },
  {
    name: 'roots and more roots',
    written: ['a', 'b', 'c'].flatMap((n) => talk(null, n, `${n}2`)),
    full: 'c c2',
    branches: 3,
  },
  {
    name: 'the uuids of another time',
    written: [u('__proto__', null), a('constructor', '__proto__'), ...talk('constructor', 'toString', 'valueOf')],
    full: '__proto__ constructor toString valueOf',
  },
  {
    name: 'a parent that is no text',
    written: [...PAIR, { ...u('3', null), parentUuid: 2 }, a('4', '3')],
    full: '3 4',
    branches: 2,
  },
  {
    name: 'a uuid that is no text',
    written: [...PAIR, { ...u('3', '2'), uuid: 3 }, { ...u('3', '2'), uuid: null }, { ...u('', '2') }, a('4', '2')],
    full: '1 2 4',
  },
  {
    name: 'a record of an unknown type in the chain',
    written: [...PAIR, { type: 'mystery', uuid: 'm', parentUuid: '2' }, ...talk('m', '3', '4')],
    full: '1 2 3 4',
  },
  {
    name: 'a main record below a sidechain',
    written: [...PAIR, ...sidechain(...talk('2', 'x', 'y')), ...talk('y', '3', '4')],
    full: '1 2 3 4',
    problems: 'unlinked-subagent',
  },
  {
    name: 'nothing but a sidechain',
    written: sidechain(...LINEAR),
    full: '',
    problems: 'unlinked-subagent',
    branches: 0,
  },
  { name: 'nothing but metadata (CC#85793)', written: [lastPrompt('x'), { type: 'mode' }], full: '', branches: 0 },
  { name: 'nothing but hook output', written: [attachment('x', null), progress('y', 'x')], full: '' },
]

const COPIES: readonly GraphCase[] = [
  { name: 'the same record twice, byte for byte', written: [...LINEAR, ...at(2, a('2', '1'))], full: '1 2 3 4' },
  {
    name: 'the same uuid with other content',
    written: [...LINEAR, ...at(2, a('2', '1', { gitBranch: 'other' }))],
    full: '1 2 3 4',
    problems: 'copy-differs',
  },
  {
    name: 'the same uuid with another parent',
    written: [...LINEAR, ...at(3, u('3', null))],
    full: '1 2 3 4',
    problems: 'copy-differs',
  },
  {
    name: 'the prompt once more after a dropped connection (CC#40487)',
    written: [...LINEAR, ...talk('4', '5', '6'), ...at(5, u('5', '4')), ...talk('6', '7', '8')],
    full: '1 2 3 4 5 6 7 8',
  },
  {
    name: 'a replayed prefix from another folder (CC#56196)',
    written: [...LINEAR, ...at(1, ...LINEAR.map((one) => ({ ...one, cwd: '/q' }))), ...talk('4', '5', '6')],
    full: '1 2 3 4 5 6',
    problems: 'copy-differs copy-differs copy-differs copy-differs',
  },
  {
    name: 'a replayed prefix, five times',
    written: [...new Array<readonly Written[]>(5).fill(at(1, ...LINEAR)).flat(), ...talk('4', '5', '6')],
    full: '1 2 3 4 5 6',
  },
  {
    name: 'a snapshot of a message has its id (CC#36583)',
    written: [...PAIR, { type: 'file-history-snapshot', messageId: '3', snapshot: {} }, ...talk('2', '3', '4')],
    full: '1 2 3 4',
  },
]

const COMPACTIONS: readonly GraphCase[] = [
  {
    name: 'a boundary that names nothing',
    written: [...PAIR, ...compaction('b', 's'), ...talk('s', '3', '4')],
    full: '1 2 3 4',
  },
  {
    name: 'a boundary whose logical parent is gone (CC#46603)',
    written: [...PAIR, { ...boundary('b', null), logicalParentUuid: 'x' }, summary('s', 'b'), ...talk('s', '3', '4')],
    full: '1 2 3 4',
    problems: 'boundary-without-parent',
  },
  { name: 'a boundary first of all', written: [...compaction('b', 's'), ...talk('s', '1', '2')], full: '1 2' },
  {
    name: 'a boundary with nothing in it',
    written: [
      ...PAIR,
      { type: 'system', subtype: 'compact_boundary', uuid: 'b', parentUuid: null },
      ...talk('b', '3', '4'),
    ],
    full: '1 2 3 4',
  },
  {
    name: 'kept messages that are gone',
    written: [...PAIR, ...compaction('b', 's', keeps('s', 'ghost', '2')), ...talk('s', '3', '4')],
    full: '1 2 3 4',
    problems: 'preserved-missing',
  },
  {
    name: 'an anchor that is gone',
    written: [...PAIR, ...compaction('b', 's', keeps('ghost', '2')), ...talk('s', '3', '4')],
    full: '1 2 3 4',
  },
  {
    name: 'a kept stretch whose head is not above its tail (CC#92089)',
    written: [
      ...PAIR,
      ...compaction('b', 's', { preservedSegment: { anchorUuid: 's', headUuid: '2', tailUuid: '1' } }),
      ...talk('s', '3', '4'),
    ],
    full: '1 2 3 4',
  },
]

const TOOLS: readonly GraphCase[] = [
  {
    name: 'a reply beside the error it was retried after (CC#72203)',
    written: [
      u('1', null),
      system('e', '1', 'api_error'),
      a('R', '1'),
      system('h', 'e', 'stop_hook_summary'),
      ...talk('h', '2', '3'),
    ],
    full: '1 R 2 3',
  },
  {
    name: 'parallel calls, each result on a branch of its own (CC#31330)',
    written: [
      u('1', null),
      ...THREE_CALLS,
      ...['a', 'b', 'c'].map((name) => toolResult(`3${name}`, `2${name}`, `T${name}`)),
      a('4', '3c'),
    ],
    full: '1 2a 2b 2c 3a 3b 3c 4',
  },
  {
    name: 'two of three results (CC#45286)',
    written: [u('1', null), ...THREE_CALLS, toolResult('3a', '2a', 'Ta'), toolResult('3c', '2c', 'Tc'), a('4', '3c')],
    full: '1 2a 2b 2c 3a 3c 4',
  },
  {
    name: 'a call without a result',
    written: [u('1', null), toolUse('2', '1', ['T']), ...talk('2', '3', '4')],
    full: '1 2 3 4',
  },
  {
    name: 'a result without a call',
    written: [...PAIR, toolResult('3', '2', 'ghost', 'ghost'), a('4', '3')],
    full: '1 2 3 4',
  },
  {
    name: 'two results of one call',
    written: [
      u('1', null),
      toolUse('2', '1', ['T']),
      toolResult('3', '2', 'T'),
      toolResult('4', '3', 'T'),
      a('5', '4'),
    ],
    full: '1 2 3 4 5',
  },
  {
    name: 'a result before its call',
    written: [u('1', null), toolResult('3', '2', 'T'), toolUse('2', '1', ['T']), a('4', '3')],
    full: '1 2 3 4',
  },
]

const TIPS: readonly GraphCase[] = [
  { name: 'a tip that was never written', written: [...LINEAR, explicitTip('ghost')], full: '1 2 3 4' },
  { name: 'the nil tip', written: [...LINEAR, explicitTip(NIL_UUID)], full: '1 2 3 4' },
  {
    name: 'a tip that is a progress record',
    written: [...LINEAR, progress('p', '4'), explicitTip('p')],
    full: '1 2 3 4',
  },
  {
    name: 'a tip in a sidechain',
    written: [...LINEAR, ...sidechain(...talk('4', 'x', 'y')), explicitTip('y')],
    full: '1 2 3 4',
    problems: 'unlinked-subagent',
  },
  {
    name: 'a clock that goes back ten years',
    written: [...PAIR, ...at(-315_360_000, ...talk('2', '3', '4')), ...at(9, ...talk('4', '5', '6'))],
    full: '1 2 3 4 5 6',
  },
]

testGraphs('parents', PARENTS)
testGraphs('copies', COPIES)
testGraphs('compactions', COMPACTIONS)
testGraphs('tool calls', TOOLS)
testGraphs('tips and clocks', TIPS)
