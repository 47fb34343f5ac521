// What most of an archive is: everyday requests, short answers, and long output that has everybody's words in it. None of
// these Turns is what a query of the set looks for.

import type { Random } from '../random.ts'
import { randomOf } from '../random.ts'
import type { Step, Story, Turn } from './relevance-stories/story.ts'
import { bash, edit, grep, read, say, turn } from './relevance-stories/story.ts'

const SESSIONS = 60
const FIRST_MS = Date.parse('2025-12-01T09:00:00Z')
const DAY_MS = 86_400_000

export function noise(): readonly Story[] {
  const random = randomOf(20_261_115)
  return Array.from({ length: SESSIONS }, (_, index) => {
    const turns = Array.from({ length: 4 + random.below(9) }, () => everydayTurn(random))
    const at = new Date(FIRST_MS + Math.floor((index + random.below(100) / 100) * 5.7 * DAY_MS)).toISOString()
    const model = random.chance(0.3) ? 'claude-sonnet-5' : 'claude-opus-5'
    return { name: `everyday-${index}`, project: random.pick(PROJECTS), at, model, turns }
  })
}

const PROJECTS = ['ledger', 'kestrel', 'atlas-web', 'infra', 'forecast', 'lager', 'yubin'].map(
  (name) => `/home/ada/${name}`,
)

function everydayTurn(random: Random): Turn {
  const file = random.pick(FILES)
  const word = random.pick(WORDS)
  const prompt = random.pick(PROMPTS).replaceAll('%f', file).replaceAll('%w', word)
  const steps: Step[] = Array.from({ length: 1 + random.below(4) }, () => random.pick(CALLS)(random, file, word))
  return turn(prompt, ...steps, say(random.pick(REPLIES).replaceAll('%f', file).replaceAll('%w', word)))
}

const FILES =
  `src/server.ts src/config.ts src/http/router.ts src/db/pool.ts src/jobs/queue.ts src/index.ts test/api.test.ts
  package.json README.md src/cache/store.ts src/auth/session.ts src/log.ts Dockerfile .github/workflows/ci.yml`.split(
    /\s+/,
  )

const WORDS = `timeout retry cache index lock memory queue session token client server request response upload export
  report migration schema connection buffer worker locale date clock zone header cookie dialog button order invoice payment
  customer account transfer deploy certificate disk image font test flag error warning log loop key table column batch
  record branch bug page load release`.split(/\s+/)

const PROMPTS = [
  'Run the tests.',
  'Run the tests and fix what fails.',
  'Rename the %w function in %f, the name says nothing.',
  'Add a test for the %w in %f.',
  'What does %f do?',
  'Update the dependencies.',
  'Commit this.',
  'Please clean up %f, it has grown.',
  'Why is there an error about the %w in the log?',
  'Is the %w still used anywhere?',
  'Move the %w out of %f into a file of its own.',
  'The linter complains about %f.',
  'Write a short note about the %w for the README.',
  'Can you explain how the %w works?',
  'Continue.',
  'Looks good, go on.',
  'No, leave the %w as it is and only fix the types.',
]

const REPLIES = [
  'All tests pass.',
  'Done, %f is half as long now.',
  'The %w is used in three places; I left it alone.',
  'I renamed it and updated the callers. The tests pass.',
  'It was a wrong type for the %w. Fixed in %f, and the build is green.',
  'Committed.',
  'The error comes from an old %w in the log and does no harm.',
  'The %w works like this: it is made once at start, handed to whoever needs it, and closed at the end.',
  'Added a test for the %w. It fails without the fix and passes with it.',
  '%f reads the configuration, opens the connection and starts the server.',
]

type Call = (random: Random, file: string, word: string) => Step

const CALLS: readonly Call[] = [
  (random) => bash('npm test', testRun(random)),
  (random) => bash('npx tsc --noEmit', random.chance(0.5) ? '' : typeErrors(random), random.chance(0.5)),
  (_, file) =>
    read(`/home/ada/project/${file}`, `import { log } from './log.ts'\n\nexport function main() {\n  log('start')\n}`),
  (random, file, word) =>
    grep(
      word,
      lines(
        12,
        () =>
          `${random.pick(FILES)}:${1 + random.below(300)}:  ${word}${random.pick(['Id', '()', ': string', ' = null'])} // ${sentence(random)} ${file}`,
      ),
    ),
  (random) =>
    bash(
      'git log --oneline -12',
      lines(12, () => `${hex(random, 7)} ${sentence(random)}`),
    ),
  (random) =>
    bash(
      'docker compose logs --tail 20 api',
      lines(
        20,
        () =>
          `api-1  | ${random.pick(['INFO', 'WARN', 'ERROR'])} ${sentence(random)} error=${random.pick(WORDS)} retry=${random.below(5)}`,
      ),
    ),
  (random) =>
    bash(
      'npm install',
      `added ${random.below(40)} packages, and audited ${random.below(900)} packages in ${random.below(9)}s\n\nfound 0 vulnerabilities`,
    ),
  (random, file) =>
    edit(`/home/ada/project/${file}`, `const ${random.pick(WORDS)} = 1`, `const ${random.pick(WORDS)} = 2`),
]

function testRun(random: Random): string {
  const files = lines(
    8,
    () =>
      ` ✓ test/${random.pick(WORDS)}.test.ts > ${sentence(random)} (${1 + random.below(20)} tests) ${random.below(90)}ms`,
  )
  return `${files}\n\n Test Files  8 passed (8)\n      Tests  ${random.below(200)} passed\n   Start at  12:00:00`
}

function typeErrors(random: Random): string {
  return lines(
    5,
    () =>
      `${random.pick(FILES)}(${random.below(90)},${random.below(40)}): error TS2345: Argument of type '${random.pick(WORDS)}' is not assignable to parameter of type '${random.pick(WORDS)}'.`,
  )
}

function sentence(random: Random): string {
  return Array.from({ length: 3 + random.below(5) }, () => random.pick(WORDS)).join(' ')
}

function lines(count: number, line: () => string): string {
  return Array.from({ length: count }, line).join('\n')
}

function hex(random: Random, length: number): string {
  return Array.from({ length }, () => random.below(16).toString(16)).join('')
}
