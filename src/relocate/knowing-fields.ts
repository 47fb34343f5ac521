// Which fields of the client's files say where something is. A path in any other field is part of what was said or done
// there, and stays as it was.

import type { FieldChoice } from './path-fields.ts'

/** A record of a transcript. */
export const RECORD_FIELDS: FieldChoice = (keys) => {
  const [first, second] = keys
  switch (keys.length) {
    case 1:
      if (first === 'cwd' || first === 'relocatedCwd') return 'change'
      return first === 'worktreeSession' || first === 'backup' || first === 'snapshot' ? 'inside' : 'skip'
    case 2:
      if (first === 'worktreeSession') return WORKTREE_KEYS.has(second ?? '') ? 'change' : 'skip'
      if (first === 'backup') return second === 'realParentDir' ? 'change' : 'skip'
      return second === 'trackedFileBackups' ? 'inside' : 'skip'
    case 3:
      return 'inside'
    default:
      return keys[3] === 'realParentDir' ? 'change' : 'skip'
  }
}

const WORKTREE_KEYS: ReadonlySet<string> = new Set([
  'originalCwd',
  'preEnterOriginalCwd',
  'worktreePath',
  'extensionRoot',
])

/** A line of history.jsonl: a prompt that was typed, and where. */
export const HISTORY_FIELDS: FieldChoice = (keys) => (keys.length === 1 && keys[0] === 'project' ? 'change' : 'skip')

/** Small files about sessions, jobs and plugins: by the name of the key, wherever it stands. */
export const STATE_FIELDS: FieldChoice = (keys) => (STATE_KEYS.has(keys.at(-1) ?? '') ? 'change' : 'inside')

const STATE_KEYS: ReadonlySet<string> = new Set([
  'cwd',
  'originalCwd',
  'projectPath',
  'originalPath',
  'projectDir',
  'workingDirectory',
  'worktreePath',
  // Of a sessions-index.json: where the transcript lies.
  'fullPath',
])
