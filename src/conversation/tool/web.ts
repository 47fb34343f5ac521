import { text } from '../../record/fields.ts'
import type { ToolReader } from './view.ts'
import { titled } from './view.ts'

export const web: ToolReader = (input) => titled(text(input['url']) ?? text(input['query']) ?? '')
