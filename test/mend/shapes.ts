// The shapes of damage that people have met, each with the issue that tells of it and the steps a repair must take:
// the code of each, and the line of the record it is about.

import {
  byUuid,
  changed,
  changedAll,
  cut,
  GONE,
  glued,
  HOLLOW,
  hook,
  INVALID,
  inserted,
  joined,
  kept,
  linesOf,
  longTalk,
  MODIFIED,
  picture,
  pictures,
  refusedTalk,
  replacedBytes,
  thinking,
  three,
  without,
} from './damage.ts'
import {
  boundary,
  bytesOf,
  call,
  compacted,
  link,
  recap,
  reply,
  result,
  SESSION,
  system,
  talk,
  text,
  timed,
  user,
} from './healthy.ts'

export interface Shape {
  readonly name: string
  /** Where people tell of it: `CC#n` is an issue of anthropics/claude-code. */
  readonly cites: string
  /** `code line`, in order. */
  readonly steps: readonly string[]
  readonly bytes: () => Buffer
}

function shape(name: string, cites: string, steps: readonly string[], bytes: () => Buffer): Shape {
  return { name, cites, steps, bytes }
}

export const SHAPES: readonly Shape[] = [
  // Lines.
  shape('a torn last line', 'CC#53821', ['torn-tail 19'], () => cut(bytesOf(talk().slice(0, 19)), 40)),
  shape('a last line torn inside of a character', 'Ruya-AI/cozempic#147', ['torn-tail 19'], () => {
    const records = talk().slice(0, 18)
    const whole = bytesOf([...records, user('u4', 'u3', 'Über die Ebbe')])
    return whole.subarray(0, whole.indexOf('Über') + 1)
  }),
  shape('a torn line with the next record glued to it', 'CC#52387', ['torn-line 7'], () =>
    glued(talk(), 6, '{"parentUuid":"r1","isSidechain":false,"type":"assistant","message":{"id":"m2","con'),
  ),
  shape('a torn pr-link with a record glued to it', 'CC#52387', ['torn-line 9'], () =>
    glued(talk(), 8, `{"type":"pr-link","sessionId":"${SESSION}","prNu`),
  ),
  shape('a line of NUL bytes', 'CC#49876', ['nul-run 8'], () => inserted(talk(), 7, Buffer.alloc(400))),
  shape('NUL bytes before a record', 'CC#49876', ['nul-run 8'], () => {
    const lines = linesOf(talk())
    lines[7] = Buffer.concat([Buffer.alloc(300), lines[7] as Buffer])
    return joined(lines)
  }),
  shape('NUL bytes at the end', 'CC#49876', ['nul-run 21'], () => Buffer.concat([bytesOf(talk()), Buffer.alloc(700)])),
  shape('a queued command cut off in the middle of the file', 'CC#50347', ['torn-line 10'], () =>
    inserted(talk(), 9, '{"parentUuid":"u2","type":"attachment","attachment":{"type":"queued_command","prom'),
  ),
  shape('a file snapshot cut off in the middle of the file', 'CC#50347', ['torn-line 2'], () =>
    inserted(talk(), 1, '{"type":"file-history-snapshot","messageId":"u1","snapshot":{"messageId":"u1","tracked'),
  ),
  shape('blank lines', 'delexw/claude-code-trace#66', ['blank-line 4', 'blank-line 5'], () => {
    const lines = linesOf(talk())
    lines.splice(3, 0, Buffer.from(''), Buffer.from('  '))
    return joined(lines)
  }),
  shape('no line end at the end', 'delexw/claude-code-trace#66', ['no-final-newline 20'], () =>
    cut(bytesOf(talk()), 1),
  ),
  shape('lines that are JSON and no records', 'delexw/claude-code-trace#66', ['not-a-record 4', 'not-a-record 5'], () =>
    inserted(talk(), 3, 'null\n[1,2,3]'),
  ),
  shape('two whole records on one line', 'delexw/claude-code-trace#66', ['glued-records 9'], () => {
    const lines = linesOf(talk())
    lines.splice(8, 2, Buffer.concat([lines[8] as Buffer, lines[9] as Buffer]))
    return joined(lines)
  }),
  shape('bytes that are no text', 'delexw/claude-code-trace PR 69', ['invalid-utf8 9'], () =>
    replacedBytes(bytesOf(talk()), 'lock, and', Buffer.from([0x6c, 0xff, 0xfe, 0x6b])),
  ),
  shape('a byte order mark', 'delexw/claude-code-trace PR 69', ['byte-order-mark 1'], () =>
    Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytesOf(talk())]),
  ),
  shape('foreign content', 'CC#47412', ['not-a-record 10', 'not-a-record 11', 'not-a-record 12'], () =>
    inserted(talk(), 9, '/*! Highlight v11 */\nvar hljs=function(){"use strict";\nreturn n}();'),
  ),
  shape('bytes behind a record', 'CC#52387', ['stray-bytes 4'], () => {
    const lines = linesOf(talk())
    lines[3] = Buffer.concat([lines[3] as Buffer, Buffer.from('","usage":{}}')])
    return joined(lines)
  }),
  // The chain.
  shape('a parent that was never written', 'CC#58554', ['missing-parent 9'], () =>
    changed(talk(), 'u2', { parentUuid: GONE }),
  ),
  shape(
    'ten parents that were never written',
    'CC#46603',
    [...'123456789'].map((n) => `missing-parent ${Number(n) * 2 + 1}`),
    () =>
      bytesOf(
        longTalk(10).map((record, index) =>
          index % 2 === 0 && index > 0 ? { ...record, parentUuid: `${GONE}-${index}` } : record,
        ),
      ),
  ),
  shape('a parent lost with the output of a hook', 'CC#22526', ['missing-parent 2'], () =>
    bytesOf(without(talk(), 't1')),
  ),
  shape('a lost parent where times and places disagree', 'CC#22107', ['missing-parent 5'], () =>
    bytesOf([
      { ...user('u1', null, 'One.'), timestamp: '2026-11-01T10:00:01.000Z' },
      { ...reply('a1', 'u1', 'm1', text('First.')), timestamp: '2026-11-01T10:00:09.000Z' },
      { ...user('u2', 'a1', 'Two.'), timestamp: '2026-11-01T10:00:04.000Z' },
      { ...reply('a2', 'u2', 'm2', text('Second.')), timestamp: '2026-11-01T10:00:05.000Z' },
      { ...user('u3', GONE, 'Three.'), timestamp: '2026-11-01T10:00:10.000Z' },
    ]),
  ),
  shape(
    'a result whose parent was never written',
    'anthropics/claude-agent-sdk-typescript#287',
    ['missing-parent 6'],
    () => changed(talk(), 'r1', { parentUuid: GONE }),
  ),
  shape('a lost parent behind a late note on an early message', 'CC#58554', ['missing-parent 4'], () =>
    bytesOf(
      timed([
        user('u1', null, 'One.'),
        reply('a1', 'u1', 'm1', text('First.')),
        { ...link('t1', 'u1', 'attachment'), attachment: { type: 'date', date: '2026-11-01' } },
        user('u2', GONE, 'Two.'),
        reply('a2', 'u2', 'm2', text('Second.')),
      ]),
    ),
  ),
  shape('everything behind a torn record', 'CC#23800', ['torn-line 7', 'missing-parent 9'], () => {
    const lines = linesOf(talk())
    lines[6] = (lines[6] as Buffer).subarray(0, 90)
    return joined(lines)
  }),
  shape('a hook that was written twice and closes a circle', 'CC#22245', ['copy 2'], () =>
    bytesOf(
      timed([
        user('u1', null, 'One.'),
        hook('x1', 'u1'),
        reply('a1', 'x1', 'm1', text('First.')),
        user('u2', 'a1', 'Two.'),
        hook('x1', 'u2'),
        reply('a2', 'x1', 'm2', text('Second.')),
      ]),
    ),
  ),
  shape("two records that are each other's parent", 'CC#22042', ['parent-cycle 9'], () =>
    changed(talk(), 'u2', { parentUuid: 'b1' }),
  ),
  shape('a record that is its own parent', 'CC#22042', ['parent-cycle 18'], () =>
    changed(talk(), 'u3', { parentUuid: 'u3' }),
  ),
  shape('the first two records in a circle', 'CC#22042', ['parent-cycle 1'], () =>
    changed(talk(), 'u1', { parentUuid: 't1' }),
  ),
  shape('a prompt written again without a parent', 'CC#40487', ['copy 18'], () =>
    bytesOf([...talk(), { ...byUuid(talk(), 'u3'), parentUuid: null }]),
  ),
  shape('a prompt written again below an early record', 'CC#40487', ['copy 9'], () =>
    bytesOf([...talk(), { ...byUuid(talk(), 'u2'), parentUuid: 'u1' }]),
  ),
  shape('a block of records replayed', 'CC#66947', ['copy 1', 'copy 2', 'copy 3', 'copy 4'], () =>
    bytesOf([...talk(), ...talk().slice(0, 4)]),
  ),
  shape('a replay from another folder', 'CC#56196', ['copy 4', 'copy 7'], () => {
    const moved = ['a2', 'a4'].map((uuid) => ({ ...byUuid(talk(), uuid), cwd: '/home/ada/tidewatch/src' }))
    return bytesOf([...talk(), ...moved])
  }),
  shape('a copy that says something else', 'ctxrs/ctx PR 663', ['copy-differs 18'], () =>
    bytesOf([...talk(), user('u3', null, 'Thank you very much.')]),
  ),
  shape('what a compaction kept, written again behind it', 'CC#92089', ['copy 4', 'kept-by-copy 5'], () => {
    const records = compacted()
    records[4] = { ...boundary('cb', 'a2'), timestamp: records[4]?.['timestamp'] }
    records.splice(6, 0, { ...byUuid(records, 'a2'), parentUuid: 'sum' })
    return changed(records, 'u3', { parentUuid: 'a2' })
  }),
  shape('a title with the uuid of a message', 'CC#36583', ['uuid-collision 9'], () =>
    bytesOf([...talk(), { type: 'custom-title', customTitle: 'Tides', uuid: 'u2', sessionId: SESSION }]),
  ),
  shape('an answer that came when a request was tried again', 'CC#72203', ['retry-beside 5', 'retry-beside 6'], () =>
    bytesOf(
      timed([
        user('u1', null, 'One.'),
        system('e1', 'u1', 'api_error', { retryAttempt: 1, maxRetries: 10 }),
        reply('a1', 'u1', 'm1', text('First.')),
        user('u2', 'a1', '[Request interrupted by user]'),
        system('h1', 'e1', 'stop_hook_summary', { hookCount: 1 }),
        user('u3', 'e1', 'Two.'),
        reply('a3', 'u3', 'm3', text('Second.')),
      ]),
    ),
  ),
  shape('an answer with a tool beside two failed requests', 'CC#83460', ['retry-beside 7'], () =>
    bytesOf(
      timed([
        user('u1', null, 'One.'),
        system('e1', 'u1', 'api_error', { retryAttempt: 1 }),
        system('e2', 'e1', 'api_error', { retryAttempt: 2 }),
        reply('a1', 'u1', 'm1', call('T1')),
        result('r1', 'a1', 'T1', 'six'),
        reply('a2', 'r1', 'm2', text('At six.')),
        user('u2', 'e2', 'Two.'),
        reply('a3', 'u2', 'm3', text('Second.')),
      ]),
    ),
  ),
  shape('a compaction whose last record before it is not there', 'CC#46603', ['boundary-dangles 5'], () =>
    changed(compacted(), 'cb', { logicalParentUuid: GONE }),
  ),
  shape('the second of two compactions dangles', 'CC#55818', ['boundary-dangles 9'], () =>
    bytesOf(
      timed([
        ...compacted(),
        boundary('cb2', GONE),
        recap('sum2', 'cb2'),
        user('u4', 'sum2', 'And upstream?'),
        reply('a4', 'u4', 'm4', text('Never.')),
      ]),
    ),
  ),
  shape('a compaction that kept a message which is not there', 'CC#46603', ['kept-missing 5'], () =>
    kept(compacted(), { preservedMessages: { anchorUuid: 'sum', uuids: [GONE, 'a2'] } }),
  ),
  shape('a kept stretch that nobody can walk', 'CC#92089', ['kept-off-chain 5'], () => {
    const records = compacted().map((record) => (record['uuid'] === 'a2' ? { ...record, parentUuid: 'a1' } : record))
    return kept(records, { preservedSegment: { headUuid: 'u2', anchorUuid: 'sum', tailUuid: 'a2' } })
  }),
  shape('a kept stretch whose beginning is not there', 'CC#46603', ['kept-off-chain 5'], () =>
    kept(compacted(), { preservedSegment: { headUuid: GONE, anchorUuid: 'sum', tailUuid: 'a2' } }),
  ),
  shape('kept messages that belong behind a record which is not there', 'CC#46603', ['anchor-missing 5'], () =>
    kept(compacted(), { preservedMessages: { anchorUuid: GONE, uuids: ['a2'] } }),
  ),
  shape(
    'a compaction that was never finished, and the talk goes on below it',
    'CC#43044',
    ['boundary-without-recap 6'],
    () => {
      const records = without(compacted(), 'sum')
      const [cb] = records.splice(4, 1)
      records.splice(4, 0, { ...cb, compactMetadata: { trigger: 'auto', preTokens: 9 } })
      return changed(records, 'u3', { parentUuid: 'cb' })
    },
  ),
  shape(
    'a recap that was torn',
    'CC#46603',
    ['torn-line 6', 'missing-parent 7', 'anchor-missing 5', 'boundary-without-recap 5'],
    () => {
      const lines = linesOf(compacted())
      lines[5] = (lines[5] as Buffer).subarray(0, 120)
      return joined(lines)
    },
  ),
  shape(
    'a compaction that kept messages and was killed before its recap',
    'CC#92089',
    ['anchor-missing 5', 'boundary-without-recap 5'],
    () => bytesOf(compacted().slice(0, 5)),
  ),
  shape('a second compaction that was killed before its recap', 'CC#92089', ['boundary-without-recap 9'], () =>
    bytesOf(timed([...compacted(), boundary('cb2', 'a3')])),
  ),
  shape('the same, and the talk goes on below it', 'CC#92089', ['boundary-without-recap 9'], () =>
    bytesOf(timed([...compacted(), boundary('cb2', 'a3'), user('u4', 'cb2', 'And upstream?')])),
  ),
  shape('a call that a compaction kept, and no result', 'CC#5705', ['call-without-result 4'], () => {
    const records = compacted().map((record) =>
      record['uuid'] === 'a2' ? reply('a2', 'u2', 'm2', call('T2')) : record,
    )
    return bytesOf(timed(records))
  }),
  shape('a compaction mark that was torn', 'CC#46603', ['torn-line 5', 'boundary-lost 6'], () => {
    const lines = linesOf(compacted())
    lines[4] = (lines[4] as Buffer).subarray(0, 120)
    return joined(lines)
  }),
  shape('an answer without a parent', 'CC#40487', ['no-parent 14'], () => changed(talk(), 'b3', { parentUuid: null })),
  // The tip.
  shape('a late attachment below an early message', 'CC#43044', ['stray-late-record 21'], () =>
    bytesOf(
      timed([...talk(), { ...link('t9', 'a2', 'attachment'), attachment: { type: 'date', date: '2026-11-02' } }]),
    ),
  ),
  shape('a late system record below an early message', 'CC#83460', ['stray-late-record 21'], () =>
    bytesOf(timed([...talk(), system('d9', 'a4', 'informational', { content: 'note' })])),
  ),
  shape('a late remark of the harness below an early message', 'CC#36583', ['stray-late-record 21'], () =>
    bytesOf(timed([...talk(), { ...user('x9', 'a4', 'Stop hook feedback: done'), origin: undefined, isMeta: true }])),
  ),
  shape('late notes below a tool that ran beside another', 'CC#31330', ['stray-late-record 21'], () =>
    bytesOf(timed([...talk(), hook('x9', 's1'), system('d9', 'x9', 'informational', { content: 'note' })])),
  ),
  shape('a pointer to a branch that was left', 'CC#40487', ['stale-pointer 19'], () =>
    bytesOf(timed([...talk(), user('v1', 'd1', 'One more.'), reply('v2', 'v1', 'm8', text('Yes?'))])),
  ),
  // Thinking.
  shape('thinking without a signature', 'CC#21726', ['unsigned-thinking 3'], () =>
    thinking({ thinking: 'Hm.', signature: '' }),
  ),
  shape('thinking with a signature cut short', 'CC#21726', ['unsigned-thinking 3'], () =>
    thinking({ thinking: 'Hm.', signature: 'x'.repeat(24) }),
  ),
  shape('thinking that was interrupted', 'CC#63147', ['unsigned-thinking 3'], () => thinking({ thinking: 'Perhaps' })),
  shape('thinking without a signature beside a text', 'CC#12743', ['unsigned-thinking 2'], () =>
    bytesOf(
      timed([
        user('u1', null, 'One.'),
        reply('a1', 'u1', 'm1', { type: 'thinking', thinking: 'Hm.' }, text('First.')),
        user('u2', 'a1', 'Two.'),
      ]),
    ),
  ),
  shape('hollow thinking that the API has refused', 'CC#63147', ['refused-thinking 3'], () =>
    refusedTalk(HOLLOW, MODIFIED),
  ),
  shape('signatures that the API has refused', 'CC#66204', ['refused-thinking 3'], () =>
    refusedTalk({ thinking: 'Hm.', signature: 'c2ln'.repeat(90) }, INVALID),
  ),
  // Pairs.
  shape('a call at the end that nobody answered', 'CC#1237', ['call-without-result 5'], () =>
    bytesOf(talk().slice(0, 5)),
  ),
  shape('a call in the middle that nobody answered', 'CC#5705', ['call-without-result 5'], () =>
    bytesOf(changedAll(without(talk(), 'r1'), { a4: { parentUuid: 'a3' } })),
  ),
  shape('one of three results at once is not there', 'CC#45286', ['call-without-result 4'], () =>
    bytesOf(three(['R1', 'R2'])),
  ),
  shape(
    'only the last of three results at once is there',
    'CC#31330',
    ['call-without-result 2', 'call-without-result 3'],
    () => bytesOf(three(['R3'])),
  ),
  shape('a call of a reply without an id that nobody answered', 'CC#2697', ['call-without-result 2'], () =>
    bytesOf(
      timed([
        user('u1', null, 'One.'),
        { ...link('a1', 'u1', 'assistant'), message: { role: 'assistant', content: [call('T1')] } },
        user('u2', 'a1', 'Two.'),
        reply('a2', 'u2', 'm2', text('Second.')),
      ]),
    ),
  ),
  shape('a result whose call a compaction took away', 'CC#8484', ['result-without-call 7'], () => {
    const records = compacted()
    records.splice(6, 0, result('r9', 'sum', 'T9', 'nine'))
    return bytesOf(changedAll(records, { u3: { parentUuid: 'r9' } }))
  }),
  shape('a result whose call was never there', 'CC#11042', ['result-without-call 5'], () =>
    bytesOf(changedAll(without(talk(), 'a3'), { r1: { parentUuid: 'a2' } })),
  ),
  shape('two results of one call', 'CC#6302', ['result-twice 7'], () => {
    const records = talk()
    records.splice(6, 0, result('r9', 'r1', 'T1', 'high water 06:12, said again'))
    return bytesOf(changedAll(records, { a4: { parentUuid: 'r9' } }))
  }),
  shape('two results of one call in one record', 'CC#473', ['result-twice 6'], () => {
    const twice = ['one', 'two'].map((content) => ({ type: 'tool_result', tool_use_id: 'T1', content }))
    return changed(talk(), 'r1', { message: { role: 'user', content: twice } })
  }),
  shape('a result far from its call', 'CC#7796', ['result-misplaced 13'], () => {
    const records = without(talk(), 'r1')
    records.splice(12, 0, { ...result('r1', 's2', 'T1', 'high water 06:12'), sourceToolAssistantUUID: 'a3' })
    return bytesOf(changedAll(records, { a4: { parentUuid: 'a3' }, b3: { parentUuid: 'r1' } }))
  }),
  shape('one call recorded twice', 'CC#39602', ['call-twice 9'], () => {
    const records = talk()
    records.splice(8, 0, reply('a9', 'a4', 'm9', call('T1'), text('Once more.')))
    return bytesOf(changedAll(records, { u2: { parentUuid: 'a9' } }))
  }),
  // Pictures.
  shape('a picture of more than 5 MB', 'CC#2104', ['image-too-large 2'], () => pictures([{ kilobytes: 5200 }])),
  shape('a picture of more than 8,000 pixels', 'CC#2939', ['image-too-wide 2'], () => pictures([{ width: 9000 }])),
  shape('many pictures of more than 2,000 pixels', 'CC#29551', ['image-too-wide 4', 'image-too-wide 12'], () =>
    pictures(Array.from({ length: 24 }, (_, index) => ({ width: index === 2 || index === 10 ? 3000 : 800 }))),
  ),
  shape(
    'more than a hundred pictures',
    'CC#34025',
    ['too-many-images 2', 'too-many-images 3', 'too-many-images 4'],
    () => pictures(Array.from({ length: 103 }, () => ({ width: 20 }))),
  ),
  shape('a picture too large inside of a result', 'CC#16173', ['image-too-wide 6'], () =>
    changed(talk(), 'r1', {
      message: {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'T1', content: [text('a chart'), picture({ width: 8001 })] }],
      },
    }),
  ),
  // Surrogates.
  shape('half a character', 'CC#45982', ['lone-surrogate 6'], () =>
    replacedBytes(bytesOf(talk()), 'high water 06:12', Buffer.from('Avatar \\ud83c\\n')),
  ),
  // Several at once.
  shape(
    'nearly all of it',
    'CC#58554',
    [
      'torn-line 8',
      'missing-parent 10',
      'stray-late-record 21',
      'unsigned-thinking 3',
      'call-without-result 12',
      'lone-surrogate 6',
    ],
    () => {
      const records = without(talk(), 's2')
      records[2] = reply('a1', 't1', 'm1', { type: 'thinking', thinking: 'Hm.' })
      const whole = changedAll(records, { u2: { parentUuid: GONE }, b3: { parentUuid: 's1' } })
      const bytes = bytesOf(timed([...whole, system('d9', 'a2', 'informational', { content: 'note' })]))
      const halved = replacedBytes(bytes, 'high water 06:12', Buffer.from('\\ud83c'))
      const lines = halved.toString().split('\n')
      lines.splice(7, 0, '{"type":"mode","mo')
      return Buffer.from(lines.join('\n'))
    },
  ),
]
