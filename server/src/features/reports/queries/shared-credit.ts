/** Conversions that a dividing model credited to several entities of one platform, which a total must count once. */
import { type Model, models } from '@whence/engine'
import { sql } from 'kysely'
import type { DateRange } from '../../../contract/dates.ts'
import type { Db, Tx } from '../../../db/database.ts'
import type { AdLevel } from '../../ads/entities.ts'
import { unpackCredit } from '../../attribution/packed.ts'

/** How much too much the rows of a platform count together. */
export type Shared = { conversions: number; cashConversions: number }

type Place = { entity_id: string; platform: string }

export async function sharedCredit(
  db: Db | Tx,
  params: {
    profileId: string
    level: AdLevel
    model: Model
    range: DateRange
    platformOf: (entityId: string) => string | undefined
  },
): Promise<Map<string, Shared>> {
  const { profileId, range } = params
  const bit = 1 << models.indexOf(params.model)
  const placeOf = await placesOfPaths(db, params)
  const { rows } = await sql<{ revenue_type: string; packed: Buffer }>`
    select c.revenue_type, c.packed
    from conversions v
    join credits c on c.profile_id = ${profileId} and c.conversion_id = v.id
    where v.profile_id = ${profileId} and v.day between ${range.from}::date and ${range.to}::date`.execute(db)
  const shared = new Map<string, Shared>()
  for (const row of rows) {
    const credited = unpackCredit(row.packed).touches.filter((touch) => (touch.models & bit) !== 0)
    if (credited.length < 2) continue
    const repeated = countRepeated(
      credited.map((touch) => touch.path),
      placeOf,
    )
    for (const [platform, times] of repeated) {
      const sum = shared.get(platform) ?? { conversions: 0, cashConversions: 0 }
      shared.set(platform, sum)
      sum.conversions += times
      if (row.revenue_type === 'cash') sum.cashConversions += times
    }
  }
  return shared
}

async function placesOfPaths(
  db: Db | Tx,
  params: { profileId: string; level: AdLevel; platformOf: (entityId: string) => string | undefined },
): Promise<Map<number, Place>> {
  const entity = sql.ref(`${params.level}_id`)
  const { rows } = await sql<{ number: number; entity_id: string }>`
    select number, ${entity} as entity_id from ad_paths
    where profile_id = ${params.profileId} and ${entity} is not null`.execute(db)
  return new Map(
    rows.flatMap(({ number, entity_id }) => {
      const platform = params.platformOf(entity_id)
      return platform === undefined ? [] : [[number, { entity_id, platform }]]
    }),
  )
}

/** Per platform, entities beyond the first. */
function countRepeated(paths: readonly number[], placeOf: ReadonlyMap<number, Place>): Map<string, number> {
  const entities = new Map<string, Set<string>>()
  for (const path of paths) {
    const place = placeOf.get(path)
    if (place === undefined) continue
    const own = entities.get(place.platform) ?? new Set()
    entities.set(place.platform, own.add(place.entity_id))
  }
  const repeated = new Map<string, number>()
  for (const [platform, own] of entities) if (own.size > 1) repeated.set(platform, own.size - 1)
  return repeated
}
