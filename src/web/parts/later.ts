// Code that comes when it is wanted. Where it does not come, the server is gone, or is a newer one that has other files:
// the page as it was loaded cannot have it any more, so only the whole page, loaded anew, goes on.

import type { ComponentType, LazyExoticComponent } from 'react'
import { lazy } from 'react'
import { ask } from '../ask.ts'

export class MissingCode extends Error {}

export function later<Props>(load: () => Promise<ComponentType<Props>>): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    try {
      return { default: await load() }
    } catch {
      throw new MissingCode('The server did not send this part of the page')
    }
  })
}

/** Only when the server answers this page: what is shown is more than a refusal, or the browser's word that nobody is there. */
export function reloadWhenServed(): void {
  void ask('home').then(
    () => location.reload(),
    () => undefined,
  )
}
