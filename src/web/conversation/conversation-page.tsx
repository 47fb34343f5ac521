import type { JSX } from 'react'
import { Loading } from '../parts/states.tsx'

export function ConversationPage(): JSX.Element {
  return <Loading />
}
