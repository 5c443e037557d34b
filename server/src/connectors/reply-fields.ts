/** Fields of provider replies: absent, null and empty are all "the provider did not say". */
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

/** Ids come as numbers from some endpoints and as strings from others. */
export const id = z.union([z.string().min(1), z.number().int()]).transform(String)

export const maybeId = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => (value === undefined || value === null || value === '' ? null : String(value)))

/** Free pairs (metadata, attributes) whose values may be of any JSON type; only scalars are kept. */
export const scalarPairs = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((pairs) => {
    const kept: Record<string, string> = {}
    for (const [key, value] of Object.entries(pairs ?? {})) {
      if (typeof value === 'string' || typeof value === 'number') kept[key] = String(value)
    }
    return kept
  })
