// The picker on a real terminal: what one sees, and that the terminal is as it was when it has gone, whichever way.

import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import type { Pane } from './picker-tmux.ts'
import { hasTmux, isBuilt, openPane } from './picker-tmux.ts'

if (!hasTmux) console.warn('SKIPPED: no `tmux`, so the picker is not tested on a terminal')

test.runIf(hasTmux)('the picker is built', () => {
  expect(isBuilt).toBe(true)
})

const panes: Pane[] = []
afterEach(() => {
  for (const pane of panes.splice(0)) pane.close()
})

/** The picker, started from a shell that waits for it. */
async function started(columns = 80, rows = 24, mode = '', env: Readonly<Record<string, string>> = {}): Promise<Pane> {
  const pane = openPane(columns, rows, env)
  panes.push(pane)
  await pane.see(/[$#] *$/m)
  pane.send(`PS1='ready$ '; stty -g > "$HOME/modes"`, 'Enter')
  await pane.see(PROMPT)
  pane.start(mode)
  await pane.see('conversations')
  return pane
}

const PROMPT = /^ready\$\s*$/m

/** Only the command, what it printed and the shell are there, and the terminal works as before. */
async function expectAsBefore(pane: Pane): Promise<void> {
  await pane.see(PROMPT)
  expect(pane.state()).toBe('0 1')
  expect(pane.lines().join('\n')).not.toMatch(/Filter:|Full text:|❯|───/)
  pane.send('stty -g | cmp - "$HOME/modes" && echo as before', 'Enter')
  await pane.see(/^as before$/m)
}

const alive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe.runIf(hasTmux && isBuilt)('on a terminal', () => {
  test.each([
    [80, 24],
    [120, 40],
    [200, 50],
    [40, 12],
  ])('of %i×%i everything has its place', async (columns, rows) => {
    const pane = await started(columns, rows)
    await pane.see(columns === 40 ? 'Moon phase' : 'My terminal should greet me')
    expect(pane.state()).toBe('1 1')
    const lines = pane.lines()
    expect(lines).toHaveLength(rows)
    expect(lines[0]).toMatch(/^Filter: .* 5 conversations$/)
    expect(lines[2]).toMatch(/^❯ +\d+d {2}おはよう ☀️ /)
    expect(lines[rows - 1]).toMatch(/^Enter show .* Esc leave$/)
  })

  test('one types, moves and shows', async () => {
    const pane = await started()
    pane.send('tide', 'Down')
    await pane.see(/^Filter: tide +3 of 5$/m)
    await pane.see(/^❯ +\d+d {2}Local days/m)
    await pane.see('── Local days')
    pane.send('Enter')
    await pane.see('picked {"action":"show","reference":"2ab65b76-d18a-44c3-9987-9ebb221d7c35"}')
    await expectAsBefore(pane)
  })

  test('Ctrl-R prints a line for the shell; after Tab, r does', async () => {
    const pane = await started()
    pane.send('moon', 'C-r')
    const line = 'cd /home/ada/tidewatch && claude --resume a43e0f11-f3e5-4947-8081-bf208cebfeed'
    await pane.see(line)
    pane.start()
    await pane.see('conversations')
    pane.send('Tab', 'j', 'r')
    await pane.see(line)
    await expectAsBefore(pane)
  })

  test('r alone resumes; with letters after it, it begins a word', async () => {
    const pane = await started()
    pane.send('Down', 'r')
    await pane.see('cd /home/ada/tidewatch && claude --resume a43e0f11-f3e5-4947-8081-bf208cebfeed')
    pane.start()
    await pane.see('conversations')
    pane.send('rx')
    await pane.see(/^Filter: rx /m)
    pane.send('C-c')
    await pane.see('picked null')
    await expectAsBefore(pane)
  })

  test('/ searches the full text, and Esc goes back step by step', async () => {
    const pane = await started()
    pane.send('/', 'almanac')
    await pane.see(/^Full text: almanac +\d found$/m)
    await pane.see(/^ {8}.*almanac/m)
    pane.send('Escape')
    await pane.see(/^Filter: .* 5 conversations$/m)
    pane.send('x', 'C-f')
    await pane.see(/^Full text: x /m)
    pane.send('C-u', 'almanac')
    await pane.see(/^Full text: almanac +\d found$/m)
    pane.send('Enter')
    await pane.see(/picked \{"action":"show","reference":"a43e0f11-[-0-9a-f]+#\d+"\}/)
    await expectAsBefore(pane)
  })

  test('Enter on nothing searches, and Esc three times leaves', async () => {
    const pane = await started()
    pane.send('lunation')
    await pane.see('Nothing matches “lunation”.')
    pane.send('Enter')
    await pane.see(/^Full text: lunation +\d found$/m)
    pane.send('Escape')
    await pane.see('Nothing matches')
    pane.send('Escape')
    await pane.see('5 conversations')
    pane.send('Escape')
    await pane.see('picked null')
    await expectAsBefore(pane)
  })

  test('any script can be typed and pasted, and a paste runs nothing', async () => {
    const pane = await started()
    pane.send('おは')
    await pane.see(/^Filter: おは +1 of 5$/m)
    pane.send('BSpace')
    await pane.see(/^Filter: お +1 of 5$/m)
    pane.send('C-u')
    await pane.see('5 conversations')
    pane.paste('moon\nphase')
    await pane.see(/^Filter: moon phase +1 of 5$/m)
    pane.send('C-c')
    await pane.see('picked null')
    await expectAsBefore(pane)
  })

  test('ten thousand conversations are no more than five', async () => {
    const pane = await started(120, 40, 'many')
    await pane.see('10,000 conversations')
    pane.send('End')
    await pane.see(/^❯ .*9999/m)
    pane.send('9998')
    await pane.see(/^Filter: 9998 .* 1 of 10,000$/m)
    pane.send('C-u', 'Home', 'NPage')
    await pane.see(/^❯ .* 37 Local/m)
  })

  test('nothing waits for a slow preview or a slow search', async () => {
    const pane = await started(80, 24, 'slow')
    await pane.see('reading…')
    pane.send('tide')
    await pane.see(/^Filter: tide +3 of 5$/m)
    expect(pane.lines().join('\n')).toContain('reading…')
    pane.send('C-f')
    await pane.see('searching…')
    pane.send('Enter')
    await pane.see('Still searching…')
    await pane.see(/^Full text: tide +\d found$/m)
    expect(pane.lines().join('\n')).not.toContain('Still searching…')
  })

  test('it follows the size, however small', async () => {
    const pane = await started()
    pane.resize(20, 5)
    await pane.see('too small (20×5)')
    pane.send('x', 'Enter', 'C-r')
    pane.resize(1, 1)
    await sleep(100)
    pane.resize(130, 30)
    await pane.see(/^❯ .*│ おはよう/m)
    await pane.see(/^Filter: type to narrow .* 5 conversations$/m)
    pane.resize(20, 5)
    await pane.see('too small')
    pane.send('Escape')
    pane.resize(80, 24)
    await pane.see('picked null')
    await expectAsBefore(pane)
  })

  test('without colours none are written, and the selected one is still marked', async () => {
    const [plain, coloured] = [await started(80, 24, '', { NO_COLOR: '1' }), await started()]
    expect(coloured.hasColours()).toBe(true)
    expect(plain.hasColours()).toBe(false)
    expect(plain.lines().filter((line) => /^❯ +\d/.test(line))).toHaveLength(1)
  })
})

describe.runIf(hasTmux && isBuilt)('the terminal is as it was', () => {
  test.each([
    ['TERM', 143],
    ['INT', 130],
    ['HUP', 129],
    ['QUIT', 131],
  ])('after SIG%s, which the shell is told', async (signal, code) => {
    const pane = await started()
    process.kill(pane.pid(), `SIG${signal}`)
    await pane.see(PROMPT)
    pane.send('echo code $?', 'Enter')
    await pane.see(`code ${code}`)
    await expectAsBefore(pane)
  })

  test('after an exception of somebody else, whose stack can be read', async () => {
    const pane = await started(80, 24, 'uncaught')
    await pane.see('Error: uncaught on purpose')
    await expectAsBefore(pane)
  })

  test('after an exception while drawing, which the caller gets', async () => {
    const pane = await started(80, 24, 'throw-in-draw')
    pane.send('tide')
    await pane.see('caught drawing failed on purpose')
    await expectAsBefore(pane)
  })

  test('after process.exit', async () => {
    const pane = await started(80, 24, 'exit')
    await pane.see(PROMPT)
    pane.send('echo code $?', 'Enter')
    await pane.see('code 7')
    await expectAsBefore(pane)
  })

  test('and a preview or a search that fails only says so', async () => {
    const pane = await started(80, 24, 'throw-in-preview')
    await pane.see('It cannot be shown: the preview\\x1b[2J failed')
    pane.send('C-c')
    await expectAsBefore(pane)
    pane.start('throw-in-search')
    await pane.see('conversations')
    pane.send('/', 'x')
    await pane.see('no index')
    pane.send('C-c')
    await expectAsBefore(pane)
  })

  test('while it is suspended, and it comes back as it was, in another size', async () => {
    const pane = await started()
    pane.send('tide', 'Down')
    await pane.see(/^❯ .*Local days/m)
    pane.send('C-z')
    await pane.see(/Stopped|Suspended/)
    await expectAsBefore(pane)
    pane.resize(100, 30)
    pane.send('fg', 'Enter')
    const lines = await pane.see(/^Filter: tide +3 of 5$/m)
    expect(lines).toHaveLength(30)
    expect(lines[0]).toHaveLength(100)
    await pane.see(/^❯ .*Local days/m)
    expect(pane.state()).toBe('1 1')
    // Again, and by a signal this time.
    process.kill(pane.pid(), 'SIGTSTP')
    await pane.see(/Stopped|Suspended/)
    await expectAsBefore(pane)
    pane.send('fg', 'Enter')
    await pane.see(/^❯ .*Local days/m)
    pane.send('C-c')
    await pane.see('picked null')
    await expectAsBefore(pane)
  })

  test('in the background it touches nothing and waits', async () => {
    const pane = await started()
    pane.send('C-z')
    await pane.see(/Stopped|Suspended/)
    pane.send('bg', 'Enter')
    await sleep(600)
    await expectAsBefore(pane)
    pane.send('fg', 'Enter')
    await pane.see(/^Filter: /m)
    pane.send('C-c')
    await pane.see('picked null')
    await expectAsBefore(pane)
  })

  test('when there is no terminal any more, the process goes too', async () => {
    const pane = await started()
    const pid = pane.pid()
    expect(alive(pid)).toBe(true)
    pane.close()
    for (let waited = 0; waited < 100 && alive(pid); waited++) await sleep(50)
    expect(alive(pid)).toBe(false)
  })
})
