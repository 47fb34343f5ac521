// A payments backend: TypeScript and PostgreSQL.

import type { Story } from './story.ts'
import { agent, bash, edit, grep, read, say, think, turn, web, write } from './story.ts'

const project = '/home/ada/ledger'

export const ledger: readonly Story[] = [
  {
    name: 'double-charge',
    project,
    at: '2026-03-03T09:10:00Z',
    gitBranch: 'fix/idempotency',
    title: 'Customers charged twice',
    turns: [
      turn(
        'Some customers were charged twice last night, support has 14 tickets. Find out how a single checkout can create two payments.',
        bash(
          'psql ledger -c "select checkout_id, count(*) from payments group by 1 having count(*) > 1"',
          ' checkout_id | count\n-------------+-------\n co_8812     |     2\n co_8830     |     2\n(14 rows)',
        ),
        read(
          '/home/ada/ledger/src/payments/create.ts',
          'export async function createPayment(request: Request) {\n  const payment = await insertPayment(request.body)\n  await charge(payment)\n}',
        ),
        say(
          'The mobile app repeats POST /payments when it has heard nothing for ten seconds. Nothing ties the second request to the first, so createPayment() inserts a new row and charges the card again.',
        ),
      ),
      turn(
        'Then let us have an idempotency key. Header Idempotency-Key, and keep the answers for 24 hours.',
        edit(
          '/home/ada/ledger/src/payments/create.ts',
          'const payment = await insertPayment(request.body)',
          'const known = await findAnswer(request.header("idempotency-key"))\n  if (known !== null) return known\n  const payment = await insertPayment(request.body)',
        ),
        bash('npm run migrate && npm test', 'migrated 0042_idempotency_keys\n\n Tests  118 passed (118)'),
        say(
          'Done. A unique index on idempotency_keys(key) makes the second insert fail, and the stored answer is sent again. 118 tests pass.',
        ),
      ),
      turn(
        'What deletes the old keys?',
        say(
          'Nothing yet. I would add a nightly job, purgeIdempotencyKeys(), that drops rows older than 24 hours in batches of a thousand.',
        ),
      ),
    ],
  },
  {
    name: 'outbox',
    project,
    at: '2026-03-04T14:00:00Z',
    title: 'Outbox for payment mails',
    copies: { of: 'double-charge', turns: 2, as: 'fork' },
    turns: [
      turn(
        'In this fork: could a transactional outbox have avoided the whole thing? Receipts are also mailed twice.',
        say(
          'For the mails yes: write the mail into an outbox table in the same transaction and let a worker send it. For the card itself no, the provider needs the key all the same.',
        ),
      ),
    ],
  },
  {
    name: 'yen-rounding',
    project,
    at: '2026-04-14T08:02:00Z',
    gitBranch: 'fix/minor-units',
    turns: [
      turn(
        'Invoice totals are wrong by a factor of 100 for Japanese yen, and Kuwaiti dinar loses its third decimal.',
        read(
          '/home/ada/ledger/src/money/format.ts',
          'export const formatAmount = (amount: number) => (amount / 100).toFixed(2)',
        ),
        say(
          'formatAmount() divides by 100 and prints two decimals whatever the currency is. ISO 4217 gives JPY no decimals and KWD three. I would keep a table minorUnits and divide by 10 ** minorUnits(currency).',
        ),
      ),
      turn(
        'Do that. And round half to even, accounting insists.',
        edit(
          '/home/ada/ledger/src/money/format.ts',
          '(amount / 100).toFixed(2)',
          'roundHalfEven(amount, minorUnits(currency))',
        ),
        say(
          'roundHalfEven() is in src/money/round.ts now, with the cases of the accountants as tests: 0.125 becomes 0.12, 0.375 becomes 0.38.',
        ),
      ),
    ],
  },
  {
    name: 'deadlock',
    project,
    at: '2026-05-20T16:40:00Z',
    gitBranch: 'main',
    turns: [
      turn(
        'From the log of tonight:\n\nERROR:  deadlock detected\nDETAIL:  Process 4711 waits for ShareLock on transaction 88213; blocked by process 4712.\nProcess 4712 waits for ShareLock on transaction 88212; blocked by process 4711.\nHINT:  See server log for query details.\n\nWhere does that come from?',
        grep(
          'FOR UPDATE',
          'src/transfers/book.ts:31:  await sql`select * from accounts where id = $1 for update`\nsrc/transfers/book.ts:32:  await sql`select * from accounts where id = $2 for update`',
        ),
        think(
          'Two transfers in opposite directions between the same two accounts lock them in opposite order. Classic. Sorting the ids before locking cures it.',
        ),
        say(
          'bookTransfer() locks the sender first and the receiver second. Two opposite transfers at the same moment wait for each other. Lock both rows in one statement, ordered by id.',
        ),
      ),
      turn(
        'Good. Fix it and commit.',
        edit('/home/ada/ledger/src/transfers/book.ts', 'for update`', 'order by id for update`'),
        bash(
          'git commit -qam "Lock accounts in the order of their ids" && git log --oneline -1',
          '9f3c2d1 Lock accounts in the order of their ids',
        ),
        say('Committed as 9f3c2d1.'),
      ),
    ],
  },
  {
    name: 'deadlock-sdk',
    project,
    at: '2026-05-21T10:00:00Z',
    copies: { of: 'deadlock', turns: 1, as: 'sdk-fork' },
    turns: [
      turn(
        'Try it with advisory locks instead.',
        say(
          'pg_advisory_xact_lock(hashtext(id)) for both accounts works too, but then every writer has to know about it.',
        ),
      ),
    ],
  },
  {
    name: 'webhook-signature',
    project,
    at: '2026-06-11T11:11:00Z',
    turns: [
      turn(
        'All webhooks of the card provider are refused since the upgrade:\n\nStripeSignatureVerificationError: No signatures found matching the expected signature for payload. Are you passing the raw request body you received from Stripe?',
        read('/home/ada/ledger/src/http/app.ts', 'app.use(express.json())\napp.post("/webhooks", webhooks)'),
        say(
          'express.json() runs before the route and has replaced the body by an object. The signature covers the raw bytes. Put express.raw({ type: "application/json" }) on that one route, before the parser.',
        ),
      ),
    ],
  },
  {
    name: 'alter-table',
    project,
    at: '2026-07-02T19:30:00Z',
    title: 'Four minutes of downtime during a migration',
    turns: [
      turn(
        'Adding a column to invoices took the site down for four minutes this evening. It was a nullable column, that should be instant.',
        web(
          'https://www.postgresql.org/docs/16/explicit-locking.html',
          'Which lock does ALTER TABLE take',
          'ALTER TABLE takes an ACCESS EXCLUSIVE lock; all later queries queue behind it.',
        ),
        say(
          'The change itself was instant. It had to wait for a report that had been running for four minutes, and everything else queued up behind the waiting ALTER TABLE. Set lock_timeout to two seconds for migrations and try again when it fails.',
        ),
      ),
      turn(
        'Put that into the migration runner, with five attempts.',
        write(
          '/home/ada/ledger/scripts/migrate.ts',
          "await sql`set lock_timeout = '2s'`\nfor (let attempt = 1; attempt <= 5; attempt++) await tryMigration(attempt)",
        ),
        say('scripts/migrate.ts sets lock_timeout and tries five times, with a pause of ten seconds in between.'),
      ),
    ],
  },
  {
    name: 'excel-umlauts',
    project,
    at: '2026-08-19T13:20:00Z',
    turns: [
      turn(
        'Our accountant in Munich opens the refund report in Excel and sees MÃ¼ller instead of Müller.',
        say(
          'The CSV is UTF-8, and Excel takes it for Windows-1252 unless the file begins with a byte order mark. I would write \\ufeff first.',
        ),
      ),
      turn(
        'Yes please. And semicolons instead of commas, she has a German Excel.',
        edit(
          '/home/ada/ledger/src/reports/refunds.ts',
          "rows.map((row) => row.join(','))",
          "'\\ufeff' + rows.map((row) => row.join(';'))",
        ),
        say('The refund report begins with a byte order mark and separates with semicolons.'),
      ),
    ],
  },
  {
    name: 'due-date-clock',
    project,
    at: '2026-09-09T07:45:00Z',
    gitBranch: 'fix/due-dates',
    turns: [
      turn(
        'The test for invoice due dates fails every night between 22:00 and midnight, and only on the build server. I suspect a clock bug.',
        bash(
          'npx vitest run test/due-date.test.ts',
          " FAIL  test/due-date.test.ts > due in 30 days\nAssertionError: expected '2026-10-09' to be '2026-10-08'",
          true,
        ),
        say(
          'dueDate() adds 30 days to new Date() and cuts the date off its ISO text, which is UTC. The build server runs in Berlin, two hours ahead: after 22:00 UTC it is already tomorrow there.',
        ),
      ),
      turn(
        'How do we fix it for good?',
        agent(
          'Find other dates made from now',
          'List every place in /home/ada/ledger/src that calls new Date() or Date.now() and then takes a calendar date from it.',
          bash(
            "rg -n 'new Date\\(\\)|Date.now' src",
            'src/invoices/due-date.ts:7\nsrc/reports/month-end.ts:19\nsrc/dunning/reminder.ts:44',
          ),
          say(
            'Three places take a calendar date from the current instant: due-date.ts, month-end.ts and reminder.ts. The month-end report is wrong on the last evening of every month.',
          ),
        ),
        edit('/home/ada/ledger/src/invoices/due-date.ts', 'new Date()', 'today(clock, zone)'),
        say(
          'Every function that needs the date is handed a Clock and a zone now; tests hand in a fixed one. The bug with the clock is gone, and the month-end report with it.',
        ),
      ),
    ],
  },
  {
    name: 'bigint-money',
    project,
    at: '2026-10-01T10:05:00Z',
    title: 'bigint or decimal.js for money',
    turns: [
      turn(
        'Should amounts be bigint or decimal.js? List what speaks for either.',
        say(
          'bigint in minor units: exact, built in, fast, but no JSON and no fractions for exchange rates. decimal.js: fractions, 32 kB, slower by a factor of forty in our ledger sums. I would take bigint for amounts and decimal.js only where rates are applied.',
        ),
      ),
    ],
  },
  {
    name: 'sepa-xml',
    project,
    at: '2026-10-20T09:00:00Z',
    turns: [
      turn(
        'The bank refuses our SEPA file: pain.001.001.09, error code FF01, "Invalid File Format". Same file was fine in summer.',
        bash(
          'xmllint --noout --schema pain.001.001.09.xsd out/batch-1187.xml',
          "out/batch-1187.xml:412: element Nm: Schemas validity error : Element 'Nm': [facet 'maxLength'] The value has a length of '83'; this exceeds the allowed maximum length of '70'.",
          true,
        ),
        say(
          'One creditor has a name of 83 characters, <Nm> allows 70. The new version of the schema is stricter than the bank was before. I would shorten at 70 and warn in the batch report.',
        ),
      ),
    ],
  },
]
