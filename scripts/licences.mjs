// The licences of everything that the build has put into its own files: whoever passes these on passes on the texts too.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Paths of bundled modules → the text of `dist/licences.txt`. Packages with the same text stand together. */
export function licencesOf(modules) {
  const folders = new Set(
    modules.flatMap((path) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(path) ?? []),
  )
  const byText = new Map()
  for (const folder of [...folders].sort()) {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one))
    const text = file === undefined ? `Licence: ${license}` : readFileSync(join(folder, file), 'utf8').trim()
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${version}`])
  }
  return [...byText].map(([text, names]) => `${names.join('\n')}\n\n${text}\n`).join(`\n${'-'.repeat(80)}\n\n`)
}
