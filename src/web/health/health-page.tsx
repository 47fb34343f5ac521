import type { JSX } from 'react'
import { Loading } from '../parts/states.tsx'

export function HealthPage(): JSX.Element {
  return <Loading />
}
