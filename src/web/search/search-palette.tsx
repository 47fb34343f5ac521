import type { JSX } from 'react'
import { Loading } from '../parts/states.tsx'

export function SearchPalette(_: { readonly onClose: () => void }): JSX.Element {
  return <Loading />
}
