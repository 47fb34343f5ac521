// What people search for, by kind, taken from the archive itself and from what its generator planted in it: for
// `bench-index.mjs`. At least a hundred of each kind, each `{ typed, options, filter }`.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const A_KIND = 100
const NO_FILTER = { isWanted: null, gitBranch: null, model: null }
const NO_OPTIONS = { fields: new Set(), sinceMs: null, untilMs: null, tool: null, file: null }
/** Planted more often than that, a word has too many hits to weigh them all. */
const MANY = 300

export function queriesByKind(archive, found) {
  const { texts, ids, counts, tools, paths, files } = sampleOf(found)
  const common = [...counts].sort((one, other) => other[1] - one[1]).map(([word]) => word)
  const planted = needlesOf(archive)
  const of = (kind) => planted.filter((needle) => needle.kind === kind)
  const words = of('word')
  const runs = of('unicode').map(({ needle }) => needle)
  /** So many different ones of the forty commonest. */
  const several = (turn, many) => {
    const all = new Set()
    for (let step = 1; all.size < many; step++) all.add(common[(turn * (2 * all.size + 1) + step * 3) % 40])
    return [...all].join(' ')
  }
  const make = (typed, options = {}, filter = NO_FILTER) => {
    return { typed, filter, options: { typed, ...NO_OPTIONS, limit: 20, perConversation: 3, ...options } }
  }
  const hundred = (from, toQuery) =>
    Array.from({ length: A_KIND }, (_, turn) => toQuery(from[turn % from.length], turn))
  const each = (toQuery) => hundred(texts, toQuery)
  const rarest = (said) => said.reduce((best, word) => (countOf(word) < countOf(best) ? word : best))
  const countOf = (word) => counts.get(word.toLowerCase()) ?? 0
  const middling = (said) => [...said].sort((one, other) => countOf(other) - countOf(one))[said.length >> 1]
  const prefix = (length) => each((said) => make(`${said.find((word) => word.length > length)?.slice(0, length)}*`))
  const inProject = (_, turn) => {
    const { path } = files[(turn * 13) % files.length]
    const key = path.split('/projects/')[1].split('/')[0]
    return { ...NO_FILTER, isWanted: (row) => row.path.includes(`/projects/${key}/`) }
  }
  const kinds = {
    'a planted word, rare': hundred(
      words.filter(({ count }) => count < MANY),
      ({ needle }) => make(needle),
    ),
    'a planted word with 400 to 1,500 hits': hundred(
      words.filter(({ count }) => count >= MANY),
      ({ needle }) => make(needle),
    ),
    'a planted phrase': hundred(of('phrase'), ({ needle }) => make(`"${needle}"`)),
    'the words of a planted phrase': hundred(of('phrase'), ({ needle }) => make(needle)),
    'a planted part of an identifier': hundred(of('substring'), ({ needle }) => make(needle)),
    'an identifier by its beginning': hundred(of('substring'), ({ needle }) => make(`handle${needle}*`)),
    'a planted run of Chinese': hundred(runs, (run) => make(run)),
    'two characters of a run of Chinese': hundred(pairsOf(runs), (pair) => make(pair)),
    'one word': each((said) => make(rarest(said))),
    'a common word': hundred(common.slice(0, 40), (word) => make(word)),
    'two common words': each((_, turn) => make(several(turn, 2))),
    'three common words': each((_, turn) => make(several(turn, 3))),
    'three words': each((said) => make([said[1], said[5], said[9]].join(' '))),
    'a question of eight words': each((said) => make(said.slice(2, 10).join(' '))),
    'a phrase of three words': each((said) => make(`"${said.slice(4, 7).join(' ')}"`)),
    'a phrase of three common words': each((_, turn) => make(`"${several(turn, 3)}"`)),
    'a prefix of 2': prefix(2),
    'a prefix of 3': prefix(3),
    'a prefix of 4': prefix(4),
    'a prefix of 5': prefix(5),
    'either of two words': each((said, turn) => make(`${rarest(said)} OR ${common[turn % 40]}`)),
    'a word without another': each((said, turn) => make(`${middling(said)} -${common[turn % 40]}`)),
    'a common word without another': each((_, turn) => make(several(turn, 2).replace(' ', ' -'))),
    'an id': each((_, turn) =>
      make((turn % 2 === 0 ? ids[turn] : files[turn % files.length].sessionId?.slice(0, 8)) ?? 'x'),
    ),
    'a path': hundred(paths, (path) => make(path)),
    'a word and path:': each((said, turn) => make(`${middling(said)} path:${nameOf(paths[turn % paths.length])}`)),
    'a word and tool:': each((said, turn) => make(`${middling(said)} tool:${tools[turn % tools.length]}`)),
    'a word and cmd:': each((said, turn) => make(`${middling(said)} cmd:${['git', 'npm', 'run', 'test'][turn % 4]}`)),
    'a common word, --since': each((_, turn) => make(common[turn % 40], { sinceMs: sinceOf(texts, turn) })),
    'a word, --until': each((said, turn) => make(middling(said), { untilMs: sinceOf(texts, turn) })),
    'a common word in one project': each((said, turn) => make(common[turn % 40], {}, inProject(said, turn))),
    'a rare word in one project': each((said, turn) => make(rarest(said), {}, inProject(said, turn))),
    'a common word, --tool': each((_, turn) => make(common[turn % 40], { tool: tools[turn % tools.length] })),
    'a word, --file': each((said, turn) => make(middling(said), { file: nameOf(paths[turn % paths.length]) })),
    'a word in prompts': each((said) => make(middling(said), { fields: new Set(['prompts']) })),
    'a common word in commands': each((_, turn) => make(common[turn % 40], { fields: new Set(['commands']) })),
    'a word that is nowhere': each((said, turn) => make(`${rarest(said)}qzx${turn}`)),
    'a misspelt word': each((said) => make(misspelt(rarest(said)))),
    'three words, one misspelt': each((said) => make([said[1], misspelt(rarest(said)), said[9]].join(' '))),
    'a pasted error of 30 words': each((said, turn) => make(errorOf(texts, said, turn))),
    'a common word, 100 hits': each((_, turn) => make(common[turn % 40], { limit: 100 })),
    'a word, 100 hits': each((said) => make(middling(said), { limit: 100 })),
    'a common word, 20 of one conversation': each((_, turn) => make(common[turn % 40], { perConversation: 20 })),
  }
  return Object.entries(kinds).filter(([, queries]) => queries.every((query) => query !== undefined))
}

/** `count` is how many records hold it. */
export function needlesOf(archive) {
  const manifest = join(archive, '..', 'manifest.json')
  if (!existsSync(manifest)) return []
  return Object.entries(JSON.parse(readFileSync(manifest, 'utf8')).needles).map(([needle, { kind, records }]) => {
    return { needle, kind, uuids: new Set(records.map(({ uuid }) => uuid)), count: records.length }
  })
}

export function pairsOf(runs) {
  return runs.flatMap((run) => Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2)))
}

const TEXTS = 400

function sampleOf(found) {
  const files = found.projects.flatMap((project) => project.files).filter((file) => file.sizeBytes > 50_000)
  const texts = []
  const ids = []
  const counts = new Map()
  const tools = new Set()
  const paths = new Set()
  for (let step = 0; texts.length < TEXTS; step++) {
    const lines = readFileSync(files[(step * 37) % files.length].path, 'utf8').split('\n')
    for (let line = step % 7; line < lines.length && texts.length < TEXTS; line += 97) {
      const { uuid, timestamp, message } = tryParse(lines[line])
      const blocks = Array.isArray(message?.content) ? message.content : [{ text: message?.content }]
      for (const { name, input } of blocks) {
        if (typeof name === 'string') tools.add(name)
        if (typeof input?.file_path === 'string') paths.add(input.file_path)
      }
      const said = blocks
        .map((block) => block.text ?? (typeof block.content === 'string' ? block.content : ''))
        .find((text) => typeof text === 'string' && text.length > 40)
      const words = said?.match(/[A-Za-z]{3,}/g) ?? []
      if (words.length < 12) continue
      texts.push(Object.assign(words, { atMs: Date.parse(timestamp) }))
      ids.push(uuid)
      for (const word of new Set(words)) counts.set(word.toLowerCase(), (counts.get(word.toLowerCase()) ?? 0) + 1)
    }
  }
  return { texts, ids, counts, tools: [...tools], paths: [...paths], files }
}

function sinceOf(texts, turn) {
  return texts[(turn * 3) % texts.length].atMs
}

function nameOf(path) {
  return path.split('/').at(-1)
}

/** Two letters the other way round, which hardly ever is a word. */
function misspelt(word) {
  const at = word.length >> 1
  return `${word.slice(0, at - 1)}${word[at]}${word[at - 1]}${word.slice(at + 1)}`
}

/** As somebody pastes it: what is said in one place, a path and a number from another. */
function errorOf(texts, said, turn) {
  const other = texts[(turn * 3 + 1) % texts.length]
  const words = [...said, ...other].slice(0, 27)
  return `Error: ${words.slice(0, 12).join(' ')} at ${words[12]}/${words[13]}.ts:${turn * 7}:12 ${words.slice(14).join(' ')}`
}

function tryParse(line) {
  try {
    return JSON.parse(line)
  } catch {
    return {}
  }
}
