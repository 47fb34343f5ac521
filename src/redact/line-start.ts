// Whether a name begins its line, as an assignment does in files and in what tools print of them.

/** Only `export`, a bullet or a line number stands before it. */
export function isLineStart(text: string, at: number): boolean {
  if (at === 0 || text.charCodeAt(at - 1) === 10) return true
  const from = Math.max(0, at - 24)
  const before = text.slice(from, at)
  const line = before.slice(before.lastIndexOf('\n') + 1)
  if (line.length === before.length && from > 0) return false
  return LINE_START.test(line)
}

const LINE_START = /^(?:[ \t]*\d{1,6}[→\t|:])?[ \t+>*#-]*(?:(?:export|set|setx|ENV|ARG|env)[ \t]+|\$env:)?$/
