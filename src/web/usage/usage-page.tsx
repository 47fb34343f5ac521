import type { JSX } from 'react'
import { Loading } from '../parts/states.tsx'

export function UsagePage(): JSX.Element {
  return <Loading />
}
