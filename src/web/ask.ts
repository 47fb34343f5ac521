// Asking the server: typed answers, and what it refused as an Error with its own one line.

import type { Refusal } from '../server/api/refusal.ts'

export async function ask<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
  const response = await fetch(`/api/${path}`, {
    ...(signal === undefined ? {} : { signal }),
    credentials: 'same-origin',
  })
  if (!response.ok) throw new Error(await refusalOf(response))
  return (await response.json()) as Answer
}

export async function askText(path: string, signal?: AbortSignal): Promise<string> {
  const response = await fetch(`/api/${path}`, {
    ...(signal === undefined ? {} : { signal }),
    credentials: 'same-origin',
  })
  if (!response.ok) throw new Error(await refusalOf(response))
  return response.text()
}

/** `?reading=context&from=10`, without what is null. */
export function queryOf(values: Readonly<Record<string, string | number | null>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value !== null) query.set(name, String(value))
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

async function refusalOf(response: Response): Promise<string> {
  try {
    return ((await response.json()) as Refusal).error
  } catch {
    return `the server answered ${response.status}`
  }
}
