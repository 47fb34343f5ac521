// The parts of Clew that are compiled to WebAssembly, from the files that were built beside the code.

import { readFileSync } from 'node:fs'

/** From the built code, that of commands or of the library, and from the sources when they are run as they are. */
const PLACES = ['../', '../../dist/']

/** Null where it cannot be had. */
export function wasmHere<T>(path: 'record/scan.wasm' | 'search/words.wasm', open: (bytes: Uint8Array) => T): T | null {
  for (const place of PLACES) {
    try {
      return open(readFileSync(new URL(place + path, import.meta.url)))
    } catch (error) {
      // Not there, or a processor that cannot run it.
      if (!(error instanceof Error)) throw error
    }
  }
  return null
}
