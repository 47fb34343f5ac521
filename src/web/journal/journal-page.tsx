import type { JSX } from 'react'
import { Loading } from '../parts/states.tsx'

export function JournalPage(): JSX.Element {
  return <Loading />
}
