/** What the contract entries of all reports share. */
import { models } from '@whence/engine'
import { z } from 'zod'

export const AdLevel = z.enum(['campaign', 'ad_set', 'ad'])
export const ModelParam = z.enum(models).default('last_touch')

/** Read by `readRange`, whose refusal has a code of its own. */
export const rangeQuery = {
  date_from: z.string().max(40).optional(),
  date_to: z.string().max(40).optional(),
}

export const OutcomesByType = z.record(z.string(), z.int())

/** Members of every report's `meta` beside the profile's id. */
export const reportMeta = {
  date_from: z.string(),
  date_to: z.string(),
  model: z.enum(models),
  lookback_days: z.int(),
  /** Cash revenue of the profile: all of it, what named an entity at the level, what did not. */
  reconciliation: z.object({
    total: z.number(),
    credited: z.number(),
    unattributed: z.number(),
    delta: z.number(),
  }),
  freshness: z.object({ computed_through: z.iso.datetime(), stale: z.boolean() }),
  currency: z.string(),
  /** Facts of the range whose exchange rate is missing; they add nothing until it is known. */
  fx_missing: z.int(),
  result_hash: z.string(),
}
