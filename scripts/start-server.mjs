// A server for those who measure it.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const clew = join(fileURLToPath(new URL('..', import.meta.url)), 'dist', 'bin', 'clew.js')

/** `clew serve` over a folder, as a process; asks as programs do. */
export async function startServer(claude, env) {
  const words = [clew, 'serve', '--no-open', '--json', '--root', claude]
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const line = await new Promise((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (bytes) => {
      text += bytes
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')))
    })
    child.on('exit', (code) => reject(new Error(`clew serve ended with ${code}`)))
  })
  const { url, token } = JSON.parse(line)
  const { origin } = new URL(url)
  const json = async (path) => {
    const response = await fetch(`${origin}${path}`, { headers: { 'x-clew-token': token } })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }
  return { process: child, url, origin, token, json }
}
