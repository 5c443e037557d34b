/**
 * Daily delivery as reported, and the effective delivery per entity and day: the entity's own row, else the sum of its
 * children. Levels are synced one after the other during the day. So if an entity's row was read before its day was
 * over and its children sum to more spend, the sum is used: campaigns, ad sets and ads then show the same spend.
 */
import { type RawBuilder, sql } from 'kysely'
import { dayAt, dayNumber } from '../../../platform/contract/dates.ts'
import { spanStart, spans } from '../../../platform/contract/day-spans.ts'
import type { Tx } from '../../../platform/db/database.ts'
import {
  type DeliveryRestatement,
  type DeliveryRow,
  nullableMeasures,
  recordDelivery,
} from './delivery-changes.ts'
import type { AdLevel } from './entities.ts'

export type DeliveryWrite = {
  entityId: string
  level: AdLevel
  day: string
  spendMinor: number
  currency: string
  reportSpendMinor: number | null
  impressions: number | null
  clicks: number | null
  reach: number | null
  platformConversionsMilli: number | null
  platformValueMinor: number | null
  reportPlatformValueMinor: number | null
  messagingStarted7d: number | null
}

export type EntityDay = { entityId: string; day: string }

/** Upserts by (entity, day, source); unchanged rows are not rewritten. */
export async function saveDelivery(
  tx: Tx,
  profileId: string,
  source: string,
  rows: readonly DeliveryWrite[],
  now: Date,
): Promise<{ inserted: EntityDay[]; updated: EntityDay[] }> {
  if (rows.length === 0) return { inserted: [], updated: [] }
  const ids = rows.map((row) => row.entityId)
  const days = rows.map((row) => row.day)
  const existing = await sql<{ entity_id: string; day: string }>`
    select d.entity_id, d.day from ad_delivery d
    join unnest(${ids}::uuid[], ${days}::date[]) as w(entity_id, day) on d.entity_id = w.entity_id and d.day = w.day
    where d.profile_id = ${profileId} and d.source = ${source}`.execute(tx)
  const before = new Set(existing.rows.map((row) => `${row.entity_id} ${row.day}`))
  const written = await sql<{ entity_id: string; day: string }>`
    insert into ad_delivery as d (profile_id, source, updated_at, entity_id, day, level, spend_minor, currency, report_spend_minor,
      impressions, clicks, reach, platform_conversions_milli, platform_value_minor, report_platform_value_minor, messaging_started_7d)
    select ${profileId}::uuid, ${source}::text, ${now}::timestamptz, * from unnest(${ids}::uuid[], ${days}::date[],
      ${rows.map((row) => row.level)}::text[], ${rows.map((row) => row.spendMinor)}::bigint[],
      ${rows.map((row) => row.currency)}::text[], ${rows.map((row) => row.reportSpendMinor)}::bigint[],
      ${rows.map((row) => row.impressions)}::bigint[], ${rows.map((row) => row.clicks)}::bigint[],
      ${rows.map((row) => row.reach)}::bigint[], ${rows.map((row) => row.platformConversionsMilli)}::bigint[],
      ${rows.map((row) => row.platformValueMinor)}::bigint[], ${rows.map((row) => row.reportPlatformValueMinor)}::bigint[],
      ${rows.map((row) => row.messagingStarted7d)}::bigint[])
    on conflict (profile_id, entity_id, day, source) do update set
      spend_minor = excluded.spend_minor, currency = excluded.currency, report_spend_minor = excluded.report_spend_minor,
      impressions = excluded.impressions, clicks = excluded.clicks, reach = excluded.reach,
      platform_conversions_milli = excluded.platform_conversions_milli, platform_value_minor = excluded.platform_value_minor,
      report_platform_value_minor = excluded.report_platform_value_minor,
      messaging_started_7d = excluded.messaging_started_7d, updated_at = excluded.updated_at
    where row(d.spend_minor, d.currency, d.report_spend_minor, d.impressions, d.clicks, d.reach, d.platform_conversions_milli,
        d.platform_value_minor, d.report_platform_value_minor, d.messaging_started_7d)
      is distinct from row(excluded.spend_minor, excluded.currency, excluded.report_spend_minor, excluded.impressions,
        excluded.clicks, excluded.reach, excluded.platform_conversions_milli, excluded.platform_value_minor,
        excluded.report_platform_value_minor, excluded.messaging_started_7d)
    returning entity_id, day`.execute(tx)
  const changed = written.rows.map((row) => ({ entityId: row.entity_id, day: row.day }))
  const existed = ({ entityId, day }: EntityDay) => before.has(`${entityId} ${day}`)
  return { inserted: changed.filter((pair) => !existed(pair)), updated: changed.filter(existed) }
}

/** Distinct (entity, day) pairs per level. The caller also adds parents, whose delivery may be the sum of children. */
export class EntityDays {
  private readonly byLevel: Record<AdLevel, Map<string, EntityDay>> = {
    ad: new Map(),
    ad_set: new Map(),
    campaign: new Map(),
  }
  add(level: AdLevel, entityId: string | null, day: string): void {
    if (entityId !== null) this.byLevel[level].set(`${entityId} ${day}`, { entityId, day })
  }
  addAll(other: EntityDays): void {
    for (const level of ['ad', 'ad_set', 'campaign'] as const)
      for (const { entityId, day } of other.at(level)) this.add(level, entityId, day)
  }
  has(level: AdLevel, { entityId, day }: EntityDay): boolean {
    return this.byLevel[level].has(`${entityId} ${day}`)
  }
  at(level: AdLevel): EntityDay[] {
    return [...this.byLevel[level].values()]
  }
}

/** Recomputes the effective delivery of these entity-days, children before parents. */
export async function refreshDelivery(
  tx: Tx,
  profileId: string,
  pairs: EntityDays,
  restated: DeliveryRestatement,
): Promise<void> {
  for (const level of ['ad', 'ad_set', 'campaign'] as const) {
    const levelPairs = pairs.at(level)
    if (levelPairs.length === 0) continue
    const ids = levelPairs.map((pair) => pair.entityId)
    const days = levelPairs.map((pair) => pair.day)
    const before = await sql<DeliveryRow>`
      delete from delivery_daily d using unnest(${ids}::uuid[], ${days}::date[]) as w(entity_id, day)
      where d.profile_id = ${profileId} and d.level = ${level} and d.day = w.day and d.entity_id = w.entity_id
      returning ${rowColumns(sql`d.`)}`.execute(tx)
    const after = await sql<DeliveryRow>`
      with input as (select * from unnest(${ids}::uuid[], ${days}::date[]) as w(entity_id, day)),
      reported as (
        select d.entity_id, d.day, d.source, coalesce(d.report_spend_minor, 0) as spend_minor, d.impressions, d.clicks, d.reach,
          d.platform_conversions_milli, d.report_platform_value_minor as platform_value_minor, d.messaging_started_7d,
          case when d.report_spend_minor is null or (d.platform_value_minor is not null and d.report_platform_value_minor is null)
            then 1 else 0 end as fx_missing,
          d.updated_at < (d.day::timestamp + interval '36 hours') at time zone 'UTC' as is_open
        from input w
        join ad_delivery d on d.profile_id = ${profileId} and d.entity_id = w.entity_id and d.day = w.day),
      of_children as (
        select w.entity_id, d.day, d.source, sum(d.spend_minor)::bigint as spend_minor, sum(d.impressions)::bigint as impressions,
          sum(d.clicks)::bigint as clicks, null::bigint as reach,
          sum(d.platform_conversions_milli)::bigint as platform_conversions_milli,
          sum(d.platform_value_minor)::bigint as platform_value_minor,
          sum(d.messaging_started_7d)::bigint as messaging_started_7d, sum(d.fx_missing)::bigint as fx_missing
        from input w
        join ad_entities c on c.profile_id = ${profileId} and ${childOf(level)}
        join delivery_daily d on d.profile_id = ${profileId} and d.level = c.level and d.day = w.day and d.entity_id = c.id
        group by w.entity_id, d.day, d.source)
      insert into delivery_daily (profile_id, level, entity_id, day, source, spend_minor, impressions, clicks, reach,
        platform_conversions_milli, platform_value_minor, messaging_started_7d, fx_missing)
      select ${profileId}::uuid, ${level}::text, o.entity_id, o.day, o.source, o.spend_minor, o.impressions, o.clicks,
        o.reach, o.platform_conversions_milli, o.platform_value_minor, o.messaging_started_7d, o.fx_missing
      from reported o
      where not (o.is_open and exists (
        select 1 from of_children c where c.entity_id = o.entity_id and c.day = o.day and c.source = o.source
          and c.spend_minor > o.spend_minor))
      union all
      select ${profileId}::uuid, ${level}::text, c.entity_id, c.day, c.source, c.spend_minor, c.impressions, c.clicks,
        coalesce(o.reach, c.reach), c.platform_conversions_milli, c.platform_value_minor, c.messaging_started_7d, c.fx_missing
      from of_children c
      left join reported o on o.entity_id = c.entity_id and o.day = c.day and o.source = c.source
      where o.entity_id is null or (o.is_open and c.spend_minor > o.spend_minor)
      returning ${rowColumns(sql``)}`.execute(tx)
    recordDelivery(restated, level, before.rows, after.rows)
    await refreshSpans(tx, profileId, level, levelPairs)
  }
}

const rowColumns = (table: RawBuilder<unknown>) =>
  sql.join(
    ['entity_id', 'day', 'source', 'spend_minor', 'fx_missing', ...nullableMeasures].map(
      (name) => sql`${table}${sql.ref(name)}`,
    ),
  )

async function refreshSpans(tx: Tx, profileId: string, level: AdLevel, changed: readonly EntityDay[]) {
  const spanRows = spans.flatMap((span) => {
    const pairs = new EntityDays()
    for (const { entityId, day } of changed)
      pairs.add(level, entityId, dayAt(spanStart(dayNumber(day), span)))
    return pairs.at(level).map(({ entityId, day }) => ({ entityId, start: day, span }))
  })
  const lists = sql`${spanRows.map((row) => row.entityId)}::uuid[], ${spanRows.map((row) => row.start)}::date[],
    ${spanRows.map((row) => row.span)}::smallint[]`
  await sql`
    delete from delivery_spans d using unnest(${lists}) as w(entity_id, start, span)
    where d.profile_id = ${profileId} and d.level = ${level} and d.span = w.span and d.start = w.start
      and d.entity_id = w.entity_id`.execute(tx)
  await sql`
    insert into delivery_spans (profile_id, level, span, entity_id, start, source, spend_minor, impressions, clicks, reach,
      platform_conversions_milli, platform_value_minor, messaging_started_7d, fx_missing)
    select ${profileId}::uuid, ${level}::text, w.span, w.entity_id, w.start, d.source, sum(d.spend_minor)::bigint,
      sum(d.impressions)::bigint, sum(d.clicks)::bigint, ${reachOfSingleRow(sql`d.reach`)}, sum(d.platform_conversions_milli)::bigint,
      sum(d.platform_value_minor)::bigint, sum(d.messaging_started_7d)::bigint, sum(d.fx_missing)::bigint
    from unnest(${lists}) as w(entity_id, start, span)
    join delivery_daily d on d.profile_id = ${profileId} and d.entity_id = w.entity_id and d.level = ${level}
      and d.day >= w.start and d.day < w.start + w.span
    group by w.entity_id, w.start, w.span, d.source`.execute(tx)
}

/** Reach counts each account once, so it cannot be summed over days, ads or sources: the value of a single row, else null. */
export function reachOfSingleRow(reach: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when count(*) = 1 then min(${reach}) end`
}

/** SQL condition for children. An ad without an ad set is a child of its campaign. */
function childOf(level: AdLevel) {
  switch (level) {
    case 'ad':
      return sql`false`
    case 'ad_set':
      return sql`c.ad_set_id = w.entity_id and c.level = 'ad'`
    case 'campaign':
      return sql`c.campaign_id = w.entity_id and (c.level = 'ad_set' or (c.level = 'ad' and c.ad_set_id is null))`
  }
}

/** The days with effective delivery of these entities. */
export async function listDeliveryDays(
  tx: Tx,
  profileId: string,
  entityIds: readonly string[],
): Promise<EntityDay[]> {
  if (entityIds.length === 0) return []
  const { rows } = await sql<{ entity_id: string; day: string }>`
    select distinct entity_id, day from delivery_daily
    where profile_id = ${profileId} and entity_id = any(${entityIds}::uuid[])`.execute(tx)
  return rows.map((row) => ({ entityId: row.entity_id, day: row.day }))
}
