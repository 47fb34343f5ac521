// Sessions that have the words of others without being about them: logs that repeat them, lists that name them, prompts
// that mention them in passing. All are newer than what they rival.

import type { Story } from './story.ts'
import { bash, read, say, turn } from './story.ts'

const repeat = (line: string, count: number): string =>
  Array.from({ length: count }, (_, index) => line.replaceAll('%n', String(4800 + index * 7))).join('\n')

export const rivals: readonly Story[] = [
  {
    name: 'log-rotation',
    project: '/home/ada/infra',
    at: '2026-10-05T08:00:00Z',
    turns: [
      turn(
        'The log of the database is 30 GB. Rotate it every day and keep a week.',
        bash(
          'tail -n 20 /var/log/postgresql/postgresql.log',
          repeat('ERROR:  deadlock detected\nDETAIL:  Process %n waits for ShareLock on transaction 9%n', 20),
        ),
        say(
          'logrotate has a file for it now: daily, seven kept, compressed, and the server is told to reopen its log.',
        ),
      ),
    ],
  },
  {
    name: 'soft-lockup',
    project: '/home/ada/infra',
    at: '2026-11-01T11:00:00Z',
    turns: [
      turn(
        'One node of the cluster hangs under load for half a minute. dmesg talks about a soft lockup.',
        bash(
          'dmesg | tail -n 20',
          repeat('[%n.1] watchdog: BUG: soft lockup - CPU#3 stuck for 22s! [kworker/3:1]', 20),
        ),
        say(
          'The network driver of that node holds an interrupt for too long; the vendor fixed it in 6.12.30. I drained the node and upgraded the kernel.',
        ),
      ),
    ],
  },
  {
    name: 'onboarding',
    project: '/home/ada/atlas-web',
    at: '2026-11-05T09:00:00Z',
    turns: [
      turn(
        'Write an onboarding page with everything we learned this year, one line for each.',
        say(
          `- Requests that cost money carry an idempotency key.
- Locks are taken in the order of ids, else there is a deadlock.
- A wildcard certificate needs a reminder.
- The Kalman filter has a bias term.
- Hydration needs the same locale on both sides.
- Loss of NaN: clip the gradients.
- OOMKilled is not always the heap.
- ENOSPC on a runner is the build cache.
- Amounts are bigint.
- Split by customer, GroupKFold does it.
- Sockets are closed by those who open them, else there are detached nodes.
- The watchdog is fed by the main task only.
- The barometer shares its bus with the magnetometer.`,
        ),
      ),
    ],
  },
  {
    name: 'rust-edition',
    project: '/home/ada/kestrel',
    at: '2026-11-03T19:00:00Z',
    turns: [
      turn(
        'Move the whole crate to edition 2024 and let clippy have its way with it, module by module, with a commit for each. Leave the driver of the barometer alone, somebody else is rewriting it.',
        say('Done in eleven commits, clippy is silent.'),
      ),
    ],
  },
  {
    name: 'type-check',
    project: '/home/ada/ledger',
    at: '2026-11-02T10:00:00Z',
    turns: [
      turn(
        'The type checker runs for two minutes. Find out on what.',
        read(
          '/home/ada/ledger/src/money/sums.ts',
          repeat('export const sum%n = (a: bigint, b: bigint): bigint => a + b', 30),
        ),
        say(
          'On the generated sums: thousands of exported constants without need. One generic function replaces them, and it takes nine seconds.',
        ),
      ),
    ],
  },
  {
    name: 'copyright-old',
    project: '/home/ada/ledger',
    at: '2026-01-02T09:00:00Z',
    turns: [turn('Update the copyright year in all headers.', say('Done, 214 files.'))],
  },
  {
    name: 'copyright-new',
    project: '/home/ada/lager',
    at: '2026-11-10T09:00:00Z',
    turns: [turn('Update the copyright year in all headers.', say('Done, 87 files.'))],
  },
]
