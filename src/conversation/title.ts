import type { Labels } from '../record/labels.ts'
import type { Title } from './model.ts'

/** The official SDK's precedence, so that a session has the same name everywhere. */
export function titleOf(labels: Labels, sidecarTitle: string | null): Title {
  if (labels.customTitle !== null) return { text: labels.customTitle, source: 'custom-title' }
  if (labels.aiTitle !== null) return { text: labels.aiTitle, source: 'ai-title' }
  if (sidecarTitle !== null && sidecarTitle !== '') return { text: sidecarTitle, source: 'custom-title' }
  if (labels.lastPrompt !== null) return { text: labels.lastPrompt, source: 'last-prompt' }
  if (labels.summary !== null) return { text: labels.summary, source: 'summary' }
  const first = firstPromptOf(labels)
  if (first !== null) return { text: first, source: 'first-prompt' }
  return labels.hasFirstImage ? { text: 'Image', source: 'first-prompt' } : { text: '', source: 'none' }
}

export function firstPromptOf(labels: Labels): string | null {
  return labels.firstPrompt ?? labels.firstCommand
}
