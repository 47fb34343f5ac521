import { REAL_DISK } from '../disk/real-disk.ts'
import { addWeights, weigh } from '../relocate/weigh.ts'
import type { DoctorReport } from '../render/doctor.ts'
import { doctorJson, doctorText } from '../render/doctor.ts'
import { findDoubles } from '../store/doubles.ts'
import { examineFolders } from '../store/examine.ts'
import { archivingState } from './archive-state.ts'
import { openClaudeFolders } from './claude-folder.ts'
import type { Command, World } from './command.ts'
import { nothingNote, parseWords, ROOT_OPTIONS } from './command.ts'
import { Failure } from './failure.ts'
import { bringUpIndex } from './indexed.ts'

export const doctor: Command = {
  name: 'doctor',
  failureCode: 1,
  help: `clew doctor [--json] [--root DIR]

What Claude Code's own clean-up will delete and when: the days it keeps transcripts (cleanupPeriodDays in
settings.json or settings.local.json of the Claude directory, else 30) and the conversations that go within the next
7 days, by the times of their files, which is what the client looks at; whether clew archive is set up, and which of
them it has no copy of. How much disk each project takes, what kinds of bytes those are, and which transcripts hold
what another one holds as well. Nothing is changed.

  --json      one JSON object
  --no-index  read every file, and leave the index alone
  --root DIR  a Claude directory; repeatable

Examples:
  clew doctor
  clew doctor --json | jq '.expiring[] | {title, daysLeft}'`,
  run,
}

async function run(words: readonly string[], world: World): Promise<number> {
  const { values, positionals } = parseWords(doctor, words, ROOT_OPTIONS)
  const { output, progress, home } = world
  if (values.help) {
    output.print(doctor.help)
    return 0
  }
  if (positionals.length > 0) throw new Failure(`doctor takes no “${positionals[0]}”. Try: clew doctor --help`)
  const archive = openClaudeFolders('doctor', values.root, world)
  const files = archive.projects.flatMap((project) => project.files)
  const { listed, doubles, kinds } = await bringUpIndex(values['no-index'], archive, world, async ({ access }) => {
    const listed = await access.list(archive, progress.show)
    const doubles = findDoubles(files, listed, access.read, progress.show)
    return { listed, doubles, kinds: addWeights(weigh(REAL_DISK, archive.roots, files, access.read, progress.show)) }
  })
  progress.clear()
  if (files.length === 0) output.note(nothingNote(archive.roots, world))
  const examined = examineFolders(archive.roots, archive, listed, world.nowMs)
  const { archiving, expiring } = archivingState(archive.roots, examined.expiring, world)
  const report: DoctorReport = { ...examined, expiring, archiving, doubles, kinds }
  if (values.json) output.print(doctorJson(report))
  else if (report.folders.length > 0)
    output.page(doctorText(report, { columns: output.columns, style: output.style, home }))
  return 0
}
