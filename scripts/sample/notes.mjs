// The lines that stand beside the chain: titles, modes, the resume pointer, file backups and the running cost.

import { isoTime, MODEL, note, put } from './transcript.mjs'

const NIL_UUID = '00000000-0000-0000-0000-000000000000'
/** Dollars per million tokens. */
const PRICES = { input: 4, output: 20, read: 0.2, written: 5 }

export function noteModes(t) {
  note(t, { type: 'mode', mode: 'normal' })
  note(t, { type: 'permission-mode', permissionMode: t.permissionMode })
}

/** The client repeats these now and then, so that a listing finds them near the end of the file. */
export function noteState(t) {
  note(t, { type: 'last-prompt', lastPrompt: t.lastPrompt, leafUuid: t.tip })
  noteTitle(t)
  noteModes(t)
}

export function noteTitle(t) {
  if (t.title.custom) {
    note(t, { type: 'custom-title', customTitle: t.title.custom })
    note(t, { type: 'agent-name', agentName: t.title.custom })
  } else if (t.title.ai) note(t, { type: 'ai-title', aiTitle: t.title.ai })
}

/** Written after a rewind: no tip is named, so the next one is the end of the file. */
export function noteNoTip(t) {
  note(t, { type: 'last-prompt', leafUuid: NIL_UUID, explicit: true })
}

export function noteTool(t, name) {
  if (t.tools.includes(name)) return
  t.tools.push(name)
  if (t.agent === null) note(t, { type: 'tools-used', tools: [...t.tools] })
}

export function putSnapshot(t, uuid) {
  const snapshot = { messageId: uuid, trackedFileBackups: { ...t.backups }, timestamp: isoTime(t.nowMs + 6) }
  const record = { type: 'file-history-snapshot', messageId: uuid, snapshot, isSnapshotUpdate: false }
  t.snapshots.push(record)
  put(t, record)
}

export function putBackup(t, uuid, { path, isNew }) {
  if (t.isOld || t.agent !== null) return
  const time = isoTime(t.nowMs)
  const version = (t.backups[path]?.version ?? 0) + 1
  const folder = path.includes('/') ? `${t.cwd}/${path.slice(0, path.lastIndexOf('/'))}` : t.cwd
  const name = t.backups[path]?.backupFileName?.split('@')[0] ?? t.ids.hex(16)
  const saved = { version, backupTime: time, realParentDir: folder }
  const backup = { backupFileName: isNew ? null : `${name}@v${version}`, ...saved }
  t.backups[path] = { backupFileName: `${name}@v${version}`, ...saved }
  const delta = { messageId: uuid, snapshotMessageId: t.promptUuid, trackingPath: path, backup, timestamp: time }
  put(t, { type: 'file-history-delta', ...delta })
}

export function noteCost(t) {
  const { bill } = t
  const dollars = (bill.input * PRICES.input + bill.output * PRICES.output) / 1e6
  const costUSD = dollars + (bill.read * PRICES.read + bill.written * PRICES.written) / 1e6
  const tokens = { inputTokens: bill.input, outputTokens: bill.output, thinkingTokens: bill.thinking }
  const cache = { cacheReadInputTokens: bill.read, cacheCreationInputTokens: bill.written }
  const age = { cacheCreationEphemeral5mInputTokens: bill.written, cacheCreationEphemeral1hInputTokens: 0 }
  put(t, {
    ...{ type: 'cost-state', sessionId: t.sessionId, totalCostUSD: costUSD },
    ...{ totalAPIDuration: bill.apiMs, totalAPIDurationWithoutRetries: bill.apiMs, totalToolDuration: bill.toolMs },
    ...{ totalLinesAdded: bill.added, totalLinesRemoved: bill.removed },
    ...{ totalDuration: t.nowMs - bill.startMs, startTime: bill.startMs },
    modelUsage: { [MODEL]: { ...tokens, ...cache, ...age, webSearchRequests: 0, costUSD } },
    hasUnknownModelCost: false,
  })
}
