import type { JSX } from 'react'
import { Loading } from '../parts/states.tsx'

export function HomePage(): JSX.Element {
  return <Loading />
}
