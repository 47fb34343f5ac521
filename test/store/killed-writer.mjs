// Writes to one session until it has written enough or somebody kills it, and says of every record when it lasts:
//   node killed-writer.mjs DIST ROOT SESSION '{"name":"w1","cwd":"/home/ada/tide","producers":8,"count":0,"sizes":[1000]}'
// The session is made when it is not there. A count of 0 has no end. The parent reads "ready", then a line a record:
// its uuid, its number and its length. The words of a record are made from its writer, number and length alone,
// as in killed-process.ts.
import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [dist, root, id, given] = process.argv.slice(2)
const { name, cwd, producers, count, sizes } = JSON.parse(given)
const { openStore } = await import(pathToFileURL(join(dist, 'store', 'open-store.js')))
const store = openStore({ root })
const session = await store.resume(id).catch((error) => {
  if (error.code !== 'unknown-session') throw error
  return store.create({ cwd, sessionId: id })
})

writeSync(1, 'ready\n')
let next = 0
await Promise.all(Array.from({ length: producers }, produce))
await session.close()
writeSync(1, 'done\n')

async function produce() {
  while (count === 0 || next < count) {
    const number = next++
    const length = sizes[number % sizes.length]
    const [uuid] = [await write(number, wordsOf(number, length))].flat()
    writeSync(1, `${uuid} ${number} ${length}\n`)
  }
}

function write(number, words) {
  if (number % 40 === 39) return session.compact(words)
  if (number % 3 === 0) return session.prompt(words)
  return number % 3 === 1
    ? session.reply(words)
    : session.append({ type: 'user', message: { role: 'user', content: words } })
}

function wordsOf(number, length) {
  return `${name}#${number}:`.padEnd(length, 'the tide comes in and goes out again ')
}
