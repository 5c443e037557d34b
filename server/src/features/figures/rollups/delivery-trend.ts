import type { DateRange } from '../../../platform/contract/dates.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { AdLevel } from '../../facts/ads/entities.ts'
import { readSums } from './sums.ts'
import type { AsOf } from './tables.ts'

export type TrendSum = Awaited<ReturnType<typeof deliveryTrend>>[number]

/** Days with delivery, in the requested order of entities. */
export async function deliveryTrend(
  db: Db | Tx,
  params: AsOf & { level: AdLevel; range: DateRange; entityIds: readonly string[] },
) {
  const { profileId, asOf, level, range, entityIds } = params
  const rows = await readSums(db, {
    profileId,
    asOf,
    level,
    from: range.from,
    to: range.to,
    entities: entityIds,
    measures: ['spend_minor', 'spend_unrated', 'impressions', 'clicks', 'messaging_started'],
    by: ['entity_id', 'day'],
  })
  const placeOf = new Map(entityIds.map((id, place) => [id, place]))
  return rows.toSorted((a, b) => placeOf.get(a.entity_id)! - placeOf.get(b.entity_id)!)
}
