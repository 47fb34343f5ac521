import { text } from '../../record/fields.ts'
import type { ToolReader } from './view.ts'
import { titled } from './view.ts'

export const search: ToolReader = (input) => {
  const pattern = text(input['pattern']) ?? text(input['query']) ?? ''
  const place = text(input['path']) ?? text(input['glob'])
  return titled(place === null ? pattern : `${pattern} in ${place}`)
}
