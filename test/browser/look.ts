// What is looked at in a page: all that a page of ours never has, and the few things that it has once.

import type { Frame, Page } from 'playwright-core'

export interface Looked {
  readonly ran: boolean
  /** Elements and attributes that are none of ours. */
  readonly elements: readonly string[]
  readonly handlers: readonly string[]
  readonly links: readonly string[]
  readonly pictures: readonly string[]
  readonly metas: number
  readonly styles: number
  readonly policy: boolean
}

export async function lookAt(page: Page | Frame): Promise<Looked> {
  return page.evaluate(`(${LOOK})()`) as Promise<Looked>
}

/** Runs in the page, which has other types than the tests. */
const LOOK = `() => {
  const all = Array.from(document.querySelectorAll('*'))
  const own = new Set((
    'html head meta title style body header p h1 ul li code div nav ol a span main details summary section h2 time b pre ' +
    'footer strong em del ins table thead tbody tr th td blockquote br hr h3 h4 h5 h6 sup img'
  ).split(' '))
  const attributes = all.flatMap((one) => one.getAttributeNames())
  const each = (name, isOurs) => all.map((one) => one.getAttribute(name)).filter((value) => value !== null && !isOurs(value))
  return {
    ran: 'ran' in window,
    elements: [...new Set(all.map((one) => one.localName).filter((name) => !own.has(name)))],
    handlers: [...new Set(attributes.filter((name) => /^on|^style$|^srcdoc$|^srcset$|^ping$/.test(name)))],
    links: each('href', (value) => /^(?:https?:\\/\\/|mailto:|#[\\w-]+$)/i.test(value)),
    pictures: each('src', (value) => value.startsWith('data:image/')),
    metas: document.querySelectorAll('meta').length,
    styles: document.querySelectorAll('style').length,
    policy: document.querySelector('meta[http-equiv="Content-Security-Policy"]') !== null,
  }
}`
