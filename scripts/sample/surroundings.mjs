// What the client tells the model unasked: where it works, which model it is, the date, the mode. All of it is in the
// chain, so the first answer hangs below an attachment and not below the prompt.

import { noteTitle } from './notes.mjs'
import { attach, isoTime, MODEL } from './transcript.mjs'

export function attachStart(transcript) {
  attachModel(transcript)
  const gitStatus = `Current branch: ${transcript.gitBranch}\n\nStatus:\n(clean)`
  attach(transcript, { type: 'session_context', context: { gitStatus } }, gitStatus, 'user')
  const date = isoTime(transcript.nowMs).slice(0, 10)
  attach(transcript, { type: 'date', date }, `Today is ${date}.`)
  const snapshot = { reminderFold: false, echoWireToolInputs: false, contextRendering: 'announced' }
  attach(transcript, {
    type: 'prompt_snapshot',
    systemPrompt: ['(The client keeps its own prompt here.)'],
    ...snapshot,
  })
  noteTitle(transcript)
}

export function attachModel(transcript) {
  attachEnvironment(transcript)
  const identity = { modelId: MODEL, marketingName: 'Opus 5.5', knowledgeCutoff: 'June 2026' }
  attach(transcript, { type: 'model', identity, text: 'The model is Opus 5.5.' }, 'The model is Opus 5.5.')
}

export function attachPlanMode(transcript) {
  const plan = { planFilePath: `/home/ada/.claude/plans/${transcript.slug}.md`, planExists: false }
  const reminder = 'Plan mode: look, do not change anything, and propose a plan.'
  attach(transcript, { type: 'plan_mode', reminderType: 'full', isSubAgent: false, ...plan }, reminder)
}

export function attachEnvironment(transcript) {
  const place = {
    workingDirectory: transcript.cwd,
    isWorktree: false,
    isGitRepo: true,
    additionalWorkingDirectories: [],
  }
  const snapshot = { ...place, platform: 'linux', shell: 'zsh', osVersion: 'Linux 6.12.48' }
  attach(transcript, { type: 'environment', snapshot }, `Working directory: ${transcript.cwd} (a git repository)`)
}
