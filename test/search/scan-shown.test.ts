// Slash commands and shell lines in the snippets of `--exact` and `--regex`: as they were typed, with what matched marked.

import { expect, test } from 'vitest'
import type { ScanPattern } from '../../src/search/scan-model.ts'
import { exact, exactAnyCase, hitsIn, newFolder, regex, writeTarget } from './scan-case.ts'

const COMPACT =
  '<command-name>/compact</command-name>\n            <command-message>compact</command-message>\n            <command-args>keep the tide names</command-args>'
const user = (content: unknown, more: object = {}): object => ({
  type: 'user',
  message: { role: 'user', content },
  ...more,
})
const block = (text: string): object => ({ type: 'text', text })
const result = (content: string): object => ({ type: 'tool_result', tool_use_id: 'T1', content })
const local = (content: string): object => ({ type: 'system', subtype: 'local_command', content })

test.each<readonly [string, ScanPattern, object, string]>([
  ['the arguments', exact('tide'), user(COMPACT), '/compact keep the [tide] names'],
  ['the command', exact('/compact'), user(COMPACT), '[/compact] keep the tide names'],
  ['in other letters', exactAnyCase('TIDE'), user(COMPACT), '/compact keep the [tide] names'],
  ['a regex', regex('t[a-z]de'), user(COMPACT), '/compact keep the [tide] names'],
  ['in a Block', exact('tide'), user([block(COMPACT)]), '/compact keep the [tide] names'],
  [
    'in one of two',
    exact('tide'),
    user([block(COMPACT), block('<bash-input>ls</bash-input>')]),
    '/compact keep the [tide] names',
  ],
  ['a shell line', exact('ls'), user('<bash-input>ls -la</bash-input>'), '! [ls] -la'],
  [
    'what it printed',
    exact('plan'),
    user('<bash-stdout>plan.txt</bash-stdout><bash-stderr></bash-stderr>'),
    '[plan].txt',
  ],
  [
    'what a command printed',
    exact('$1'),
    user('<local-command-stdout>Total: $1</local-command-stdout>'),
    'Total: [$1]',
  ],
  ['in a record of the system', exact('tide'), local(COMPACT), '/compact keep the [tide] names'],
  ['a tag', exact('<bash-input>'), user('<bash-input>ls</bash-input>'), '[<bash-input>]ls</bash-input>'],
  ['over a tag', regex('input>ls'), user('<bash-input>ls</bash-input>'), '<bash-[input>ls]</bash-input>'],
  [
    'the message, which only repeats the name',
    exact('message>compact'),
    user(COMPACT.replaceAll(/\n */g, '')),
    '<command-name>/compact</command-name><command-[message>compact]</command-message><command-args>keep the tide names</command-args>',
  ],
  ['what a tool printed', exact('ls'), user([result('<bash-input>ls</bash-input>')]), '<bash-input>[ls]</bash-input>'],
  [
    'what a person asked',
    exact('name'),
    user('What is <command-name>?', { promptSource: 'typed' }),
    'What is <command-[name]>?',
  ],
])('%s', (_, pattern, record, expected) => {
  const [hit, ...more] = hitsIn(writeTarget(newFolder(), 'one.jsonl', `${JSON.stringify(record)}\n`), pattern)
  expect(more).toEqual([])
  const { text, start, end } = hit?.excerpt ?? { text: '', start: 0, end: 0 }
  expect(`${text.slice(0, start)}[${text.slice(start, end)}]${text.slice(end)}`).toBe(expected)
})
