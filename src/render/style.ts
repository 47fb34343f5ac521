// The few styles the command line uses. A Style that is off returns its text unchanged.

export interface Style {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly prompt: (text: string) => string
  readonly good: (text: string) => string
  readonly bad: (text: string) => string
  readonly note: (text: string) => string
}

const BOLD = ['1', '22'] as const
const DIM = ['2', '22'] as const
const PROMPT = ['1;36', '22;39'] as const
const GOOD = ['32', '39'] as const
const BAD = ['31', '39'] as const
const NOTE = ['33', '39'] as const

/** Every colour sequence that is ours: the terminal gate lets no other one through. */
export const OWN_SEQUENCES: ReadonlySet<string> = new Set([BOLD, DIM, PROMPT, GOOD, BAD, NOTE].flat().map(sequence))

export function styleOf(hasColours: boolean): Style {
  const paint =
    ([open, close]: readonly [string, string]) =>
    (text: string) => {
      if (!hasColours || text === '') return text
      // Each line carries its own codes, so that a pager can begin anywhere.
      return text
        .split('\n')
        .map((line) => (line === '' ? '' : `${sequence(open)}${line}${sequence(close)}`))
        .join('\n')
    }
  return {
    bold: paint(BOLD),
    dim: paint(DIM),
    prompt: paint(PROMPT),
    good: paint(GOOD),
    bad: paint(BAD),
    note: paint(NOTE),
  }
}

function sequence(code: string): string {
  return `\u001b[${code}m`
}
