// The token accounts a second time, by a program that shares no code with Clew: every line of every .jsonl file below a
// folder goes through JSON.parse, and the highest of each field for each unique message id is added up. Prints one JSON
// object. Usage: node scripts/verify-usage.mjs FOLDER...
//
// A line that is no JSON is looked through for whole objects, because a crash glues a record to the torn one before it:
// from each `{"` on, the shortest stretch up to a `}` that parses. Workflow journals are no transcripts.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const folders = process.argv.slice(2)
if (folders.length === 0) {
  process.stderr.write('usage: node scripts/verify-usage.mjs FOLDER...\n')
  process.exit(1)
}

const FIELDS = ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens']
const messages = new Map()
let records = 0
let damagedLines = 0

for (const path of folders.flatMap(transcriptsBelow)) {
  for (const [index, line] of readFileSync(path, 'utf8')
    .replace(/^\ufeff/, '')
    .split('\n')
    .entries()) {
    if (line.trim() === '') continue
    for (const record of recordsOn(line)) count(record, `${path}:${index + 1}`)
  }
}

const total = { messages: 0, partialMessages: 0, ...Object.fromEntries(FIELDS.map((field) => [field, 0])) }
let oneHour = 0
for (const { highest, hour, isFinal } of messages.values()) {
  total.messages++
  if (!isFinal) total.partialMessages++
  for (const field of FIELDS) total[field] += highest[field]
  oneHour += hour
}
process.stdout.write(`${JSON.stringify({ ...total, ephemeral_1h_input_tokens: oneHour, records, damagedLines })}\n`)

function count(record, place) {
  const message = record?.message
  if (record?.type !== 'assistant' || typeof message?.usage !== 'object' || message.usage === null) return
  if (message.model === '<synthetic>') return
  const used = Object.fromEntries(FIELDS.map((field) => [field, tokens(message.usage[field])]))
  const hour = tokens(message.usage.cache_creation?.ephemeral_1h_input_tokens)
  if (hour + FIELDS.reduce((sum, field) => sum + used[field], 0) === 0) return
  records++
  const id = message.id || record.requestId || record.uuid || place
  const known = messages.get(id) ?? { highest: used, hour, isFinal: false }
  messages.set(id, {
    highest: Object.fromEntries(FIELDS.map((field) => [field, Math.max(known.highest[field], used[field])])),
    hour: Math.max(known.hour, hour),
    isFinal: known.isFinal || typeof message.stop_reason === 'string',
  })
}

function tokens(value) {
  return typeof value === 'number' ? value : 0
}

function transcriptsBelow(path) {
  if (statSync(path).isFile()) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((found) => found.isFile() && found.name.endsWith('.jsonl'))
    .map((found) => join(found.parentPath, found.name))
    .filter((found) => !(basename(found) === 'journal.jsonl' && basename(dirname(found)).startsWith('wf_')))
}

function recordsOn(line) {
  const whole = parse(line)
  if (whole !== undefined) return [whole]
  damagedLines++
  const found = []
  for (let at = line.indexOf('{"'); at !== -1; at = line.indexOf('{"', at)) {
    const end = objectEnd(line, at)
    if (end === -1) at++
    else {
      found.push(parse(line.slice(at, end)))
      at = end
    }
  }
  return found
}

function objectEnd(line, start) {
  for (let end = line.indexOf('}', start); end !== -1; end = line.indexOf('}', end + 1)) {
    if (parse(line.slice(start, end + 1)) !== undefined) return end + 1
  }
  return -1
}

function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
