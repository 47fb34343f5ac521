// Builds dist/: the library as one file a module, and the command, which starts in half the time, as one file with what
// it rarely needs beside it. Run by `npm ci` through `prepare`. The old build stays whole until the new one is finished,
// so that a command running meanwhile finds its files.
import { spawnSync } from 'node:child_process'
import { chmodSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { build as buildPage } from 'vite'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')
const next = join(root, `dist.${process.pid}`)
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
const built = spawnSync(process.execPath, [compiler, '-p', root, '--outDir', next], { stdio: 'inherit' })
if (built.status !== 0) {
  rmSync(next, { recursive: true, force: true })
  process.exit(built.status ?? 1)
}
// One file each, so that a command opens one file. Workers are started by a path beside the file that starts them.
const parts = {
  clew: join('cli', 'main.js'),
  worker: join('load', 'worker.js'),
  'ingest-worker': join('search', 'ingest-worker.js'),
  'weave-worker': join('search', 'weave-worker.js'),
  'scan-worker': join('search', 'scan-worker.js'),
  'index-worker': join('server', 'index-worker.js'),
}
for (const [name, path] of Object.entries(parts)) {
  const bundle = await rolldown({
    input: { [name]: join(next, path) },
    platform: 'node',
    external: [/^node:/, '@photostructure/sqlite', '@anthropic-ai/sdk'],
  })
  await bundle.write({
    dir: join(next, 'bin'),
    format: 'esm',
    chunkFileNames: '[name]-[hash].js',
    // Spaces and comments cost a command ten milliseconds; names stay, because a stack trace tells them.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    banner:
      '/*! Clew. Holds, with what they need: string-width (MIT, (c) Sindre Sorhus); mdast-util-from-markdown, mdast-util-gfm and micromark-extension-gfm (MIT, (c) Titus Wormer); anser (MIT, (c) Ionica Bizau); picomatch (MIT, (c) Jon Schlinkert); hono and @hono/node-server (MIT, (c) Yusuke Wada). */',
  })
  await bundle.close()
}
// The page that `clew serve` shows.
await buildPage({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn', build: { outDir: join(next, 'web') } })
chmodSync(join(next, 'bin', 'clew.js'), 0o755)
rmSync(dist, { recursive: true, force: true })
renameSync(next, dist)
