// The scanner of this thread, from the file that was built beside the code. Without it everything is read the exact way,
// which gives the same and takes longer.

import { readFileSync } from 'node:fs'
import type { Scanner } from '../record/scanner.ts'
import { openScanner } from '../record/scanner.ts'

/** Beside the built code, and from the sources when they are run as they are. */
const PLACES = ['../record/scan.wasm', '../../dist/record/scan.wasm']

let opened: Scanner | null | undefined

/** Null where it cannot be had, or is not wanted: CLEW_SCANNER=exact. */
export function scannerHere(): Scanner | null {
  if (opened === undefined) opened = process.env['CLEW_SCANNER'] === 'exact' ? null : openHere()
  return opened
}

function openHere(): Scanner | null {
  for (const place of PLACES) {
    try {
      return openScanner(readFileSync(new URL(place, import.meta.url)))
    } catch (error) {
      // Not there, or a processor that cannot run it.
      if (!(error instanceof Error)) throw error
    }
  }
  return null
}
