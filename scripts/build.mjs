// Builds dist/: the library as one file a module, and the command, which starts in half the time, as one file with what
// it rarely needs beside it. Run by `npm ci` through `prepare`. The old build stays whole until the new one is finished,
// so that a command running meanwhile finds its files.
import { spawnSync } from 'node:child_process'
import { chmodSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { build as buildPage } from 'vite'
import { writeDocComments } from './doc-comments.mjs'
import { licencesOf } from './licences.mjs'
import { unreachedBelow } from './unreached.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')
const next = join(root, `dist.${process.pid}`)
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
const built = spawnSync(process.execPath, [compiler, '-p', root, '--outDir', next], { stdio: 'inherit' })
if (built.status !== 0) {
  rmSync(next, { recursive: true, force: true })
  process.exit(built.status ?? 1)
}
writeDocComments(next, readFileSync(join(root, 'docs', 'library.md'), 'utf8'))
// npm leaves out of the package what this file names.
writeFileSync(join(next, '.npmignore'), unreachedBelow(next).join('\n'))
// The scanner, for Node and browsers alike, and what writes the words of a first index.
const assembler = join(root, 'node_modules', 'assemblyscript', 'bin', 'asc.js')
const speed = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd']
const programs = [
  { from: 'scan.ts', to: join('record', 'scan.wasm'), memory: '320' },
  { from: 'words.ts', to: join('search', 'words.wasm'), memory: '2' },
]
for (const { from, to, memory } of programs) {
  const words = [join(root, 'assembly', from), '--outFile', join(next, to), ...speed, '--initialMemory', memory]
  const assembled = spawnSync(process.execPath, [assembler, ...words], { cwd: root, stdio: 'inherit' })
  if (assembled.status !== 0) {
    rmSync(next, { recursive: true, force: true })
    process.exit(assembled.status ?? 1)
  }
}
// One file each, so that a command opens one file. Workers are started from here by the library too: they load in a third of
// the time, and a first index waits for two of them.
const parts = {
  clew: join('cli', 'start.js'),
  main: join('cli', 'main.js'),
  worker: join('load', 'worker.js'),
  'ingest-worker': join('search', 'ingest-worker.js'),
  'weave-worker': join('search', 'weave-worker.js'),
  'scan-worker': join('search', 'scan-worker.js'),
  'index-worker': join('server', 'index-worker.js'),
}
// What measures emoji takes longer to load than a list to be printed, and most tables hold none: so it is a file apart.
const widthLater = {
  name: 'width-later',
  transform: (code, id) =>
    id.endsWith(join('render', 'width.js'))
      ? code.replace(
          "import stringWidth from 'string-width';",
          `import { createRequire } from 'node:module';
           let measure;
           const stringWidth = (text) => (measure ??= createRequire(import.meta.url)('./string-width.cjs').default)(text);`,
        )
      : null,
}
const widthLibrary = await rolldown({ input: { 'string-width': fileURLToPath(import.meta.resolve('string-width')) } })
const bundled = [
  await widthLibrary.write({ dir: join(next, 'bin'), format: 'cjs', entryFileNames: '[name].cjs', exports: 'named' }),
]
await widthLibrary.close()
// What Clew uses of it is in its binary. To find that by way of the package takes ten times as long as to load it, so it is
// asked for where npm puts it, as ours or beside us; where it is not, or does not load, the package finds its way.
const required = {
  name: 'required',
  resolveId: (id) => (id === '@photostructure/sqlite' ? '\0sqlite' : null),
  load: (id) =>
    id === '\0sqlite'
      ? `import { existsSync } from 'node:fs';
         import { createRequire } from 'node:module';
         import { join } from 'node:path';
         const { platform, arch } = process;
         const system = platform === 'linux' && existsSync('/etc/alpine-release') ? 'musl' : 'glibc';
         const binary = join('prebuilds', platform + '-' + arch, '@photostructure+sqlite.' + system + '.node');
         const folder = ['../../node_modules', '../../..']
           .map((place) => join(import.meta.dirname, place, '@photostructure', 'sqlite'))
           .find((one) => existsSync(join(one, binary)) && !existsSync(join(one, 'build')));
         const library = () => createRequire(join(import.meta.dirname, 'main.js'))('@photostructure/sqlite');
         const loaded = () => {
           const opened = { exports: {} };
           process.dlopen(opened, join(folder, binary));
           return opened.exports;
         };
         const sqlite = () => {
           try {
             return folder === undefined ? library() : loaded();
           } catch {
             return library();
           }
         };
         export const { DatabaseSync } = sqlite();`
      : null,
}
// Its other form asks for its own parts in a way that cannot be put into one file.
const jsonParser = {
  name: 'json-parser',
  resolveId: (id) =>
    id === 'jsonc-parser' ? join(root, 'node_modules', 'jsonc-parser', 'lib', 'esm', 'main.js') : null,
}
// Parts of Node that take milliseconds to load and that most commands do not use: asked for where they are used.
const LATER = [
  'node:crypto',
  'node:worker_threads',
  'node:v8',
  'node:zlib',
  'node:child_process',
  'node:module',
  'node:timers/promises',
]
const builtinsLater = {
  name: 'builtins-later',
  renderChunk: (code, { fileName }) => {
    if (fileName === 'clew.js') return null
    let text = code
    for (const id of LATER) {
      const name = id.replaceAll(/[:/]/g, '_')
      const changed = text.replace(`let ${name} = require("${id}");`, '').replaceAll(`${name}.`, `(require("${id}")).`)
      if (!new RegExp(`\\b${name}\\b`).test(changed)) text = changed
    }
    return { code: text, map: null }
  },
}
for (const [name, path] of Object.entries(parts)) {
  const bundle = await rolldown({
    input: { [name]: join(next, path) },
    platform: 'node',
    plugins: [widthLater, required, jsonParser, builtinsLater],
    external: [/^node:/, '@anthropic-ai/sdk'],
  })
  const written = await bundle.write({
    dir: join(next, 'bin'),
    format: 'cjs',
    chunkFileNames: '[name]-[hash].js',
    // Spaces and comments cost a command ten milliseconds; names stay, because a stack trace tells them.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    banner: '/*! Clew, with what others made: licences.txt, one folder up. */',
  })
  bundled.push(written)
  await bundle.close()
}
// Letters beyond ASCII as escapes: then a file is read without being decoded, and V8 holds and reads half as many bytes.
for (const file of readdirSync(join(next, 'bin')).filter((name) => name.endsWith('.js'))) {
  const path = join(next, 'bin', file)
  const code = readFileSync(path, 'utf8')
  if (/(?<!\\)(?:\\\\)*\\[^\0-\x7f]|String\.raw`[^`]*[^\0-\x7f]/.test(code))
    throw new Error(`an escape would not do in ${file}`)
  const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  writeFileSync(path, code.replaceAll(/[^\0-\x7f]/g, escaped))
}
// The page that `clew serve` shows.
bundled.push(
  await buildPage({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn', build: { outDir: join(next, 'web') } }),
)
const modules = bundled.flatMap(({ output }) => output.flatMap(({ moduleIds = [] }) => moduleIds))
// A part of AssemblyScript is in what it compiles.
const compiledWith = join(root, 'node_modules', 'assemblyscript', 'index.js')
writeFileSync(join(next, 'licences.txt'), licencesOf([...modules, compiledWith]))
// Node loads these the short way, without its loader for ES modules.
writeFileSync(join(next, 'bin', 'package.json'), '{ "type": "commonjs" }\n')
chmodSync(join(next, 'bin', 'clew.js'), 0o755)
rmSync(dist, { recursive: true, force: true })
renameSync(next, dist)
