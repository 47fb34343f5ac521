// Small hand-made transcripts with what the official SDK's getSessionMessages lists (`sdk`: system records too, meta ones
// not) and what the client's --resume sends to the model (`resume`: meta records too, system ones and attachments not).
// SDK 0.3.325 gave each `sdk` answer to exactly these records. What the client makes up while sending ("No response requested.", results for open calls) is no record.

import { describe, expect, test } from 'vitest'
import { messageUuids, readContext, readContextAt } from '../../src/graph/context.ts'
import type { Thread, ThreadNode } from '../../src/graph/thread.ts'
import type { Envelope } from '../../src/record/model.ts'
import { isMessage, isQueued, messageUuid } from '../../src/record/roles.ts'
import type { Written } from './transcript-of.ts'
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
  textOf,
  threadOf,
  toolResult,
  toolUse,
  u,
} from './transcript-of.ts'

interface Probe {
  readonly name: string
  readonly written: readonly Written[]
  /** B1. */
  readonly sdk: string
  /** B2; null where the client was not asked. */
  readonly resume: string | null
  /** Where we mean to answer something else, and what. */
  readonly differs?: { readonly why: string; readonly file?: string; readonly resume?: string }
}

const LINEAR = talk(null, '1', '2', '3', '4')
const BRANCHES = [...talk(null, '1', '2'), ...talk('2', 'A3', 'A4'), ...talk('2', 'B3', 'B4')]
const ONE_CALL = [u('1', null), toolUse('2', '1', ['T1']), toolResult('3', '2', 'T1'), a('4', '3')]
const TWO_CALLS = [u('1', null), toolUse('2a', '1', ['T1'], 'M'), toolUse('2b', '2a', ['T2'], 'M')]
const TWO_CALLS_IN_ONE = [u('1', null), toolUse('2', '1', ['T1', 'T2'])]
const BEFORE_COMPACTION = talk(null, '1u', '1a', '2u', '2a')

// No rows, because they ask for titles, tags or other info only: `title: …` (9), `tag set`, `tag set then cleared`,
// `custom-title in the …` of a 2 MB file (3), `first prompt only after 200 KB`.
const PROBES: readonly Probe[] = [
  { name: 'linear', written: LINEAR, sdk: '1 2 3 4', resume: '1 2 3 4' },
  {
    name: 'branch: later in file, later timestamp wins?',
    written: BRANCHES,
    sdk: '1 2 B3 B4',
    resume: '1 2 B3 B4',
  },
  {
    name: 'branch: later in file but EARLIER timestamp',
    written: [...talk(null, '1', '2'), ...at(100, ...talk('2', 'A3', 'A4')), ...at(50, ...talk('2', 'B3', 'B4'))],
    sdk: '1 2 B3 B4',
    resume: '1 2 B3 B4',
  },
  {
    name: 'branch + last-prompt.leafUuid names the older branch',
    written: [...BRANCHES, lastPrompt('A4')],
    sdk: '1 2 B3 B4',
    resume: '1 2 A3 A4',
  },
  {
    name: 'branch + last-prompt explicit:true names the older branch',
    written: [...BRANCHES, explicitTip('A4')],
    sdk: '1 2 B3 B4',
    resume: '1 2 A3 A4',
  },
  {
    name: 'linear + last-prompt explicit:true names an inner record',
    written: [...LINEAR, explicitTip('2')],
    sdk: '1 2 3 4',
    resume: '1 2',
  },
  {
    name: 'linear + last-prompt (not explicit) names an inner record',
    written: [...LINEAR, lastPrompt('2')],
    sdk: '1 2 3 4',
    resume: '1 2 3 4',
  },
  {
    name: 'explicit leaf then more records after it',
    written: [...LINEAR, explicitTip('2'), ...talk('2', 'B3', 'B4')],
    sdk: '1 2 B3 B4',
    resume: '1 2 B3 B4',
  },
  {
    name: 'explicit nil leaf at the end',
    written: [...talk(null, '1', '2'), explicitTip(NIL_UUID)],
    sdk: '1 2',
    resume: '1 2',
  },
  {
    name: 'two roots (second is newer)',
    written: [...talk(null, '1', '2'), ...talk(null, 'R', 'R2')],
    sdk: 'R R2',
    resume: 'R R2',
  },
  {
    name: 'two roots, second in file is OLDER by timestamp',
    written: [...at(100, ...talk(null, '1', '2')), ...at(50, ...talk(null, 'R', 'R2'))],
    sdk: 'R R2',
    resume: 'R R2',
  },
  {
    name: 'phantom parent in the middle',
    written: [...talk(null, '1', '2'), ...talk('ghost', '3', '4')],
    sdk: '3 4',
    resume: '1 2 3 4',
  },
  {
    name: 'phantom parent on a system record',
    written: [...talk(null, '1', '2'), system('s', 'ghost'), ...talk('s', '3', '4')],
    sdk: 's 3 4',
    resume: '1 2 3 4',
  },
  { name: 'cycle', written: talk('4', '1', '2', '3', '4'), sdk: '', resume: '1 2 3 4' },
  // A third record that is its own parent would fit both answers as well; the appendix does not say which it was.
  { name: 'self parent', written: talk('1', '1', '2'), sdk: '1 2', resume: '1 2' },
  {
    name: 'duplicate uuid, identical copy appended at end',
    written: [...LINEAR, ...at(2, a('2', '1'))],
    sdk: '1 2 3 4',
    resume: '1 2 3 4',
  },
  {
    name: 'duplicate uuid, second copy has another parent (null)',
    written: [...LINEAR, u('3', null)],
    sdk: '3 4',
    resume: '3 4',
  },
  {
    name: 'ends in a user prompt without answer',
    written: talk(null, '1', '2', '3'),
    sdk: '1 2 3',
    resume: '1 2 3',
  },
  {
    name: 'ends in attachments and system',
    written: [...talk(null, '1', '2'), attachment('t1', '2'), attachment('t2', 't1'), system('s', 't2')],
    sdk: '1 2',
    resume: '1 2',
  },
  {
    name: 'side leaf: an attachment hangs off an early record and is last in file',
    written: [...LINEAR, attachment('t', '2')],
    sdk: '1 2',
    resume: '1 2',
  },
  {
    name: 'side leaf: a system record hangs off an early record and is last in file',
    written: [...LINEAR, system('s', '2')],
    sdk: '1 2',
    resume: '1 2',
  },
  {
    name: 'side leaf: meta user hangs off an early record, last in file',
    written: [...LINEAR, u('m', '2', { isMeta: true })],
    sdk: '1 2',
    resume: '1 2 m',
  },
  {
    name: 'progress records in the chain',
    written: [
      u('1', null),
      toolUse('2', '1', ['T1']),
      progress('p1', '2'),
      progress('p2', 'p1'),
      toolResult('3', 'p2', 'T1', '2'),
      a('4', '3'),
    ],
    sdk: '1 2 3 4',
    resume: '1 2 3 4',
  },
  {
    name: 'progress as last leaf off an earlier record',
    written: [...ONE_CALL, progress('p', '2')],
    sdk: '1 2 3 4',
    resume: '1 2 3 4',
  },
  {
    name: 'isSidechain records inside the main file, last',
    written: [...ONE_CALL, ...sidechain(...talk(null, 's1', 's2'))],
    sdk: '1 2 3 4',
    resume: '1 2 3 4',
  },
  {
    name: 'isSidechain chain is the newest',
    written: [...talk(null, '1', '2'), ...sidechain(...talk('2', 's1', 's2'))],
    sdk: '1 2',
    resume: '1 2',
  },
  // The client finds no conversation at all here.
  { name: 'all records isSidechain', written: sidechain(...talk(null, '1', '2')), sdk: '', resume: '' },
  {
    name: 'parallel tools, sibling results (same message.id)',
    written: [...TWO_CALLS, toolResult('r1', '2a', 'T1'), toolResult('r2', '2b', 'T2'), a('4', 'r2')],
    sdk: '1 2a 2b r1 r2 4',
    resume: '1 2a 2b r1 r2 4',
  },
  {
    name: 'parallel tools, result of the FIRST call last',
    written: [...TWO_CALLS, toolResult('r2', '2b', 'T2'), toolResult('r1', '2a', 'T1'), a('4', 'r1')],
    sdk: '1 2a 2b r2 r1 4',
    resume: '1 2a 2b r2 r1 4',
  },
  {
    name: 'parallel tools, different message.id',
    written: [
      u('1', null),
      toolUse('2a', '1', ['T1']),
      toolUse('2b', '2a', ['T2']),
      toolResult('r1', '2a', 'T1'),
      toolResult('r2', '2b', 'T2'),
      a('4', 'r2'),
    ],
    sdk: '1 2a r1 2b r2 4',
    resume: '1 2a r1 2b r2 4',
  },
  {
    name: 'parallel tools in ONE record, results as siblings',
    written: [...TWO_CALLS_IN_ONE, toolResult('r1', '2', 'T1'), toolResult('r2', '2', 'T2'), a('4', 'r2')],
    sdk: '1 2 r1 r2 4',
    resume: '1 2 r1 r2 4',
  },
  {
    name: 'parallel tools in ONE record, sibling result without sourceToolAssistantUUID',
    written: [...TWO_CALLS_IN_ONE, toolResult('r1', '2', 'T1', null), toolResult('r2', '2', 'T2', null), a('4', 'r2')],
    sdk: '1 2 r1 r2 4',
    resume: '1 2 r1 r2 4',
  },
  {
    // `mm` is known from the client's answer only; it must be meta and on the way to 4.
    name: 'parallel tools, sibling result with attachments under it',
    written: [
      ...TWO_CALLS,
      toolResult('r1', '2a', 'T1'),
      attachment('t1', 'r1'),
      attachment('t2', 't1'),
      toolResult('r2', '2b', 'T2'),
      u('mm', 'r2', { isMeta: true }),
      a('4', 'mm'),
    ],
    sdk: '1 2a 2b r1 r2 4',
    resume: '1 2a 2b r1 r2 mm 4',
  },
  {
    name: 'abandoned retry branch: sibling assistant with tool and result, other message',
    written: [
      u('1', null),
      toolUse('A', '1', ['T1']),
      toolResult('Ar', 'A', 'T1'),
      toolUse('B', '1', ['T2']),
      toolResult('Br', 'B', 'T2'),
      a('C', 'Br'),
    ],
    sdk: '1 B Br C',
    resume: '1 B Br C',
  },
  {
    name: 'compact boundary, nothing preserved',
    written: [...talk(null, '1', '2'), ...compaction('cb', 'sum'), ...talk('sum', '3', '4')],
    sdk: 'cb sum 3 4',
    resume: 'sum 3 4',
  },
  {
    name: 'compact boundary, tail preserved (anchor = summary)',
    written: [...BEFORE_COMPACTION, ...compaction('cb', 'sum', keeps('sum', '2u', '2a')), ...talk('sum', '3', '4')],
    sdk: 'cb sum 2u 2a 3 4',
    resume: 'sum 2u 2a 3 4',
  },
  {
    name: 'same, only preservedSegment',
    written: [
      ...BEFORE_COMPACTION,
      ...compaction('cb', 'sum', { preservedSegment: { headUuid: '2u', anchorUuid: 'sum', tailUuid: '2a' } }),
      ...talk('sum', '3', '4'),
    ],
    sdk: 'cb sum 2u 2a 3 4',
    resume: 'sum 2u 2a 3 4',
  },
  {
    name: 'preserved uuid missing from the file',
    written: [...BEFORE_COMPACTION, ...compaction('cb', 'sum', keeps('sum', '2u', 'ghost')), ...talk('sum', '3', '4')],
    sdk: 'cb sum 3 4',
    resume: 'sum 3 4',
  },
  {
    name: 'two boundaries, the second preserves a message already preserved by the first',
    written: [
      ...talk(null, '1', '2'),
      ...compaction('cb1', 'sum1', keeps('sum1', '2')),
      ...compaction('cb2', 'sum2', keeps('sum2', '2')),
      ...talk('sum2', '3', '4'),
    ],
    sdk: 'cb2 sum2 2 3 4',
    resume: 'sum2 2 3 4',
  },
  {
    name: 'compact boundary with nothing after the summary',
    written: [...talk(null, '1', '2'), ...compaction('cb', 'sum')],
    sdk: 'cb sum',
    resume: 'sum',
  },
  {
    name: 'compact boundary written, summary never (killed)',
    written: [...talk(null, '1', '2'), boundary('cb', null)],
    sdk: '1 2',
    resume: '1 2',
  },
  {
    name: 'compact boundary whose parentUuid is set (as /branch writes it)',
    written: [...talk(null, '1', '2'), boundary('cb', '2'), summary('sum', 'cb'), ...talk('sum', '3', '4')],
    sdk: '1 2 cb sum 3 4',
    resume: 'sum 3 4',
  },
  {
    name: 'old branch continues AFTER a compaction (leaf not under the boundary is newest)',
    written: [...talk(null, '1', '2'), ...compaction('cb', 'sum'), ...talk('sum', '3', '4'), ...talk('2', 'E', 'E2')],
    sdk: '1 2 E E2',
    resume: '1 2 E E2',
  },
  {
    name: 'microcompact_boundary in chain',
    written: [...talk(null, '1', '2'), system('mb', '2', 'microcompact_boundary'), ...talk('mb', '3', '4')],
    sdk: '1 2 mb 3 4',
    resume: '1 2 3 4',
  },
  {
    name: 'torn last line',
    written: [...talk(null, '1', '2'), '{"type":"user","uuid":"3","parentUuid":"2","message":{"role":"us'],
    sdk: '1 2',
    resume: '1 2',
  },
  {
    name: 'garbage line, blank line, number, null, array in the middle',
    written: [u('1', null), 'garbage\n', '\n', '42\n', 'null\n', '[1,2]\n', a('2', '1')],
    sdk: '1 2',
    resume: '1 2',
  },
  {
    name: 'NUL bytes block in the middle',
    written: [u('1', null), `${'\0'.repeat(512)}\n`, a('2', '1')],
    sdk: '1 2',
    resume: '1 2',
  },
  {
    name: 'two records glued on one line',
    written: [u('1', null), `${textOf([a('2', '1')]).trimEnd()}${textOf([u('3', '2')])}`, a('4', '3')],
    sdk: '4',
    resume: '1 2 4',
    differs: {
      why: 'the SDK drops the whole line and the client its second record; salvage reads both',
      file: '1 2 3 4',
      resume: '1 2 3 4',
    },
  },
  {
    name: 'CRLF',
    written: [textOf(talk(null, '1', '2')).replaceAll('\n', '\r\n')],
    sdk: '1 2',
    resume: '1 2',
  },
  {
    name: 'UTF-8 BOM',
    written: ['\ufeff', ...talk(null, '1', '2')],
    sdk: '2',
    resume: '1 2',
    differs: { why: 'the SDK loses the first record to the mark; we skip the mark, as the client does', file: '1 2' },
  },
  { name: 'child written before its parent', written: [a('2', '1'), u('1', null)], sdk: '1 2', resume: '1 2' },
  {
    name: 'records carry another sessionId than the file name',
    written: [u('1', null, { sessionId: 'other' }), a('2', '1', { sessionId: 'other' })],
    sdk: '1 2',
    resume: '1 2',
  },
  {
    name: 'records without timestamp',
    written: talk(null, '1', '2', '3').map((record) => ({ ...record, timestamp: undefined })),
    sdk: '1 2 3',
    resume: '',
    differs: { why: 'the client finds no such conversation; we read what is there', resume: '1 2 3' },
  },
  {
    name: 'isMeta user, isVisibleInTranscriptOnly user, api error assistant',
    written: [
      u('1', null),
      u('m', '1', { isMeta: true }),
      u('v', 'm', { isVisibleInTranscriptOnly: true }),
      a('e', 'v', { isApiErrorMessage: true }),
    ],
    sdk: '1 v e',
    resume: '1 m v e',
  },
  {
    name: 'queued_command attachment',
    written: [
      ...talk(null, '1', '2'),
      attachment('q', '2', { type: 'queued_command', prompt: 'q', source_uuid: 'QSRC', commandMode: 'prompt' }),
      a('4', 'q'),
    ],
    sdk: '1 2 QSRC 4',
    resume: '1 2 4',
  },
  {
    name: 'queued_command attachment of a task notification',
    written: [
      ...talk(null, '1', '2'),
      attachment('q', '2', {
        type: 'queued_command',
        prompt: '<task-notification>done</task-notification>',
        commandMode: 'task-notification',
      }),
      a('4', 'q'),
    ],
    sdk: '1 2 q 4',
    resume: '1 2 4',
  },
  {
    name: 'unknown record type with uuid in the chain',
    written: [u('1', null), { type: 'never-seen', uuid: 'x', parentUuid: '1' }, a('2', 'x')],
    sdk: '2',
    resume: '1 2',
  },
  {
    name: 'first prompt is a slash command, then text',
    written: [
      u('1', null, { message: { role: 'user', content: '<command-name>/model</command-name>' } }),
      u('o', '1', { message: { role: 'user', content: '<local-command-stdout>set</local-command-stdout>' } }),
      ...talk('o', '3', '2'),
    ],
    sdk: '1 o 3 2',
    resume: null,
  },
  {
    name: 'first prompt is an array with an ide tag and text',
    written: [
      u('1', null, {
        message: {
          role: 'user',
          content: [
            { type: 'text', text: '<ide_opened_file>x</ide_opened_file>' },
            { type: 'text', text: 'the real text' },
          ],
        },
      }),
      a('2', '1'),
    ],
    sdk: '1 2',
    resume: null,
  },
  {
    name: 'first prompt is only an image',
    written: [
      u('1', null, {
        message: {
          role: 'user',
          content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } }],
        },
      }),
      a('2', '1'),
    ],
    sdk: '1 2',
    resume: null,
  },
  { name: 'only meta records', written: [{ type: 'custom-title', customTitle: 'T' }], sdk: '', resume: null },
  { name: 'empty file', written: [], sdk: '', resume: null },
  {
    name: 'bash-input first',
    written: [
      u('1', null, { message: { role: 'user', content: '<bash-input>ls</bash-input>' } }),
      u('o', '1', { message: { role: 'user', content: '<bash-stdout>x</bash-stdout><bash-stderr></bash-stderr>' } }),
      ...talk('o', '3', '2'),
    ],
    sdk: '1 o 3 2',
    resume: null,
  },
  {
    name: 'interrupted marker first',
    written: [
      u('1', null, { message: { role: 'user', content: [{ type: 'text', text: '[Request interrupted by user]' }] } }),
      ...talk('1', '3', '2'),
    ],
    sdk: '1 3 2',
    resume: null,
  },
  {
    name: 'LP1 last-prompt(A4) written before branch B',
    written: [...talk(null, '1', '2', 'A3', 'A4'), lastPrompt('A4'), ...talk('2', 'B3', 'B4')],
    sdk: '1 2 B3 B4',
    resume: '1 2 A3 A4',
  },
  {
    name: 'LP2 last-prompt(A4) after B4, then B5 child of B4',
    written: [...BRANCHES, lastPrompt('A4'), u('B5', 'B4')],
    sdk: '1 2 B3 B4 B5',
    resume: '1 2 A3 A4',
  },
  {
    name: 'LP3 last-prompt of unknown uuid',
    written: [...BRANCHES, lastPrompt('ghost')],
    sdk: '1 2 B3 B4',
    resume: '1 2 B3 B4',
  },
  {
    name: 'LP4 last-prompt(A4) then last-prompt(B4)',
    written: [...BRANCHES, lastPrompt('A4'), lastPrompt('B4')],
    sdk: '1 2 B3 B4',
    resume: '1 2 B3 B4',
  },
  {
    name: 'LP5 last-prompt(B4) then last-prompt(A4)',
    written: [...BRANCHES, lastPrompt('B4'), lastPrompt('A4')],
    sdk: '1 2 B3 B4',
    resume: '1 2 A3 A4',
  },
  {
    name: 'LP6 explicit(2) then explicit nil',
    written: [...BRANCHES, explicitTip('2'), explicitTip(NIL_UUID)],
    sdk: '1 2 B3 B4',
    resume: '1 2 B3 B4',
  },
  {
    name: 'LP7 explicit(2) then plain last-prompt(B4)',
    written: [...BRANCHES, explicitTip('2'), lastPrompt('B4')],
    sdk: '1 2 B3 B4',
    resume: '1 2 B3 B4',
  },
  {
    name: 'LP8 explicit(A3) inner of the older branch',
    written: [...BRANCHES, explicitTip('A3')],
    sdk: '1 2 B3 B4',
    resume: '1 2 A3',
  },
  {
    name: 'LP9 plain last-prompt(A3) inner of the older branch',
    written: [...BRANCHES, lastPrompt('A3')],
    sdk: '1 2 B3 B4',
    resume: '1 2 A3',
  },
  {
    name: 'LP10 last-prompt written before a compaction',
    written: [...talk(null, '1', '2'), lastPrompt('2'), ...compaction('cb', 'sum'), ...talk('sum', '3', '4')],
    sdk: 'cb sum 3 4',
    resume: 'sum 3 4',
  },
  {
    name: 'LP11 last-prompt before a compaction, which has a parent',
    written: [
      ...talk(null, '1', '2'),
      lastPrompt('2'),
      boundary('cb', '2'),
      summary('sum', 'cb'),
      ...talk('sum', '3', '4'),
    ],
    sdk: '1 2 cb sum 3 4',
    resume: 'sum 3 4',
  },
  {
    name: 'LP12 last-prompt(A4), then branch B, then a compaction without a summary',
    written: [...BRANCHES.slice(0, 4), lastPrompt('A4'), ...BRANCHES.slice(4), boundary('cb', null)],
    sdk: '1 2 B3 B4',
    resume: '1 2 B3 B4',
  },
  {
    name: 'LP13 last-prompt(A4), then a compaction, then branch B from before it',
    written: [
      ...BRANCHES.slice(0, 4),
      lastPrompt('A4'),
      ...compaction('cb', 'sum'),
      ...talk('sum', '5', '6'),
      ...BRANCHES.slice(4),
    ],
    sdk: '1 2 B3 B4',
    resume: '1 2 B3 B4',
  },
  {
    name: 'LP14 last-prompt between two compactions',
    written: [
      ...talk(null, '1', '2'),
      ...compaction('cb1', 'sum1'),
      ...talk('sum1', '3', '4'),
      lastPrompt('4'),
      ...compaction('cb2', 'sum2'),
      ...talk('sum2', '5', '6'),
    ],
    sdk: 'cb2 sum2 5 6',
    resume: 'sum2 5 6',
  },
  {
    name: 'LP15 last-prompt after a compaction names a record before it',
    written: [...talk(null, '1', '2'), ...compaction('cb', 'sum'), ...talk('sum', '3', '4'), lastPrompt('2')],
    sdk: 'cb sum 3 4',
    resume: '1 2',
  },
  {
    name: 'LP16 last-prompt before and after a compaction, then a branch',
    written: [
      ...talk(null, '1', '2'),
      lastPrompt('2'),
      ...compaction('cb', 'sum'),
      ...talk('sum', 'A3', 'A4'),
      lastPrompt('A4'),
      ...talk('sum', 'B3', 'B4'),
    ],
    sdk: 'cb sum B3 B4',
    resume: 'sum A3 A4',
  },
  {
    name: 'LP17 last-prompt(A4), then branch B, then a microcompact_boundary',
    written: [
      ...BRANCHES.slice(0, 4),
      lastPrompt('A4'),
      ...BRANCHES.slice(4),
      system('mb', 'B4', 'microcompact_boundary'),
    ],
    sdk: '1 2 B3 B4',
    resume: '1 2 A3 A4',
  },
  {
    name: 'LP18 last-prompt names a result beside the way to the tip',
    written: [
      ...TWO_CALLS,
      toolResult('r1', '2a', 'T1'),
      lastPrompt('r1'),
      toolResult('r2', '2b', 'T2'),
      a('4', 'r2'),
      ...talk('4', '5', '6'),
    ],
    sdk: '1 2a 2b r1 r2 4 5 6',
    resume: '1 2a 2b r1 r2 4 5 6',
  },
  {
    name: 'LP19 last-prompt names the attachment below such a result',
    written: [
      ...TWO_CALLS,
      toolResult('r1', '2a', 'T1'),
      attachment('t', 'r1'),
      lastPrompt('t'),
      toolResult('r2', '2b', 'T2'),
      a('4', 'r2'),
    ],
    sdk: '1 2a 2b r1 r2 4',
    resume: '1 2a 2b r1 r2 4',
  },
  {
    name: 'LP20 the same, both calls in ONE record',
    written: [
      ...TWO_CALLS_IN_ONE,
      toolResult('r1', '2', 'T1'),
      lastPrompt('r1'),
      toolResult('r2', '2', 'T2'),
      a('4', 'r2'),
    ],
    sdk: '1 2 r1 r2 4',
    resume: '1 2 r1 r2 4',
  },
  {
    name: 'LP21 the same, different message.id',
    written: [
      u('1', null),
      toolUse('2a', '1', ['T1']),
      toolUse('2b', '2a', ['T2']),
      toolResult('r1', '2a', 'T1'),
      lastPrompt('r1'),
      toolResult('r2', '2b', 'T2'),
      a('4', 'r2'),
    ],
    sdk: '1 2a r1 2b r2 4',
    resume: '1 2a r1',
  },
  {
    name: 'LP22 last-prompt names a result beside, the tip is on another branch',
    written: [
      ...talk(null, '0', '0a'),
      u('1', '0a'),
      ...TWO_CALLS.slice(1),
      toolResult('r1', '2a', 'T1'),
      lastPrompt('r1'),
      toolResult('r2', '2b', 'T2'),
      a('4', 'r2'),
      ...talk('0a', 'B3', 'B4'),
    ],
    sdk: '0 0a B3 B4',
    resume: '0 0a 1 2a 2b r1 r2',
  },
  {
    name: 'LP23 last-prompt names a system record beside the way to the tip',
    written: [...talk(null, '1', '2'), system('s', '2'), lastPrompt('s'), ...talk('2', '3', '4')],
    sdk: '1 2 3 4',
    resume: '1 2',
  },
  {
    name: 'GH1 phantom parent after two branches',
    written: [...BRANCHES, ...talk('ghost', '9', '10')],
    sdk: '9 10',
    resume: '1 2 B3 B4 9 10',
  },
  {
    name: 'GH2 phantom parent, previous record in file is on another branch than the newest timestamp',
    written: [
      ...talk(null, '1', '2'),
      ...at(100, ...talk('2', 'A3', 'A4')),
      ...at(50, ...talk('2', 'B3', 'B4')),
      ...at(150, ...talk('ghost', '9', '10')),
    ],
    sdk: '9 10',
    resume: '9 10',
  },
  {
    name: 'GH3 phantom parent right after a compact boundary block',
    written: [...talk(null, '1', '2'), ...compaction('cb', 'sum'), ...talk('ghost', '3', '4')],
    sdk: '3 4',
    resume: 'sum 3 4',
  },
  {
    name: 'GH4 null parent in the middle without a boundary (as in duplicates)',
    written: [...LINEAR, a('5', null)],
    sdk: '5',
    resume: '5',
  },
  {
    name: 'SB1 compaction of a session whose boundary lies on an abandoned branch',
    written: [...talk(null, '1', '2', 'A3', 'A4'), ...compaction('cb', 'sum'), ...talk('2', 'B3', 'B4')],
    sdk: '1 2 B3 B4',
    resume: '1 2 B3 B4',
  },
  {
    name: 'SW1 tool_use without result at the end',
    written: [u('1', null), toolUse('2', '1', ['T1'])],
    sdk: '1 2',
    resume: '1 2',
  },
  // SW2 to SW4: the client repairs what it sends to the API (drops the open call 2, empties the stray result 3, drops the
  // second result r2). A Reading tells what was said, not how it is sent, so the chain itself is expected.
  {
    name: 'SW2 tool_use without result in the middle',
    written: [u('1', null), toolUse('2', '1', ['T1']), ...talk('2', '3', '4')],
    sdk: '1 2 3 4',
    resume: '1 2 3 4',
  },
  {
    name: 'SW3 tool_result without tool_use',
    written: [...talk(null, '1', '2'), toolResult('3', '2', 'T9'), a('4', '3')],
    sdk: '1 2 3 4',
    resume: '1 2 3 4',
  },
  {
    name: 'SW4 duplicate tool_result for one tool_use (both in chain)',
    written: [
      u('1', null),
      toolUse('2', '1', ['T1']),
      toolResult('r1', '2', 'T1'),
      toolResult('r2', 'r1', 'T1', '2'),
      a('4', 'r2'),
    ],
    sdk: '1 2 r1 r2 4',
    resume: '1 2 r1 r2 4',
  },
]

describe.each(PROBES)('$name', ({ written, sdk, resume, differs }) => {
  test('as the SDK lists it', () => {
    const thread = threadOf(written)
    const { nodes } = readContext(thread, 'file')
    const listing = sdkListing(thread, nodes)
    expect(listing.map(messageUuid).join(' ')).toBe(differs?.file ?? sdk)
    const messages = listing.filter(({ type }) => type !== 'system')
    expect(messageUuids(thread, nodes, 'file')).toEqual(messages.map(messageUuid))
  })
  if (resume !== null) {
    test('as the client resumes it', () => {
      const thread = threadOf(written)
      const listing = resumeListing(thread, readContext(thread, 'resume').nodes)
      expect(listing.map(messageUuid).join(' ')).toBe(differs?.resume ?? resume)
    })
  }
  if (differs !== undefined) {
    test(`differs: ${differs.why}`, () => {
      expect(differs.file).not.toBe(sdk)
      expect(differs.resume).not.toBe(resume)
    })
  }
})

function sdkListing(thread: Thread, nodes: readonly number[]): readonly Envelope[] {
  return nodes
    .map((index) => (thread.nodes[index] as ThreadNode).last)
    .filter((last) => isMessage(last) || isQueued(last) || last.type === 'system')
    .filter(({ isMeta, isSidechain }) => !isMeta && !isSidechain)
}

function resumeListing(thread: Thread, nodes: readonly number[]): readonly Envelope[] {
  return nodes
    .map((index) => (thread.nodes[index] as ThreadNode).last)
    .filter((last) => isMessage(last) && !last.isSidechain)
}

test('a branch that left a forgotten message was asked with all that came before it', () => {
  const kept = compaction('cb', 's', keeps('s', '2a'))
  const thread = threadOf([...BEFORE_COMPACTION, ...kept, u('3', 's'), ...talk('1a', 'B', 'B2')])
  const namesOf = (nodes: readonly number[]): string => nodes.map((node) => thread.nodes[node]?.uuid).join(' ')
  expect(namesOf(readContextAt(thread, thread.byUuid.get('B2') ?? -1).nodes)).toBe('1u 1a B B2')
  expect(namesOf(readContext(thread, 'resume').nodes)).toBe('cb s 2a B B2')
})
