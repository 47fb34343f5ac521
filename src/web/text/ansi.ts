// What a program wrote to a terminal → parts with a colour and a weight. Colours become the eight names a style sheet
// knows, whatever way they were written: any of sixteen million may be unreadable on our paper.

import Anser from 'anser'
import { cleanText } from './clean.ts'

export interface AnsiPart {
  readonly text: string
  /** Class names; empty for ordinary text. */
  readonly classes: string
}

/** Titles, links, cursor movements: everything but the commands that set colours. */
const UNSEEN =
  /\x1b\][^\x07\x1b]{0,4096}(?:\x07|\x1b\\)?|\x1b[PX^_][^\x1b]{0,4096}(?:\x1b\\)?|\x1b\[[0-9;:?<=>]*[ -/]*[@-ln-~]|\x1b[()][0-9A-B]|\x1b[=>78cDEHMNOZ]/g
const PARTS_MAX = 20_000

export function ansiParts(text: string): readonly AnsiPart[] {
  if (!text.includes('\x1b')) return [{ text: cleanText(text), classes: '' }]
  const found = Anser.ansiToJson(text.replace(/\r\n?/g, '\n').replace(UNSEEN, ''), {
    json: true,
    remove_empty: true,
    use_classes: true,
  })
  const parts = found.slice(0, PARTS_MAX).map(
    (part): AnsiPart => ({
      text: cleanText(part.content),
      classes: [
        colourClass('fg', part.fg, part.fg_truecolor),
        colourClass('bg', part.bg, part.bg_truecolor),
        ...(part.decorations ?? []).flatMap((name) => DECORATIONS[name] ?? []),
      ]
        .filter((name) => name !== '')
        .join(' '),
    }),
  )
  if (found.length <= PARTS_MAX) return parts
  const rest = found.slice(PARTS_MAX).map(({ content }) => cleanText(content))
  return [...parts, { text: rest.join(''), classes: '' }]
}

const DECORATIONS: Readonly<Record<string, string>> = {
  bold: 'ansi-bold',
  dim: 'ansi-dim',
  italic: 'ansi-italic',
  underline: 'ansi-underline',
  reverse: 'ansi-reverse',
  strikethrough: 'ansi-struck',
}

const NAMES = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const

/** Anser says `ansi-bright-red`, `ansi-palette-208`, or `ansi-truecolor` and three numbers beside it. */
function colourClass(side: 'fg' | 'bg', name: string | null, truecolor: string | null): string {
  if (name === null || name === undefined) return ''
  if (name === 'ansi-truecolor') return `ansi-${side}-${nearest(numbersOf(truecolor ?? ''))}`
  const palette = /^ansi-palette-(\d+)$/.exec(name)?.[1]
  if (palette !== undefined) return `ansi-${side}-${paletteName(Number(palette))}`
  const plain = name.replace(/^ansi-(?:bright-)?/, '')
  return (NAMES as readonly string[]).includes(plain) ? `ansi-${side}-${plain}` : ''
}

function paletteName(number: number): string {
  if (number < 16) return NAMES[number % 8] ?? 'white'
  if (number >= 232) return number >= 244 ? 'white' : 'black'
  const cube = number - 16
  return nearest([Math.floor(cube / 36) * 51, (Math.floor(cube / 6) % 6) * 51, (cube % 6) * 51])
}

function numbersOf(text: string): readonly number[] {
  return text.split(',').map((part) => Number(part.trim()) || 0)
}

/** By hue: which of red, green and blue are at least two thirds of the strongest. */
function nearest([red = 0, green = 0, blue = 0]: readonly number[]): string {
  const most = Math.max(red, green, blue)
  if (most < 48) return 'black'
  const bits = [red, green, blue].map((part, place) => (part >= most * 0.67 ? 1 << place : 0))
  return NAMES[bits.reduce<number>((sum, bit) => sum | bit, 0)] ?? 'white'
}
