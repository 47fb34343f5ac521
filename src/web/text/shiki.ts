// The grammars of Shiki, loaded one by one when a language is first met. Its tokens come with the name of a variable
// instead of a colour, so that light and dark are a matter of style sheets. To make a grammar ready takes a second and
// more, and it runs where the page is drawn: so everything is done in steps of a few milliseconds.

import type { LanguageRegistration } from 'shiki/core'
import { createCssVariablesTheme, createHighlighterCore } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import type { CodeLine } from './highlight.ts'
import { LANGUAGES, languageName } from './languages.ts'

export interface CodePainter {
  /** Each step gives a line, or null when it only prepared something. Null for a language that is not known. */
  readonly stepsOf: (language: string, text: string) => Promise<Iterator<CodeLine | null> | null>
}

const THEME = 'paper'

export async function loadPainter(): Promise<CodePainter> {
  const theme = createCssVariablesTheme({ name: THEME, variablePrefix: '--t-', fontStyle: false })
  const engine = createJavaScriptRegexEngine({ forgiving: true })
  const highlighter = await createHighlighterCore({ themes: [theme], langs: [], engine })
  const ready = new Set<string>()

  function* steps(name: string, grammars: readonly LanguageRegistration[], text: string): Generator<CodeLine | null> {
    if (!ready.has(name)) {
      // What is compiled here is remembered by the engine and found again by the grammar.
      for (const pattern of patternsOf(grammars)) {
        engine.createScanner([pattern])
        yield null
      }
      highlighter.loadLanguageSync([...grammars])
      ready.add(name)
      yield null
    }
    let offset = 0
    let state: ReturnType<typeof highlighter.getLastGrammarState> | undefined
    for (const line of text.split('\n')) {
      const result = highlighter.codeToTokens(line, {
        lang: name,
        theme: THEME,
        // A limit would leave the rest of a line in one colour, and the first lines are always slow.
        tokenizeTimeLimit: 0,
        ...(state === undefined ? {} : { grammarState: state }),
      })
      state = result.grammarState
      yield lineOf(result.tokens[0] ?? [], offset)
      offset += line.length + 1
    }
  }

  return {
    stepsOf: async (language, text) => {
      const name = languageName(language)
      const load = name === null ? undefined : LANGUAGES[name]
      if (name === null || load === undefined) return null
      const { default: grammars } = await load()
      return steps(name, grammars, text)
    },
  }
}

function lineOf(tokens: readonly { readonly content: string; readonly color?: string }[], start: number): CodeLine {
  let offset = start
  return {
    offset: start,
    tokens: tokens.map(({ content, color }) => {
      const token = { text: content, offset, kind: kindOf(color) }
      offset += content.length
      return token
    }),
  }
}

/** `var(--t-token-string-expression)` → string-expression. */
function kindOf(color: string | undefined): string | null {
  return /token-([a-z-]+)/.exec(color ?? '')?.[1] ?? null
}

/** Every regular expression of a grammar, wherever it stands in it. */
function patternsOf(grammars: readonly LanguageRegistration[]): ReadonlySet<string> {
  const found = new Set<string>()
  const queue: unknown[] = [...grammars]
  for (let next = 0; next < queue.length; next++) {
    const value = queue[next]
    if (typeof value !== 'object' || value === null) continue
    for (const [name, inner] of Object.entries(value)) {
      if (typeof inner === 'string' && REGULAR.has(name)) found.add(inner)
      else if (typeof inner === 'object') queue.push(inner)
    }
  }
  return found
}

const REGULAR: ReadonlySet<string> = new Set(['match', 'begin', 'end', 'while'])
