// argv → a command. The only file that touches the process: its arguments, streams and exit code.

import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { systemCode } from '../base/system-code.ts'
import { startDaily } from './archive-auto.ts'
import type { Command, World } from './command.ts'
import { Failure } from './failure.ts'
import { isTerminal } from './is-terminal.ts'
import { openOutput } from './output.ts'
import { openProgress } from './progress.ts'

interface KnownCommand {
  readonly name: string
  readonly summary: string
  /** Loaded when it is asked for: what a command does not use should not cost it time. */
  readonly load: () => Promise<Command>
}

const COMMANDS: readonly KnownCommand[] = [
  { name: 'list', summary: 'Conversations, newest first', load: async () => (await import('./list.ts')).list },
  {
    name: 'serve',
    summary: 'All of it in a browser, on this machine alone',
    load: async () => (await import('./serve.ts')).serve,
  },
  { name: 'search', summary: 'Find anything ever said', load: async () => (await import('./search.ts')).search },
  { name: 'show', summary: 'One conversation, whole', load: async () => (await import('./show.ts')).show },
  {
    name: 'tree',
    summary: 'A conversation’s branches, segments and subagents',
    load: async () => (await import('./tree.ts')).tree,
  },
  {
    name: 'brief',
    summary: 'What a conversation came to, without a model',
    load: async () => (await import('./brief.ts')).brief,
  },
  {
    name: 'journal',
    summary: 'The engineering notebook, day by day',
    load: async () => (await import('./journal.ts')).journal,
  },
  {
    name: 'standup',
    summary: 'Yesterday and today, for pasting',
    load: async () => (await import('./standup.ts')).standup,
  },
  {
    name: 'check',
    summary: 'Where every byte went, what is wrong, what is reached',
    load: async () => (await import('./check.ts')).check,
  },
  {
    name: 'repair',
    summary: 'Makes a broken conversation resume again',
    load: async () => (await import('./repair.ts')).repair,
  },
  { name: 'usage', summary: 'Tokens, and what they cost', load: async () => (await import('./usage.ts')).usage },
  {
    name: 'scan',
    summary: 'Secrets that were said, without saying them',
    load: async () => (await import('./scan.ts')).scan,
  },
  {
    name: 'export',
    summary: 'A conversation to read, keep or send',
    load: async () => (await import('./export.ts')).exportCommand,
  },
  {
    name: 'resume',
    summary: 'Go on with a conversation in Claude Code',
    load: async () => (await import('./resume.ts')).resume,
  },
  {
    name: 'files',
    summary: 'Files that a conversation saw, version by version',
    load: async () => (await import('./files.ts')).files,
  },
  {
    name: 'restore-file',
    summary: 'A file out of the conversations that wrote it',
    load: async () => (await import('./restore-file.ts')).restoreFile,
  },
  {
    name: 'blame',
    summary: 'Which turn wrote each line of a file',
    load: async () => (await import('./blame.ts')).blame,
  },
  {
    name: 'why',
    summary: 'Which turns a commit came from',
    load: async () => (await import('./why.ts')).why,
  },
  {
    name: 'archive',
    summary: 'Copies that outlive the clean-up, and back',
    load: async () => (await import('./archive.ts')).archive,
  },
  { name: 'fork', summary: 'A copy to go another way', load: async () => (await import('./fork.ts')).fork },
  {
    name: 'retire',
    summary: 'Old sessions into a trash, and back',
    load: async () => (await import('./retire.ts')).retire,
  },
  {
    name: 'mv',
    summary: 'A project was moved: its history follows',
    load: async () => (await import('./mv.ts')).mv,
  },
  {
    name: 'carry',
    summary: 'A session for another machine, in one file',
    load: async () => (await import('./carry.ts')).carry,
  },
  {
    name: 'dedupe',
    summary: 'Where the disk goes, by kind; what is there twice',
    load: async () => (await import('./dedupe.ts')).dedupe,
  },
  {
    name: 'doctor',
    summary: 'What the clean-up will delete, where the disk went',
    load: async () => (await import('./doctor.ts')).doctor,
  },
]

const HELP = `clew: the thread that leads back through Claude Code sessions

Usage: clew <command> [options]
       clew                      on a terminal: pick a conversation

${COMMANDS.map(({ name, summary }) => `  ${name.padEnd(14)}${summary}`).join('\n')}

  clew <command> --help   options and examples
  clew --version

Sessions are read from --root DIR (repeatable), CLAUDE_CONFIG_DIR, ~/.claude or ~/.config/claude.
Only fork, archive restore and install, and retire, repair, mv and carry --import with --apply write there.
Nothing leaves this machine unless you ask for it with --llm.`

void main(openWorld())

async function main(world: World): Promise<void> {
  try {
    process.exitCode = await run(process.argv.slice(2), world)
  } catch (error) {
    world.progress.clear()
    process.exitCode = report(error, world)
  }
}

async function run(words: readonly string[], world: World): Promise<number> {
  const [name, ...rest] = words
  if ((name === undefined || name === '--root') && isInteractive()) {
    startDaily(world)
    const { pickConversation } = await import('./pick.ts')
    return pickConversation(rootsOf(words), world)
  }
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    const [topic] = rest
    const isWhole = topic === undefined || topic.startsWith('-') || topic === 'help'
    world.output.print(isWhole ? HELP : (await commandNamed(topic).load()).help)
    return 0
  }
  if (name === '--version' || name === '-v') {
    world.output.print(version())
    return 0
  }
  const command = commandNamed(name)
  if (command.name !== 'archive') startDaily(world)
  const loaded = await command.load()
  try {
    return await loaded.run(rest, world)
  } catch (error) {
    throw isRefusal(error) ? new Failure(error.message, loaded.failureCode) : error
  }
}

function commandNamed(name: string): (typeof COMMANDS)[number] {
  const command = COMMANDS.find((one) => one.name === (name === 'ls' ? 'list' : name))
  if (command === undefined) throw new Failure(`there is no command “${name}”. Try: clew --help`)
  return command
}

/** A person is there to pick something. */
function isInteractive(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true && process.env['TERM'] !== 'dumb'
}

function rootsOf(words: readonly string[]): readonly string[] {
  const wrong = words.find((word, place) => place % 2 === 0 && word !== '--root')
  if (wrong !== undefined || words.length % 2 === 1)
    throw new Failure('clew alone takes only --root DIR. Try: clew --help')
  return words.filter((_, place) => place % 2 === 1)
}

/** A full disk, a folder that is not ours to write: nothing is wrong with Clew, and the system says it in one line. */
function isRefusal(error: unknown): error is Error {
  return REFUSALS.has(systemCode(error) ?? '')
}

const REFUSALS: ReadonlySet<string> = new Set([
  ...['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EIO', 'EACCES', 'EPERM', 'EMFILE', 'ENFILE'],
])

/** A mistake of ours is told with its stack, line by line: it may quote what a transcript holds. */
function report(error: unknown, world: World): number {
  if (error instanceof Failure || isRefusal(error)) {
    world.output.note(`clew: ${error.message}`)
    return error instanceof Failure ? error.exitCode : 1
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  for (const line of `clew: something went wrong inside Clew: ${stack}`.split('\n')) world.output.note(line)
  return 2
}

function openWorld(): World {
  const { env } = process
  const isOutputTerminal = isTerminal(1)
  // A terminal that does not know its width says 0.
  const columns = isOutputTerminal ? process.stdout.columns || 80 : Math.max(0, Number(env['COLUMNS'])) || 160
  const terminal = {
    isTerminal: isOutputTerminal,
    isErrorTerminal: isTerminal(2),
    columns,
    rows: isOutputTerminal ? process.stdout.rows || 24 : 24,
    environment: env,
  }
  const nowMs = Date.now()
  return {
    output: openOutput(terminal),
    progress: openProgress(terminal.isErrorTerminal, nowMs),
    environment: env,
    home: homedir(),
    folder: process.cwd(),
    nowMs,
  }
}

function version(): string {
  const manifest = createRequire(import.meta.url)('../../package.json') as { readonly version: string }
  return manifest.version
}
