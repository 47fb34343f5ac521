import type { JSX } from 'react'
import { Link } from 'wouter'
import { Empty } from './states.tsx'

export function NotFound(): JSX.Element {
  return (
    <Empty title="There is no such page">
      <p>
        The address may be of another version of Clew. <Link href="/">All conversations</Link>
      </p>
    </Empty>
  )
}
