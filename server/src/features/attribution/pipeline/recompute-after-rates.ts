/** After exchange rates arrive or change: converts the affected amounts of a profile again and recomputes their credit. */
import { type RawBuilder, sql } from 'kysely'
import type { Clock } from '../../../platform/clock.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { lockProfile } from '../../../platform/db/profile-lock.ts'
import { CARRY_DAYS, convertOrNull, loadRates } from '../../facts/fx/rates.ts'
import type { ReferenceRate } from '../../facts/fx/reference-rates.ts'
import { saveRates } from '../../facts/fx/save-rates.ts'
import type { ReasonOf } from '../crediting/incremental/difference.ts'
import { recomputeCustomers } from '../crediting/incremental/recompute.ts'
import { type AttributionProfile, loadAttributionProfile } from '../crediting/settings.ts'
import { type Run, setAsideLargestAmounts } from './process.ts'
import { recalculateRefunds, recomputePayers } from './refunds.ts'
import { refreshDeliveryOf } from './save-ad-records.ts'

/** `now` is read from the clock once the lock is held, so that writes are timestamped in the order of the lock. */
type LockedRun = Omit<Run, 'now'> & { clock: Pick<Clock, 'now'> }

/** Returns the number of new or changed rates. Each profile is converted in its own transaction. */
export async function importRates(db: Db, rates: readonly ReferenceRate[], run: LockedRun): Promise<number> {
  const changed = await saveRates(db, rates)
  // Even if no rate is new: an earlier import may have stored rates and stopped before converting.
  for (const profileId of await profilesWithMissing(db))
    await db.transaction().execute((tx) => convertMissing(tx, profileId, run))
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

/** Amounts that an entered rate may change: those in its currency, for `CARRY_DAYS` from its day. */
export type RateScope = { currency: string; day: string }

/** SQL filters of the amounts to convert: all without a rate, or those that one rate may change. */
type RowConditions = {
  conversions: RawBuilder<unknown>
  refunds: RawBuilder<unknown>
  delivery: RawBuilder<unknown>
}

const missing: RowConditions = {
  conversions: sql`value_minor is not null and report_value_minor is null`,
  refunds: sql`r.report_amount_minor is null`,
  delivery: sql`(report_spend_minor is null or (platform_value_minor is not null and report_platform_value_minor is null))`,
}

function inScope({ currency, day }: RateScope): RowConditions {
  const days = (column: RawBuilder<unknown>) =>
    sql`${column} between ${day}::date and ${day}::date + ${CARRY_DAYS}::int`
  return {
    conversions: sql`value_minor is not null and currency = ${currency} and ${days(sql`day`)}`,
    refunds: sql`${days(sql`r.day`)} and (r.currency = ${currency} or p.currency = ${currency})`,
    delivery: sql`currency = ${currency} and ${days(sql`day`)}`,
  }
}

function convertMissing(tx: Tx, profileId: string, run: LockedRun): Promise<void> {
  return convertFacts(tx, profileId, missing, run)
}

/** Converts the amounts that an added, changed or removed rate affects. */
export function reconvert(tx: Tx, profileId: string, scope: RateScope, run: LockedRun): Promise<void> {
  return convertFacts(tx, profileId, inScope(scope), run)
}

async function convertFacts(
  tx: Tx,
  profileId: string,
  conditions: RowConditions,
  { clock, identityPepper }: LockedRun,
) {
  await lockProfile(tx, profileId)
  const run = { now: clock.now(), identityPepper }
  const profile = await loadAttributionProfile(tx, profileId)
  await convertConversions(tx, profile, conditions, run)
  await convertRefunds(tx, profile, conditions, run.now)
  await convertDelivery(tx, profile, conditions, run.now)
}

/** Each converted conversion is the fact of its restatement. */
const rateArrived: ReasonOf = ({ conversionId }) => ({
  cause: 'rate_arrived',
  fact: { type: 'conversion', id: conversionId },
})

type Money = { day: string; currency: string; amount_minor: number | null }

/** Each amount in the report currency; null without an exchange rate. */
async function valuesOf(
  tx: Tx,
  profile: AttributionProfile,
  rows: readonly Money[],
): Promise<(number | null)[]> {
  const rates = await loadRates(tx, rows, profile.currency, profile.profileId)
  return rows.map(({ amount_minor: amountMinor, currency, day }) =>
    amountMinor === null ? null : convertOrNull(rates, { amountMinor, currency, day }, profile.currency),
  )
}

async function convertConversions(tx: Tx, profile: AttributionProfile, conditions: RowConditions, run: Run) {
  const { profileId } = profile
  const { rows } = await sql<Money & { id: string; report_minor: number | null }>`
    select id, day, currency, value_minor as amount_minor, report_value_minor as report_minor from conversions
    where profile_id = ${profileId} and ${conditions.conversions}`.execute(tx)
  const values = await valuesOf(tx, profile, rows)
  const changed = rows.flatMap((row, at) =>
    values[at] === row.report_minor ? [] : [{ id: row.id, minor: values[at] }],
  )
  if (changed.length === 0) return
  const { rows: owners } = await sql<{ customer_id: string }>`
    with changed as (
      update conversions c set report_value_minor = k.minor
      from unnest(${changed.map((row) => row.id)}::uuid[], ${changed.map((row) => row.minor)}::bigint[]) as k(id, minor)
      where c.profile_id = ${profileId} and c.id = k.id
      returning c.identifier_id)
    select distinct i.customer_id from changed
    join identifiers i on i.profile_id = ${profileId} and i.id = changed.identifier_id`.execute(tx)
  const { overfullDays } = await recomputeCustomers(
    tx,
    profile,
    owners.map((row) => row.customer_id),
    run.now,
    { reachIds: [], reasonOf: rateArrived },
  )
  await setAsideLargestAmounts(tx, profile, overfullDays, run)
}

async function convertRefunds(
  tx: Tx,
  profile: AttributionProfile,
  conditions: RowConditions,
  now: Date,
): Promise<void> {
  const { profileId } = profile
  const { rows } = await sql<{ payment_id: string }>`
    select distinct r.payment_id from refunds r
    join payments p on p.profile_id = ${profileId} and p.id = r.payment_id
    where r.profile_id = ${profileId} and ${conditions.refunds}`.execute(tx)
  const paymentIds = rows.map((row) => row.payment_id)
  await recomputePayers(tx, profile, await recalculateRefunds(tx, profile, paymentIds), now, rateArrived)
}

type DeliveryMoney = Money & {
  entity_id: string
  source: string
  level: 'campaign' | 'ad_set' | 'ad'
  value_minor: number | null
  report_spend_minor: number | null
  report_value_minor: number | null
}

async function convertDelivery(
  tx: Tx,
  profile: AttributionProfile,
  conditions: RowConditions,
  now: Date,
): Promise<void> {
  const { profileId } = profile
  const { rows } = await sql<DeliveryMoney>`
    select entity_id, day, source, level, currency, spend_minor as amount_minor, platform_value_minor as value_minor,
      report_spend_minor, report_platform_value_minor as report_value_minor
    from ad_delivery where profile_id = ${profileId} and ${conditions.delivery}`.execute(tx)
  const spend = await valuesOf(tx, profile, rows)
  const values = await valuesOf(
    tx,
    profile,
    rows.map((row) => ({ ...row, amount_minor: row.value_minor })),
  )
  // Zero needs no exchange rate.
  const changed = rows
    .map((row, at) => ({
      row,
      spend: row.amount_minor === 0 ? 0 : spend[at]!,
      value: row.value_minor === 0 ? 0 : values[at]!,
    }))
    .filter(({ row, spend, value }) => spend !== row.report_spend_minor || value !== row.report_value_minor)
  if (changed.length === 0) return
  await sql`
    update ad_delivery d set report_spend_minor = k.spend, report_platform_value_minor = k.value
    from unnest(${changed.map(({ row }) => row.entity_id)}::uuid[], ${changed.map(({ row }) => row.day)}::date[],
      ${changed.map(({ row }) => row.source)}::text[], ${changed.map(({ spend }) => spend)}::bigint[],
      ${changed.map(({ value }) => value)}::bigint[]) as k(entity_id, day, source, spend, value)
    where d.profile_id = ${profileId} and d.entity_id = k.entity_id and d.day = k.day and d.source = k.source`.execute(
    tx,
  )
  await refreshDeliveryOf(
    tx,
    profile,
    changed.map(({ row }) => ({ entityId: row.entity_id, level: row.level, day: row.day })),
    { cause: 'rate_arrived', fact: null },
    now,
  )
}
