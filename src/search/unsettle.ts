// What is remembered of an archive for which nothing was left to do, and how all of it is forgotten.

import type { Database } from './database.ts'

/** In front of the names of all that is remembered only while nobody writes. */
export const SETTLED = 'settled '

export function unsettle(database: Database): void {
  database.exec(`DELETE FROM setting WHERE name GLOB '${SETTLED}*'`)
}
