import type { Woven } from '../conversation/build.ts'
import type { Located } from '../conversation/locate.ts'
import { locateRecord, recordsNamed } from '../conversation/locate.ts'
import { Failure } from './failure.ts'

/** The record behind a `#`, or one line that says why there is none. */
export function located(woven: Woven, record: string): Located {
  const at = locateRecord(woven, record)
  if (at !== null) return at
  const fits = recordsNamed(woven, record)
  if (fits > 1)
    throw new Failure(`“${record}” fits ${fits} records of the conversation; more of the uuid tells them apart`)
  if (fits === 0 && /^@\d+$/.test(record))
    throw new Failure(`no record begins at byte ${record.slice(1)} of the conversation`)
  throw new Failure(`the conversation has no record “${record}”`)
}
