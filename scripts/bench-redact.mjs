// What redaction costs, and what it takes for a Secret that is none.
//   node scripts/bench-redact.mjs speed      MB/s on a transcript and on source code, beside a control
//   node scripts/bench-redact.mjs hostile [passes]   processor milliseconds for 1 MB of each hostile text, beside a control
//   node scripts/bench-redact.mjs false [folder…]   every finding in source code, to be looked at; findings per MB
// Without a word: speed and hostile, and only the count of findings.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hostileTexts } from '../test/redact/hostile.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const { createRedactor } = await import(process.env['CLEW_DIST'] ?? join(root, 'dist', 'index.js'))
const MB = 1 << 20
const [mode = 'all', ...folders] = process.argv.slice(2)

if (mode === 'all' || mode === 'speed') measureSpeed()
if (mode === 'all' || mode === 'hostile') measureHostile()
if (mode === 'all' || mode === 'false') countFalse(mode === 'false')

function measureSpeed() {
  const code = texts([join(root, 'src'), join(root, 'test'), join(root, 'docs')], 4 * MB)
  const packages = texts([join(root, 'node_modules')], 8 * MB)
  const records = texts([join(root, 'sample')], 4 * MB, /\.jsonl$/)
    .flatMap(({ text }) => text.split('\n'))
    .filter((line) => isJson(line))
  const cases = {
    'source code': () => code.map(({ text }) => text),
    packages: () => packages.map(({ text }) => text),
    'transcript, as text': () => [records.join('\n')],
    'transcript, as values': () => records.map((line) => JSON.parse(line)),
  }
  for (const [name, load] of Object.entries(cases)) {
    const loaded = load()
    const size = loaded.reduce((sum, one) => sum + (typeof one === 'string' ? one : JSON.stringify(one)).length, 0)
    const times = Math.max(1, Math.ceil((4 * MB) / size))
    const ours = []
    const controls = []
    for (let round = 0; round < 4; round++) {
      ours.push(milliseconds(() => redactAll(loaded, times)))
      controls.push(milliseconds(() => control(loaded, times)))
    }
    const rate = (list) => ((size * times) / MB / (Math.min(...list) / 1000)).toFixed(1)
    process.stdout.write(`${name.padEnd(24)} ${rate(ours).padStart(7)} MB/s   control ${rate(controls)} MB/s\n`)
  }
}

/** The sample has damaged lines too. */
function isJson(line) {
  try {
    return typeof JSON.parse(line) === 'object'
  } catch {
    return false
  }
}

function redactAll(loaded, times) {
  for (let time = 0; time < times; time++) {
    const redactor = createRedactor()
    for (const one of loaded) typeof one === 'string' ? redactor.text(one) : redactor.value(one)
  }
}

/** The plainest way: one alternation of words, case aside, over the whole text. */
function control(loaded, times) {
  const pattern = /password|passwd|secret|token|api_?key|ghp_|sk-|akia|aiza|xox|eyj|-----begin/gi
  for (let time = 0; time < times; time++)
    for (const one of loaded) for (const _ of (typeof one === 'string' ? one : JSON.stringify(one)).matchAll(pattern));
}

/**
 * The best of seven rounds in each pass: the first rounds are those in which the code is compiled, and whoever redacts a document
 * has redacted much before its worst line. The control does what redaction does most where there is much to find, without
 * looking for anything: when its median is far above its best, the machine was not quiet, and what stands here is too much.
 */
function measureHostile() {
  const passes = Number(folders[0] ?? 1)
  const all = Object.entries(hostileTexts(MB))
  const best = new Map(all.map(([name]) => [name, Number.POSITIVE_INFINITY]))
  const controls = []
  for (let pass = 0; pass < passes; pass++) {
    for (const [name, text] of all) {
      // A string that was put together is only copied into one piece when a character of it is asked for.
      for (let round = 0; round < 7; round++) {
        const took = milliseconds(() => createRedactor().text(text).text.charCodeAt(0))
        best.set(name, Math.min(best.get(name), took))
      }
      controls.push(milliseconds(() => rememberPieces(text)))
    }
  }
  for (const [name, took] of best) process.stdout.write(`${took.toFixed(0).padStart(6)} ms  ${name}\n`)
  const [name, took] = [...best].sort(([, one], [, other]) => other - one)[0]
  const below = [...best.values()].filter((one) => one < 100).length
  controls.sort((one, other) => one - other)
  process.stdout.write(`${below} of ${all.length} below 100 ms; worst: ${name}, ${took.toFixed(0)} ms for 1 MB\n`)
  process.stdout.write(
    `control: best ${controls[0].toFixed(0)} ms, median ${controls[controls.length >> 1].toFixed(0)} ms\n`,
  )
}

function rememberPieces(text) {
  const known = new Map()
  const found = []
  for (let at = 0; at < text.length; at += 20) {
    const secret = text.slice(at, at + 15)
    known.set(secret + at, found.push({ start: at, end: at + 15, secret }))
  }
  return known.size + found.length
}

function countFalse(isShown) {
  const places = folders.length > 0 ? folders : [join(root, 'src'), join(root, 'node_modules')]
  let size = 0
  let found = 0
  const byRule = {}
  for (const { path, text } of texts(places, 200 * MB, folders.length > 0 ? /./ : undefined)) {
    size += text.length
    const { findings } = createRedactor().text(text)
    for (const { rule, start, end } of findings) {
      found++
      byRule[rule] = (byRule[rule] ?? 0) + 1
      if (!isShown) continue
      const around = `${text.slice(Math.max(0, start - 50), start)}⟪${text.slice(start, Math.min(end, start + 90))}⟫${text.slice(end, end + 15)}`
      process.stdout.write(`${rule}\t${relative(root, path)}\t${JSON.stringify(around)}\n`)
    }
  }
  const mega = size / MB
  process.stdout.write(
    `${mega.toFixed(1)} MB, ${found} findings, ${(found / mega).toFixed(2)} per MB ${JSON.stringify(byRule)}\n`,
  )
}

function texts(places, most, wanted = /\.(?:js|ts|mjs|cjs|tsx|md|json)$/) {
  const found = []
  let size = 0
  for (const place of places) {
    const names = statSync(place).isDirectory()
      ? readdirSync(place, { recursive: true, encoding: 'utf8' }).sort()
      : ['']
    for (const name of names) {
      const path = join(place, name)
      if (!wanted.test(path) || /\.min\.|\.map$/.test(path) || size > most) continue
      const stat = statSync(path, { throwIfNoEntry: false })
      if (stat?.isFile() !== true || stat.size > 4 * MB) continue
      const text = readFileSync(path, 'utf8')
      size += text.length
      found.push({ path, text })
    }
  }
  return found
}

function milliseconds(act) {
  // Of the processor, not of the clock: other programs run too.
  const before = process.cpuUsage()
  act()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
