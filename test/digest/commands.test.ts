import { describe, expect, test } from 'vitest'
import type { CommandPurpose } from '../../src/digest/model.ts'
import { errorLine, outcomeOf } from '../../src/digest/outcome.ts'
import { purposeOf } from '../../src/digest/purpose.ts'
import { simpleCommands } from '../../src/digest/shell.ts'
import { expectLinear } from '../growth.ts'

test.each<readonly [string, readonly string[]]>([
  ['ls', ['ls']],
  ['cd web && FOO=1 npx vitest run | tail -n 5', ['cd web', 'vitest run', 'tail -n 5']],
  ['echo "a && b; c" ; echo \'d | e\'', ['echo a && b; c', 'echo d | e']],
  ['npm test 2>&1 | tail', ['npm test', 'tail']],
  ['sudo timeout -k 5 60 make -j4 all &', ['make -j4 all']],
  ['uv run pytest -q', ['pytest -q']],
  ['(cd a; rm b)', ['cd a', 'rm b']],
  [
    'git commit -m "$(cat <<\'EOF\'\nrm -rf / && npm publish\nEOF\n)" && git push',
    ['git commit -m $(cat \n)', 'git push'],
  ],
  ['cat > x.sh <<EOF\nnpm test\nEOF\nbash x.sh', ['cat', 'bash x.sh']],
  ['rm a 2> /dev/null < b >c', ['rm a']],
  ['a \\\n b', ['a b']],
  ['cat <<EOF\nnever ends', ['cat']],
  ['', []],
  ['"', []],
])('the simple commands of %j', (command, expected) => {
  expect(simpleCommands(command).map((words) => words.join(' '))).toEqual(expected)
})

test.each(['<<A\n', '"', '\\', 'npm ', '$(', ';', "' "])('any number of %j takes time in proportion', (piece) => {
  expectLinear(
    (length) => piece.repeat(length / piece.length),
    (text) => {
      purposeOf(simpleCommands(text))
      outcomeOf(text, true)
      errorLine(text)
    },
  )
})

test.each(['\n', ' \n', '1 pass\n', '1 passing\n\n', '=1 passed, ', '  3 failed\n'])(
  'nor do the longest outputs that are looked at whole: %j',
  (piece) => {
    const output = piece.repeat(12_000 / piece.length)
    const before = process.cpuUsage().user
    for (let round = 0; round < 10; round++) outcomeOf(output, true)
    expect((process.cpuUsage().user - before) / 1000).toBeLessThan(1_000)
  },
)

test.each<readonly [CommandPurpose, readonly string[]]>([
  [
    'test',
    [
      'npx vitest run',
      'npm test',
      'npm run test:unit',
      'yarn test',
      'bun test src',
      'pytest -q',
      'python -m pytest',
      'go test ./...',
      'cargo test',
      'cargo nextest run',
      'make test',
      './gradlew test',
      'node --test',
      'mise run test:unit',
      'mise exec -- go test ./...',
      'just test',
      'npx playwright test',
      'rake spec',
      'python manage.py test',
      'mvn -q verify',
    ],
  ],
  [
    'build',
    [
      'npm run build',
      'tsc',
      'make',
      'cargo build --release',
      'go build ./cmd/x',
      'docker build .',
      'vite build',
      './gradlew assemble',
      'mvn package',
      'cmake -B out',
    ],
  ],
  [
    'check',
    [
      'npx biome check src',
      'eslint .',
      'npx tsc --noEmit',
      'cargo clippy',
      'go vet ./...',
      'npm run lint',
      'ruff check',
      'mypy src',
      'npm run check:year',
    ],
  ],
  ['git', ['git status', 'gh pr view 3', 'git -C x log']],
  [
    'deploy',
    [
      'npm publish',
      'npm run deploy',
      'kubectl apply -f x.yml',
      'terraform apply',
      'vercel --prod',
      'fly deploy',
      'gh release create v1',
      'cargo publish',
      'docker push a/b',
    ],
  ],
  [
    'install',
    [
      'npm ci',
      'npm i left-pad',
      'pnpm add x',
      'pip install x',
      'apt-get install -y chromium',
      'cargo add serde',
      'go get x',
      'brew install x',
    ],
  ],
  ['run', ['node server.js', 'python3 x.py', './run.sh', 'npm start', 'cargo run', 'go run .', 'docker compose up']],
  [
    'other',
    ['ls -la', 'cat package.json', 'rg -n test src', 'grep -r "npm test" .', 'echo npm publish', 'sed -i s/test/x/ a'],
  ],
])('%s', (purpose, commands) => {
  expect(commands.filter((command) => purposeOf(simpleCommands(command)) !== purpose)).toEqual([])
})

test('a line of several commands is told by the weightiest', () => {
  expect(purposeOf(simpleCommands('npx biome check src && npx vitest run && git commit -qam x && git push'))).toBe(
    'test',
  )
  expect(purposeOf(simpleCommands('npm ci && npm run build && npm publish'))).toBe('deploy')
})

describe('how it went', () => {
  test.each<readonly [string, string, boolean, string | null, boolean]>([
    [
      'vitest',
      ' Test Files  1 failed | 3 passed (4)\n      Tests  2 failed | 40 passed (42)\n',
      true,
      '2 failed, 40 passed',
      false,
    ],
    ['vitest behind a pipe', '      Tests  2 failed | 40 passed (42)\n', false, '2 failed, 40 passed', false],
    [
      'vitest in colour',
      '\u001b[2m      Tests \u001b[22m \u001b[1m\u001b[32m21 passed\u001b[39m\u001b[22m (21)\n',
      false,
      '21 passed',
      true,
    ],
    ['jest', 'Tests:       1 failed, 9 passed, 10 total\n', true, '1 failed, 9 passed', false],
    ['pytest', '=== 3 failed, 41 passed, 2 skipped in 0.12s ===\n', true, '3 failed, 41 passed, 2 skipped', false],
    ['cargo', 'test result: ok. 12 passed; 0 failed; 0 ignored\n', false, '12 passed, 0 failed', true],
    ['mocha', '  12 passing (3s)\n  1 failing\n', true, '1 failed, 12 passed', false],
    ['bun', ' 12 pass\n 0 fail\n', false, '12 passed', true],
    ['node --test', '# tests 3\n# pass 2\n# fail 1\n', true, '1 failed, 2 passed', false],
    ['rspec', '12 examples, 1 failure\n', true, '1 failed, 11 passed', false],
    ['go', 'ok  \tx/a\t0.1s\nFAIL\tx/b\t0.2s\n', true, '1 FAIL, 1 ok', false],
    ['tsc', 'a.ts(1,1): error TS2304\n\nFound 3 errors in 2 files.\n', true, '3 errors', false],
    ['eslint', '✖ 3 problems (1 error, 2 warnings)\n', true, '3 problems, 1 errors', false],
    ['no words', 'Exit code 3', true, 'exit code 3', false],
    ['an error', 'Exit code 1\nsomething\nfatal: not a git repository\n', true, 'fatal: not a git repository', false],
    ['all well', 'a\nb\n', false, null, true],
  ])('%s', (_, output, hasFailed, text, wentWell) => {
    expect(outcomeOf(output, hasFailed)).toEqual({ text, wentWell })
  })

  test('an error line is short and says something', () => {
    expect(errorLine('<tool_use_error>File does not exist.</tool_use_error>')).toBe('File does not exist.')
    expect(errorLine(`x ${'y'.repeat(5_000)}`)?.length).toBeLessThanOrEqual(160)
    expect(errorLine('  \n ')).toBeNull()
  })
})
