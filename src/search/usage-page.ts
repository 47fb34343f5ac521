import { packUsage } from '../load/usage-pack.ts'
import type { UsageRecord } from '../record/usage-record.ts'

/** Whoever appends to a page packs it anew, and whoever reads all of them wants few. */
export const USAGE_PAGE_RECORDS = 1024

/** `first` is the place of the first of these among all of the file that used tokens. */
export function usagePagesOf(records: readonly UsageRecord[], first: number): readonly Uint8Array[] {
  const pages: Uint8Array[] = []
  for (let from = 0; from < records.length; ) {
    const to = Math.min(records.length, from + USAGE_PAGE_RECORDS - ((first + from) % USAGE_PAGE_RECORDS))
    pages.push(packUsage(records.slice(from, to)))
    from = to
  }
  return pages
}
