// The few styles the command line uses. A Style that is off returns its text unchanged.

export interface Style {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly prompt: (text: string) => string
  readonly good: (text: string) => string
  readonly bad: (text: string) => string
  readonly note: (text: string) => string
}

export function styleOf(hasColours: boolean): Style {
  const paint = (open: string, close: string) => (text: string) => {
    if (!hasColours || text === '') return text
    // Each line carries its own codes, so that a pager can begin anywhere.
    return text
      .split('\n')
      .map((line) => (line === '' ? '' : `\u001b[${open}m${line}\u001b[${close}m`))
      .join('\n')
  }
  return {
    bold: paint('1', '22'),
    dim: paint('2', '22'),
    prompt: paint('1;36', '22;39'),
    good: paint('32', '39'),
    bad: paint('31', '39'),
    note: paint('33', '39'),
  }
}
