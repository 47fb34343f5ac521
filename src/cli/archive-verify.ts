import { verifyArchive } from '../archive/verify.ts'
import { verifyJson, verifyText } from '../render/archive.ts'
import type { ArchiveDeed } from './archive.ts'
import { failing, ownArchive } from './archive-folders.ts'
import { Failure } from './failure.ts'

/** Every byte of the archive is read, and every version of every file put together. */
export const archiveVerify: ArchiveDeed = async (names, values, world) => {
  if (names.length > 0) throw new Failure(`archive verify takes no “${names[0]}”. Try: clew archive --help`)
  const archive = ownArchive(world)
  const report = await failing(() =>
    verifyArchive(archive, {
      readsFiles: true,
      onProgress: ({ bytesDone, sizeBytes }) => world.progress.show(bytesDone, sizeBytes),
    }),
  )
  world.progress.clear()
  const { output } = world
  output.print(values.json ? verifyJson(report) : verifyText(report, { style: output.style }))
  return report.isWhole ? 0 : 1
}
