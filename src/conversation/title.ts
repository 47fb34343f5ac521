import type { Labels } from '../record/labels.ts'
import type { Title } from './model.ts'

/** The official SDK's precedence, so that a session has the same name everywhere. */
export function titleOf(labels: Labels, sidecarTitle: string | null): Title {
  const { customTitle, aiTitle, lastPrompt, summary, firstFile } = labels
  // A name that was taken away in the transcript is not brought back by the file beside it.
  const given = customTitle ?? sidecarTitle ?? ''
  if (given !== '') return { text: given, source: 'custom-title' }
  if (aiTitle !== null) return { text: aiTitle, source: 'ai-title' }
  if (lastPrompt !== null) return { text: lastPrompt, source: 'last-prompt' }
  if (summary !== null) return { text: summary, source: 'summary' }
  const first = firstPromptOf(labels) ?? firstFile
  return first === null ? { text: '', source: 'none' } : { text: first, source: 'first-prompt' }
}

export function firstPromptOf(labels: Labels): string | null {
  return labels.firstPrompt ?? labels.firstCommand
}
