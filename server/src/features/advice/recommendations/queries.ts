import { type Selectable, sql } from 'kysely'
import { addDays } from '../../../platform/contract/dates.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { insertRow, rowsWhere } from '../../../platform/db/rows.ts'
import type { DB } from '../../../platform/db/schema.ts'
import { readSums, sumsOf } from '../../figures/rollups/sums.ts'
import type { Expected, Prediction, Proposal, Step } from './rules.ts'

export type RecommendationRow = Omit<
  Selectable<DB['recommendations']>,
  'subject' | 'evidence' | 'action' | 'expected_effect' | 'prediction'
> & {
  subject: Proposal['subject']
  evidence: string[]
  action: { steps: Step[]; scoredOver: string[] }
  expected_effect: Expected | null
  prediction: Prediction | null
}

const columns = [
  'profile_id',
  'id',
  'kind',
  'subject_id',
  'subject',
  'evidence',
  'action',
  'expected_effect',
  'confidence',
  'status',
  'created_at',
  'expires_at',
  'claimed_at',
  'applied_at',
  'closed_at',
  'prediction',
  'turned_out_right',
  'updated_at',
] as const

/** The JSON columns are written only by `insertProposal`. */
function toRow(row: Selectable<DB['recommendations']>): RecommendationRow {
  const { steps = [], scoredOver = [] } = row.action as Partial<RecommendationRow['action']>
  return {
    ...row,
    subject: row.subject as Proposal['subject'],
    evidence: Array.isArray(row.evidence) ? (row.evidence as string[]) : [],
    action: { steps, scoredOver },
    expected_effect: row.expected_effect as Expected | null,
    prediction: row.prediction as Prediction | null,
  }
}

export async function listRecommendationRows(
  db: Db | Tx,
  params: { profileId: string; status: string },
): Promise<RecommendationRow[]> {
  const rows = await db
    .selectFrom('recommendations')
    .select(columns)
    .where('profile_id', '=', params.profileId)
    .where('status', '=', params.status)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(200)
    .execute()
  return rows.map(toRow)
}

export async function findRecommendation(
  db: Db | Tx,
  params: { profileIds: readonly string[]; id: string },
): Promise<RecommendationRow | undefined> {
  if (params.profileIds.length === 0) return undefined
  const row = await rowsWhere(db, 'recommendations', { profile_id: params.profileIds, id: params.id }).find(
    columns,
  )
  return row && toRow(row)
}

export type TrackRecord = { kind: string; scored: number; held: number; not_applied: number; right: number }

/** Per kind: results of applied recommendations, and of those not applied. */
export async function listTrackRecords(db: Db | Tx, params: { profileId: string }): Promise<TrackRecord[]> {
  const { rows } = await sql<TrackRecord>`
    select kind, count(*) filter (where prediction ->> 'held' is not null) as scored,
      count(*) filter (where prediction ->> 'held' = 'true') as held,
      count(turned_out_right) as not_applied,
      count(*) filter (where turned_out_right) as "right"
    from recommendations
    where profile_id = ${params.profileId} and (prediction is not null or turned_out_right is not null)
    group by kind`.execute(db)
  return rows
}

/** False while another request holds the claim. */
export async function claim(
  db: Db | Tx,
  params: { profileId: string; id: string; status: string; now: Date; staleBefore: Date },
): Promise<boolean> {
  const { rows } = await sql`
    update recommendations set claimed_at = ${params.now}, updated_at = ${params.now}
    where profile_id = ${params.profileId} and id = ${params.id} and status = ${params.status}
      and (claimed_at is null or claimed_at < ${params.staleBefore})
    returning id`.execute(db)
  return rows.length > 0
}

export async function settle(
  db: Db | Tx,
  params: { profileId: string; id: string; status: string; now: Date; isApplied: boolean },
): Promise<void> {
  const { profileId, id, status, now } = params
  await rowsWhere(db, 'recommendations', { profile_id: profileId, id }).update({
    status,
    claimed_at: null,
    updated_at: now,
    ...(params.isApplied ? { applied_at: now } : {}),
    ...(status === 'undone' || status === 'dismissed' ? { closed_at: now } : {}),
  })
}

export type CampaignRow = {
  id: string
  external_id: string
  name: string | null
  provider: string
  objective: string | null
  status: string | null
  currency: string | null
  daily_budget_minor: number | null
  lifetime_budget_minor: number | null
  spend_minor: number
  payments: number
  leads: number
  since: Date | null
}

const measures = {
  spend_minor: 'spend_minor',
  payments: 'credited_payments',
  leads: 'credited_leads',
} as const

/** Campaigns with their spend, payments and leads in a range of days. */
export async function listCampaigns(db: Db | Tx, params: { profileId: string; from: string; to: string }) {
  const { profileId } = params
  const { rows } = await sql<CampaignRow>`
    select e.id, e.external_id, e.name, e.source as provider, e.objective, e.status, e.currency, e.daily_budget_minor,
      e.lifetime_budget_minor, s.since,
      coalesce(f.spend_minor, 0)::bigint as spend_minor, coalesce(f.payments, 0)::bigint as payments,
      coalesce(f.leads, 0)::bigint as leads
    from ad_entities e
    left join (${sumsOf({ ...params, measures, by: ['entity_id'] })}) f on f.entity_id = e.id
    left join campaign_settings_seen s on s.profile_id = ${profileId} and s.entity_id = e.id
    where e.profile_id = ${profileId} and e.level = 'campaign' and e.source is not null
    order by e.id`.execute(db)
  return rows
}

/** Upserts the settings; `since` changes only when they change. */
export async function saveSettings(
  tx: Tx,
  params: { profileId: string; campaigns: readonly CampaignRow[]; now: Date },
): Promise<void> {
  const { profileId, now } = params
  if (params.campaigns.length === 0) return
  const rows = params.campaigns.map((row) => ({
    entity_id: row.id,
    status: row.status,
    daily_budget_minor: row.daily_budget_minor,
    lifetime_budget_minor: row.lifetime_budget_minor,
  }))
  await sql`
    insert into campaign_settings_seen as s (profile_id, since, entity_id, status, daily_budget_minor, lifetime_budget_minor)
    select ${profileId}::uuid, ${now}::timestamptz, r.*
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r(entity_id uuid, status text, daily_budget_minor bigint, lifetime_budget_minor bigint)
    on conflict (profile_id, entity_id) do update set since = excluded.since, status = excluded.status,
      daily_budget_minor = excluded.daily_budget_minor, lifetime_budget_minor = excluded.lifetime_budget_minor
    where row(s.status, s.daily_budget_minor, s.lifetime_budget_minor) is distinct from
      row(excluded.status, excluded.daily_budget_minor, excluded.lifetime_budget_minor)`.execute(tx)
}

/**
 * Spend, payments and leads of campaigns by day; days without any are omitted. The nil id has those that no campaign
 * is credited with.
 */
export function listCampaignDays(db: Db | Tx, params: { profileId: string; from: string; to: string }) {
  return readSums(db, { ...params, withUnassigned: true, measures, by: ['entity_id', 'day'] })
}

export type FatiguedAd = { id: string; external_id: string; name: string | null; above_median: number | null }

/** Running ads above the median with high fatigue in the latest scoring run. */
export async function listFatiguedAds(db: Db | Tx, params: { profileId: string }): Promise<FatiguedAd[]> {
  const { rows } = await sql<FatiguedAd>`
    select e.id, e.external_id, e.name, s.above_median
    from ad_scores s
    join ad_entities e on e.profile_id = ${params.profileId} and e.id = s.ad_id
    where s.profile_id = ${params.profileId} and s.score_window = '28d' and s.fatigue = 'high'
      and s.maturity_stage in ('mature', 'calibrated') and s.above_median >= 0.5 and e.status in ('ACTIVE', 'ENABLED')
      and s.day = (select max(r.day) from ad_score_runs r where r.profile_id = ${params.profileId} and r.state = 'done')
    order by e.id limit 50`.execute(db)
  return rows
}

export async function insertProposal(
  tx: Tx,
  params: { profileId: string; id: string; proposal: Proposal; now: Date; expiresAt: Date },
): Promise<void> {
  const { proposal, now } = params
  await insertRow(tx, 'recommendations', {
    profile_id: params.profileId,
    id: params.id,
    kind: proposal.kind,
    subject_id: proposal.subject.id,
    subject: JSON.stringify(proposal.subject),
    evidence: JSON.stringify(proposal.evidence),
    action: JSON.stringify({ steps: proposal.steps, scoredOver: proposal.scoredOver }),
    expected_effect: proposal.expected === null ? null : JSON.stringify(proposal.expected),
    confidence: proposal.confidence,
    status: 'open',
    created_at: now,
    expires_at: params.expiresAt,
    updated_at: now,
  })
}

/** Recommendations that are open, applied, or recently dismissed or undone, which are not created again. */
export async function listCurrent(
  db: Db | Tx,
  params: { profileId: string; dismissedAfter: Date },
): Promise<Pick<RecommendationRow, 'id' | 'kind' | 'subject_id' | 'status' | 'expires_at'>[]> {
  return db
    .selectFrom('recommendations')
    .select(['id', 'kind', 'subject_id', 'status', 'expires_at'])
    .where('profile_id', '=', params.profileId)
    .where((eb) =>
      eb.or([
        eb('status', 'in', ['open', 'applied']),
        eb.and([eb('status', 'in', ['dismissed', 'undone']), eb('closed_at', '>', params.dismissedAfter)]),
      ]),
    )
    .execute()
}

export async function expire(tx: Tx, params: { profileId: string; ids: readonly string[]; now: Date }) {
  if (params.ids.length === 0) return
  await rowsWhere(tx, 'recommendations', {
    profile_id: params.profileId,
    id: params.ids,
    status: 'open',
  }).update({ status: 'expired', closed_at: params.now, updated_at: params.now })
}

export async function savePrediction(
  tx: Tx,
  params: { profileId: string; id: string; prediction: Prediction; now: Date },
): Promise<void> {
  await rowsWhere(tx, 'recommendations', { profile_id: params.profileId, id: params.id }).update({
    prediction: JSON.stringify(params.prediction),
    updated_at: params.now,
  })
}

/** Unscored recommendations not applied, created between `after` and `before`. */
export async function listNotApplied(
  db: Db | Tx,
  params: { profileId: string; after: Date; before: Date },
): Promise<Pick<RecommendationRow, 'id' | 'kind' | 'subject_id' | 'created_at'>[]> {
  return db
    .selectFrom('recommendations')
    .select(['id', 'kind', 'subject_id', 'created_at'])
    .where('profile_id', '=', params.profileId)
    .where('status', 'in', ['open', 'expired', 'dismissed'])
    .where('turned_out_right', 'is', null)
    .where('applied_at', 'is', null)
    .where('created_at', '>', params.after)
    .where('created_at', '<=', params.before)
    .orderBy('created_at')
    .limit(200)
    .execute()
}

export async function saveVerdict(
  tx: Tx,
  params: { profileId: string; id: string; isRight: boolean; now: Date },
): Promise<void> {
  await rowsWhere(tx, 'recommendations', { profile_id: params.profileId, id: params.id }).update({
    turned_out_right: params.isRight,
    updated_at: params.now,
  })
}

export type ClickRates = { before: number | null; after: number | null }

/** An ad's click rate before a day and from it on; null without impressions. */
export async function findClickRates(
  db: Db | Tx,
  params: { profileId: string; adId: string; from: string; day: string; to: string },
): Promise<ClickRates> {
  const { profileId, adId, from, day, to } = params
  const [before, after] = [{ to: addDays(day, -1) }, { from: day }]
  const [sums] = await readSums(db, {
    profileId,
    from,
    to,
    level: 'ad',
    entities: [adId],
    measures: {
      clicksBefore: { of: 'clicks', ...before },
      shownBefore: { of: 'impressions', ...before },
      clicksAfter: { of: 'clicks', ...after },
      shownAfter: { of: 'impressions', ...after },
    },
    by: [],
  })
  const { clicksBefore, shownBefore, clicksAfter, shownAfter } = sums!
  return { before: rateOf(clicksBefore, shownBefore), after: rateOf(clicksAfter, shownAfter) }
}

const rateOf = (clicks: number, impressions: number) => (impressions === 0 ? null : clicks / impressions)

/** All profiles with campaigns. */
export async function listAdvertisers(db: Db): Promise<string[]> {
  const { rows } = await sql<{ profile_id: string }>`
    select distinct e.profile_id from ad_entities e
    join profiles p on p.id = e.profile_id
    where e.level = 'campaign' and e.source is not null and p.archived_at is null
    order by e.profile_id`.execute(db)
  return rows.map((row) => row.profile_id)
}
