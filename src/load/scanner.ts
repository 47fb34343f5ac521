// The scanner of this thread. Without it everything is read the exact way, which gives the same and takes longer.

import type { Scanner } from '../record/scanner.ts'
import { openScanner } from '../record/scanner.ts'
import { wasmHere } from './wasm-here.ts'

let opened: Scanner | null | undefined

/** Null where it cannot be had, or is not wanted: CLEW_SCANNER=exact. */
export function scannerHere(): Scanner | null {
  if (opened === undefined) {
    opened = process.env['CLEW_SCANNER'] === 'exact' ? null : wasmHere('record/scan.wasm', openScanner)
  }
  return opened
}
