// What a command was run for. A line of several says the weightiest: a deploy before a test, a test before git.

import type { CommandPurpose } from './model.ts'

export function purposeOf(commands: readonly (readonly string[])[]): CommandPurpose {
  const purposes = commands.map((words) => purposeOfOne(words.join(' ').slice(0, 300)))
  return WEIGHTIEST_FIRST.find((purpose) => purposes.includes(purpose)) ?? 'other'
}

const WEIGHTIEST_FIRST: readonly CommandPurpose[] = ['deploy', 'test', 'build', 'check', 'git', 'install', 'run']

function purposeOfOne(command: string): CommandPurpose {
  return RULES.find(([pattern]) => pattern.test(command))?.[1] ?? 'other'
}

/** A program, and a word somewhere behind it. */
function using(programs: string, words: string): RegExp {
  return new RegExp(`^(?:${programs}) (?:.* )?(?:${words})(?=[ :]|$)`)
}

/** A script of a project by its name, however it is called and whatever stands behind the colon. */
function script(names: string): RegExp {
  return new RegExp(
    `^(?:npm|pnpm|yarn|bun|mise|just|task|deno task|composer|moon|rye|pdm|hatch) (?:run |run-script |r )?(?:${names})(?=[ :.-]|$)`,
  )
}

function program(names: string): RegExp {
  return new RegExp(`^(?:${names})(?= |$)`)
}

const PLATFORMS = 'vercel|netlify|fly|flyctl|railway|wrangler|serverless|sls|cdk|sam|pulumi|helm|heroku|firebase'
const BUILDERS = 'mvn|\\./mvnw|gradle|\\./gradlew|sbt|bazel|buck2|nx|ng|make|just|task|turbo'
const TOOLCHAINS = 'go|cargo|deno|swift|dotnet|mix|flutter|dart|zig|stack|cabal|forge|hardhat|lein'

/** The first that matches counts. */
const RULES: readonly (readonly [RegExp, CommandPurpose])[] = [
  [script('publish|deploy|release'), 'deploy'],
  [using(PLATFORMS, 'deploy|publish|up|upgrade|install|promote|--prod'), 'deploy'],
  [using('terraform|kubectl', 'apply|rollout'), 'deploy'],
  [using('docker|docker-compose|podman|gem', 'push'), 'deploy'],
  [using('gcloud|aws|mvn|az', 'deploy|sync|update-function-code|update-service'), 'deploy'],
  [
    program('twine upload|cargo publish|goreleaser release|gh release create|git push heroku|ansible-playbook'),
    'deploy',
  ],
  [script('t|test|tests|e2e|spec|coverage'), 'test'],
  [program('vitest|jest|mocha|ava|tap|pytest|py\\.test|tox|nox|rspec|phpunit|ctest|karma|nyc|c8|busted|bats'), 'test'],
  [
    using(`${TOOLCHAINS}|${BUILDERS}|rake|rails|bin/rails|playwright|php artisan`, 'test|tests|nextest|spec|verify'),
    'test',
  ],
  [using('node|python3? -m', '--test|pytest|unittest'), 'test'],
  [using('cypress|python3? manage\\.py', 'run|test'), 'test'],
  [using('tsc', '--noEmit'), 'check'],
  [
    program(
      'eslint|biome|prettier|ruff|flake8|pylint|mypy|pyright|black|isort|golangci-lint|gofmt|rubocop|shellcheck|stylelint|oxlint|pre-commit|ktlint|swiftlint|hadolint|knip|depcruise|dprint|clang-format|clang-tidy',
    ),
    'check',
  ],
  [using('go|cargo|deno|terraform|mix|make|just', 'vet|clippy|check|fmt|lint|validate|plan|format'), 'check'],
  [script('lint|check|typecheck|type-check|format|fmt|validate|verify'), 'check'],
  [script('build|compile|bundle|dist|package'), 'build'],
  [
    program(
      'tsc|webpack|rollup|esbuild|rolldown|parcel|make|cmake|ninja|meson|gcc|g\\+\\+|clang|javac|rustc|xcodebuild',
    ),
    'build',
  ],
  [
    using(
      `${TOOLCHAINS}|${BUILDERS}|vite|next|docker|docker compose|podman|hugo|jekyll`,
      'build|package|compile|assemble',
    ),
    'build',
  ],
  [using('mvn|\\./mvnw', 'install'), 'build'],
  [script('i|install|ci|add|remove|rm|uninstall|update|up|upgrade|dedupe'), 'install'],
  [
    using(
      'pip3?|python3? -m pip|uv|poetry|pipenv|conda|mamba|apt|apt-get|brew|dnf|yum|apk|pacman|gem|bundle|composer|cargo|go|mix|dart|flutter|swift',
      'install|add|sync|update|upgrade|get|mod|pub|deps\\.get',
    ),
    'install',
  ],
  [program('git|gh|glab|hub|jj'), 'git'],
  [script('start|run [\\w:.-]+|dev|serve'), 'run'],
  [using('cargo|go|dotnet|swift|deno|docker|docker compose|docker-compose', 'run|up'), 'run'],
  [program('node|bun|tsx|ts-node|python3?|ruby|perl|php|java|bash|sh|zsh|vite|next|uvicorn|flask|rails'), 'run'],
  [/^\.{0,2}\/\S+/, 'run'],
]
