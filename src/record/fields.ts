// Narrow reads from objects that anybody may have written. A wrong type reads as null, never as a failure.

import type { Body } from './model.ts'

export function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

export function number(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

export function object(value: unknown): Body | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : null
}

export function list(value: unknown): readonly unknown[] | null {
  return Array.isArray(value) ? value : null
}
