/** A block of code whose fence is longer than any run of its marks inside. */
export function fenced(text: string, language = ''): string {
  const runs = text.match(/`{3,}/g) ?? []
  const fence = '`'.repeat(runs.reduce((longest, run) => Math.max(longest, run.length + 1), 3))
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`
}

/** Code within a line. */
export function codeSpan(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line === '') return ''
  const runs = line.match(/`+/g) ?? []
  const fence = '`'.repeat(runs.reduce((longest, run) => Math.max(longest, run.length + 1), 1))
  const gap = line.startsWith('`') || line.endsWith('`') ? ' ' : ''
  return `${fence}${gap}${line}${gap}${fence}`
}
