import type { Model } from '@whence/engine'
import type { DateRange } from '../../../platform/contract/dates.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { OverviewSums } from '../definitions/definitions.ts'
import { readSums } from './sums.ts'
import type { AsOf } from './tables.ts'

export type OverviewDay = OverviewSums & { day: string }
export type ProfileDay = OverviewDay & { profile_id: string }

const measures = [
  'spend_minor',
  'spend_unrated',
  'cash_minor',
  'cash_unrated',
  'payments',
  'credited_minor',
  'credited_unrated',
] as const

/** Spend, cash and cash credited to campaigns, on days with any. */
export function overviewDays(
  db: Db | Tx,
  { profileId, asOf, model, range: { from, to } }: AsOf & { model: Model; range: DateRange },
): Promise<OverviewDay[]> {
  return readSums(db, { profileId, asOf, model, from, to, measures, by: ['day'] })
}

/** The same for several profiles. */
export function overviewDaysOf(
  db: Db | Tx,
  { profileIds, ...query }: { profileIds: readonly string[]; model: Model; from: string; to: string },
): Promise<ProfileDay[]> {
  return readSums(db, { profileId: profileIds, ...query, measures, by: ['profile_id', 'day'] })
}
