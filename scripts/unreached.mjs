// Which modules of dist/ the library never reaches: those of the command, which the package has bundled, and what only tests
// and benchmarks open. They stay out of the package.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const IMPORTED = /\b(?:from|import)\s*\(?\s*['"](\.[^'"]+)\.[jt]s['"]/g

/** Paths inside the folder, with `/`. */
export function unreachedBelow(folder) {
  const reached = new Set()
  const reach = (module) => {
    if (reached.has(module)) return
    reached.add(module)
    // A module that is imported for its types alone is in no code, only in declarations.
    for (const path of [`${module}.js`, `${module}.d.ts`].filter((one) => existsSync(one))) {
      for (const [, target] of readFileSync(path, 'utf8').matchAll(IMPORTED)) reach(join(dirname(path), target))
    }
  }
  for (const name of ['index', 'node']) reach(join(folder, name))
  return readdirSync(folder, { recursive: true })
    .map((path) => ({ path, module: /^(.+?)(?:\.d\.ts|\.js)$/.exec(path)?.[1] }))
    .filter(({ module }) => module !== undefined && !reached.has(join(folder, module)))
    .map(({ path }) => path.replaceAll('\\', '/'))
    .sort()
}
