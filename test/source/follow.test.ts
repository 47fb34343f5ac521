import { constants } from 'node:buffer'
import { execFileSync, spawn } from 'node:child_process'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import * as os from 'node:os'
import * as path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { FollowStep } from '../../src/source/follow.ts'
import { Follower } from '../../src/source/follow.ts'
import { readLines } from '../../src/source/lines.ts'
import type { Line } from '../../src/source/model.ts'

let folder: string
let file: string
let elsewhere: string

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'clew-follow-'))
  file = path.join(folder, 'session.jsonl')
  elsewhere = path.join(folder, 'moved.jsonl')
})

afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

/** The lines as one read of the whole file gives them. */
function readWhole(from: string): Line[] {
  const fd = fs.openSync(from, 'r')
  try {
    return Array.from(readLines(fd), (line) => ({ ...line, bytes: line.bytes && Buffer.from(line.bytes) }))
  } finally {
    fs.closeSync(fd)
  }
}

function comparable(lines: readonly Line[]): unknown[] {
  return lines.map((line) => ({ ...line, bytes: line.bytes && Buffer.from(line.bytes).toString('latin1') }))
}

function texts(step: FollowStep): (string | null)[] {
  return step.lines.map((line) => line.bytes && Buffer.from(line.bytes).toString())
}

function placed(step: FollowStep): string[] {
  return step.lines.map((line) => `${line.number}@${line.offset}+${line.length}`)
}

/** What a caller holds that starts over when it is told to, and that goes on until a step says there is no more. */
class Holder {
  lines: Line[] = []
  readonly follower: Follower

  constructor(follower: Follower) {
    this.follower = follower
  }

  take(step: FollowStep): FollowStep {
    if (step.change === 'truncated' || step.change === 'replaced') this.lines = []
    this.lines.push(...step.lines)
    return step
  }

  pollAll(): void {
    this.takeAll(() => this.follower.poll())
  }

  finishAll(): void {
    this.takeAll(() => this.follower.finish())
  }

  private takeAll(next: () => FollowStep): void {
    let stepCount = 0
    while (this.take(next()).more) if (++stepCount > 1000) throw new Error('the follower comes to no end')
  }
}

describe('growth', () => {
  test('delivers each line once, with the numbers and offsets of a whole read', () => {
    fs.writeFileSync(file, 'one\ntwo\n')
    const follower = new Follower(file)
    const first = follower.poll()
    expect(first).toMatchObject({ change: 'grown', path: file, more: false, problem: null })
    expect(texts(first)).toEqual(['one', 'two'])
    expect(placed(first)).toEqual(['1@0+4', '2@4+4'])
    expect(follower.poll()).toEqual({ change: 'none', path: file, lines: [], more: false, problem: null })
    fs.appendFileSync(file, 'three\n\n')
    const second = follower.poll()
    expect(second.change).toBe('grown')
    expect(texts(second)).toEqual(['three', ''])
    expect(placed(second)).toEqual(['3@8+6', '4@14+1'])
  })

  test('an empty file grows', () => {
    fs.writeFileSync(file, '')
    const follower = new Follower(file)
    expect(follower.poll().change).toBe('none')
    fs.appendFileSync(file, 'one\n')
    expect(follower.poll()).toMatchObject({ change: 'grown', problem: null })
  })

  test('an unfinished line waits and comes whole', () => {
    fs.writeFileSync(file, 'one\ntw')
    const follower = new Follower(file)
    expect(texts(follower.poll())).toEqual(['one'])
    expect(follower.poll()).toMatchObject({ change: 'none', lines: [] })
    fs.appendFileSync(file, 'o')
    expect(follower.poll()).toMatchObject({ change: 'none', lines: [] })
    fs.appendFileSync(file, '\nth')
    const step = follower.poll()
    expect(texts(step)).toEqual(['two'])
    expect(placed(step)).toEqual(['2@4+4'])
  })

  test('an unfinished line that is cut and written anew is no truncation', () => {
    fs.writeFileSync(file, 'one\ntorn rec')
    const follower = new Follower(file)
    follower.poll()
    fs.truncateSync(file, 6)
    expect(follower.poll()).toMatchObject({ change: 'none', lines: [] })
    fs.appendFileSync(file, '!\n')
    expect(texts(follower.poll())).toEqual(['to!'])
  })

  test('U+2028 and U+2029 end no line', () => {
    const text = JSON.stringify({ text: 'a\u2028b\u2029c\u0085d\re' })
    fs.writeFileSync(file, text.slice(0, 12))
    const follower = new Follower(file)
    expect(follower.poll().lines).toEqual([])
    fs.writeFileSync(file, `${text}\n${text}\n`)
    const step = follower.poll()
    expect(texts(step)).toEqual([text, text])
    expect(step.lines.map((line) => line.number)).toEqual([1, 2])
  })

  test('the bytes delivered are copies', () => {
    fs.writeFileSync(file, `${'a'.repeat(100_000)}\n${'b'.repeat(100_000)}\n`)
    const follower = new Follower(file)
    const first = follower.poll(1)
    const rest = follower.poll()
    expect(texts(first)).toEqual(['a'.repeat(100_000)])
    expect(texts(rest)).toEqual(['b'.repeat(100_000)])
    const buffers = [...first.lines, ...rest.lines].map((line) => line.bytes?.buffer)
    expect(new Set(buffers).size).toBe(2)
    expect(buffers.map((buffer) => buffer?.byteLength)).toEqual([100_000, 100_000])
  })

  test('a step ends at its limit, after at least one line', () => {
    const text = 'x'.repeat(10_000)
    fs.writeFileSync(file, `${text}\n`.repeat(5))
    const follower = new Follower(file)
    const counts = [follower.poll(1), follower.poll(25_000), follower.poll(25_000), follower.poll(25_000)]
    expect(counts.map((step) => step.lines.length)).toEqual([1, 3, 1, 0])
    expect(counts.map((step) => step.more)).toEqual([true, true, false, false])
    expect(counts.flatMap((step) => step.lines.map((line) => line.number))).toEqual([1, 2, 3, 4, 5])
  })

  test('a step over a million empty lines stays small', () => {
    fs.writeFileSync(file, '\n'.repeat(1_000_000))
    const holder = new Holder(new Follower(file))
    const step = holder.take(holder.follower.poll())
    expect(step.lines.length).toBeLessThan(50_000)
    expect(step.more).toBe(true)
    holder.pollAll()
    expect(holder.lines.length).toBe(1_000_000)
    expect(holder.lines.at(-1)).toMatchObject({ number: 1_000_000, offset: 999_999 })
    expect(holder.follower.poll().change).toBe('none')
  })

  test('a line longer than a string can be comes without bytes, and the next line follows', () => {
    fs.writeFileSync(file, 'one\n')
    const hole = constants.MAX_STRING_LENGTH + 1
    fs.truncateSync(file, 4 + hole)
    const follower = new Follower(file)
    expect(texts(follower.poll())).toEqual(['one'])
    fs.appendFileSync(file, '\nthree\n')
    expect(follower.poll()).toMatchObject({
      change: 'grown',
      more: true,
      lines: [{ number: 2, offset: 4, length: hole + 1, bytes: null, ended: true }],
    })
    expect(texts(follower.poll())).toEqual(['three'])
    fs.appendFileSync(file, 'four\n')
    expect(placed(follower.poll())).toEqual([`4@${4 + hole + 1 + 6}+5`])
    expect(follower.poll().change).toBe('none')
  })
})

describe('finish', () => {
  test('delivers the unfinished last line, once', () => {
    fs.writeFileSync(file, 'one\ntw')
    const follower = new Follower(file)
    follower.poll()
    const last = follower.finish()
    expect(texts(last)).toEqual(['tw'])
    expect(last.lines[0]).toMatchObject({ number: 2, offset: 4, length: 2, ended: false })
    expect(follower.finish()).toMatchObject({ change: 'none', lines: [] })
    expect(follower.poll()).toMatchObject({ change: 'none', lines: [] })
  })

  test('a line that goes on after all makes the reading start over', () => {
    fs.writeFileSync(file, 'one\ntw')
    const follower = new Follower(file)
    expect(texts(follower.finish())).toEqual(['one', 'tw'])
    fs.appendFileSync(file, 'o\n')
    const step = follower.poll()
    expect(step.change).toBe('replaced')
    expect(texts(step)).toEqual(['one', 'two'])
    expect(follower.poll().change).toBe('none')
  })

  test('the same when the file has moved to another device meanwhile', () => {
    fs.writeFileSync(file, 'one\ntw')
    const follower = new Follower(file, { locate: () => elsewhere })
    follower.finish()
    fs.writeFileSync(elsewhere, 'one\ntwo\n')
    fs.rmSync(file)
    const step = follower.poll()
    expect(step).toMatchObject({ change: 'replaced', path: elsewhere })
    expect(texts(step)).toEqual(['one', 'two'])
  })

  test('stops at its limit like poll', () => {
    fs.writeFileSync(file, 'one\ntwo\nthr')
    const follower = new Follower(file)
    const steps = [follower.finish(1), follower.finish(1), follower.finish(1)]
    expect(steps.map(texts)).toEqual([['one'], ['two'], ['thr']])
    expect(steps.map((step) => step.more)).toEqual([true, true, false])
  })
})

describe('truncated and replaced', () => {
  test('truncation starts over at the first line', () => {
    fs.writeFileSync(file, 'one\ntwo\nthree\n')
    const follower = new Follower(file)
    follower.poll()
    fs.truncateSync(file, 8)
    const step = follower.poll()
    expect(step.change).toBe('truncated')
    expect(step.problem).toMatchObject({ code: 'file-changed', position: { path: file, line: 4, offset: 14 } })
    expect(placed(step)).toEqual(['1@0+4', '2@4+4'])
    fs.appendFileSync(file, 'four\n')
    expect(follower.poll()).toMatchObject({ change: 'grown', problem: null, lines: [{ number: 3, offset: 8 }] })
  })

  test('truncation to nothing', () => {
    fs.writeFileSync(file, 'one\n')
    const follower = new Follower(file)
    follower.poll()
    fs.truncateSync(file, 0)
    expect(follower.poll()).toMatchObject({ change: 'truncated', lines: [] })
    expect(follower.poll().change).toBe('none')
    fs.appendFileSync(file, 'new\n')
    expect(placed(follower.poll())).toEqual(['1@0+4'])
  })

  test('a file renamed over it is a replacement, even when it begins with the same bytes', () => {
    fs.writeFileSync(file, 'one\ntwo\n')
    const follower = new Follower(file)
    follower.poll()
    fs.writeFileSync(elsewhere, 'one\ntwo\nthree\n')
    fs.renameSync(elsewhere, file)
    const step = follower.poll()
    expect(step).toMatchObject({ change: 'replaced', problem: { code: 'file-changed' } })
    expect(texts(step)).toEqual(['one', 'two', 'three'])
  })

  test.each([
    ['shorter', 'new\n'],
    ['of the same size', 'neu\ntwo\n'],
    ['longer', 'neu\ntwo\nthree\n'],
  ])('a new file %s, which may have the inode of the deleted one', (_, text) => {
    fs.writeFileSync(file, 'one\ntwo\n')
    const follower = new Follower(file)
    follower.poll()
    fs.rmSync(file)
    fs.writeFileSync(file, text)
    const step = follower.poll()
    expect(['replaced', 'truncated']).toContain(step.change)
    expect(texts(step)).toEqual(text.split('\n').slice(0, -1))
    expect(step.lines[0]?.number).toBe(1)
  })

  const middle = `${'m'.repeat(20_000)}\n`
  test.each([
    ['one\ntwo\n', 'one\ntwa\n'],
    ['one\ntwo\n', 'ona\ntwo\nthree\n'],
    // Only the first line differs, far from the watermark, and then only the last one.
    [`first\n${middle}last\n`, `First\n${middle}last\n`],
    [`first\n${middle}last\n`, `first\n${middle}lost\n`],
    [`first\n${middle}last\n`, `first\n${middle}lost\nand more\n`],
    [`first\n${middle}`, `first\n${middle.slice(0, -5)}n${middle.slice(-4)}`],
    // A line taken out of the middle and others added: what stands before the watermark has shifted.
    [`first\nsecond\n${middle}last\n`, `first\n${middle}last\nfourth, fifth\n`],
  ])('rewritten in place, same or larger size (%#)', (before, after) => {
    fs.writeFileSync(file, before)
    const { ino } = fs.statSync(file)
    const follower = new Follower(file)
    follower.poll()
    fs.writeFileSync(file, after)
    expect(fs.statSync(file).ino).toBe(ino)
    const step = follower.poll()
    expect(step.change).toBe('replaced')
    expect(texts(step)).toEqual(after.split('\n').slice(0, -1))
    expect(follower.poll().change).toBe('none')
  })

  test('the fingerprint spans steps: what an earlier poll delivered is still compared', () => {
    fs.writeFileSync(file, 'one\n')
    const follower = new Follower(file)
    follower.poll()
    for (const text of ['two\n', 'three\n', 'four\n']) {
      fs.appendFileSync(file, text)
      expect(follower.poll().change).toBe('grown')
    }
    fs.writeFileSync(file, 'one\nTwo\nthree\nfour\n')
    expect(follower.poll().change).toBe('replaced')
  })

  test('a long replacement comes in several steps of which only the first is called a replacement', () => {
    fs.writeFileSync(file, 'one\n')
    const follower = new Follower(file)
    follower.poll()
    fs.writeFileSync(file, 'ONE\nTWO\nTHREE\n')
    const steps = [follower.poll(1), follower.poll(1), follower.poll(1)]
    expect(steps.map((step) => step.change)).toEqual(['replaced', 'grown', 'grown'])
    expect(steps.flatMap(texts)).toEqual(['ONE', 'TWO', 'THREE'])
  })
})

describe('moved and gone', () => {
  test('a moved file goes on from the watermark, in the same step', () => {
    fs.writeFileSync(file, 'one\ntw')
    const follower = new Follower(file, { locate: () => elsewhere })
    follower.poll()
    fs.renameSync(file, elsewhere)
    fs.appendFileSync(elsewhere, 'o\nthree\n')
    const step = follower.poll()
    expect(step).toMatchObject({ change: 'moved', path: elsewhere, problem: null })
    expect(placed(step)).toEqual(['2@4+4', '3@8+6'])
    fs.appendFileSync(elsewhere, 'four\n')
    expect(follower.poll()).toMatchObject({ change: 'grown', path: elsewhere, lines: [{ number: 4 }] })
  })

  test('a copy on another device is recognised by its content', () => {
    fs.writeFileSync(file, 'one\ntwo\n')
    const follower = new Follower(file, { locate: () => elsewhere })
    follower.poll()
    fs.writeFileSync(elsewhere, 'on')
    fs.rmSync(file)
    expect(follower.poll()).toMatchObject({ change: 'gone', path: file, lines: [] })
    fs.writeFileSync(elsewhere, 'one\ntwo\nthree\n')
    const step = follower.poll()
    expect(step).toMatchObject({ change: 'moved', path: elsewhere })
    expect(texts(step)).toEqual(['three'])
  })

  test('another file that begins with the same line is not the moved one', () => {
    fs.writeFileSync(file, 'one\ntwo\n')
    const follower = new Follower(file, { locate: () => elsewhere })
    follower.poll()
    fs.writeFileSync(elsewhere, 'one\nTwo\nthree\n')
    fs.rmSync(file)
    expect(follower.poll()).toMatchObject({ change: 'gone', path: file, lines: [], problem: null })
  })

  test('the place that locate names may be empty', () => {
    fs.writeFileSync(file, 'one\n')
    const follower = new Follower(file, { locate: () => elsewhere })
    follower.poll()
    fs.rmSync(file)
    expect(follower.poll()).toEqual({ change: 'gone', path: file, lines: [], more: false, problem: null })
  })

  test('moved and truncated at once', () => {
    fs.writeFileSync(file, 'one\ntwo\n')
    const follower = new Follower(file, { locate: () => elsewhere })
    follower.poll()
    fs.renameSync(file, elsewhere)
    fs.truncateSync(elsewhere, 4)
    expect(follower.poll()).toMatchObject({ change: 'truncated', path: elsewhere, lines: [{ number: 1 }] })
  })

  test('moved before anything was delivered', () => {
    fs.writeFileSync(elsewhere, 'one\n')
    const follower = new Follower(file, { locate: () => elsewhere })
    expect(follower.poll()).toMatchObject({ change: 'moved', path: elsewhere, lines: [{ number: 1 }] })
  })

  test('locate is not asked while the file is at its path', () => {
    fs.writeFileSync(file, 'one\n')
    fs.writeFileSync(elsewhere, 'one\ntwo\n')
    let asked = 0
    const follower = new Follower(file, {
      locate: () => {
        asked++
        return elsewhere
      },
    })
    follower.poll()
    follower.poll()
    expect(asked).toBe(0)
  })

  test('gone, and back as it was', () => {
    fs.writeFileSync(file, 'one\n')
    const follower = new Follower(file)
    follower.poll()
    fs.renameSync(file, elsewhere)
    expect(follower.poll()).toEqual({ change: 'gone', path: file, lines: [], more: false, problem: null })
    expect(follower.poll().change).toBe('gone')
    fs.appendFileSync(elsewhere, 'two\n')
    fs.renameSync(elsewhere, file)
    const step = follower.poll()
    expect(step.change).toBe('grown')
    expect(placed(step)).toEqual(['2@4+4'])
  })

  test('gone, and back as another file', () => {
    fs.writeFileSync(file, 'one\n')
    const follower = new Follower(file)
    follower.poll()
    fs.rmSync(file)
    expect(follower.poll().change).toBe('gone')
    fs.writeFileSync(file, 'two\nthree\n')
    const step = follower.poll()
    expect(step.change).toBe('replaced')
    expect(placed(step)).toEqual(['1@0+4', '2@4+6'])
  })

  test('not there yet, with its folder', () => {
    const late = path.join(folder, 'later', 'session.jsonl')
    const follower = new Follower(late)
    expect(follower.poll()).toMatchObject({ change: 'gone', problem: null })
    fs.mkdirSync(path.dirname(late))
    fs.writeFileSync(late, 'one\n')
    expect(follower.poll()).toMatchObject({ change: 'grown', lines: [{ number: 1 }] })
  })
})

describe('what is no readable file', () => {
  test.skipIf(process.platform === 'win32')('a FIFO does not hang, before and after there was a file', () => {
    execFileSync('mkfifo', [elsewhere])
    expect(new Follower(elsewhere).poll()).toMatchObject({ change: 'none', problem: { code: 'file-not-regular' } })
    fs.writeFileSync(file, 'one\n')
    const follower = new Follower(file, { locate: () => elsewhere })
    follower.poll()
    fs.renameSync(file, `${file}.aside`)
    expect(follower.poll()).toMatchObject({ change: 'gone', path: file, problem: { code: 'file-not-regular' } })
    execFileSync('mkfifo', [file])
    expect(follower.finish()).toMatchObject({ change: 'none', lines: [], problem: { code: 'file-not-regular' } })
    fs.renameSync(`${file}.aside`, file)
    fs.appendFileSync(file, 'two\n')
    expect(placed(follower.poll())).toEqual(['2@4+4'])
  })

  test('a folder, a link and a name that is too long', () => {
    fs.symlinkSync(folder, elsewhere)
    expect(new Follower(folder).poll().problem?.code).toBe('file-not-regular')
    expect(new Follower(elsewhere).poll().problem?.code).toBe('file-not-regular')
    const tooLong = new Follower(path.join(folder, 'x'.repeat(300)))
    expect(tooLong.poll()).toMatchObject({ change: 'none', problem: { code: 'file-unreadable' } })
  })

  test.skipIf(process.getuid?.() === 0)('a file we may not read', () => {
    fs.writeFileSync(file, 'one\n', { mode: 0o000 })
    const follower = new Follower(file)
    expect(follower.poll()).toMatchObject({ change: 'none', problem: { code: 'file-unreadable' } })
    fs.chmodSync(file, 0o600)
    expect(texts(follower.poll())).toEqual(['one'])
  })

  // The kernel answers EIO to every read of this file, which is as good as a bad sector.
  const unreadable = '/sys/devices/breakpoint/power/autosuspend_delay_ms'
  test.skipIf(!fs.existsSync(unreadable))('a file that opens but does not read', () => {
    const problem = { code: 'file-unreadable', message: 'cannot read the file: EIO', position: { path: unreadable } }
    expect(new Follower(unreadable).poll()).toMatchObject({ change: 'none', lines: [], problem })
    fs.writeFileSync(file, 'one\n')
    const follower = new Follower(file, { locate: () => unreadable })
    follower.poll()
    fs.rmSync(file)
    expect(follower.poll()).toMatchObject({ path: file, lines: [], problem })
  })

  test.skipIf(!fs.existsSync('/proc/self/fd'))('no descriptor stays open', () => {
    const open = () => fs.readdirSync('/proc/self/fd').length
    fs.writeFileSync(file, 'one\ntwo\nthr')
    const follower = new Follower(file, { locate: () => elsewhere })
    const before = open()
    for (let count = 0; count < 20; count++) {
      follower.poll(1)
      new Follower(folder).poll()
    }
    fs.rmSync(file)
    fs.writeFileSync(elsewhere, 'other\n')
    follower.poll()
    expect(open()).toBe(before)
  })
})

describe('while it is read', () => {
  const { readSync } = fs

  afterEach(() => replaceReadSync(readSync))

  function replaceReadSync(replacement: unknown): void {
    Object.assign(fs, { readSync: replacement })
    syncBuiltinESMExports()
  }

  test('whichever read fails, nothing is lost, delivered twice or thrown', () => {
    let failures = 0
    for (let failing = 1; failures === failing - 1; failing++) {
      fs.writeFileSync(file, 'one\n')
      const holder = new Holder(new Follower(file))
      holder.take(holder.follower.poll())
      fs.appendFileSync(file, `two\n${'x'.repeat(3_000_000)}\nfour\n`)
      let count = 0
      replaceReadSync((...given: Parameters<typeof readSync>) => {
        if (++count === failing) throw Object.assign(new Error('injected'), { code: 'EIO' })
        return readSync(...given)
      })
      const step = holder.take(holder.follower.poll())
      replaceReadSync(readSync)
      if (step.problem !== null) failures++
      // The first two reads look at the fingerprint; from the fourth on, the second line is already there.
      if (failing === 4) {
        expect(texts(step)).toEqual(['two'])
        expect(step.problem).toMatchObject({ code: 'file-unreadable', position: { line: 3, offset: 8 } })
      }
      holder.take(holder.follower.poll())
      expect(comparable(holder.lines)).toEqual(comparable(readWhole(file)))
    }
    expect(failures).toBeGreaterThan(4)
  })

  test('a file rewritten after its lines were read is seen by the next step', () => {
    fs.writeFileSync(file, 'one\ntwo\n')
    const follower = new Follower(file)
    replaceReadSync((...given: Parameters<typeof readSync>) => {
      const read = readSync(...given)
      if (read === 0) fs.writeFileSync(file, 'one\nTWO\n')
      return read
    })
    expect(texts(follower.poll())).toEqual(['one', 'two'])
    replaceReadSync(readSync)
    const step = follower.poll()
    expect(step.change).toBe('replaced')
    expect(texts(step)).toEqual(['one', 'TWO'])
  })

  test('what is written behind a long unfinished line does not become a line of its own', () => {
    fs.writeFileSync(file, 'x'.repeat((1 << 25) + 1))
    const follower = new Follower(file)
    let isWritten = false
    replaceReadSync((...given: Parameters<typeof readSync>) => {
      const read = readSync(...given)
      if (read === 0 && !isWritten) fs.appendFileSync(file, 'y\nnext\n')
      if (read === 0) isWritten = true
      return read
    })
    expect(placed(follower.finish(1 << 30))).toEqual(['1@0+33554433'])
    const step = follower.poll()
    expect(step.change).toBe('replaced')
    expect(placed(step)).toEqual(['1@0+33554435'])
    expect(placed(follower.poll())).toEqual(['2@33554435+5'])
  })
})

describe('properties', () => {
  const piece = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('\n', '\n\n', 'a', '\r\n', '\0', '\u2028', 'é', '{"a":1}\n', '\ufeff') },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
    { weight: 1, arbitrary: fc.nat(9000).map((length) => 'x'.repeat(length)) },
  )
  const content = fc
    .tuple(fc.array(piece, { maxLength: 20 }), fc.uint8Array({ maxLength: 4 }))
    .map(([pieces, odd]) => Buffer.concat([Buffer.from(pieces.join('')), odd]))
  const bytesMax = fc.constantFrom(1, 300, 5000, 1 << 23)

  test('content appended in any pieces, with polls between, gives the lines of one read', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true })
    const splits = fc.array(fc.record({ share, bytesMax }), { maxLength: 12 })
    fc.assert(
      fc.property(content, splits, (bytes, cuts) => {
        fs.writeFileSync(file, '')
        const holder = new Holder(new Follower(file))
        const inOrder = cuts.map((cut) => ({ ...cut, end: Math.floor(cut.share * bytes.length) }))
        let written = 0
        for (const cut of inOrder.sort((one, other) => one.end - other.end)) {
          fs.appendFileSync(file, bytes.subarray(written, cut.end))
          written = cut.end
          const step = holder.take(holder.follower.poll(cut.bytesMax))
          expect(step.change).toBe(step.lines.length > 0 ? 'grown' : 'none')
          expect(holder.lines.every((line) => line.ended)).toBe(true)
        }
        fs.appendFileSync(file, bytes.subarray(written))
        holder.pollAll()
        const whole = comparable(readWhole(file))
        expect(comparable(holder.lines)).toEqual(whole.slice(0, holder.lines.length))
        expect(holder.lines.length).toBe(bytes.filter((byte) => byte === 10).length)
        holder.finishAll()
        expect(comparable(holder.lines)).toEqual(whole)
      }),
      { numRuns: 400 },
    )
  })

  test('whatever happens to the file, a caller that starts over when told holds the lines of one read', () => {
    const keep = fc.double({ min: 0, max: 1, noNaN: true })
    const deed = fc.oneof(
      { weight: 4, arbitrary: fc.record({ kind: fc.constant('append' as const), content }) },
      { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('poll' as const, 'finish' as const), bytesMax }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('rewrite' as const, 'renew' as const), content }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('cut' as const), keep }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('move' as const, 'copy' as const) }) },
    )
    const seen = new Set<string>()
    fc.assert(
      fc.property(fc.array(deed, { maxLength: 25 }), (deeds) => {
        let current = file
        fs.rmSync(elsewhere, { force: true })
        fs.writeFileSync(file, '')
        const holder = new Holder(new Follower(file, { locate: () => current }))
        const poll = (limit?: number) => seen.add(holder.take(holder.follower.poll(limit)).change)
        for (const done of deeds) {
          const other = current === file ? elsewhere : file
          if (done.kind === 'append') fs.appendFileSync(current, done.content)
          else if (done.kind === 'rewrite') fs.writeFileSync(current, done.content)
          else if (done.kind === 'cut') fs.truncateSync(current, Math.floor(fs.statSync(current).size * done.keep))
          else if (done.kind === 'poll') poll(done.bytesMax)
          else if (done.kind === 'finish') holder.take(holder.follower.finish(done.bytesMax))
          else if (done.kind === 'renew') {
            fs.rmSync(current)
            poll()
            fs.writeFileSync(current, done.content)
          } else {
            // A new file that moves before it was ever seen leaves nothing to tell that it is ours.
            poll()
            if (done.kind === 'move') fs.renameSync(current, other)
            else fs.copyFileSync(current, other)
            fs.rmSync(current, { force: true })
            current = other
            poll()
          }
        }
        holder.finishAll()
        expect(comparable(holder.lines)).toEqual(comparable(readWhole(current)))
      }),
      { numRuns: 600 },
    )
    expect([...seen].sort()).toEqual(['gone', 'grown', 'moved', 'none', 'replaced', 'truncated'])
  })

  test('a writer in another process that cuts its lines anywhere', async () => {
    const script = `
      const fs = require('node:fs')
      const fd = fs.openSync(process.argv[1], 'a')
      for (let number = 1; number <= 1500; number++) {
        const line = Buffer.from(JSON.stringify({ number, text: '\\u2028é'.repeat((number * 7919) % 3000) }) + '\\n')
        const cut = (number * 104729) % line.length
        fs.writeSync(fd, line.subarray(0, cut))
        fs.writeSync(fd, line.subarray(cut))
      }`
    const writer = spawn(process.execPath, ['-e', script, file], { stdio: 'inherit' })
    const ended = new Promise<number | null>((resolve) => writer.on('exit', resolve))
    const holder = new Holder(new Follower(file))
    let stepCount = 0
    while (writer.exitCode === null) {
      if (holder.take(holder.follower.poll(200_000)).lines.length > 0) stepCount++
      await pause(1)
    }
    expect(await ended).toBe(0)
    holder.pollAll()
    expect(stepCount).toBeGreaterThan(1)
    expect(holder.lines.length).toBe(1500)
    expect(comparable(holder.lines)).toEqual(comparable(readWhole(file)))
  })
})
