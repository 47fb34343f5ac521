// The few signs of the frame, drawn with one line each. They say nothing by themselves: whoever uses one names it.

import type { JSX } from 'react'

const PATHS = {
  clew: 'M8 1.8a6.2 6.2 0 1 0 6.2 6.2M3.4 4.6c3 .3 6.4 2.4 8.3 6.9M2 8.6c2.7-.5 5.4 1.2 6.6 5.5M6.3 2.1c3.2.7 6 2.7 7.7 6.3M14.2 8c0 3 .8 4.6 1.6 6.2',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 0 0 0-9M10.4 10.4 14 14',
  more: 'M3 7.3v1.4M8 7.3v1.4M13 7.3v1.4',
  close: 'M4 4l8 8M12 4l-8 8',
  fold: 'M4 6l4 4 4-4',
  before: 'M10 3 5 8l5 5',
  after: 'M6 3l5 5-5 5',
  only: 'M2 3h12l-4.5 5.5V13l-3-1.5v-3z',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name }: { readonly name: IconName }): JSX.Element {
  return (
    <svg className={`icon icon-${name}`} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  )
}
