// What a Subagent handed back → its own words. The client puts a frame around them: an id for resuming and a bill since
// 2.0.77, and since 2.1.290 a paragraph that warns of the text, which it indents so that nothing in it looks like a frame.
// Where an agent was only started, all of the text is the client's.

export function agentReport(text: string): string {
  if (STARTED.test(text)) return ''
  const body = withoutTrailer(text)
  const start = frameEnd(body)
  return start === null ? body : unindented(body.slice(start))
}

/** In the background, or as one of a team: what it has to say comes later and elsewhere. */
const STARTED = /^(?:Async agent launched successfully\.[^\n]*|Spawned successfully\.)\nagent(?:Id|_id): \S/

const AGENT_ID = 'agentId: '
const RESUMING = /^agentId: \S+(?: \((?:use SendMessage |for resuming )[^\n]*\)(?:\n|$)|\n<usage>)/
const TRAILER_LINE = /^(?:agentId: .*|worktree\w+: .*|<usage>.*|\w+: \d+(?:<\/usage>)?|<\/usage>|)$/

/** The last lines, where they are of the client's making and nothing follows them. */
function withoutTrailer(text: string): string {
  const start = text.startsWith(AGENT_ID) ? 0 : text.lastIndexOf(`\n${AGENT_ID}`) + 1
  const trailer = text.slice(start)
  if (!RESUMING.test(trailer) || !trailer.split('\n').every((line) => TRAILER_LINE.test(line))) return text
  return text.slice(0, start).trimEnd()
}

const HAND_BACK = '[Subagent hand-back] '
const FOLLOWS = 'The report follows:'

/** Where the report begins; null where there is no frame. Whatever stands above a frame is indented, like the report. */
function frameEnd(text: string): number | null {
  for (let from = 0; ; ) {
    const end = text.indexOf('\n', from)
    const line = text.slice(from, end < 0 ? text.length : end)
    if (line.startsWith(HAND_BACK)) return line.endsWith(FOLLOWS) ? from + line.length + 1 : null
    if (end < 0 || !isIndented(line)) return null
    from = end + 1
  }
}

const INDENT = '  '

function isIndented(line: string): boolean {
  return line.startsWith(INDENT) || line.trim() === ''
}

function unindented(report: string): string {
  const lines = report.split('\n')
  if (!lines.every(isIndented)) return report
  return lines.map((line) => line.slice(INDENT.length)).join('\n')
}
