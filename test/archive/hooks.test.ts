// Hooks in a settings.json: what is the user's stays as it was, to the last byte and comment, and what was added goes
// without a trace.

import fc from 'fast-check'
import { parse } from 'jsonc-parser'
import { describe, expect, test } from 'vitest'
import { hookCommand, hookPrograms, isHookCommand } from '../../src/archive/hook-command.ts'
import { addHooks, hooksIn, removeHooks } from '../../src/archive/hooks.ts'

const PROGRAM = { node: '/usr/bin/node', script: '/opt/clew/clew.js', root: '/home/ada/.claude', dataFolder: null }
const COMMAND = hookCommand(PROGRAM)
const OTHER = hookCommand({ ...PROGRAM, script: "/home/ada/it's \\ here/clew.js" })

const TEXTS = [
  '{}',
  '{}\n',
  '{ }',
  '{\n}\n',
  '\ufeff{\r\n  "model": "opus"\r\n}\r\n',
  '{"model":"opus","permissions":{"allow":["Bash(ls:*)"]}}',
  '{\n  // why opus\n  "model": "opus" // yes, this one\n  // last words\n}\n',
  '{\n  "model": "opus", // with a comma behind\n}\n',
  '{\n    "hooks": {},\n    "b": 1\n}',
  '{\n\t"hooks": {\n\t\t"SessionEnd": []\n\t},\n\t"a": [1, 2]\n}\n',
  '{"hooks":{"PreCompact":[{"matcher":"auto","hooks":[{"type":"command","command":"mine"}]}]}}',
  `{
  "hooks": {
    "SessionEnd": [
      // mine, do not touch
      { "hooks": [{ "type": "command", "command": "say bye" }] } /* end */
    ], // of SessionEnd
    "Stop": []
  },
  /* a /* b */
  "z": null
}`,
]

describe('added and removed again', () => {
  test.each(TEXTS)('%j', (text) => {
    const added = addHooks(text, COMMAND)
    expect(hooksIn(added)).toEqual([COMMAND, COMMAND])
    expect(addHooks(added, COMMAND)).toBe(added)
    expect(comments(added)).toEqual(comments(text))
    expect(without(parse(bare(added)))).toEqual(without(parse(bare(text))))
    expect(removeHooks(added, text)).toBe(text)
    expect(removeHooks(text, null)).toBe(text)
    if (text.includes('\r')) expect(added.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  })

  test.each(TEXTS)('with other changes in between: %j', (text) => {
    const changed = addHooks(text, COMMAND).replace('{', '{ "added": true, // by hand\n')
    const removed = removeHooks(changed, text)
    expect(hooksIn(removed)).toEqual([])
    expect(comments(removed)).toEqual(['// by hand', ...comments(text)])
    expect(parse(bare(removed))).toEqual({ added: true, ...(parse(bare(text)) as object) })
  })

  test('a command beside ours in the same group stays', () => {
    const added = addHooks('{}', COMMAND)
    const both = added.replace(
      '"hooks": [\n          {',
      '"hooks": [\n          { "type": "command", "command": "mine" },\n          {',
    )
    expect(both).not.toBe(added)
    expect(parse(removeHooks(both, '{}'))).toEqual({
      hooks: { SessionEnd: [{ hooks: [{ type: 'command', command: 'mine' }] }] },
    })
  })

  test('one of another place is brought up to date, and there is one', () => {
    const added = addHooks(addHooks('{}', OTHER), COMMAND)
    expect(added).toBe(addHooks('{}', COMMAND))
    expect(removeHooks(added, '{}')).toBe('{}')
  })

  test('any settings', () => {
    const settings = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }))
    const indents = fc.constantFrom(undefined, 2, 4, '\t')
    fc.assert(
      fc.property(settings, indents, fc.boolean(), (value, indent, hasHooks) => {
        const { hooks: _, ...others } = value
        const text = JSON.stringify(hasHooks ? { ...others, hooks: { Stop: [] } } : others, null, indent)
        const added = addHooks(text, OTHER)
        expect(without(JSON.parse(added))).toEqual(without(JSON.parse(text)))
        expect(removeHooks(added, text)).toBe(text)
        expect(JSON.parse(removeHooks(`${added} `, text))).toEqual(JSON.parse(text))
      }),
    )
  })
})

describe('what is no settings.json is refused, with the place', () => {
  test.each([
    ['', /no JSON at line 1, column 1/],
    ['{\n  "a": 1\n  "b": 2\n}', /no JSON at line 3, column 3: CommaExpected/],
    ['{"a": tru}', /no JSON at line 1, column 7/],
    ['[]', /no JSON object/],
    ['{\n "hooks": []}', /“hooks” at line 2, column 11 is no object/],
    ['{"hooks": {"SessionEnd": "x"}}', /“hooks.SessionEnd” at line 1, column 26 is no list/],
  ])('%j', (text, message) => {
    expect(() => addHooks(text, COMMAND)).toThrow(message)
    expect(() => removeHooks(text, null)).toThrow(message)
  })
})

test('the line names its programs, whatever is in their paths', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (node, script) => {
      const line = hookCommand({ ...PROGRAM, node, script, dataFolder: "/d'ata" })
      expect(hookPrograms(line)).toEqual([node, script])
    }),
  )
  expect(isHookCommand(COMMAND)).toBe(true)
  expect(isHookCommand('clew archive --background --root x')).toBe(false)
})

function bare(text: string): string {
  return text.replace(/^\ufeff/, '')
}

/** In order; a string that looks like one does not stand in these texts. */
function comments(text: string): readonly string[] {
  return (text.match(/\/\/[^\r\n"]*|\/\*.*?\*\//g) ?? []).map((one) => one.trim())
}

/** Without our commands and what is empty without them. */
function without(settings: { hooks?: Record<string, unknown[]> }): unknown {
  const { hooks = {}, ...others } = settings
  const kept = Object.entries(hooks).flatMap(([name, groups]) => {
    const theirs = groups.filter((group) => !JSON.stringify(group).includes('CLEW_ARCHIVING'))
    return theirs.length === 0 ? [] : [[name, theirs] as const]
  })
  return { ...others, hooks: Object.fromEntries(kept) }
}
