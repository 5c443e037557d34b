/**
 * Historical outcomes by region. For a large profile a year takes seconds to scan, so a design reads it once a day: one
 * more late outcome among tens of thousands does not change a design.
 */
import type { ProfileContext, Service } from '../../../context.ts'
import { addDays, dayNumber } from '../../../platform/contract/dates.ts'
import { localDay } from '../../../platform/contract/zones.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import * as rules from './design-rules.ts'
import { listRegionDays, type RegionDay } from './queries-regions.ts'

export type Metric = rules.StoredDesign['metric']
export type Profile = { id: string; timezone: string; country: string | null }
export type Past = {
  from: string
  to: string
  series: rules.RegionSeries[]
  outcomes: number
  withRegion: number
}
type Pasts = Record<Metric, Past>

/** Regions are free text; a value of fewer customers may contain personal data and is not shown. */
const MIN_CUSTOMERS = 3
/** Up to this number of outcomes a scan takes less than half a second and runs for each request. */
export const LARGE_PAST = 50_000
const MAX_CACHED = 20

export const daysBetween = (from: string, to: string) => dayNumber(to) - dayNumber(from)

export async function readPast(
  db: Db | Tx,
  profile: Profile,
  range: { from: string; to: string },
  minCustomers: number,
): Promise<Pasts> {
  const { id: profileId, country } = profile
  const rows = await listRegionDays(db, { profileId, country, ...range, minCustomers })
  return { payments: toPast(rows, 'payments', range), conversions: toPast(rows, 'conversions', range) }
}

/** Starts at the first day with an outcome. */
function toPast(rows: readonly RegionDay[], metric: Metric, range: { to: string }): Past {
  const counted = rows.filter((row) => row[metric] > 0)
  const from = counted[0]?.day ?? range.to
  const series = new Map<string, number[]>()
  let [outcomes, withRegion] = [0, 0]
  for (const row of counted) {
    outcomes += row[metric]
    if (row.region === null) continue
    withRegion += row[metric]
    const days = series.get(row.region) ?? Array<number>(daysBetween(from, range.to) + 1).fill(0)
    series.set(row.region, days)
    days[daysBetween(from, row.day)]! += row[metric]
  }
  return {
    from,
    to: range.to,
    series: [...series].map(([region, days]) => ({ region, days })),
    outcomes,
    withRegion,
  }
}

const caches = new WeakMap<Service, Map<string, Promise<Pasts>>>()

/**
 * Up to a year of history. Concurrent requests share one scan; the scan of a large history is cached until the local day
 * ends. A scan inside a transaction is not shared, because it fails with the transaction.
 */
export function readDesignPast({
  service,
  db,
  profile,
  now,
}: Pick<ProfileContext, 'service' | 'db' | 'profile' | 'now'>): Promise<Pasts> {
  const cache = caches.get(service) ?? new Map<string, Promise<Pasts>>()
  caches.set(service, cache)
  const to = addDays(localDay(now, profile.timezone), -1)
  const key = [profile.id, to, profile.timezone, profile.country].join(' ')
  const cached = cache.get(key)
  if (cached !== undefined) return cached
  const reading = readPast(db, profile, { from: addDays(to, 1 - rules.PAST_DAYS), to }, MIN_CUSTOMERS).then(
    ({ payments, conversions }) => ({ payments: usable(payments), conversions: usable(conversions) }),
  )
  if (db.isTransaction) return reading
  const evict = () => cache.delete(key)
  reading.then(({ conversions }) => conversions.outcomes <= LARGE_PAST && evict(), evict)
  cache.set(key, reading)
  if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value!)
  return reading
}

/** Keeps only the regions that a design can use. */
const usable = (past: Past): Past => ({ ...past, series: rules.usableRegions(past.series) })
