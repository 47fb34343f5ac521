// A client that edits files, as the real one does: which edits it refuses, what it shows of a file and what it keeps of a
// result. Its disk is in memory, and it remembers what every file was at every moment, so that any claim can be checked.

import { structuredPatch } from './structured-patch.ts'

export interface Habits {
  /** Subagents in print mode keep no result beside the output. */
  readonly keepsAgentResults: boolean
  /** A longer file is not kept whole beside an edit. */
  readonly originalMax: number
  /** `     1→` of older clients, or a tab. */
  readonly isArrow: boolean
  /** Older clients wrote a file anew with the line ends it had. */
  readonly keepsLineEnds: boolean
  /** Newer clients edit a file that was changed meanwhile, and say so. */
  readonly isForgiving: boolean
  readonly hasBackups: boolean
}

export const USUAL: Habits = {
  keepsAgentResults: true,
  originalMax: 1e9,
  isArrow: false,
  keepsLineEnds: false,
  isForgiving: false,
  hasBackups: false,
}

export type Raw = Readonly<Record<string, unknown>>

export interface Moment {
  /** Before and after the call that a record tells. */
  readonly before: ReadonlyMap<string, string>
  readonly after: ReadonlyMap<string, string>
}

const BOM = '\ufeff'
const START_MS = Date.parse('2026-04-01T08:00:00.000Z')

export class ScriptedClient {
  readonly disk = new Map<string, string>()
  /** By agent, '' for the conversation itself. */
  readonly transcripts = new Map<string, Raw[]>()
  readonly moments = new Map<string, Moment>()
  readonly backups = new Map<string, string>()
  readonly sessionId: string
  readonly cwd: string
  readonly habits: Habits
  /** What each agent saw last of each file: the bytes stand for the time of change. */
  #seen = new Map<string, string>()
  #count = 0
  #backedUp = new Map<string, number>()

  constructor(sessionId: string, cwd: string, habits: Habits) {
    this.sessionId = sessionId
    this.cwd = cwd
    this.habits = habits
    this.prompt('Begin.')
  }

  get calls(): number {
    return this.#count
  }

  prompt(text: string): void {
    if (this.habits.hasBackups) this.#snapshot()
    this.#push('', { type: 'user', message: { role: 'user', content: text } })
  }

  /** Somebody else changes a file, and no record says so. */
  outside(path: string, bytes: string | null): void {
    if (bytes === null) this.disk.delete(path)
    else this.disk.set(path, bytes)
  }

  write(agent: string, path: string, content: string): void {
    const old = this.disk.get(path)
    const input = { file_path: path, content }
    if (old !== undefined && this.#seen.get(`${agent} ${path}`) !== old) {
      this.#fail(
        agent,
        'Write',
        input,
        'File has been modified since read, either by the user or by a linter. Read it again',
      )
      return
    }
    this.#backUp(path)
    const isCarriage = old !== undefined && this.habits.keepsLineEnds && isUniform(old)
    const bytes = isCarriage ? content.replaceAll('\n', '\r\n') : content
    const originalFile = old === undefined ? null : this.#original(old)
    const type = old === undefined ? 'create' : 'update'
    const output = old === undefined ? `File created successfully at: ${path}` : `The file ${path} has been updated.`
    this.#do(
      agent,
      'Write',
      input,
      output,
      { type, filePath: path, content, structuredPatch: [], originalFile },
      () => {
        this.disk.set(path, bytes)
      },
    )
    this.#seen.set(`${agent} ${path}`, bytes)
  }

  edit(agent: string, path: string, oldText: string, newText: string, isEverywhere = false): void {
    const bytes = this.disk.get(path)
    const input = { replace_all: isEverywhere, file_path: path, old_string: oldText, new_string: newText }
    const refuse = (why: string): void => this.#fail(agent, 'Edit', input, why)
    const seen = this.#seen.get(`${agent} ${path}`)
    if (bytes === undefined || seen === undefined) {
      refuse('File has not been read yet. Read it first before writing to it.')
      return
    }
    const isStale = seen !== bytes
    if (isStale && !this.habits.isForgiving) {
      refuse('File has been modified since read. Read it again')
      return
    }
    const before = shown(bytes)
    const places = before.split(oldText).length - 1
    if (oldText === '' || places === 0) {
      refuse('String to replace not found in file.')
      return
    }
    if (places > 1 && !isEverywhere) {
      refuse(`Found ${places} matches of the string to replace`)
      return
    }
    this.#backUp(path)
    // The client takes the line end of what it removes along.
    const takesEnd = newText === '' && !oldText.endsWith('\n') && before.includes(`${oldText}\n`)
    const after = before.split(takesEnd ? `${oldText}\n` : oldText).join(newText)
    const written = inStyle(after, bytes)
    const kept = {
      filePath: path,
      oldString: oldText,
      newString: newText,
      originalFile: this.#original(bytes),
      structuredPatch: structuredPatch(before, after),
      userModified: false,
      replaceAll: isEverywhere,
      ...(isStale ? { staleRecovered: true } : {}),
    }
    const note = isStale ? ' (note: the file had been modified on disk since you last read it)' : ''
    this.#do(agent, 'Edit', input, `The file ${path} has been updated successfully.${note}`, kept, () => {
      this.disk.set(path, written)
    })
    this.#seen.set(`${agent} ${path}`, written)
  }

  read(agent: string, path: string, offset?: number, limit?: number): void {
    const bytes = this.disk.get(path)
    const input = {
      file_path: path,
      ...(offset === undefined ? {} : { offset }),
      ...(limit === undefined ? {} : { limit }),
    }
    if (bytes === undefined) {
      this.#fail(agent, 'Read', input, 'File does not exist.')
      return
    }
    const lines = shown(bytes).split('\n')
    const start = offset ?? 1
    const part = lines.slice(start - 1, start - 1 + (limit ?? 2000)).map((line) => line.slice(0, 2000))
    if (part.length === 0) {
      this.#fail(agent, 'Read', input, 'The file is shorter than the offset.')
      return
    }
    const numbered = part.map((line, place) =>
      this.habits.isArrow ? `${String(start + place).padStart(6)}→${line}` : `${start + place}\t${line}`,
    )
    const reminder = this.habits.isArrow
      ? '\n\n<system-reminder>\nWhenever you read a file, consider it.\n</system-reminder>\n'
      : ''
    const file = {
      filePath: path,
      content: part.join('\n'),
      numLines: part.length,
      startLine: start,
      totalLines: lines.length,
    }
    this.#do(agent, 'Read', input, numbered.join('\n') + reminder, { type: 'text', file }, () => undefined)
    this.#seen.set(`${agent} ${path}`, bytes)
  }

  /** What the command does to the disk is told beside it. */
  bash(agent: string, command: string, act: () => void, isFailed = false): void {
    const kept = { stdout: '', stderr: '', interrupted: false, isImage: false }
    if (isFailed) {
      act()
      this.#fail(agent, 'Bash', { command, description: 'Shell' }, 'Exit code 1')
    } else this.#do(agent, 'Bash', { command, description: 'Shell' }, '', kept, act)
  }

  reject(agent: string, path: string, content: string): void {
    const output = "The user doesn't want to proceed with this tool use. The tool use was rejected."
    this.#fail(agent, 'Write', { file_path: path, content }, output, { toolDenialKind: 'user-rejected' })
  }

  /** The notice that the client gives after somebody else has changed a file that was read. */
  notice(agent: string, path: string): void {
    const bytes = this.disk.get(path)
    if (bytes === undefined || this.#seen.get(`${agent} ${path}`) === undefined) return
    this.#push(agent, { type: 'attachment', attachment: { type: 'edited_text_file', filename: path, snippet: '1\t…' } })
    this.#seen.set(`${agent} ${path}`, bytes)
  }

  #do(agent: string, name: string, input: Raw, output: string, kept: Raw, act: () => void): void {
    const before = new Map(this.disk)
    act()
    const keeps = agent === '' || this.habits.keepsAgentResults
    this.#tell(agent, name, input, output, keeps ? { toolUseResult: kept } : {}, before)
  }

  #fail(agent: string, name: string, input: Raw, why: string, more: Raw = {}): void {
    const result = { toolUseResult: `Error: ${why}`, ...more, isError: true }
    this.#tell(agent, name, input, `<tool_use_error>${why}</tool_use_error>`, result, new Map(this.disk))
  }

  #tell(agent: string, name: string, input: Raw, output: string, more: Raw, before: ReadonlyMap<string, string>): void {
    const { isError, ...rest } = more
    const id = `toolu_${this.sessionId.slice(0, 4)}_${++this.#count}`
    const called = this.#push(agent, {
      type: 'assistant',
      message: {
        id: `msg_${this.#count}`,
        role: 'assistant',
        model: 'claude-opus-5-5',
        content: [{ type: 'tool_use', id, name, input }],
      },
    })
    const block = {
      type: 'tool_result',
      tool_use_id: id,
      content: output,
      ...(isError === true ? { is_error: true } : {}),
    }
    const uuid = this.#push(agent, {
      type: 'user',
      message: { role: 'user', content: [block] },
      sourceToolAssistantUUID: called,
      ...rest,
    })
    this.moments.set(uuid, { before, after: new Map(this.disk) })
  }

  #push(agent: string, record: Raw): string {
    const transcript = this.transcripts.get(agent) ?? []
    this.transcripts.set(agent, transcript)
    const parentUuid = transcript.findLast((one) => one['uuid'] !== undefined)?.['uuid'] ?? null
    const number = [...this.transcripts.values()].reduce((sum, one) => sum + one.length, 0)
    const uuid = `${String(number).padStart(8, '0')}-0000-4000-8000-${this.sessionId.slice(0, 8)}0000`
    const isAgent = agent !== ''
    transcript.push({
      parentUuid,
      isSidechain: isAgent,
      userType: 'external',
      cwd: this.cwd,
      sessionId: this.sessionId,
      version: '2.1.325',
      gitBranch: 'main',
      ...(isAgent ? { agentId: agent } : {}),
      ...record,
      uuid,
      timestamp: this.#time(number),
    })
    this.moments.set(uuid, { before: new Map(this.disk), after: new Map(this.disk) })
    return uuid
  }

  #time(number: number): string {
    return new Date(START_MS + number * 1000).toISOString()
  }

  /** Before the first change of a file since the last prompt, its bytes are kept. */
  #backUp(path: string): void {
    if (!this.habits.hasBackups || this.#backedUp.has(path)) return
    this.#backedUp.set(path, 1)
    this.#meta({
      type: 'file-history-delta',
      messageId: 'm',
      snapshotMessageId: 's',
      trackingPath: path,
      backup: this.#backup(path, 1),
    })
  }

  #snapshot(): void {
    if (this.#backedUp.size === 0) return
    const tracked: Record<string, Raw> = {}
    for (const [path, version] of this.#backedUp) {
      this.#backedUp.set(path, version + 1)
      tracked[path] = this.#backup(path, version + 1)
    }
    this.#meta({
      type: 'file-history-snapshot',
      messageId: 'm',
      snapshot: { messageId: 'm', trackedFileBackups: tracked, timestamp: this.#now() },
      isSnapshotUpdate: false,
    })
  }

  #backup(path: string, version: number): Raw {
    const bytes = this.disk.get(path)
    const name = `${Buffer.from(path).toString('hex').slice(-16)}@v${version}`
    if (bytes !== undefined) this.backups.set(name, bytes)
    return { backupFileName: bytes === undefined ? null : name, version, backupTime: this.#now() }
  }

  #now(): string {
    return this.#time([...this.transcripts.values()].reduce((sum, one) => sum + one.length, 0) - 0.5)
  }

  #meta(record: Raw): void {
    const transcript = this.transcripts.get('') ?? []
    this.transcripts.set('', transcript)
    transcript.push({ ...record, timestamp: this.#now() })
  }

  #original(bytes: string): string | null {
    return bytes.length > this.habits.originalMax ? null : shown(bytes)
  }
}

function shown(bytes: string): string {
  return (bytes.startsWith(BOM) ? bytes.slice(1) : bytes).replaceAll('\r\n', '\n')
}

function isUniform(bytes: string): boolean {
  return bytes.includes('\r\n') && !bytes.replaceAll('\r\n', '').includes('\n')
}

function inStyle(text: string, model: string): string {
  return (model.startsWith(BOM) ? BOM : '') + (isUniform(model) ? text.replaceAll('\n', '\r\n') : text)
}
