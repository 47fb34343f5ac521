import { findingJson, scanText, scanTotals } from '../render/scan.ts'
import type { Command, World } from './command.ts'
import { nothingNote, parseWords, ROOT_OPTIONS } from './command.ts'
import { openRedactor } from './redaction.ts'
import { filesToScan } from './scan-choice.ts'
import { secretsIn } from './scan-file.ts'

export const scan: Command = {
  name: 'scan',
  failureCode: 2,
  help: `clew scan [path|id|latest…] [--json] [--root DIR]

Secrets in conversations, with their subagents and spilled output, or in any file or folder: passwords, keys, tokens.
They are never printed: a placeholder stands for each, the same one everywhere, and it is what clew export would write.
Without a name everything is looked through.

  --json         one JSON object for each secret in each line
  --no-index     read the files themselves, not what the index knows of them
  --root DIR     a Claude directory, a folder with transcripts or one transcript; repeatable

Exit code: 0 nothing found, 1 secrets found, 2 could not run, or nothing found but something could not be read.

Examples:
  clew scan latest
  clew scan ~/.claude/projects/-home-ada-tidewatch
  clew scan --json | jq -r .rule | sort | uniq -c`,
  run,
}

async function run(words: readonly string[], world: World): Promise<number> {
  const { values, positionals } = parseWords(scan, words, ROOT_OPTIONS)
  const { output, progress } = world
  if (values.help) {
    output.print(scan.help)
    return 0
  }
  const { files, unread, roots } = await filesToScan(positionals, values, world)
  if (files.length + unread.length === 0) {
    output.note(nothingNote(roots, world))
    return 0
  }
  for (const { path, reason } of unread) output.note(`clew: ${path}: ${reason}`)
  const redactor = openRedactor(world)
  const totalBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0)
  const totals = { files: 0, sizeBytes: 0, unread: unread.length, findings: 0, secrets: new Set<string>() }
  let doneBytes = 0
  let shownPath = ''
  for (const file of files) {
    const { problem, secrets } = secretsIn(file, redactor, (bytes) => progress.show(doneBytes + bytes, totalBytes))
    for (const secret of secrets) {
      progress.clear()
      totals.findings += secret.count
      totals.secrets.add(secret.placeholder)
      if (values.json) output.print(findingJson(secret))
      else output.print(scanText(secret, secret.path !== shownPath, output.style))
      shownPath = secret.path
    }
    doneBytes += file.sizeBytes
    const reason = problem()
    if (reason === null) {
      totals.files++
      totals.sizeBytes += file.sizeBytes
      continue
    }
    progress.clear()
    totals.unread++
    output.note(`clew: ${file.path}: ${reason}`)
  }
  progress.clear()
  if (!values.json) output.print(scanTotals({ ...totals, secrets: totals.secrets.size }, output.style))
  if (totals.findings > 0) return 1
  return totals.unread > 0 ? 2 : 0
}
