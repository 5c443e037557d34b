import type { z } from 'zod'
import type { ProfileContext } from '../../../context.ts'
import { toDecimalNumber } from '../../../platform/contract/money.ts'
import { Refusal, toError } from '../../../platform/contract/refusal.ts'
import type { Db } from '../../../platform/db/database.ts'
import { hashOf } from '../../facts/events/rules.ts'
import type { DataDrivenModel } from './contract.ts'
import type { Learned } from './learn.ts'
import { findModel, findModelAsOf } from './queries.ts'

const notComputed: z.input<typeof DataDrivenModel> = {
  served: false,
  reason: 'not_computed',
  computed_at: null,
  learned: null,
  against_last_touch: null,
  against_one_rate: null,
  channels: [],
  total: null,
}

/** The model of the latest daily run, or of the latest one before a time. */
export async function getDataDriven({ db, profile }: ProfileContext, asOfText: string | undefined) {
  const { id: profileId, currency } = profile
  const stored =
    asOfText === undefined
      ? await findModel<Learned>(db, { profileId })
      : await findEarlier(db, profileId, new Date(asOfText))
  const data = stored === undefined ? notComputed : toModel(stored, currency)
  const { computed_at: _, ...hashed } = data
  return {
    data,
    meta: {
      currency,
      date_from: stored?.result.date_from ?? null,
      date_to: stored?.result.date_to ?? null,
      result_hash: hashOf(hashed).toString('hex'),
    },
  }
}

const invalidAsOf = (problem: string, hint: string) =>
  toError(new Refusal('invalid_parameter', problem, { field: 'as_of', hint }))

export function checkAsOf(asOf: string | undefined, now: Date): void {
  if (asOf !== undefined && new Date(asOf) > now)
    throw invalidAsOf('is in the future.', 'Use a time up to now.')
}

async function findEarlier(db: Db, profileId: string, asOf: Date) {
  const model = await findModelAsOf<Learned>(db, { profileId, asOf })
  if (model === undefined) throw invalidAsOf('is before the oldest stored model.', 'Use a later time.')
  return model
}

function toModel(
  stored: NonNullable<Awaited<ReturnType<typeof findModel<Learned>>>>,
  currency: string,
): z.input<typeof DataDrivenModel> {
  const { result } = stored
  const money = (amountMinor: number) => toDecimalNumber(amountMinor, currency)
  return {
    served: result.reason === null,
    reason: result.reason,
    computed_at: stored.computed_at,
    learned: {
      date_from: stored.learned_from,
      date_to: stored.learned_to,
      visits: result.visits,
      payments: result.payments,
      paths: result.paths,
      paths_hash: stored.paths_hash,
      version: stored.version,
    },
    against_last_touch: result.againstLastTouch,
    against_one_rate: result.againstOneRate,
    channels: result.channels.map((row) => ({
      channel: row.channel,
      outcome_credit: row.credit,
      outcome_value: money(row.amountMinor),
      outcome_value_low: money(row.lowMinor),
      outcome_value_high: money(row.highMinor),
      last_touch_value: money(row.lastTouchMinor),
    })),
    total: {
      payments: result.total.payments,
      outcome_value: money(result.total.amountMinor),
      fx_missing: result.total.fxMissing,
    },
  }
}
