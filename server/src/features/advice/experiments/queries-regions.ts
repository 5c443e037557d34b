import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { incrementReportVersion } from '../../../platform/db/profile-lock.ts'
import { insertRow } from '../../../platform/db/rows.ts'
import type { StoredDesign } from './design-rules.ts'
import type { OwnCell } from './queries.ts'
import type { OwnReading } from './rules.ts'

/**
 * `region` is the state or province of the customer's latest address; null if unknown, and if so few customers have it
 * that the free text may be personal.
 */
export type RegionDay = { region: string | null; day: string; payments: number; conversions: number }

export async function listRegionDays(
  db: Db | Tx,
  params: { profileId: string; country: string | null; from: string; to: string; minCustomers: number },
): Promise<RegionDay[]> {
  const { profileId } = params
  const { rows } = await sql<RegionDay>`
    with outcomes as (
      select i.customer_id, c.day, c.revenue_type
      from conversions c
      join identifiers i on i.profile_id = ${profileId} and i.id = c.identifier_id
      where c.profile_id = ${profileId} and c.day between ${params.from}::date and ${params.to}::date
        and c.duplicate_of is null and not c.unconfirmed),
    latest as (
      select distinct on (i.customer_id, t.trait) i.customer_id, t.trait,
        upper(regexp_replace(trim(t.value), '\\s+', ' ', 'g')) as value
      from identifiers i
      join identity_traits t on t.profile_id = ${profileId} and t.identifier_id = i.id
      where i.profile_id = ${profileId} and t.trait in ('region', 'country')
        and i.customer_id in (select customer_id from outcomes)
      order by i.customer_id, t.trait, t.observed_at desc, t.event_id desc),
    addresses as (
      select customer_id, max(value) filter (where trait = 'region') as region,
        coalesce(max(value) filter (where trait = 'country'), ${params.country}::text) as country
      from latest group by customer_id),
    placed as (
      select customer_id, concat_ws('-', country, region) as region,
        count(*) over (partition by concat_ws('-', country, region)) as customers
      from addresses where region <> '')
    select case when p.customers >= ${params.minCustomers} then p.region end as region,
      o.day, count(*) filter (where o.revenue_type = 'cash')::int as payments, count(*)::int as conversions
    from outcomes o
    left join placed p on p.customer_id = o.customer_id
    group by 1, 2
    order by 2, 1`.execute(db)
  return rows
}

export async function insertStudy(
  tx: Tx,
  study: {
    profileId: string
    id: string
    name: string
    startsAt: Date
    endsAt: Date
    cells: OwnCell[]
    design: StoredDesign
    now: Date
  },
): Promise<void> {
  await insertRow(tx, 'experiments', {
    profile_id: study.profileId,
    id: study.id,
    connection_id: null,
    provider: OWN,
    external_id: study.id,
    kind: 'geo',
    name: study.name,
    starts_at: study.startsAt,
    ends_at: study.endsAt,
    cells: JSON.stringify(study.cells),
    design: JSON.stringify(study.design),
    updated_at: study.now,
  })
  await incrementReportVersion(tx, study.profileId)
}

/** Provider of studies created through the API. */
const OWN = 'own'

/** `live`: neither canceled nor decided. */
export async function countOwnStudies(db: Db | Tx, params: { profileId: string }) {
  const { rows } = await sql<{ all: number; live: number }>`
    select count(*)::int as all,
      (count(*) filter (where canceled_at is null and decision->>'verdict' is null))::int as live
    from experiments where profile_id = ${params.profileId} and design is not null`.execute(db)
  return rows[0]!
}

export async function saveReading(tx: Tx, params: { profileId: string; id: string; ownReading: OwnReading }) {
  const ownReading = JSON.stringify(params.ownReading)
  const { rows } = await sql`
    update experiments set own_reading = ${ownReading}::jsonb
    where profile_id = ${params.profileId} and id = ${params.id} and own_reading is distinct from ${ownReading}::jsonb
    returning id`.execute(tx)
  if (rows.length > 0) await incrementReportVersion(tx, params.profileId)
}

export async function lockOwnStudy(tx: Tx, params: { profileId: string; id: string }) {
  const { rows } = await sql<{ canceled_at: Date | null; is_decided: boolean }>`
    select canceled_at, coalesce(decision->>'verdict' is not null, false) as is_decided from experiments
    where profile_id = ${params.profileId} and id = ${params.id} and design is not null
    for update`.execute(tx)
  return rows[0]
}

export async function cancelStudy(tx: Tx, params: { profileId: string; id: string; now: Date }) {
  await sql`
    update experiments set canceled_at = ${params.now}, updated_at = ${params.now}
    where profile_id = ${params.profileId} and id = ${params.id}`.execute(tx)
  await incrementReportVersion(tx, params.profileId)
}

/** Profiles with an own study that has started and has no verdict. */
export async function listProfilesToDecide(db: Db, params: { now: Date }): Promise<string[]> {
  const { rows } = await sql<{ profile_id: string }>`
    select distinct x.profile_id from experiments x
    join profiles p on p.id = x.profile_id
    where x.design is not null and x.canceled_at is null and x.starts_at < ${params.now}
      and x.decision->>'verdict' is null and p.archived_at is null
    order by x.profile_id`.execute(db)
  return rows.map((row) => row.profile_id)
}
