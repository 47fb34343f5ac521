// Records written in other ways than clients write them: the same with escapes and spaces, and what is almost JSON, almost a
// time, almost a number, almost UTF-8. Where bytes are damaged at random such things hardly ever come about.

import type { Random } from '../random.ts'

/** One character a byte, so that bytes that are not UTF-8 can be said too. */
type Written = string
type Form = (plain: Written, random: Random) => Written

/** The bytes of a value in which one to three things are written in another way. */
export function formed(value: unknown, random: Random): Buffer {
  const forms = new Map<number, Form>()
  const count = countOf(value)
  for (let times = 1 + random.below(3); times > 0; times--) forms.set(random.below(count), random.pick(FORMS))
  let at = 0
  const write = (one: unknown, key = ''): Written => {
    const form = forms.get(at++)
    const plain = Array.isArray(one)
      ? `[${one.map((inner) => write(inner)).join(',')}]`
      : typeof one === 'object' && one !== null
        ? `{${Object.entries(one)
            .map(([name, inner]) => `${bytesOf(JSON.stringify(name))}:${write(inner, name)}`)
            .join(',')}}`
        : bytesOf(JSON.stringify(one))
    if (key === 'timestamp' && random.below(3) === 0) return almostTime(plain, random)
    if (typeof one === 'number' && random.below(12) === 0) return random.pick(NUMBERS)
    return form === undefined ? plain : form(plain, random)
  }
  const line = random.below(40) === 0 ? random.pick(LINES)(write(value)) : write(value)
  return Buffer.from(line.replaceAll('\n', ' '), 'latin1')
}

function countOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce((sum: number, inner) => sum + countOf(inner), 1)
}

function bytesOf(text: string): Written {
  return Buffer.from(text, 'utf8').toString('latin1')
}

const isText = (plain: Written): boolean => plain.length > 1 && plain.startsWith('"')
const isObject = (plain: Written): boolean => plain.length > 2 && plain.startsWith('{')

const FORMS: readonly Form[] = [
  (_, { pick }) => pick(NUMBERS),
  (_, { pick }) => pick(WORDS),
  (_, { pick }) => pick(TEXTS),
  (_, { pick }) => pick(NESTED),
  (plain, random) => (isText(plain) ? escaped(plain, random) : plain),
  (plain, random) => (isText(plain) ? inserted(plain, random) : plain),
  (plain, random) => (isText(plain) ? inserted(plain, random) : plain),
  (plain, { pick }) => pick(SPACES) + plain + pick(SPACES),
  (plain, { pick }) => (plain.startsWith('"') ? plain : plain.replace(/[,:]/, (mark) => mark + pick(SPACES))),
  (plain) => `[${plain}]`,
  (plain, random) => (isObject(plain) ? withKey(plain, random.pick(KEYS), random) : plain),
  (plain, random) => (isObject(plain) ? withKey(plain, random.pick(keysOf(plain)), random) : plain),
  (plain, random) => (isObject(plain) ? firstKey(plain, (key) => escaped(key, random)) : plain),
  (plain, { pick }) => (isObject(plain) ? firstKey(plain, () => `"${pick(KEYS)}"`) : plain),
]

const NUMBERS = `0 -0 01 -01 00 1. .5 +1 1e 1e+ 1e5 1E5 1e-5 1e999 - -- -1 1.5 1.0 0x1 999999999 1000000000 2147483648
  4294967297 12345678901234567890 9007199254740993 5e-324 Infinity 1n`.split(/\s+/)
const WORDS = ['true', 'false', 'null', 'nul', 'True', 'truee', 'fals', 'undefined', 'NaN', '']
/** What may stand in a text, and what may only almost stand there. */
const PIECES = [
  ...['\\u0000', '\\u0041', '\\u007f', '\\u0080', '\\u00e9', '\\u07ff', '\\u0800', '\\uD7FF', '\\ue000', '\\uffff'],
  ...['\\ud83d', '\\udc00', '\\ud83d\\ude00', '\\ud800\\udc00', '\\uDBFF\\uDFFF', '\\udc00\\udc00', '\\ud83d\\ud83d'],
  ...['\\ud83dx', '\\ud83d\\n', '\\ud83d\\u0041', '\\ud83dxxdc00', '\\u00/0', '\\u00:0', '\\u00@0', '\\u00`0'],
  ...['\\u00g0', '\\u00G0', '\\u12', '\\u', '\\U0041', '\\x', '\\/', '\\b\\f\\n\\r\\t', '\\\\', '\\"', '\\', '"'],
  ...['\x00', '\t', '\r', '\x1f', '\x1f,', '\x7f', '\xff', '\xc3', '\xc3\xa9', '\xc0\x80', '\xe2\x80', '\xe2\x80\xa8'],
  ...['\xed\xa0\x80', '\xf4\x90\x80\x80', '\xf0\x9f\x98\x80', '\xef\xbb\xbf', '\xef\xbf\xbd', '\xc2\xa0'],
  ...['agentId: abcdef12', '\\u0061gentId: abcdef12', '\xe6\xbc\xa2'.repeat(350), '\\u6f22'.repeat(390)],
]
const TEXTS = ['', ...PIECES, 'x'.repeat(255), 'x'.repeat(256), 'x'.repeat(257)].map((text) => `"${text}"`)
const NESTED = [
  ...[
    '[]',
    '{}',
    '[[]]',
    '[{}]',
    '[null]',
    '[1,]',
    '[,1]',
    '[1 2]',
    '{,}',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{1:2}',
    '[}',
  ],
  ...[
    '{]',
    '{"a":1 "b":2}',
    '["a"]',
    '{"0":{"type":"text","text":"t"}}',
    '{"length":1}',
    '{"__proto__":{"type":"user"}}',
  ],
  ...[61, 62, 63, 64, 65, 66, 130].flatMap((deep) => [
    '['.repeat(deep) + ']'.repeat(deep),
    `${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`,
    `{"a":${'['.repeat(deep)}${']'.repeat(deep + 1)}`,
  ]),
]
const SPACES = ['', '', ' ', '\t', '\r', '\x0b', '\x0c', '\xc2\xa0', '\xe2\x80\xa8', '\xef\xbb\xbf', '\x00']
/** Those that the scanner knows, in places where they may not be expected; and names that every object has. */
const KEYS =
  `type uuid parentUuid sessionId message content id timestamp isSidechain isMeta usage input name tool_use_id
  text thinking model stop_reason requestId toolUseResult agentId data forkedFrom subtype isCompactSummary origin
  promptSource turnOrigin isVisibleInTranscriptOnly teamName apiBlockIndex messageId is_error cache_creation promptId
  attachment error compactMetadata toolUseId toolName kind novel __proto__ constructor toString length`.split(/\s+/)
const LINES: readonly ((line: Written) => Written)[] = [
  (line) => `${line}\r`,
  (line) => `${line} `,
  (line) => ` ${line}`,
  (line) => `\xef\xbb\xbf${line}`,
  (line) => `${'\0'.repeat(20)}${line}`,
  (line) => line + line,
  (line) => `[${line}]`,
  (line) => `${line},`,
  () => '',
  () => ' \t',
  () => 'null',
  () => '{}',
]

/** The same text, some or all of its characters as escapes. */
function escaped(plain: Written, random: Random): Written {
  const text = JSON.parse(Buffer.from(plain, 'latin1').toString('utf8')) as string
  const share = random.pick([0.05, 0.3, 1])
  const asEscape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  const one = (character: string): string =>
    text.length < 2000 && random.chance(share)
      ? character.split('').map(asEscape).join('')
      : bytesOf(JSON.stringify(character).slice(1, -1))
  return `"${Array.from(text, one).join('')}"`
}

function inserted(plain: Written, random: Random): Written {
  const at = random.pick([1, plain.length - 1, 1 + random.below(plain.length - 1)])
  return plain.slice(0, at) + random.pick(PIECES) + plain.slice(at)
}

/** One more key, in front or behind, which may be there already. */
function withKey(plain: Written, name: Written, random: Random): Written {
  const value = random.pick([PLAUSIBLE, PLAUSIBLE, NUMBERS, WORDS, TEXTS, NESTED])
  const key = `"${name}"`
  const more = `${random.below(4) === 0 ? escaped(key, random) : key}:${random.pick(value)}`
  return random.below(2) === 0 ? `{${more},${plain.slice(1)}` : `${plain.slice(0, -1)},${more}}`
}

const PLAUSIBLE =
  `"words" "user" "tool_result" "text" {"kind":"human"} true false null {} [] 7 [{"type":"text","text":"t"}]`.split(' ')

/** Of the object and of what is in it. */
function keysOf(plain: Written): readonly Written[] {
  return Array.from(plain.matchAll(/"(\w+)":/g), ([, key]) => key as Written).concat('type')
}

function firstKey(plain: Written, change: (key: Written) => Written): Written {
  return plain.replace(/"\w+"(?=:)/, change)
}

const TIMES = `0000-01-01T00:00:00.000Z 1899-12-31T23:59:59.999Z 1900-01-01T00:00:00.000Z 1969-12-31T23:59:59.999Z
  1970-01-01T00:00:00.000Z 2000-02-29T12:00:00.000Z 2100-02-28T12:00:00.000Z 2100-02-29T12:00:00.000Z
  2026-02-28T00:00:00.000Z 2026-02-30T00:00:00.000Z 2026-06-31T00:00:00.000Z 2026-12-31T23:59:60.000Z
  2026-12-31T24:00:00.000Z 2026-00-10T00:00:00.000Z 2026-13-10T00:00:00.000Z 2026-01-00T00:00:00.000Z
  2026-01-32T00:00:00.000Z 2026-11-15T18:60:07.087Z 2026-11-15T18:16:07Z 2026-11-15T18:16:07.0871Z
  2026-11-15T18:16:07.087+05:30 2026-11-15T18:16:07.087z 2026-11-15 2026-11 2999-12-31T23:59:59.999Z
  3000-01-01T00:00:00.000Z 9999-12-31T23:59:59.999Z +002026-11-15T18:16:07.087Z`.split(/\s+/)

/** Another one, or one character of it. */
function almostTime(plain: Written, random: Random): Written {
  if (random.below(2) === 0 || !isText(plain)) return `"${random.pick(TIMES)}"`
  const at = 1 + random.below(plain.length - 2)
  return plain.slice(0, at) + random.pick('0123456789-:.TZ /x+"'.split('')) + plain.slice(at + 1)
}
