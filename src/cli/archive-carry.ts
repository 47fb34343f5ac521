// Sessions in one file, for another machine: out of this archive, into that one.

import { resolve } from 'node:path'
import { readCatalogue } from '../archive/catalogue.ts'
import { exportArchive } from '../archive/export-archive.ts'
import { importArchive } from '../archive/import-archive.ts'
import { archiveFolder, openArchive } from '../archive/open-archive.ts'
import { systemCode } from '../base/system-code.ts'
import { exportedJson, exportedText, importedJson, importedText } from '../render/archive.ts'
import type { ArchiveDeed } from './archive.ts'
import { claudeFolders, failing, ownArchive, usualFolder } from './archive-folders.ts'
import { ofSessions } from './archive-restore.ts'
import { refuseClaudeFolders } from './export-target.ts'
import { Failure } from './failure.ts'
import { packedFile } from './packed-file.ts'

export const archiveExport: ArchiveDeed = async (names, values, world) => {
  if (names.length > 0 === (values.all === true)) {
    throw new Failure('export takes ids or --all. Try: clew archive list')
  }
  if (values.output === undefined) throw new Failure('where to? clew archive export … -o FILE')
  const path = resolve(world.folder, values.output)
  refuseClaudeFolders(path, values.root, world)
  const archive = ownArchive(world)
  const { files } = readCatalogue(archive)
  const wanted = values.all ? files : ofSessions(files, names)
  const storedBytes = await told(path, () =>
    failing(() => exportArchive(archive, wanted, path, { takenMs: world.nowMs })),
  )
  const exported = { path, files: wanted.length, sizeBytes: sum(wanted), storedBytes }
  const { output, home } = world
  output.print(values.json ? exportedJson(exported) : exportedText(exported, { style: output.style, home }))
  return 0
}

export const archiveImport: ArchiveDeed = async (names, values, world) => {
  const [name] = names
  if (name === undefined || names.length > 1) throw new Failure('import takes one file that clew archive export made')
  const path = packedFile(name, 'archive', world)
  // They belong to the Claude directory of this machine from now on, so that they are found with its own.
  const root = claudeFolders(values.root, world)[0] ?? usualFolder(world)
  const archive = await failing(() => openArchive(archiveFolder(world)))
  const { files, alreadyThere, older } = await told(path, () =>
    failing(() => importArchive(archive, path, { root, takenMs: world.nowMs })),
  )
  const imported = { path, root, files: files.length, sizeBytes: sum(files), alreadyThere, older }
  const { output, home } = world
  output.print(values.json ? importedJson(imported) : importedText(imported, { style: output.style, home }))
  return 0
}

function sum(files: readonly { readonly sizeBytes: number }[]): number {
  return files.reduce((total, { sizeBytes }) => total + sizeBytes, 0)
}

async function told<Value>(path: string, act: () => Promise<Value>): Promise<Value> {
  try {
    return await act()
  } catch (error) {
    const code = systemCode(error)
    if (code === null) throw error
    throw new Failure(code === 'EEXIST' ? `${path} is there already` : `${path}: ${code}`)
  }
}
