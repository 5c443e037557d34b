import { sql } from 'kysely'
import { uuidList } from '../../../platform/db/bulk/columns.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'
import { sumsOf } from '../../figures/rollups/sums.ts'

/** Platform statuses of running campaigns. */
const running = sql`('ACTIVE', 'ENABLED')`

type OfProfile = { profile_id: string }
type Profiles = { profileIds: readonly string[] }
type InDays = Profiles & { from: string; to: string }

const inDays = ({ profileIds, from, to }: InDays) => ({ profileId: profileIds, from, to })

const isOf = ({ profileIds }: Profiles, table: string) =>
  sql<boolean>`${sql.ref(`${table}.profile_id`)} = any(${uuidList(profileIds)}::uuid[])`

export type SpendRow = OfProfile & {
  provider: string
  day: string
  spend_minor: number
  running_minor: number
}

/** Spend of campaigns by day, and the part of campaigns that are still running. */
export async function listSpendDays(db: Db | Tx, params: InDays): Promise<SpendRow[]> {
  const spent = sumsOf({
    ...inDays(params),
    measures: ['spend_minor'],
    by: ['profile_id', 'source', 'entity_id', 'day'],
  })
  const { rows } = await sql<SpendRow>`
    select d.profile_id, d.source as provider, d.day, sum(d.spend_minor)::bigint as spend_minor,
      coalesce(sum(d.spend_minor) filter (where e.status in ${running}), 0)::bigint as running_minor
    from (${spent}) d
    join ad_entities e on e.profile_id = d.profile_id and e.id = d.entity_id
    where ${isOf(params, 'e')}
    group by d.profile_id, d.source, d.day
    order by d.profile_id, d.source, d.day`.execute(db)
  return rows
}

export type BudgetRow = OfProfile & {
  provider: string
  daily_minor: number
  unknown: number
  currency: string | null
}

/** Sum of the daily budgets of the running ad sets of campaign `c`. */
const ofAdSets = sql`(
  select sum(s.daily_budget_minor)::bigint from ad_entities s
  where s.profile_id = c.profile_id and s.campaign_id = c.id and s.level = 'ad_set' and s.status in ${running})`

/** The daily budgets of running campaigns: their own, else those of their running ad sets. */
export async function listDailyBudgets(db: Db | Tx, params: Profiles): Promise<BudgetRow[]> {
  const { rows } = await sql<BudgetRow>`
    with campaigns as (
      select c.profile_id, c.source as provider, c.currency, coalesce(c.daily_budget_minor, ${ofAdSets}) as daily_minor
      from ad_entities c
      where ${isOf(params, 'c')} and c.level = 'campaign' and c.status in ${running} and c.source is not null)
    select profile_id, provider, coalesce(sum(daily_minor), 0)::bigint as daily_minor,
      count(*) filter (where daily_minor is null) as unknown,
      case when count(distinct currency) = 1 then min(currency) end as currency
    from campaigns group by profile_id, provider`.execute(db)
  return rows
}

export type CampaignBudgetRow = OfProfile & {
  id: string
  provider: string
  is_running: boolean
  daily_minor: number | null
  currency: string | null
  first_spend_day: string | null
  last_spend_day: string | null
}

/** Campaigns with their current budgets (their own, else those of running ad sets), and first and last day of spend. */
export async function listCampaignBudgets(db: Db | Tx, params: InDays): Promise<CampaignBudgetRow[]> {
  const spent = sumsOf({
    ...inDays(params),
    measures: { first_day: 'first_spend_day', last_day: 'last_spend_day' },
    by: ['profile_id', 'entity_id'],
  })
  const { rows } = await sql<CampaignBudgetRow>`
    with spent as (${spent})
    select c.profile_id, c.id, c.source as provider, coalesce(c.status in ${running}, false) as is_running, c.currency,
      coalesce(c.daily_budget_minor, ${ofAdSets}) as daily_minor, spent.first_day as first_spend_day,
      spent.last_day as last_spend_day
    from ad_entities c
    left join spent on spent.profile_id = c.profile_id and spent.entity_id = c.id
    where ${isOf(params, 'c')} and c.level = 'campaign' and c.source is not null
      and (c.status in ${running} or spent.entity_id is not null)`.execute(db)
  return rows
}

export type SettingsDayRow = OfProfile & {
  entity_id: string
  day: string
  is_running: boolean
  daily_minor: number | null
  currency: string | null
}

export async function listSettingsDays(db: Db | Tx, params: Profiles & { to: string }) {
  const { rows } = await sql<SettingsDayRow>`
    select profile_id, entity_id, day, coalesce(status in ${running}, false) as is_running,
      daily_budget_minor as daily_minor, currency
    from campaign_settings_days s
    where ${isOf(params, 's')} and day <= ${params.to}
    order by profile_id, entity_id, day`.execute(db)
  return rows
}

export type OutcomeRow = OfProfile & { provider: string; outcomes: number; revenue_minor: number }

/** By day, because profiles may be in different months. */
export async function listOutcomes(db: Db | Tx, params: InDays): Promise<(OutcomeRow & { day: string })[]> {
  const credited = sumsOf({
    ...inDays(params),
    measures: ['credited_payments', 'credited_minor'],
    by: ['profile_id', 'entity_id', 'day'],
  })
  const { rows } = await sql<OutcomeRow & { day: string }>`
    select c.profile_id, e.source as provider, c.day, sum(c.credited_payments)::bigint as outcomes,
      sum(c.credited_minor)::bigint as revenue_minor
    from (${credited}) c
    join ad_entities e on e.profile_id = c.profile_id and e.id = c.entity_id
    where ${isOf(params, 'e')} and e.source is not null
    group by c.profile_id, e.source, c.day`.execute(db)
  return rows
}

export async function listTargets(
  db: Db | Tx,
  params: Profiles & { months: readonly string[] },
): Promise<(OfProfile & { month: string; provider: string; budget_minor: number })[]> {
  const { rows } = await sql<OfProfile & { month: string; provider: string; budget_minor: number }>`
    select profile_id, month, provider, budget_minor from pacing_targets t
    where ${isOf(params, 't')} and month = any(${params.months}::date[])`.execute(db)
  return rows
}

export async function saveTarget(
  tx: Tx,
  params: { profileId: string; provider: string; month: string; budgetMinor: number | null; now: Date },
): Promise<void> {
  const { profileId, provider, month, budgetMinor, now } = params
  if (budgetMinor === null) {
    await rowsWhere(tx, 'pacing_targets', { profile_id: profileId, provider, month }).delete()
    return
  }
  await tx
    .insertInto('pacing_targets')
    .values({ profile_id: profileId, provider, month, budget_minor: budgetMinor, updated_at: now })
    .onConflict((conflict) =>
      conflict.columns(['profile_id', 'provider', 'month']).doUpdateSet((eb) => ({
        budget_minor: eb.ref('excluded.budget_minor'),
        updated_at: eb.ref('excluded.updated_at'),
      })),
    )
    .execute()
}
