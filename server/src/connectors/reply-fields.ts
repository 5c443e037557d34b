/** Field schemas for provider responses: absent, null and empty all become null. */
import { z } from 'zod'
import { toInstant } from './window.ts'

export const text = z
  .string()
  .nullish()
  .transform((value) => (value === undefined || value === null || value.trim() === '' ? null : value))

export const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? null)

export const time = z
  .string()
  .nullish()
  .transform((value) => toInstant(value))

/** Some endpoints return ids as numbers, others as strings. */
export const id = z.union([z.string().min(1), z.number().int()]).transform(String)

export const maybeId = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => (value === undefined || value === null || value === '' ? null : String(value)))

/** Key-value pairs (metadata, attributes) with values of any JSON type; only strings and numbers are scalars. */
export const scalarPairs = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((pairs) => {
    const scalars: Record<string, string> = {}
    for (const [key, value] of Object.entries(pairs ?? {})) {
      if (typeof value === 'string' || typeof value === 'number') scalars[key] = String(value)
    }
    return scalars
  })
