// A record → its line. What cannot be written as JSON is refused before anything is.

import type { Body } from '../record/model.ts'
import { StoreError } from './store-error.ts'

export function lineOf(record: Body): string {
  let text: string | undefined
  try {
    text = JSON.stringify(record)
  } catch (error) {
    throw new StoreError('not-a-record', `cannot be written as JSON: ${(error as Error).message}`, error)
  }
  // A line end inside of a text is written as an escape, so this is one line.
  if (text === undefined || !text.startsWith('{')) throw new StoreError('not-a-record', 'a record is a JSON object')
  return `${text}\n`
}
