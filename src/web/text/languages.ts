// The languages that are coloured: those people work in with an agent. Each is a file of its own that is loaded when it
// is first met.

import type { LanguageRegistration } from 'shiki/core'

type LoadLanguage = () => Promise<{ readonly default: LanguageRegistration[] }>

export const LANGUAGES: Readonly<Record<string, LoadLanguage>> = Object.assign(
  Object.create(null) as Record<string, LoadLanguage>,
  {
    bash: () => import('shiki/langs/bash.mjs'),
    c: () => import('shiki/langs/c.mjs'),
    cpp: () => import('shiki/langs/cpp.mjs'),
    csharp: () => import('shiki/langs/csharp.mjs'),
    css: () => import('shiki/langs/css.mjs'),
    diff: () => import('shiki/langs/diff.mjs'),
    docker: () => import('shiki/langs/docker.mjs'),
    elixir: () => import('shiki/langs/elixir.mjs'),
    go: () => import('shiki/langs/go.mjs'),
    graphql: () => import('shiki/langs/graphql.mjs'),
    html: () => import('shiki/langs/html.mjs'),
    ini: () => import('shiki/langs/ini.mjs'),
    java: () => import('shiki/langs/java.mjs'),
    javascript: () => import('shiki/langs/javascript.mjs'),
    json: () => import('shiki/langs/json.mjs'),
    jsonc: () => import('shiki/langs/jsonc.mjs'),
    jsx: () => import('shiki/langs/jsx.mjs'),
    kotlin: () => import('shiki/langs/kotlin.mjs'),
    lua: () => import('shiki/langs/lua.mjs'),
    make: () => import('shiki/langs/make.mjs'),
    markdown: () => import('shiki/langs/markdown.mjs'),
    nix: () => import('shiki/langs/nix.mjs'),
    php: () => import('shiki/langs/php.mjs'),
    python: () => import('shiki/langs/python.mjs'),
    ruby: () => import('shiki/langs/ruby.mjs'),
    rust: () => import('shiki/langs/rust.mjs'),
    scala: () => import('shiki/langs/scala.mjs'),
    sql: () => import('shiki/langs/sql.mjs'),
    swift: () => import('shiki/langs/swift.mjs'),
    toml: () => import('shiki/langs/toml.mjs'),
    tsx: () => import('shiki/langs/tsx.mjs'),
    typescript: () => import('shiki/langs/typescript.mjs'),
    vue: () => import('shiki/langs/vue.mjs'),
    xml: () => import('shiki/langs/xml.mjs'),
    yaml: () => import('shiki/langs/yaml.mjs'),
    zig: () => import('shiki/langs/zig.mjs'),
  },
)

const OTHER_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    bash: 'sh shell zsh console shellscript',
    c: 'h',
    cpp: 'c++ cc cxx hpp hh',
    csharp: 'c# cs',
    css: 'scss less',
    diff: 'patch',
    docker: 'dockerfile',
    elixir: 'ex exs',
    go: 'golang',
    html: 'htm',
    ini: 'conf cfg properties env',
    javascript: 'js mjs cjs',
    jsonc: 'json5 jsonl',
    kotlin: 'kt kts',
    make: 'makefile mk',
    markdown: 'md mdx',
    python: 'py python3',
    ruby: 'rb',
    rust: 'rs',
    typescript: 'ts mts cts',
    xml: 'svg plist',
    yaml: 'yml',
  }).flatMap(([name, others]) => others.split(' ').map((other) => [other, name] as const)),
)

/** The name of the grammar for what stands behind the fence of a code block. */
export function languageName(language: string): string | null {
  const lower = language.toLowerCase()
  if (lower in LANGUAGES) return lower
  return OTHER_NAMES.get(lower) ?? null
}

/** What a file is written in, by its name; empty where that is not known. */
export function languageOfPath(path: string): string {
  const file = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const name = file.includes('.') ? file.slice(file.lastIndexOf('.') + 1) : file
  return languageName(name) === null ? '' : name
}
