// The lines that stand beside the chain: titles, modes, the resume pointer, file backups and the running cost.

import { isoTime, MODEL, note, put } from './transcript.mjs'

const NIL_UUID = '00000000-0000-0000-0000-000000000000'
/** Dollars per million tokens. */
const PRICES = { input: 4, output: 20, read: 0.2, written: 5 }

export function noteModes(transcript) {
  note(transcript, { type: 'mode', mode: 'normal' })
  note(transcript, { type: 'permission-mode', permissionMode: transcript.permissionMode })
}

/** The client repeats these now and then, so that a listing finds them near the end of the file. */
export function noteState(transcript) {
  note(transcript, { type: 'last-prompt', lastPrompt: transcript.lastPrompt, leafUuid: transcript.tip })
  noteTitle(transcript)
  noteModes(transcript)
}

export function noteTitle(transcript) {
  if (transcript.title.custom) {
    note(transcript, { type: 'custom-title', customTitle: transcript.title.custom })
    note(transcript, { type: 'agent-name', agentName: transcript.title.custom })
  } else if (transcript.title.ai) note(transcript, { type: 'ai-title', aiTitle: transcript.title.ai })
}

/** Written after a rewind: no tip is named, so the next one is the end of the file. */
export function noteNoTip(transcript) {
  note(transcript, { type: 'last-prompt', leafUuid: NIL_UUID, explicit: true })
}

export function noteTool(transcript, name) {
  if (transcript.tools.includes(name)) return
  transcript.tools.push(name)
  if (transcript.agent === null) note(transcript, { type: 'tools-used', tools: [...transcript.tools] })
}

export function putSnapshot(transcript, uuid) {
  const snapshot = {
    messageId: uuid,
    trackedFileBackups: { ...transcript.backups },
    timestamp: isoTime(transcript.nowMs + 6),
  }
  const record = { type: 'file-history-snapshot', messageId: uuid, snapshot, isSnapshotUpdate: false }
  transcript.snapshots.push(record)
  put(transcript, record)
}

export function putBackup(transcript, uuid, { path, isNew }) {
  if (transcript.isOld || transcript.agent !== null) return
  const time = isoTime(transcript.nowMs)
  const version = (transcript.backups[path]?.version ?? 0) + 1
  const folder = path.includes('/') ? `${transcript.cwd}/${path.slice(0, path.lastIndexOf('/'))}` : transcript.cwd
  const name = transcript.backups[path]?.backupFileName?.split('@')[0] ?? transcript.ids.hex(16)
  const saved = { version, backupTime: time, realParentDir: folder }
  const backup = { backupFileName: isNew ? null : `${name}@v${version}`, ...saved }
  transcript.backups[path] = { backupFileName: `${name}@v${version}`, ...saved }
  const delta = {
    messageId: uuid,
    snapshotMessageId: transcript.promptUuid,
    trackingPath: path,
    backup,
    timestamp: time,
  }
  put(transcript, { type: 'file-history-delta', ...delta })
}

export function noteCost(transcript) {
  const { bill } = transcript
  const dollars = (bill.input * PRICES.input + bill.output * PRICES.output) / 1e6
  const costUSD = dollars + (bill.read * PRICES.read + bill.written * PRICES.written) / 1e6
  const tokens = { inputTokens: bill.input, outputTokens: bill.output, thinkingTokens: bill.thinking }
  const cache = { cacheReadInputTokens: bill.read, cacheCreationInputTokens: bill.written }
  const age = { cacheCreationEphemeral5mInputTokens: bill.written, cacheCreationEphemeral1hInputTokens: 0 }
  put(transcript, {
    ...{ type: 'cost-state', sessionId: transcript.sessionId, totalCostUSD: costUSD },
    ...{ totalAPIDuration: bill.apiMs, totalAPIDurationWithoutRetries: bill.apiMs, totalToolDuration: bill.toolMs },
    ...{ totalLinesAdded: bill.added, totalLinesRemoved: bill.removed },
    ...{ totalDuration: transcript.nowMs - bill.startMs, startTime: bill.startMs },
    modelUsage: { [MODEL]: { ...tokens, ...cache, ...age, webSearchRequests: 0, costUSD } },
    hasUnknownModelCost: false,
  })
}
