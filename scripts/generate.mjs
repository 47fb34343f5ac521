// A deterministic archive for the benchmark when no other generator is at hand: sessions of prompts, replies, tool
// results with their structured copy, and progress records, in the proportions of real archives.
//   node scripts/generate.mjs --out DIR [--size 1GB] [--files 2000] [--projects 50] [--seed 1] [--one-session --records N]
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    size: { type: 'string', default: '1GB' },
    files: { type: 'string', default: '2000' },
    projects: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    records: { type: 'string', default: '60000' },
    'one-session': { type: 'boolean', default: false },
  },
})
const scale = { KB: 1e3, MB: 1e6, GB: 1e9 }
const sizeBytes = Number.parseFloat(values.size) * (scale[values.size.slice(-2).toUpperCase()] ?? 1)
let state = Number(values.seed)
const below = (limit) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0
  return Math.floor((state / 4294967296) * limit)
}
const WORDS =
  'tide harbour moon offset window clock test Größe 潮汐 fix module parse line record branch merge build'.split(' ')
const words = (count) => Array.from({ length: count }, () => WORDS[below(WORDS.length)]).join(' ')

let serial = 0
const id = () => `${String(serial).padStart(8, '0')}-0000-4000-8000-${String(serial++).padStart(12, '0')}`

function session(path, sessionId, bytes) {
  let parentUuid = null
  let written = 0
  let clock = 1_790_000_000_000
  writeFileSync(path, '')
  while (written < bytes) {
    const lines = []
    const add = (record) => {
      const uuid = id()
      clock += 1000
      lines.push(
        JSON.stringify({
          parentUuid,
          isSidechain: false,
          userType: 'external',
          cwd: '/home/ada/tidewatch',
          sessionId,
          version: '2.1.200',
          gitBranch: 'main',
          ...record,
          uuid,
          timestamp: new Date(clock).toISOString(),
        }),
      )
      parentUuid = uuid
    }
    add({ type: 'user', message: { role: 'user', content: words(12) } })
    for (let step = 0; step < 6; step++) {
      const call = `toolu_${serial}`
      const usage = {
        input_tokens: below(100),
        output_tokens: below(900),
        cache_read_input_tokens: 9000,
        cache_creation_input_tokens: 10,
      }
      add({
        message: {
          id: `msg_${serial}`,
          type: 'message',
          role: 'assistant',
          model: 'claude-opus-5',
          content: [{ type: 'tool_use', id: call, name: 'Bash', input: { command: words(6) } }],
          stop_reason: 'tool_use',
          usage,
        },
        requestId: `req_${serial}`,
        type: 'assistant',
      })
      for (let beat = below(4); beat > 0; beat--)
        add({
          type: 'progress',
          data: { type: 'bash_progress', output: words(20), elapsedTimeSeconds: beat },
          toolUseID: call,
          parentToolUseID: call,
        })
      const output = words(below(20) === 0 ? 4000 : 200)
      add({
        type: 'user',
        message: {
          role: 'user',
          content: [{ tool_use_id: call, type: 'tool_result', content: output, is_error: false }],
        },
        toolUseResult: { stdout: output, stderr: '', interrupted: false },
      })
    }
    add({
      message: {
        id: `msg_${serial}`,
        type: 'message',
        role: 'assistant',
        model: 'claude-opus-5',
        content: [{ type: 'text', text: words(80) }],
        stop_reason: 'end_turn',
        usage: { input_tokens: 1, output_tokens: 200 },
      },
      requestId: `req_${serial}`,
      type: 'assistant',
    })
    const text = `${lines.join('\n')}\n`
    appendFileSync(path, text)
    written += Buffer.byteLength(text)
  }
}

const projects = join(values.out, '.claude', 'projects')
const files = values['one-session'] ? 1 : Number(values.files)
const folders = values['one-session'] ? 1 : Number(values.projects)
for (let index = 0; index < files; index++) {
  const folder = join(projects, `-home-ada-project-${index % folders}`)
  mkdirSync(folder, { recursive: true })
  const sessionId = id()
  session(join(folder, `${sessionId}.jsonl`), sessionId, sizeBytes / files)
}
writeFileSync(join(values.out, 'manifest.json'), JSON.stringify({ files, sizeBytes }))
