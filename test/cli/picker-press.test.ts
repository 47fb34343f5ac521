// What keys do to the picker, without a terminal.

import { describe, expect, test } from 'vitest'
import { isLoneResume, press } from '../../src/cli/picker-press.ts'
import { openState, searched, selectedRow, typedOf } from '../../src/cli/picker-state.ts'
import { HOME, hitOf, pressed, REACH, rowOf, titled, wishOf } from './picker-rows.ts'

const TITLES = ['Tide tables', 'Moon phase', 'Größe der Säulen', '日本語のタイトル', 'Refactor the harbour']

describe('typing', () => {
  test.each([
    ['tide', [0]],
    ['TABLE tid', [0]],
    ['e', [0, 1, 2, 4]],
    ['saule', [2]],
    ['grosse', [2]],
    ['GRÖẞE', [2]],
    ['タイトル', [3]],
    ['ﾀｲﾄﾙ', [3]],
    ['tide moon', []],
    ['  moon  ', [1]],
    ['ref', [4]],
    ['id-3', [3]],
    ['pilot', [0, 1, 2, 3, 4]],
    [' /srv/p', [0, 1, 2, 3, 4]],
  ])('%j finds %j', (typed, expected) => {
    const { matches } = pressed(titled(...TITLES), ...typed)
    expect(matches.map(({ row }) => row.sessionId)).toEqual(expected.map((place) => `id-${place}`))
  })

  test('finds a project as it is written and as it is shown', () => {
    const state = openState([rowOf(), rowOf({ sessionId: 'b', project: '/srv/pilot' })], HOME)
    for (const typed of ['home/ada', '~/tidewatch', 'TIDEWATCH']) expect(pressed(state, typed).matches).toHaveLength(1)
  })

  test('finds first prompts and branches too', () => {
    const rows = [rowOf({ firstPrompt: 'Why an hour late?' }), rowOf({ gitBranch: 'feat/moon', sessionId: 'b' })]
    const state = openState(rows, HOME)
    expect(pressed(state, 'hour').matches.map(({ row }) => row)).toEqual([rows[0]])
    expect(pressed(state, 'feat/m').matches.map(({ row }) => row)).toEqual([rows[1]])
  })

  test('one letter more or less always gives what a new filter would', () => {
    let state = titled(...TITLES)
    for (const key of [...'tide', 'backspace', 'backspace', 'm', 'word-backspace', ...'e a', 'backspace', 'ctrl-u']) {
      state = pressed(state, key)
      const anew = pressed(titled(...TITLES), ...(state.filter === '' ? [] : [state.filter]))
      expect(state.matches.map(({ row }) => row)).toEqual(anew.matches.map(({ row }) => row))
    }
  })

  test('Backspace takes one character, as a person counts them', () => {
    expect(pressed(titled(''), 'a👨‍👩‍👧', 'backspace').filter).toBe('a')
    expect(pressed(titled(''), 'e\u0301', 'backspace').filter).toBe('')
    expect(pressed(titled(''), '日本', 'backspace').filter).toBe('日')
    expect(pressed(titled(''), 'backspace').filter).toBe('')
  })

  test('Ctrl-W takes a word, Ctrl-U everything', () => {
    expect(pressed(titled(''), 'tide  table ', 'word-backspace').filter).toBe('tide ')
    expect(pressed(titled(''), 'tide table', 'word-backspace', 'word-backspace').filter).toBe('')
    expect(pressed(titled(''), 'tide table', 'ctrl-u').filter).toBe('')
  })

  test('a paste is typed on one line, without what is invisible, and never a command', () => {
    const paste = { name: 'paste', text: '/r\nq\u001b[2J\u202ex\u200b 👨‍👩‍👧\t' } as const
    const { state, wish } = press(pressed(titled('a'), 'tab'), paste, REACH)
    expect(wish).toBe(null)
    expect(state).toMatchObject({ mode: 'list', focus: 'filter', filter: '/r q[2Jx 👨‍👩‍👧 ' })
  })

  test('a paste of a whole book is cut', () => {
    const { state } = press(titled('a'), { name: 'paste', text: '👪'.repeat(1_000_000) }, REACH)
    expect(state.filter.length).toBeLessThanOrEqual(1000)
    expect(state.filter).not.toMatch(/\p{Cs}/u)
  })
})

describe('letters that are commands', () => {
  test('r begins a word; Ctrl-R resumes at any time', () => {
    const state = titled(...TITLES)
    expect(pressed(state, 'r', 'e', 'f')).toMatchObject({ filter: 'ref', mode: 'list' })
    expect(wishOf(state, 'r')).toBe(null)
    // Whether something follows it is for the clock to tell.
    expect(isLoneResume(state, { name: 'text', text: 'r' })).toBe(true)
    expect(isLoneResume(pressed(state, 'a'), { name: 'text', text: 'r' })).toBe(false)
    expect(isLoneResume(state, { name: 'text', text: 're' })).toBe(false)
    expect(wishOf(state, 'ref', 'ctrl-r')).toMatchObject({ picked: { action: 'resume', row: { sessionId: 'id-4' } } })
  })

  test('/ searches while nothing is typed and is a letter after that; Ctrl-F searches at any time', () => {
    const state = titled(...TITLES)
    expect(pressed(state, '/')).toMatchObject({ mode: 'search', query: '' })
    expect(pressed(state, '/tide')).toMatchObject({ mode: 'search', query: 'tide', filter: '' })
    expect(pressed(state, 'feat', '/')).toMatchObject({ mode: 'list', filter: 'feat/' })
    expect(pressed(state, 'moon', 'ctrl-f')).toMatchObject({ mode: 'search', query: 'moon', filter: 'moon' })
  })

  test('with the focus on the list single letters are commands, and others say nothing', () => {
    const list = pressed(titled(...TITLES), 'tab')
    expect(list.focus).toBe('list')
    expect(pressed(list, 'j', 'j', 'k').selected).toBe(1)
    expect(pressed(list, 'jjk').selected).toBe(1)
    expect(pressed(list, 'G').selected).toBe(4)
    expect(pressed(list, 'G', 'g').selected).toBe(0)
    expect(pressed(list, 'x', 'Z', 'é')).toMatchObject({ filter: '', focus: 'list' })
    expect(wishOf(list, 'j', 'r')).toMatchObject({ picked: { action: 'resume', row: { sessionId: 'id-1' } } })
    expect(wishOf(list, 'q')).toEqual({ picked: null })
    expect(pressed(list, '/tide')).toMatchObject({ mode: 'search', focus: 'filter', query: 'tide' })
    expect(pressed(list, ' ').scroll).toBe(9)
    expect(pressed(list, ' ', ' ', 'b').scroll).toBe(9)
    expect(pressed(list, 'tab').focus).toBe('filter')
  })
})

describe('moving', () => {
  const state = titled(...Array.from({ length: 12 }, (_, place) => `title ${place}`))

  test.each([
    [['down', 'down', 'up'], 1],
    [['ctrl-n', 'ctrl-n', 'ctrl-p'], 1],
    [['up'], 0],
    [['end'], 11],
    [['end', 'down'], 11],
    [['page-down'], 5],
    [['page-down', 'page-down', 'page-down'], 11],
    [['end', 'page-up'], 6],
    [['end', 'home'], 0],
  ])('%j selects %j', (keys, expected) => {
    expect(pressed(state, ...keys).selected).toBe(expected)
  })

  test('in nothing at all goes nowhere', () => {
    const nothing = pressed(titled(), 'down', 'end', 'page-down', 'scroll-down', 'up', 'tab', ' ', 'j', 'ctrl-f', 'end')
    expect(nothing).toMatchObject({ selected: 0, selectedHit: 0 })
    expect(selectedRow(nothing)).toBe(null)
    expect(wishOf(titled(), 'enter')).toBe(null)
    expect(wishOf(titled(), 'ctrl-r')).toBe(null)
  })

  test('the preview moves within its length, and begins anew with another conversation', () => {
    expect(pressed(state, 'scroll-down', 'scroll-down', 'scroll-up').scroll).toBe(3)
    expect(pressed(state, 'scroll-up').scroll).toBe(0)
    expect(pressed(state, ...Array.from({ length: 99 }, () => 'scroll-down')).scroll).toBe(40)
    expect(pressed(state, 'scroll-down', 'down').scroll).toBe(0)
  })
})

describe('the ways out', () => {
  test('Enter shows the session', () => {
    expect(wishOf(titled(...TITLES), 'down', 'enter')).toEqual({ picked: { action: 'show', reference: 'id-1' } })
  })

  test('Enter on nothing searches the full text', () => {
    const state = pressed(titled(...TITLES), 'no such title', 'enter')
    expect(state).toMatchObject({ mode: 'search', query: 'no such title', search: { state: 'running' } })
  })

  test('Esc clears the filter and keeps the conversation, then leaves', () => {
    const cleared = pressed(titled(...TITLES), 'e', 'down', 'down', 'escape')
    expect(cleared).toMatchObject({ filter: '', selected: 2 })
    expect(wishOf(cleared, 'escape')).toEqual({ picked: null })
    expect(pressed(titled(...TITLES), 'zzz', 'escape')).toMatchObject({ filter: '', selected: 0 })
  })

  test('Ctrl-C leaves at once, Ctrl-D only when nothing is typed', () => {
    expect(wishOf(titled('a'), 'x', 'ctrl-c')).toEqual({ picked: null })
    expect(wishOf(titled('a'), 'ctrl-d')).toEqual({ picked: null })
    expect(wishOf(titled('a'), 'x', 'ctrl-d')).toBe(null)
  })

  test('Ctrl-Z and Ctrl-L are wishes the state cannot grant', () => {
    expect(wishOf(titled('a'), 'ctrl-z')).toBe('suspend')
    expect(wishOf(titled('a'), 'ctrl-l')).toBe('redraw')
  })

  test('on a screen that is too small only the ways out work', () => {
    const tiny = { ...REACH, page: 0 }
    for (const name of ['enter', 'ctrl-r', 'down', 'tab', 'ctrl-f'] as const)
      expect(press(titled(...TITLES), { name }, tiny)).toEqual({ state: titled(...TITLES), wish: null })
    expect(press(titled('a'), { name: 'text', text: 'q' }, tiny).state.filter).toBe('')
    expect(press(pressed(titled('a'), 'x'), { name: 'escape' }, tiny).wish).toEqual({ picked: null })
    expect(press(titled('a'), { name: 'ctrl-c' }, tiny).wish).toEqual({ picked: null })
    expect(press(titled('a'), { name: 'ctrl-z' }, tiny).wish).toBe('suspend')
  })
})

describe('the search', () => {
  const searching = pressed(titled(...TITLES), '/', 'hour')
  const hits = [hitOf({ sessionId: 'id-1' }), hitOf({ sessionId: 'elsewhere', reference: 'elsewhere/agent' })]
  const found = searched(searching, 'hour', hits)

  test('runs as soon as there is something to search for', () => {
    expect(pressed(titled('a'), '/').search.state).toBe('idle')
    expect(pressed(titled('a'), '/', ' ').search.state).toBe('idle')
    expect(searching.search.state).toBe('running')
    expect(found.search).toEqual({ state: 'done', hits, message: '' })
    expect(pressed(found, 'ctrl-u').search).toEqual({ state: 'idle', hits: [], message: '' })
  })

  test('takes no answer to another question', () => {
    expect(searched(searching, 'hou', hits)).toBe(searching)
    expect(searched(pressed(searching, 'ctrl-u'), 'hour', hits).search.hits).toEqual([])
    const longer = pressed(found, 's')
    expect(longer.search).toEqual({ state: 'running', hits, message: '' })
    expect(searched(longer, 'hour', []).search.state).toBe('running')
  })

  test('Enter shows what was found, and waits for what is being searched', () => {
    expect(wishOf(found, 'enter')).toEqual({ picked: { action: 'show', reference: 'id-1#1' } })
    expect(wishOf(found, 'down', 'enter')).toEqual({ picked: { action: 'show', reference: 'elsewhere/agent' } })
    for (const key of ['enter', 'ctrl-r']) {
      expect(wishOf(found, 's', key)).toBe(null)
      expect(pressed(found, 's', key).note).toBe('Still searching…')
    }
    const told = searched(pressed(found, 's', 'enter'), 'hours', hits)
    expect(told.note).toBe(null)
    expect(wishOf(searched(searching, 'hour', []), 'enter')).toBe(null)
  })

  test('Ctrl-R resumes the conversation of a hit, where the list knows it', () => {
    expect(wishOf(found, 'ctrl-r')).toMatchObject({ picked: { action: 'resume', row: { sessionId: 'id-1' } } })
    expect(wishOf(found, 'down', 'ctrl-r')).toBe(null)
    expect(pressed(found, 'down', 'ctrl-r').note).toContain('not in the list')
    expect(pressed(found, 'down', 'ctrl-r', 'up').note).toBe(null)
  })

  test('of two files with one id the hit means its own', () => {
    const rows = [rowOf({ path: '/a/x.jsonl', title: 'one' }), rowOf({ path: '/b/x.jsonl', title: 'other' })]
    const state = searched(pressed(openState(rows, HOME), '/', 'x'), 'x', [hitOf({ path: '/b/x.jsonl' })])
    expect(selectedRow(state)?.title).toBe('other')
  })

  test('Esc, Ctrl-F and Backspace go back to the list as it was', () => {
    const state = pressed(titled(...TITLES), 'e', 'down', 'ctrl-f')
    for (const keys of [['escape'], ['ctrl-f'], ['ctrl-u', 'backspace']])
      expect(pressed(state, ...keys)).toMatchObject({ mode: 'list', filter: 'e', selected: 1 })
    expect(typedOf(pressed(found, 'escape', 'ctrl-f'))).toBe('hour')
    expect(pressed(found, 'escape', 'ctrl-f').search).toEqual(found.search)
  })

  test('that fails says why', () => {
    const failed = searched(searching, 'hour', { failed: 'no index' })
    expect(failed.search).toEqual({ state: 'failed', hits: [], message: 'no index' })
    expect(pressed(failed, 's').search.state).toBe('running')
  })
})
