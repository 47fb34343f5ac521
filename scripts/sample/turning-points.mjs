// Where a session takes a turn: compacted, renamed, branched off, closed, or picked up after a full disk.

import { noteCost, noteModes, noteState, noteTitle, putSnapshot } from './notes.mjs'
import { attachModel } from './surroundings.mjs'
import {
  addToBill,
  CLIENT_TOKENS,
  isoTime,
  link,
  linkSystem,
  linkUser,
  openTranscript,
  positionOf,
  put,
  saveTranscript,
  tokensOf,
  wait,
} from './transcript.mjs'

/** The last reply is kept word for word: it stands before the boundary and belongs after the recap. */
export function compact(transcript, { args, recap }) {
  const [preTokens, logicalParentUuid] = [transcript.cachedTokens + transcript.freshTokens, transcript.tip]
  const [commandUuid, anchorUuid] = [transcript.ids.uuid(), transcript.ids.uuid()]
  const kept = transcript.chain
    .slice(transcript.chain.findLastIndex((record) => record.type === 'assistant'))
    .map((record) => record.uuid)
  const commandTime = isoTime(transcript.nowMs)
  transcript.promptId = transcript.ids.uuid()
  putSnapshot(transcript, commandUuid)
  wait(transcript, 21)
  const postTokens = CLIENT_TOKENS + tokensOf(recap)
  const counts = { preTokens, postTokens, cumulativeDroppedTokens: preTokens - postTokens, durationMs: 20_870 }
  const preservedSegment = { headUuid: kept[0], anchorUuid, tailUuid: kept.at(-1) }
  const preservedMessages = { anchorUuid, uuids: kept, allUuids: kept }
  const compactMetadata = { trigger: 'manual', ...counts, preservedSegment, preservedMessages }
  const boundary = { subtype: 'compact_boundary', content: 'Conversation compacted', level: 'info', compactMetadata }
  link(transcript, { logicalParentUuid, type: 'system', ...boundary }, {}, { parent: null })
  addToBill(transcript.bill, { output: tokensOf(recap), read: preTokens })
  Object.assign(transcript, { cachedTokens: 0, freshTokens: CLIENT_TOKENS })
  const shown = { isVisibleInTranscriptOnly: true, isCompactSummary: true, ...positionOf(transcript) }
  linkUser(transcript, `This session is being continued from a previous conversation.\n\nSummary:\n${recap}`, shown, {
    uuid: anchorUuid,
  })
  const caveat = '<local-command-caveat>The person typed the command below; it needs no answer.</local-command-caveat>'
  linkUser(transcript, caveat, { isMeta: true, timestamp: commandTime })
  linkUser(transcript, commandText('compact', args), { timestamp: commandTime }, { uuid: commandUuid })
  linkUser(transcript, '<local-command-stdout>Compacted (ctrl+o to see full summary)</local-command-stdout>')
  attachModel(transcript)
}

function commandText(name, args) {
  const indent = '\n            '
  const message = `<command-message>${name}</command-message>`
  return `<command-name>/${name}</command-name>${indent}${message}${indent}<command-args>${args}</command-args>`
}

function linkCommand(transcript, name, args, output) {
  linkSystem(transcript, 'local_command', { content: commandText(name, args), level: 'info', isMeta: false })
  const content = `<local-command-stdout>${output}</local-command-stdout>`
  linkSystem(transcript, 'local_command', {
    content,
    level: 'info',
    isMeta: false,
    commandRun: { command: name, args },
  })
}

export function rename(transcript, { title }) {
  setTitle(transcript, title)
  noteTitle(transcript)
  linkCommand(transcript, 'rename', title, `Session renamed to: ${title}`)
  transcript.promptId = transcript.ids.uuid()
  linkUser(transcript, `<system-reminder>\nThe session is now called "${title}".\n</system-reminder>`, { isMeta: true })
}

function setTitle(transcript, title) {
  transcript.title.custom = title
  transcript.archive.set(
    `${transcript.projectKey}/${transcript.sessionId}/custom-title.json`,
    JSON.stringify({ customTitle: title }),
  )
}

/** A new file with the whole history under a new session id, one record after the other, and its own story after it. */
export function branch(transcript, { story }, play) {
  noteCost(transcript)
  const { archive, cwd, gitBranch, nowMs, promptIndex, turnIndex, slug, backups, tools, cachedTokens, freshTokens } =
    transcript
  const fork = openTranscript({ archive, seed: `${transcript.seed}/branch`, cwd, gitBranch })
  for (const record of transcript.chain) {
    const forkedFrom = { sessionId: transcript.sessionId, messageUuid: record.uuid }
    put(fork, { ...record, parentUuid: fork.tip, sessionId: fork.sessionId, forkedFrom })
    fork.tip = record.uuid
  }
  Object.assign(fork, {
    nowMs,
    promptIndex,
    turnIndex,
    slug,
    messageCount: transcript.messageCount,
    backups: { ...backups },
  })
  Object.assign(fork, { tools: [...tools], cachedTokens, freshTokens })
  fork.bill.startMs = nowMs
  setTitle(fork, `${transcript.title.ai} (Branch)`)
  noteTitle(fork)
  noteModes(fork)
  for (const snapshot of transcript.snapshots) put(fork, snapshot)
  const back = `Use /resume ${transcript.sessionId} to return to the original.`
  linkCommand(
    fork,
    'branch',
    '',
    `Branched conversation. You are now in the new branch (session ${fork.sessionId}). ${back}`,
  )
  play(fork, story)
  saveTranscript(fork)
}

export function close(transcript) {
  noteState(transcript)
  noteCost(transcript)
}

/** What the client puts in on resume when the last answer never reached the disk. */
export function recover(transcript) {
  const zero = { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
  const content = [{ type: 'text', text: 'No response requested.' }]
  const stop = { stop_details: null, stop_reason: 'stop_sequence', stop_sequence: '' }
  const message = {
    id: transcript.ids.uuid(),
    model: '<synthetic>',
    role: 'assistant',
    ...stop,
    type: 'message',
    usage: zero,
    content,
  }
  link(transcript, { type: 'assistant' }, { message, isApiErrorMessage: false, madeBy: 'other' })
}
