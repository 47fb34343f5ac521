// What a database is asked again and again: its statements, prepared once, and what was read of it, kept until something
// is written. Setting up a statement takes as long as many of them run.

import type { Database } from './database.ts'

type Statement = ReturnType<Database['prepare']>

/** A query has a few dozen; with a time in it each is another one. */
const STATEMENTS_MAX = 200

const STATEMENTS = new WeakMap<Database, Map<string, Statement>>()

export function statement(database: Database, sql: string): Statement {
  const all = STATEMENTS.get(database) ?? new Map<string, Statement>()
  STATEMENTS.set(database, all)
  const known = all.get(sql)
  if (known !== undefined) return known
  if (all.size >= STATEMENTS_MAX) all.clear()
  const made = database.prepare(sql)
  all.set(sql, made)
  return made
}

interface Kept {
  readonly state: string
  readonly value: unknown
}

const KEPT = new WeakMap<Database, WeakMap<object, Kept>>()

/** Made once, and anew when this process or another has written since. `key` says what it is. */
export function kept<Value>(database: Database, key: object, make: () => Value): Value {
  const all = KEPT.get(database) ?? new WeakMap<object, Kept>()
  KEPT.set(database, all)
  const state = stateOf(database)
  const known = all.get(key)
  if (known?.state === state) return known.value as Value
  const value = make()
  all.set(key, { state, value })
  return value
}

/** Changes to temporary tables, which are no changes to what is kept. */
const PASSING = new WeakMap<Database, number>()

export function changedInPassing(database: Database, sql: string, ...values: readonly string[]): void {
  const { changes } = statement(database, sql).run(...values)
  PASSING.set(database, (PASSING.get(database) ?? 0) + Number(changes))
}

function stateOf(database: Database): string {
  const { others } = statement(database, 'SELECT data_version AS others FROM pragma_data_version').get() as Others
  const { own } = statement(database, 'SELECT total_changes() AS own').get() as Own
  return `${others} ${own - (PASSING.get(database) ?? 0)}`
}

interface Others {
  readonly others: number
}

interface Own {
  readonly own: number
}
