// Parents that lead back to where they started.

import {
  a,
  attachment,
  boundary,
  compaction,
  keeps,
  progress,
  sidechain,
  summary,
  talk,
  u,
} from '../graph/transcript-of.ts'
import type { GraphCase } from './graph-case.ts'
import { testGraphs } from './graph-case.ts'

const PAIR = talk(null, '1', '2')

const CYCLES: readonly GraphCase[] = [
  { name: 'the first record is its own parent', written: talk('1', '1', '2'), full: '1 2', problems: 'parent-cycle' },
  {
    name: 'a later record is its own parent',
    written: [...PAIR, ...talk('3', '3', '4')],
    full: '1 2 3 4',
    problems: 'parent-cycle',
    islands: 1,
  },
  { name: 'two records are the whole cycle', written: talk('2', '1', '2'), full: '1 2', problems: 'parent-cycle' },
  {
    name: 'two later records',
    written: [...PAIR, ...talk('4', '3', '4')],
    full: '1 2 3 4',
    problems: 'parent-cycle',
    islands: 1,
  },
  {
    name: 'the conversation goes on behind a cycle',
    written: [...talk('2', '1', '2'), ...talk('2', '3', '4')],
    full: '1 2 3 4',
    problems: 'parent-cycle',
  },
  {
    name: 'a cycle that is entered in its middle, by a record before it',
    written: [u('x', 'b'), u('a', 'c'), a('b', 'a'), u('c', 'b')],
    full: 'a b c',
    problems: 'parent-cycle',
    branches: 2,
  },
  {
    name: 'the record before a cycle hangs below it',
    written: [...PAIR, a('x', 'd'), u('c', 'd'), a('d', 'c'), ...talk('d', '5', '6')],
    full: 'c d x 5 6',
    problems: 'parent-cycle',
    branches: 2,
  },
  {
    name: 'a cycle beside the live path',
    written: [...PAIR, ...talk('y', 'x', 'y'), ...talk('2', '3', '4')],
    full: '1 2 3 4',
    problems: 'parent-cycle',
    branches: 2,
    islands: 1,
  },
  {
    name: 'two cycles',
    written: [...talk('2', '1', '2'), ...talk('4', '3', '4')],
    full: '1 2 3 4',
    problems: 'parent-cycle parent-cycle',
    islands: 1,
  },
  {
    name: 'a hook writes a uuid again with another parent (CC#22245)',
    written: [u('A', null), attachment('X', 'A'), u('B', 'X'), attachment('X', 'B'), a('C', 'B')],
    full: 'A B C',
    problems: 'copy-differs',
  },
  {
    name: 'progress records in a cycle',
    written: [...PAIR, progress('p', 'q'), progress('q', 'p'), ...talk('q', '3', '4')],
    full: '1 2 3 4',
    problems: 'parent-cycle',
    islands: 1,
  },
  {
    name: 'a compaction that goes on from a record after it',
    written: [...PAIR, { ...boundary('b', null), logicalParentUuid: '4' }, summary('s', 'b'), ...talk('s', '3', '4')],
    full: '1 2 3 4',
    problems: 'parent-cycle',
    islands: 1,
  },
  {
    name: 'a compaction that goes on from itself',
    written: [...PAIR, { ...boundary('b', null), logicalParentUuid: 'b' }, summary('s', 'b'), ...talk('s', '3', '4')],
    full: '1 2 3 4',
    problems: 'parent-cycle',
    islands: 1,
  },
  {
    name: 'a compaction that keeps its own anchor',
    written: [...PAIR, ...compaction('b', 's', keeps('s', 's')), ...talk('s', '3', '4')],
    full: '1 2 3 4',
  },
  {
    name: 'sidechain records in a cycle',
    written: [...PAIR, ...sidechain(...talk('y', 'x', 'y')), ...talk('2', '3', '4')],
    full: '1 2 3 4',
    problems: 'parent-cycle unlinked-subagent',
  },
]

testGraphs('cycles', CYCLES)
