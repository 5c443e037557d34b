/** Rates come in: a profile's facts that had waited for one are converted and credited again. */
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { lockProfile } from '../../db/profile-lock.ts'
import { recomputeCustomers } from '../attribution/incremental/recompute.ts'
import { type AttributionProfile, loadAttributionProfile } from '../attribution/settings.ts'
import { convertOrNull, loadRates } from '../fx/rates.ts'
import type { ReferenceRate } from '../fx/reference-rates.ts'
import { saveRates } from '../fx/save-rates.ts'
import { relieveDays } from './process.ts'
import { recomputePayers, settleRefunds } from './refunds.ts'
import { refreshDeliveryOf } from './save-ad-records.ts'

type Missing = { id: string; day: string; currency: string; amount_minor: number }

/** Returns how many rates are new or differ. A profile's facts are converted in a transaction of their own. */
export async function importRates(db: Db, rates: readonly ReferenceRate[], now: Date): Promise<number> {
  const changed = await saveRates(db, rates)
  // Also where no rate is new: an import that stopped half-way has stored rates and converted nothing.
  for (const profileId of await profilesWithMissing(db))
    await db.transaction().execute((tx) => convertMissing(tx, profileId, now))
  return changed
}

async function profilesWithMissing(db: Db): Promise<string[]> {
  const { rows } = await sql<{ profile_id: string }>`
    select profile_id from conversions where value_minor is not null and report_value_minor is null
    union
    select profile_id from refunds where report_amount_minor is null
    union
    select profile_id from ad_delivery
    where report_spend_minor is null or (platform_value_minor is not null and report_platform_value_minor is null)`.execute(
    db,
  )
  return rows.map((row) => row.profile_id)
}

async function convertMissing(tx: Tx, profileId: string, now: Date): Promise<void> {
  await lockProfile(tx, profileId)
  const profile = await loadAttributionProfile(tx, profileId)
  await convertConversions(tx, profile, now)
  await convertRefunds(tx, profile, now)
  await convertDelivery(tx, profile)
}

/** Those of the rows whose rate is known, with the amount in the report currency. */
async function converted<T extends Omit<Missing, 'id'>>(
  tx: Tx,
  profile: AttributionProfile,
  rows: readonly T[],
): Promise<(T & { reportMinor: number })[]> {
  const rates = await loadRates(tx, rows, profile.currency)
  return rows.flatMap((row) => {
    const money = { amountMinor: row.amount_minor, currency: row.currency, day: row.day }
    const reportMinor = convertOrNull(rates, money, profile.currency)
    return reportMinor === null ? [] : [{ ...row, reportMinor }]
  })
}

async function convertConversions(tx: Tx, profile: AttributionProfile, now: Date): Promise<void> {
  const { profileId } = profile
  const { rows } = await sql<Missing>`
    select id, day, currency, value_minor as amount_minor from conversions
    where profile_id = ${profileId} and value_minor is not null and report_value_minor is null`.execute(tx)
  const known = await converted(tx, profile, rows)
  if (known.length === 0) return
  const { rows: owners } = await sql<{ customer_id: string }>`
    with changed as (
      update conversions c set report_value_minor = k.minor
      from unnest(${known.map((row) => row.id)}::uuid[], ${known.map((row) => row.reportMinor)}::bigint[]) as k(id, minor)
      where c.profile_id = ${profileId} and c.id = k.id
      returning c.identifier_id)
    select distinct i.customer_id from changed
    join identifiers i on i.profile_id = ${profileId} and i.id = changed.identifier_id`.execute(tx)
  const { overfullDays } = await recomputeCustomers(
    tx,
    profile,
    owners.map((row) => row.customer_id),
    now,
    { reachIds: [] },
  )
  await relieveDays(tx, profile, overfullDays, now)
}

async function convertRefunds(tx: Tx, profile: AttributionProfile, now: Date): Promise<void> {
  const { profileId } = profile
  const { rows } = await sql<{ payment_id: string }>`
    select distinct payment_id from refunds
    where profile_id = ${profileId} and report_amount_minor is null`.execute(tx)
  const paymentIds = rows.map((row) => row.payment_id)
  await recomputePayers(tx, profile, await settleRefunds(tx, profile, paymentIds), now)
}

async function convertDelivery(tx: Tx, profile: AttributionProfile): Promise<void> {
  const { profileId } = profile
  const { rows } = await sql<{
    entity_id: string
    day: string
    source: string
    level: 'campaign' | 'ad_set' | 'ad'
    currency: string
    amount_minor: number
    value_minor: number | null
  }>`
    select entity_id, day, source, level, currency, spend_minor as amount_minor, platform_value_minor as value_minor
    from ad_delivery
    where profile_id = ${profileId}
      and (report_spend_minor is null or (platform_value_minor is not null and report_platform_value_minor is null))`.execute(
    tx,
  )
  const known = await converted(tx, profile, rows)
  if (known.length === 0) return
  const values = await converted(
    tx,
    profile,
    known.map((row) => ({ ...row, amount_minor: row.value_minor ?? 0 })),
  )
  await sql`
    update ad_delivery d set report_spend_minor = k.spend,
      report_platform_value_minor = case when d.platform_value_minor is null then null else k.value end
    from unnest(${known.map((row) => row.entity_id)}::uuid[], ${known.map((row) => row.day)}::date[],
      ${known.map((row) => row.source)}::text[], ${known.map((row) => row.reportMinor)}::bigint[],
      ${values.map((row) => row.reportMinor)}::bigint[]) as k(entity_id, day, source, spend, value)
    where d.profile_id = ${profileId} and d.entity_id = k.entity_id and d.day = k.day and d.source = k.source`.execute(
    tx,
  )
  await refreshDeliveryOf(
    tx,
    profileId,
    known.map((row) => ({ entityId: row.entity_id, level: row.level, day: row.day })),
  )
}
