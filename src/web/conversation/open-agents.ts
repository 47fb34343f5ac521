// The Subagents that are open in place: each with a store of its own.

import { useCallback, useEffect, useMemo, useReducer, useRef } from 'react'
import type { ReadingHead } from '../../server/api/conversation.ts'
import { ask } from '../ask.ts'
import { apiOf, WHOLE } from './address.ts'
import type { OpenAgent } from './plan.ts'
import type { RowStore } from './stores.ts'
import { newRowStore } from './stores.ts'

interface Opened extends OpenAgent {
  readonly store: RowStore | null
  readonly error: Error | null
}

export interface OpenAgents {
  readonly open: readonly OpenAgent[]
  readonly storeOf: (agentId: string) => RowStore | null
  readonly errorOf: (agentId: string) => Error | null
  readonly isOpen: (agentId: string) => boolean
  readonly toggle: (agentId: string, host: string, row: number) => void
}

export function useOpenAgents(id: string): OpenAgents {
  const opened = useRef(new Map<string, Opened>())
  const [drawn, draw] = useReducer((count: number) => count + 1, 0)

  useEffect(() => {
    const all = opened.current
    return () => {
      for (const { store } of all.values()) store?.close()
      all.clear()
    }
  }, [])

  const open = useCallback(
    async (agentId: string, host: string, row: number): Promise<void> => {
      const choice = { ...WHOLE, agent: agentId }
      const put = (more: Pick<Opened, 'rows' | 'store' | 'error'>): void => {
        opened.current.set(agentId, { agentId, host, row, ...more })
        draw()
      }
      put({ rows: 0, store: null, error: null })
      try {
        const reading = await ask<ReadingHead>(apiOf(id, 'reading', choice))
        if (!opened.current.has(agentId)) return
        const store = newRowStore(id, choice, reading, () => {
          store.close()
          void open(agentId, host, row)
        })
        store.subscribe(draw)
        put({ rows: reading.rows, store, error: null })
      } catch (thrown) {
        put({ rows: 0, store: null, error: thrown instanceof Error ? thrown : new Error(String(thrown)) })
      }
    },
    [id],
  )

  const close = useCallback((agentId: string): void => {
    opened.current.get(agentId)?.store?.close()
    opened.current.delete(agentId)
    // What was open inside of it has no place any more.
    for (const inner of [...opened.current.values()]) if (inner.host === agentId) close(inner.agentId)
    draw()
  }, [])

  return useMemo(() => {
    void drawn
    return {
      open: [...opened.current.values()],
      storeOf: (agentId) => opened.current.get(agentId)?.store ?? null,
      errorOf: (agentId) => opened.current.get(agentId)?.error ?? null,
      isOpen: (agentId) => opened.current.has(agentId),
      toggle: (agentId, host, row) => {
        if (opened.current.has(agentId)) close(agentId)
        else void open(agentId, host, row)
      },
    }
  }, [drawn, open, close])
}
