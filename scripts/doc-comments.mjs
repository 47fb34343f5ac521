// What docs/library.md says of a name, above its declaration: an editor shows it to whoever uses the library. Names whose
// declaration says more keep that.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Into the declarations of a folder, for all names that its entry points export. */
export function writeDocComments(folder, tables) {
  const meanings = new Map(
    [...tables.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)].map(([, name, text]) => [name, withoutLinks(text)]),
  )
  for (const entry of ['index.d.ts', 'node.d.ts']) {
    const exported = readFileSync(join(folder, entry), 'utf8').matchAll(
      /^export (?:type )?\{([^}]+)\} from '(.+)\.ts';$/gm,
    )
    for (const [, names, module] of exported) {
      const path = join(folder, `${module}.d.ts`)
      const lines = readFileSync(path, 'utf8').split('\n')
      writeFileSync(path, lines.flatMap(withComment(new Set(names.match(/\w+/g)), meanings)).join('\n'))
    }
  }
}

function withComment(names, meanings) {
  return (line, at, lines) => {
    const name = /^export (?:declare )?(?:interface|type|function|class|const) (\w+)/.exec(line)?.[1]
    const isBare = names.has(name) && !lines[at - 1]?.endsWith('*/')
    return isBare && meanings.has(name) ? [`/** ${meanings.get(name)} */`, line] : [line]
  }
}

function withoutLinks(text) {
  return text.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
}
