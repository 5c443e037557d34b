import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { PAYMENTS } from '../../attribution/crediting/credits/rollups.ts'

/** Statuses in the platforms' words of what still spends. */
const running = sql`('ACTIVE', 'ENABLED')`

export type SpendRow = { provider: string; day: string; spend_minor: number; running_minor: number }

/** What campaigns spent by day, and what of it belongs to campaigns that still run. */
export async function listSpendDays(
  db: Db | Tx,
  params: { profileId: string; from: string; to: string },
): Promise<SpendRow[]> {
  const { rows } = await sql<SpendRow>`
    select d.source as provider, d.day, sum(d.spend_minor)::bigint as spend_minor,
      coalesce(sum(d.spend_minor) filter (where e.status in ${running}), 0)::bigint as running_minor
    from delivery_daily d
    join ad_entities e on e.profile_id = ${params.profileId} and e.id = d.entity_id
    where d.profile_id = ${params.profileId} and d.level = 'campaign' and d.day between ${params.from} and ${params.to}
    group by d.source, d.day
    order by d.source, d.day`.execute(db)
  return rows
}

export type BudgetRow = { provider: string; daily_minor: number; unknown: number; currency: string | null }

/** The daily budgets of running campaigns: their own, else those of their running ad sets. */
export async function listDailyBudgets(db: Db | Tx, params: { profileId: string }): Promise<BudgetRow[]> {
  const { rows } = await sql<BudgetRow>`
    with campaigns as (
      select c.source as provider, c.currency, coalesce(c.daily_budget_minor, (
        select sum(s.daily_budget_minor)::bigint from ad_entities s
        where s.profile_id = ${params.profileId} and s.campaign_id = c.id and s.level = 'ad_set' and s.status in ${running}
      )) as daily_minor
      from ad_entities c
      where c.profile_id = ${params.profileId} and c.level = 'campaign' and c.status in ${running} and c.source is not null)
    select provider, coalesce(sum(daily_minor), 0)::bigint as daily_minor,
      count(*) filter (where daily_minor is null) as unknown,
      case when count(distinct currency) = 1 then min(currency) end as currency
    from campaigns group by provider`.execute(db)
  return rows
}

export type CampaignBudgetRow = {
  id: string
  provider: string
  is_running: boolean
  daily_minor: number | null
  currency: string | null
  first_spend_day: string | null
  last_spend_day: string | null
}

/** Campaigns with their budgets of now (their own, else those of running ad sets), and when they spent. */
export async function listCampaignBudgets(
  db: Db | Tx,
  params: { profileId: string; from: string; to: string },
): Promise<CampaignBudgetRow[]> {
  const { rows } = await sql<CampaignBudgetRow>`
    with spent as (
      select entity_id, min(day) as first_day, max(day) as last_day from delivery_daily
      where profile_id = ${params.profileId} and level = 'campaign' and spend_minor > 0
        and day between ${params.from} and ${params.to}
      group by entity_id)
    select c.id, c.source as provider, coalesce(c.status in ${running}, false) as is_running, c.currency,
      coalesce(c.daily_budget_minor, (
        select sum(s.daily_budget_minor)::bigint from ad_entities s
        where s.profile_id = ${params.profileId} and s.campaign_id = c.id and s.level = 'ad_set' and s.status in ${running}
      )) as daily_minor, spent.first_day as first_spend_day, spent.last_day as last_spend_day
    from ad_entities c
    left join spent on spent.entity_id = c.id
    where c.profile_id = ${params.profileId} and c.level = 'campaign' and c.source is not null
      and (c.status in ${running} or spent.entity_id is not null)`.execute(db)
  return rows
}

export type SettingsDayRow = {
  entity_id: string
  day: string
  is_running: boolean
  daily_minor: number | null
  currency: string | null
}

export async function listSettingsDays(
  db: Db | Tx,
  params: { profileId: string; to: string },
): Promise<SettingsDayRow[]> {
  const { rows } = await sql<SettingsDayRow>`
    select entity_id, day, coalesce(status in ${running}, false) as is_running, daily_budget_minor as daily_minor, currency
    from campaign_settings_days
    where profile_id = ${params.profileId} and day <= ${params.to}
    order by entity_id, day`.execute(db)
  return rows
}

export type OutcomeRow = { provider: string; outcomes: number; revenue_minor: number }

export async function listOutcomes(
  db: Db | Tx,
  params: { profileId: string; from: string; to: string },
): Promise<OutcomeRow[]> {
  const { rows } = await sql<OutcomeRow>`
    select e.source as provider, sum(c.last_touch_count)::bigint as outcomes, sum(c.last_touch_minor)::bigint as revenue_minor
    from credit_daily c
    join ad_entities e on e.profile_id = ${params.profileId} and e.id = c.entity_id
    where c.profile_id = ${params.profileId} and c.level = 'campaign' and c.revenue_type in (${sql.join([...PAYMENTS])})
      and c.day between ${params.from} and ${params.to} and e.source is not null
    group by e.source`.execute(db)
  return rows
}

export async function listTargets(
  db: Db | Tx,
  params: { profileId: string; month: string },
): Promise<{ provider: string; budget_minor: number }[]> {
  return db
    .selectFrom('pacing_targets')
    .select(['provider', 'budget_minor'])
    .where('profile_id', '=', params.profileId)
    .where('month', '=', params.month)
    .execute()
}

export async function saveTarget(
  tx: Tx,
  params: { profileId: string; provider: string; month: string; budgetMinor: number | null; now: Date },
): Promise<void> {
  const { profileId, provider, month, budgetMinor, now } = params
  if (budgetMinor === null) {
    await tx
      .deleteFrom('pacing_targets')
      .where('profile_id', '=', profileId)
      .where('provider', '=', provider)
      .where('month', '=', month)
      .execute()
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
