// A server's world over some folder: a new index brought up to it, a clock that stands, and an app to mount routes on.

import { join } from 'node:path'
import { Hono } from 'hono'
import { findTranscripts } from '../../src/load/found.ts'
import { Index } from '../../src/search/open-index.ts'
import type { ServerWorld } from '../../src/server/server-world.ts'
import { newFolder } from '../cli/run.ts'

/** A day after everything in the sample. */
export const NOW_MS = Date.parse('2026-10-30T12:00:00.000Z')

export interface OpenWorld {
  readonly world: ServerWorld
  readonly ask: (path: string) => Promise<Asked>
  readonly close: () => void
}

export interface Asked {
  readonly status: number
  readonly type: string
  readonly text: string
  readonly json: unknown
}

export async function openWorld(
  root: string,
  routes: readonly ((app: Hono, world: ServerWorld) => void)[],
  more: Partial<ServerWorld> = {},
): Promise<OpenWorld> {
  const home = newFolder('home')
  const index = new Index(join(newFolder('cache'), 'index.sqlite'))
  const archive = findTranscripts([root])
  await index.refresh(archive, { nowMs: NOW_MS })
  const world: ServerWorld = {
    index,
    archive: () => archive,
    isSample: false,
    timeZone: 'UTC',
    environment: {},
    home,
    nowMs: () => NOW_MS,
    ...more,
  }
  const app = new Hono()
  for (const mount of routes) mount(app, world)
  const ask = async (path: string): Promise<Asked> => {
    const response = await app.request(path)
    const text = await response.text()
    const type = response.headers.get('content-type') ?? ''
    return { status: response.status, type, text, json: type.includes('json') ? JSON.parse(text) : null }
  }
  return { world, ask, close: () => index.close() }
}
