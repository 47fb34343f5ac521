// The one way text gets into a page. What is escaped is clean already, or made so here.

import { safeLine } from '../terminal.ts'
import { cleanText } from './clean.ts'

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** For clean text, also within the quotes of an attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => ESCAPES[mark] ?? '')
}

export function htmlText(text: string): string {
  return escapeHtml(cleanText(text))
}

export function htmlLine(text: string): string {
  return escapeHtml(safeLine(text))
}
