import type { Subagent } from '../conversation/model.ts'
import type { Style } from './style.ts'
import { safeLine, safeName } from './terminal.ts'
import { cutTo, widthOf } from './width.ts'

/** Title and id on one line; a title that does not fit is cut, never the id. */
export function headLine(title: string, id: string, columns: number, style: Style): string {
  const name = safeName(id)
  const text = cutTo(safeLine(title) || '(no title)', Math.max(20, columns - widthOf(name) - 2))
  return `${style.bold(text)}  ${style.dim(name)}`
}

/** A subagent has no title; what it was started for says as much. */
export function agentHead(agent: Subagent, sessionId: string, columns: number, style: Style): string {
  const title = [agent.type, agent.description].filter((part) => part !== null).join(': ')
  return headLine(title === '' ? 'Subagent' : title, `${sessionId}/${agent.agentId}`, columns, style)
}
