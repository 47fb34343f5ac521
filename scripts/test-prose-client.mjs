// `npm run test:prose-client`: lets the route `claude` of prose ask the real client, and looks at what it sends and what
// it leaves behind. The client comes from npm, talks to an API of ours on loopback, and has no network.
// CLEW_CLIENT_FOLDER names a folder in which it is kept for the next run.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clientVersion, installClient } from '../test/client/install-client.mjs'
import { walledCommand } from '../test/client/walled.mjs'
import { prepare, root } from './prepare.mjs'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'clew-prose-client-')))
process.exitCode = main()
rmSync(folder, { recursive: true, force: true })

function main() {
  prepare({ quiet: true })
  const walled = walledCommand()
  if (walled === undefined) return skipped('a network namespace is not to be had (unshare -n and ip are needed)')
  const clientFolder = process.env['CLEW_CLIENT_FOLDER'] || join(folder, 'client')
  try {
    installClient(clientFolder)
  } catch (error) {
    return skipped(`the client is not to be had: ${error.message}`)
  }
  console.log(`client ${clientVersion(clientFolder)}`)
  const [first, ...words] = walled
  const inside = join(root, 'test', 'client', 'prose-inside.mjs')
  const bin = join(clientFolder, 'node_modules', '.bin')
  return spawnSync(first, [...words, process.execPath, inside, bin, folder], { stdio: 'inherit' }).status ?? 1
}

function skipped(why) {
  console.log(`\nSKIPPED: ${why}\n`)
  return 0
}
