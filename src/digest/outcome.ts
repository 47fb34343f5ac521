// What the output of a command says about how it went. Runners end with a line of counts; the last such line is taken,
// because a run over several packages prints one for each and the sum, if there is one, comes last.

import { shorten } from './condense.ts'
import type { WentWell } from './model.ts'

export interface Outcome {
  readonly text: string | null
  readonly wentWell: WentWell
}

const TAIL_MAX = 6_000

export function outcomeOf(output: string, hasFailed: boolean): Outcome {
  const whole = output.length > 2 * TAIL_MAX ? output.slice(0, 500) + output.slice(-TAIL_MAX) : output
  const said = withoutColours(whole)
  const counts = countsIn(said)
  if (counts !== null) return { text: counts.text, wentWell: !hasFailed && counts.failed === 0 }
  const code = /^(?:Error: )?Exit code (\d+)/.exec(said)?.[1]
  if (!hasFailed) return { text: null, wentWell: true }
  const named = namedError(said)
  return { text: named ?? (code === undefined ? errorLine(said) : `exit code ${code}`), wentWell: false }
}

interface Counts {
  readonly text: string
  readonly failed: number
}

/**
 * Pattern, and how what it found is told. Failures are what the word `failed`, `errors` or `problems` counts. What a line
 * begins with stays in its line: `^\s*` would look at all blank lines below it, from each of them.
 */
const COUNTED: readonly (readonly [RegExp, (found: RegExpMatchArray) => Counts])[] = [
  // vitest, jest: `Tests  2 failed | 40 passed (42)`, `Tests: 1 failed, 9 passed, 10 total`
  [/^[ \t]*Tests:?[ \t]+(.*\d+ (?:passed|failed|todo|skipped).*)$/gm, ([, said = '']) => listed(said)],
  // pytest: `=== 3 failed, 41 passed in 0.12s ===`
  [
    /^=*[ \t]*((?:\d+ (?:failed|passed|skipped|errors?|warnings?|xfailed|xpassed|deselected),? ?)+)in [\d.]+m?s.*$/gm,
    ([, said = '']) => listed(said),
  ],
  // cargo: `test result: FAILED. 3 passed; 1 failed; …`
  [/^test result: \w+\. (\d+ passed; \d+ failed)/gm, ([, said = '']) => listed(said.replace(';', ','))],
  // mocha: `12 passing (3s)` and `1 failing`
  [
    /^[ \t]*(\d+) passing\b(?:[^\n]*\n(?:\s*\d+ pending\n)?\s*(\d+) failing)?/gm,
    ([, good = '0', bad = '0']) => counted(Number(good), Number(bad)),
  ],
  // bun, node --test, tap: `12 pass` / `0 fail`, `# pass 12` / `# fail 0`
  [
    /^[ \t]*(\d+) pass\n(?:\s*\d+ skip\n)?\s*(\d+) fail$/gm,
    ([, good = '0', bad = '0']) => counted(Number(good), Number(bad)),
  ],
  [/^[#ℹ] pass (\d+)\n[#ℹ] fail (\d+)/gm, ([, good = '0', bad = '0']) => counted(Number(good), Number(bad))],
  // rspec: `12 examples, 1 failure`; minitest and others: `12 runs, 30 assertions, 1 failures, 0 errors`
  [
    /^(\d+) examples?, (\d+) failures?/gm,
    ([, all = '0', bad = '0']) => counted(Number(all) - Number(bad), Number(bad)),
  ],
  [
    /^\d+ (?:runs|tests), \d+ assertions, (\d+) failures, (\d+) errors/gm,
    ([said, bad = '0', worse = '0']) => ({ text: said, failed: Number(bad) + Number(worse) }),
  ],
  // playwright: `3 failed` … `12 passed (8.1s)`
  [
    /^\s{2}(\d+) failed\b[\s\S]{0,2000}?^\s{2}(\d+) passed \(/gm,
    ([, bad = '0', good = '0']) => counted(Number(good), Number(bad)),
  ],
  // tsc, biome: `Found 3 errors.`; eslint: `✖ 3 problems (1 error, 2 warnings)`; ruff: `Found 2 errors.`
  [
    /^Found (\d+) errors?\b/gm,
    ([, bad = '0']) => ({ text: `${bad} ${bad === '1' ? 'error' : 'errors'}`, failed: Number(bad) }),
  ],
  [
    /^✖ (\d+) problems? \((\d+) errors?/gm,
    ([, all = '0', bad = '0']) => ({ text: `${all} problems, ${bad} errors`, failed: Number(bad) }),
  ],
]

function countsIn(output: string): Counts | null {
  for (const [pattern, tell] of COUNTED) {
    const last = [...output.matchAll(pattern)].at(-1)
    if (last !== undefined) return tell(last)
  }
  // go test: one line a package.
  const broken = output.match(/^(?:FAIL|---? FAIL:)\s+\S+/gm)?.filter((line) => !line.startsWith('---')).length ?? 0
  const good = output.match(/^ok {2}\t?\S+/gm)?.length ?? 0
  if (broken + good === 0) return null
  return { text: broken === 0 ? `${good} ok` : `${broken} FAIL, ${good} ok`, failed: broken }
}

function listed(said: string): Counts {
  const parts = [...said.matchAll(/(\d+) (failed|passed|skipped|todo|errors?|xfailed)/g)]
  const failed = parts
    .filter(([, , word = '']) => /^(?:failed|error)/.test(word))
    .reduce((sum, [, n]) => sum + Number(n), 0)
  return { text: parts.map(([part]) => part).join(', '), failed }
}

function counted(good: number, bad: number): Counts {
  return { text: bad === 0 ? `${good} passed` : `${bad} failed, ${good} passed`, failed: bad }
}

/** The line that names the error; else the first that says anything. */
export function errorLine(output: string): string | null {
  return namedError(output) ?? shortened(linesOf(output)[0])
}

function namedError(output: string): string | null {
  return shortened(
    linesOf(output).find((line) => /\b(?:error|fatal|failed|exception|cannot|not found|denied|panic)\b/i.test(line)),
  )
}

function shortened(line: string | undefined): string | null {
  return line === undefined ? null : shorten(line, 160)
}

function linesOf(output: string): readonly string[] {
  return withoutColours(output.slice(0, TAIL_MAX))
    .replace(/<\/?tool_use_error>/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:Error: )?Exit code \d+$/.test(line))
}

function withoutColours(text: string): string {
  return text.replace(COLOURS, '')
}

/** The escape character is written as a code: it must not stand in a source file. */
const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*[A-Za-z]`, 'g')
