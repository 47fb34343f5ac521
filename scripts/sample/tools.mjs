// Tool calls as a story tells them: what was asked, what came back, how long it took. A disk remembers the files of one
// project, so that an edit knows the file it changes and its patch is a true one.

const CONTEXT_LINES = 3

export function bash(command, description, output, { exit = 0, seconds = 1, ...rest } = {}) {
  const call = { name: 'Bash', input: { command, description }, seconds, sandboxed: false, ...rest }
  if (exit !== 0) {
    const text = `Exit code ${exit}\n${output}`
    return { ...call, content: text, isError: true, result: `Error: ${text}` }
  }
  const result = { stdout: output, stderr: '', interrupted: false, isImage: false, noOutputExpected: false }
  return { ...call, content: output, isError: false, result: { ...result, ...rest.result } }
}

/** A subagent with its own story; `label` lets a later step speak of it when it runs in the background. */
export function agent({ type, description, prompt, story, label, isBackground = false }) {
  const input = { description, prompt, subagent_type: type, run_in_background: isBackground }
  return { name: 'Agent', input, agent: { type, description, prompt, story, label, isBackground } }
}

export function exitPlan(plan, filePath) {
  const result = { plan: null, isAgent: false, filePath }
  const permission = { decision: 'accept', source: 'user_temporary', grantScope: 'session', reasonCode: 'unknown' }
  const content = 'User has approved exiting plan mode. You can now proceed.'
  return { name: 'ExitPlanMode', input: { plan }, content, result, seconds: 48, permission, leavesPlan: filePath }
}

export function todos(before, after) {
  const content = 'Todos have been modified successfully.'
  return { name: 'TodoWrite', input: { todos: after }, content, result: { oldTodos: before, newTodos: after } }
}

export function openDisk(cwd, files) {
  const disk = { ...files }
  const read = (path) => {
    const lines = disk[path].split('\n').length
    const file = { filePath: `${cwd}/${path}`, content: disk[path], numLines: lines, startLine: 1, totalLines: lines }
    return {
      name: 'Read',
      input: { file_path: file.filePath },
      seconds: 0.1,
      result: { type: 'text', file },
      numbered: disk[path],
    }
  }
  const edit = (path, oldString, newString, rest = {}) => {
    const [before, filePath] = [disk[path], `${cwd}/${path}`]
    if (before.split(oldString).length !== 2) throw new Error(`${path}: the text to replace must stand there once`)
    disk[path] = before.replace(oldString, () => newString)
    const content = `The file ${filePath} has been updated successfully.`
    const patch = { structuredPatch: [patchOf(before, disk[path])], userModified: false, replaceAll: false }
    const result = { filePath, oldString, newString, originalFile: before, ...patch }
    const input = { replace_all: false, file_path: filePath, old_string: oldString, new_string: newString }
    return { name: 'Edit', input, content, result, seconds: 0.2, touches: { path, isNew: false }, ...rest }
  }
  const write = (path, text) => {
    disk[path] = text
    const filePath = `${cwd}/${path}`
    const content = `File created successfully at: ${filePath}`
    const result = {
      type: 'create',
      filePath,
      content: text,
      structuredPatch: [],
      originalFile: null,
      userModified: false,
    }
    const touches = { path, isNew: true }
    return { name: 'Write', input: { file_path: filePath, content: text }, content, result, seconds: 0.2, touches }
  }
  return { read, edit, write, copy: () => openDisk(cwd, disk) }
}

/** One hunk from the first changed line to the last, with a few unchanged lines around it. */
function patchOf(before, after) {
  const [old, now] = [linesOf(before), linesOf(after)]
  let head = 0
  while (head < old.length && old[head] === now[head]) head++
  let tail = 0
  while (tail < Math.min(old.length, now.length) - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++
  const start = Math.max(0, head - CONTEXT_LINES)
  const lines = [
    ...marked(' ', old.slice(start, head)),
    ...changed(old.slice(head, old.length - tail), now.slice(head, now.length - tail)),
    ...marked(' ', old.slice(old.length - tail).slice(0, CONTEXT_LINES)),
  ]
  const count = (mark) => lines.filter((line) => line[0] !== mark).length
  return { oldStart: start + 1, oldLines: count('+'), newStart: start + 1, newLines: count('-'), lines }
}

const linesOf = (text) => text.replace(/\n$/, '').split('\n')
const marked = (mark, lines) => lines.map((line) => `${mark}${line}`)

function changed(old, now) {
  const [from, to, length] = longestRun(old, now)
  if (length === 0) return [...marked('-', old), ...marked('+', now)]
  return [
    ...changed(old.slice(0, from), now.slice(0, to)),
    ...marked(' ', old.slice(from, from + length)),
    ...changed(old.slice(from + length), now.slice(to + length)),
  ]
}

function longestRun(old, now) {
  let best = [0, 0, 0]
  for (let from = 0; from < old.length; from++) {
    for (let to = 0; to < now.length; to++) {
      let length = 0
      while (from + length < old.length && old[from + length] === now[to + length]) length++
      if (length > best[2]) best = [from, to, length]
    }
  }
  return best
}
