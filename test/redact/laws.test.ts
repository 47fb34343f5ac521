// What holds for any text and any value.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRedactor } from '../../src/redact/redactor.ts'
import { randomOf } from '../random.ts'
import { hostileTexts } from './hostile.mjs'
import { ENCODINGS, leaksOf, plant } from './planted.ts'

const PIECES = [
  'password',
  '=',
  ': ',
  '"',
  "'",
  '\\',
  '\\n',
  '\n',
  ' ',
  'token',
  'secret',
  '--',
  '://',
  '@',
  'a:b',
  'ghp_',
  'AKIA',
  'eyJ',
  '.',
  '-----BEGIN RSA PRIVATE KEY-----',
  '-----END RSA PRIVATE KEY-----',
  'x1Y2z3W4v5U6',
  'MIIEowIBAAKCAQEA7bq1',
  '%41',
  '\\u002d',
  '&#45;',
  '⟦',
  '⟧',
  '⟦secret:password:1⟧',
  'Bearer ',
  'Cookie: a=',
  'hunter2',
  'cGFzc3dvcmQ9aHVudGVyMiE=',
  '🌊',
  '\ud83c',
  '\0',
  '<',
  '>',
  ',',
  ';',
  '&',
  '?',
]

const odd = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 12 })), { maxLength: 40 })
  .map((parts) => parts.join(''))
const planted = fc.integer({ min: 0, max: 1e6 }).map((seed) => {
  const random = randomOf(seed)
  const encodings = Object.values(ENCODINGS)
  const one = plant(random, random.below(500))
  return random.pick(encodings).write(one.text, one.secret)
})
const anyText = fc.array(fc.oneof(odd, planted), { maxLength: 4 }).map((parts) => parts.join(' '))
const RUNS = { numRuns: Number(process.env['CLEW_RUNS'] ?? 400) }

test('twice is the same as once, with the same redactor and with another', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const redactor = createRedactor()
      const once = redactor.text(text).text
      expect(redactor.text(once).text).toBe(once)
      expect(createRedactor().text(once).text).toBe(once)
    }),
    RUNS,
  )
})

test('findings are in order and apart, and what is between them is untouched', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const redacted = createRedactor().text(text)
      let from = 0
      let told = ''
      for (const { start, end, placeholder, rule } of redacted.findings) {
        expect(start).toBeGreaterThanOrEqual(from)
        expect(end).toBeGreaterThan(start)
        expect(placeholder).toMatch(/^⟦secret:[a-z0-9-]+:[0-9a-z]+⟧$/)
        expect(rule).toMatch(/^[a-z0-9-]+$/)
        told += text.slice(from, start) + placeholder
        from = end
      }
      expect(from).toBeLessThanOrEqual(text.length)
      expect(redacted.text).toBe(told + text.slice(from))
    }),
    RUNS,
  )
})

test('a value stays a value of the same shape, and is not changed itself', () => {
  fc.assert(
    fc.property(fc.jsonValue({ depthSize: 'medium' }), anyText, (value, text) => {
      const whole = { a: value, [text.slice(0, 40)]: [text, 'x'], b: { password: text } }
      const before = JSON.stringify(whole)
      const told = createRedactor().value(whole)
      expect(JSON.stringify(whole)).toBe(before)
      expect(Object.keys(told).length).toBe(Object.keys(whole).length)
      expect(JSON.stringify(createRedactor().value(told))).toBe(JSON.stringify(told))
    }),
    RUNS,
  )
})

describe('the same secret', () => {
  const secret = 'Svslt516!cAZv'

  test('has one placeholder everywhere, in every encoding', () => {
    const redactor = createRedactor()
    const placeholders = Object.values(ENCODINGS).map(({ write }) => {
      const { findings } = redactor.text(write(`DB_PASSWORD=${secret}\n`, secret))
      expect(findings.length).toBe(1)
      return findings[0]?.placeholder
    })
    expect(new Set(placeholders).size).toBe(1)
  })

  test('is found where nothing says what it is, before and behind', () => {
    const { text } = createRedactor().text(`I typed ${secret} once.\nDB_PASSWORD=${secret}\nAnd ${secret} again.`)
    expect(leaksOf(secret, text)).toEqual([])
  })

  test('is found in earlier texts when the document was learned first', () => {
    const redactor = createRedactor()
    redactor.learn([{ env: { DB_PASSWORD: secret } }])
    expect(redactor.counts()).toEqual({})
    expect(redactor.text(`I typed ${secret} once.`).text).toBe('I typed ⟦secret:password:1⟧ once.')
    expect(redactor.counts()).toEqual({ password: 1 })
  })

  test('has the tag that is asked for', () => {
    const redactor = createRedactor({ tagOf: (one) => `t${one.length}` })
    expect(redactor.text(`password="${secret}"`).text).toBe('password="⟦secret:password:t13⟧"')
  })

  test('may be told by the user, in plain or as a list that does not tell it', () => {
    const told = createRedactor({ literals: ['Tidewatch GmbH'] })
    expect(told.text('for Tidewatch%20GmbH and Tidewatch GmbH').text).toBe(
      'for ⟦secret:literal:1⟧ and ⟦secret:literal:1⟧',
    )
    const listed = createRedactor({ isListed: (word) => word === 'swordfish' })
    expect(listed.text('say swordfish, please').text).toBe('say ⟦secret:listed:1⟧, please')
  })
})

describe('values', () => {
  test('below a key that says so, whatever they look like', () => {
    const told = createRedactor().value({
      password: 'swordfish',
      nested: { apiKey: 'abc def', headers: { Authorization: 'Bearer swordfish', cookie: ['a=b; c=d'] } },
      env: [{ name: 'DEPLOY_TOKEN', value: 'swordfish' }],
      user: 'swordfish is my favourite fish',
    })
    expect(told).toEqual({
      password: '⟦secret:password:1⟧',
      nested: {
        apiKey: '⟦secret:api-key:2⟧',
        headers: { Authorization: 'Bearer ⟦secret:password:1⟧', cookie: ['⟦secret:cookie:3⟧'] },
      },
      env: [{ name: 'DEPLOY_TOKEN', value: '⟦secret:password:1⟧' }],
      user: 'swordfish is my favourite fish',
    })
  })

  test('a key over the lines of a diff', () => {
    const random = randomOf(3)
    const { text, secret } = plant(random, 116)
    expect(text).toContain('PRIVATE KEY')
    const lines = text.split('\n').map((line) => `+${line}`)
    const told = createRedactor().value({ structuredPatch: [{ oldStart: 1, lines }] })
    expect(told.structuredPatch[0]?.lines.length).toBe(lines.length)
    expect(leaksOf(secret, JSON.stringify(told).replaceAll('","+', ''))).toEqual([])
  })

  test('keys of objects', () => {
    const { secret } = plant(randomOf(5), 0)
    expect(JSON.stringify(createRedactor().value({ [secret]: 1 }))).toBe('{"⟦secret:github-token:1⟧":1}')
  })

  test('`__proto__` is a key like others', () => {
    const value = JSON.parse('{"__proto__":{"password":"swordfish"},"b":1}') as Record<string, unknown>
    const told = createRedactor().value(value)
    expect(JSON.stringify(told)).toBe('{"__proto__":{"password":"⟦secret:password:1⟧"},"b":1}')
    expect(Object.getPrototypeOf(told)).toBe(Object.prototype)
  })

  test('nesting of any depth', () => {
    let deep: unknown = { password: 'swordfish' }
    for (let depth = 0; depth < 100_000; depth++) deep = depth % 2 === 0 ? [deep] : { a: deep }
    const redactor = createRedactor()
    redactor.value(deep)
    expect(redactor.counts()).toEqual({ password: 1 })
  })
})

describe('hostile text', () => {
  // Twice as long may take longer, but not four times: that is what quadratic would be.
  const small = hostileTexts(50_000)
  const large = hostileTexts(400_000)
  test('there are thirty kinds and more', () => expect(Object.keys(large).length).toBeGreaterThan(30))

  test.each(Object.keys(large))('%s', (name) => {
    const took = (text: string): number => {
      const before = process.cpuUsage().user
      createRedactor().text(text)
      return (process.cpuUsage().user - before) / 1000
    }
    took(small[name] ?? '')
    const base = Math.max(8, took(small[name] ?? ''))
    expect(took(large[name] ?? '')).toBeLessThan(base * 8 * 4)
  })
})
