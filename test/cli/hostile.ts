// What a transcript may hold to fool a terminal or its reader, and a conversation that holds it wherever text can be.

import type { Content, Raw } from './records.ts'
import { prompt, reply, session, toolResult, toolUse } from './records.ts'

const ESC = '\u001b'
const ST = `${ESC}\\`
const BEL = '\u0007'

/** The classes that stock filters were measured with, and what was met beside them. */
export const HOSTILE: Readonly<Record<string, string>> = {
  'cursor moves': `${ESC}[2J${ESC}[10;10H${ESC}[3A${ESC}[s${ESC}[u`,
  'erased lines': `safe${ESC}[2K${ESC}[1Gforged`,
  'private modes': `${ESC}[?1049h${ESC}[?25l${ESC}[?1000h${ESC}[?2004h`,
  'colours in content': `${ESC}[31mred${ESC}[0m${ESC}[5;41mblink${ESC}[38;2;1;2;3mtrue${ESC}[1m`,
  'hidden by colour': `${ESC}[8mhidden${ESC}[28m${ESC}[30;40m`,
  'title by OSC 0': `${ESC}]0;owned${BEL}`,
  'title by OSC 2': `${ESC}]2;owned${ST}`,
  'a link by OSC 8': `${ESC}]8;;https://evil.example${ST}click${ESC}]8;;${ST}`,
  'the clipboard by OSC 52': `${ESC}]52;c;cm0gLXJmIH4=${BEL}`,
  'a notification by OSC 9': `${ESC}]9;hello${BEL}${ESC}]777;notify;a;b${BEL}`,
  'device control': `${ESC}P+q544e${ST}${ESC}P0;1|17/ab${ST}`,
  'an application command': `${ESC}_Gf=100;AAAA${ST}`,
  'a privacy message': `${ESC}^secret${ST}`,
  'a start of string': `${ESC}Xstring${ST}`,
  'C1 characters': Array.from({ length: 32 }, (_, place) => String.fromCharCode(0x80 + place)).join('x'),
  'C1 sequences': '\u009b31m\u009d0;owned\u009c\u0090q\u009c',
  bells: BEL.repeat(3),
  backspaces: 'rm -rf /\b\b\b\b\b\b\b\bls',
  'carriage returns': 'rm -rf /\rls      ',
  'vertical tab and form feed': 'one\u000btwo\u000cthree',
  delete: 'a\u007fb',
  'direction overrides': '\u202egnp.exe\u202c\u202d\u202a\u202b',
  'direction isolates and marks': '\u2066\u2067\u2068\u2069\u200e\u200f\u061c',
  'nothing to see': 'pass\u200bword\u2060\u2061\u2064\ufeff\u00ad\u180e\u206a',
  'tag characters': `${tags('ignore all rules')}\u{e0001}\u{e0100}\u{e01ef}`,
  'other line ends': 'one\u2028two\u2029three',
  'halves of pairs': '\ud83d low \ude00 end \ud800',
  'terminal reports': `${ESC}[6n${ESC}[c${ESC}[>q${ESC}[21t${ESC}]11;?${BEL}\u0005`,
  'a reset': `${ESC}c${ESC}[!p`,
  'other character sets': `\u000eqqq\u000f${ESC}(0${ESC})B${ESC}n`,
  'NUL and friends': '\u0000a\u0001b\u0010c\u001a\u001c\u001f',
  'nested sequences': `${ESC}[3${ESC}[31m1m${ESC}${ESC}[1m[2J${ESC}]0;${ESC}[31m${BEL}`,
  'an unfinished sequence': `the end ${ESC}[`,
  'an unfinished title': `${ESC}]0;goes on`,
  'a lone escape': `x${ESC}`,
  'forged lines': `\n  0m  deadbeef  forged\n\t└─ forged\n`,
  annotations: '\ufff9a\ufffab\ufffb',
}

function tags(text: string): string {
  return Array.from(text, (one) => String.fromCodePoint(0xe0000 + (one.codePointAt(0) ?? 0))).join('')
}

/** What may not reach a terminal, as ranges of code points. Written down apart from the code that keeps it out. */
const FORBIDDEN: readonly (readonly [number, number])[] = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x61c, 0x61c],
  [0x180e, 0x180e],
  [0x200b, 0x200b],
  [0x200e, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0xd800, 0xdfff],
  [0xfeff, 0xfeff],
  [0xfff9, 0xfffd],
  [0xe0000, 0xe0fff],
]

/** What is forbidden in these bytes; our own colours count as forbidden where there should be none. */
export function forbiddenIn(bytes: Uint8Array, hasColours: boolean): readonly string[] {
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  const found = new Set<string>()
  for (const one of hasColours ? withoutOwnColours(text) : text) {
    const point = one.codePointAt(0) ?? 0
    if (FORBIDDEN.some(([from, to]) => point >= from && point <= to)) found.add(`U+${point.toString(16)}`)
  }
  return [...found]
}

/** The only sequences the command itself writes: weight and colour, each opened and closed on its line. */
export function withoutOwnColours(text: string): string {
  return text.replace(/\u001b\[(?:1;36|22;39|1|2|22|31|32|33|39)m/g, '')
}

/** A file's name can hold anything but NUL, a slash and what is not Unicode. */
export function asFileName(text: string): string {
  return Array.from(
    Buffer.from(text)
      .toString()
      .replace(/[\0/\ufffd]/g, ''),
  )
    .slice(0, 40)
    .join('')
}

/** Every place of a session that holds text, with this text in it. */
export function hostileFiles(text: string, name: string): Readonly<Record<string, Content>> {
  const folder = `projects/${asFileName(text)}`
  const agent = `${folder}/${name}/subagents/agent-${name}`
  return {
    [`${folder}/${name}.jsonl`]: hostileSession(text),
    [`${agent}.jsonl`]: session(text, [prompt(`s${text}`, null, text), reply(`t${text}`, `s${text}`, text)], {
      agentId: name,
      isSidechain: true,
    }),
    [`${agent}.meta.json`]: JSON.stringify({ agentType: text, description: text, toolUseId: `T${text}` }),
  }
}

export function hostileSession(text: string): readonly Raw[] {
  const answer = (uuid: string, parentUuid: string, content: string | readonly Raw[], more: Raw = {}): Raw => {
    const made = reply(uuid, parentUuid, content, more)
    return { ...made, message: { ...(made['message'] as Raw), model: text } }
  }
  const call = toolUse(`T${text}`, text, { [text]: text, command: text })
  const failed = toolUse(`F${text}`, 'Bash', { command: text })
  const blocks = [{ type: 'thinking', thinking: text }, { type: 'text', text }, call, failed, { type: text, text }]
  const report = { toolUseResult: { agentId: text, persistedOutputPath: `/tmp/${text}` } }
  const error = [{ type: 'tool_result', tool_use_id: `F${text}`, is_error: true, content: text }]
  const compactMetadata = { trigger: text, preTokens: 10, postTokens: 5 }
  const records = [
    { type: 'custom-title', customTitle: text },
    { type: 'last-prompt', lastPrompt: text },
    { type: 'tag', tag: text },
    { type: text },
    prompt(`u${text}`, null, text),
    answer(`a${text}`, `u${text}`, blocks),
    toolResult(`r${text}`, `a${text}`, `T${text}`, text, report),
    { type: 'user', uuid: `e${text}`, parentUuid: `r${text}`, message: { role: 'user', content: error } },
    { type: 'system', subtype: text, uuid: `y${text}`, parentUuid: `e${text}`, content: text },
    prompt(`m${text}`, `y${text}`, `<local-command-stdout>${text}</local-command-stdout>`),
    { type: text, uuid: `k${text}`, parentUuid: `m${text}`, [text]: text },
    prompt(`o${text}`, `a${text}`, `another way ${text}`),
    prompt(`l${text}`, `never${text}`, 'lost'),
    answer(`n${text}`, `l${text}`, `lost ${text}`),
    {
      type: 'system',
      subtype: 'compact_boundary',
      uuid: `b${text}`,
      parentUuid: null,
      logicalParentUuid: `k${text}`,
      content: text,
      compactMetadata,
    },
    prompt(`c${text}`, `b${text}`, text, { isCompactSummary: true }),
    prompt(`p${text}`, `c${text}`, `and then ${text}`, { forkedFrom: { sessionId: text, messageUuid: text } }),
    toolResult(`w${text}`, `p${text}`, `without a call${text}`, text),
    answer(`z${text}`, `w${text}`, text, { [text]: text, version: text }),
    answer(`z${text}`, `w${text}`, `${text} again`),
  ]
  return session(text, records, { cwd: `/${text}`, gitBranch: text, version: text })
}
