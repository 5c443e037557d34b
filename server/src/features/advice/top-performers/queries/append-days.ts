/**
 * Appends the state of each ad at the end of a day. Later restatements and credit do not change these rows, so a model
 * trained on them cannot leak the future.
 */
import { sql } from 'kysely'
import type pg from 'pg'
import { addDays, dayNumber } from '../../../../platform/contract/dates.ts'
import { CopyWriter, uuidBytes } from '../../../../platform/db/copy/copy-in.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { platformOfColumn } from '../../../facts/ads/entities.ts'
import { sumsOf } from '../../../figures/rollups/sums.ts'
import { type AdDays, type ClickWeights, windowColumns } from '../score/ad-days.ts'
import type { AdIndex } from './window-counts.ts'

/** Ads without delivery in this time are not scored. */
export const HISTORY_DAYS = 366

type At = { profileId: string; day: string }

export async function appendDays(tx: Tx, { profileId, day }: At): Promise<number> {
  const week = { from: addDays(day, -13), to: addDays(day, -7) }
  const ran = sumsOf({
    profileId,
    level: 'ad',
    from: addDays(day, 1 - HISTORY_DAYS),
    to: day,
    measures: {
      first_day: 'first_delivery_day',
      day_impressions: { of: 'impressions', from: day, to: day },
      day_clicks: { of: 'clicks', from: day, to: day },
      settled_spend_minor: { of: 'spend_minor', ...week },
    },
    by: ['entity_id'],
  })
  const settled = sumsOf({
    profileId,
    level: 'ad',
    ...week,
    measures: { cash: 'credited_payments', pipeline: 'credited_pipeline', messaging: 'credited_messages' },
    by: ['entity_id'],
  })
  const { rows } = await sql<{ ad_id: string }>`
    with ran as (${ran}),
    settled as (${settled}),
    frequencies as (
      select distinct on (f.ad_id) f.ad_id, f.frequency_milli from ad_frequency_days f
      where f.profile_id = ${profileId} and f.day between ${addDays(day, -2)}::date and ${day}::date
      order by f.ad_id, f.day desc)
    insert into ad_score_days (profile_id, day, ad_id, channel, format, objective, audience_warmth, geo, placement, status,
      daily_budget_minor, first_day, frequency_milli, day_impressions, day_link_clicks, settled_spend_minor, settled_cash,
      settled_pipeline, settled_messaging)
    select ${profileId}::uuid, ${day}::date, r.entity_id,
      ${platformOfColumn(sql.ref('e.source'))},
      coalesce(k.format, e.creative ->> 'format', 'unknown'), coalesce(c.objective, 'unknown'),
      coalesce(ts.audience_warmth, tc.audience_warmth, 'unknown'), coalesce(ts.geo, tc.geo, 'unknown'),
      coalesce(ts.placement, tc.placement, 'unknown'),
      case when c.status is not null and c.status <> 'ACTIVE' then c.status
        when s.status is not null and s.status <> 'ACTIVE' then s.status else e.status end,
      coalesce(s.daily_budget_minor, c.daily_budget_minor), r.first_day, n.frequency_milli, r.day_impressions,
      coalesce(a.link_clicks, r.day_clicks), r.settled_spend_minor, coalesce(o.cash, 0), coalesce(o.pipeline, 0),
      coalesce(o.messaging, 0)
    from ran r
    join ad_entities e on e.profile_id = ${profileId} and e.id = r.entity_id
    left join ad_entities s on s.profile_id = ${profileId} and s.id = e.ad_set_id
    left join ad_entities c on c.profile_id = ${profileId} and c.id = e.campaign_id
    left join ad_creatives k on k.profile_id = ${profileId} and k.ad_id = r.entity_id
    left join ad_targetings ts on ts.profile_id = ${profileId} and ts.entity_id = e.ad_set_id
    left join ad_targetings tc on tc.profile_id = ${profileId} and tc.entity_id = e.campaign_id
    left join ad_attention_days a on a.profile_id = ${profileId} and a.ad_id = r.entity_id and a.day = ${day}::date
    left join settled o on o.entity_id = r.entity_id
    left join frequencies n on n.ad_id = r.entity_id
    on conflict (profile_id, day, ad_id) do nothing
    returning ad_id`.execute(tx)
  return rows.length
}

/** True if the day's windows are not written yet. Locks the run until the end of the transaction. */
export async function needsWindows(tx: Tx, { profileId, day }: At): Promise<boolean> {
  await sql`
    select 1 from ad_score_runs where profile_id = ${profileId} and day = ${day}::date for update`.execute(tx)
  const { rows } = await sql`
    select 1 from ad_score_windows where profile_id = ${profileId} and day = ${day}::date limit 1`.execute(tx)
  return rows.length === 0
}

/** Writes the counts of all windows in one COPY, all or nothing. */
export async function appendWindows(
  client: pg.PoolClient,
  { profileId, day }: At,
  { known: adIndex, days, weights }: { known: AdIndex; days: AdDays; weights: ClickWeights },
): Promise<void> {
  const columns = ['profile_id', 'day', 'score_window', 'ad_id', ...windowColumns]
  const writer = new CopyWriter(
    client,
    `copy ad_score_windows (${columns.join(', ')}) from stdin (format binary)`,
  )
  const [profile, on] = [uuidBytes(profileId), dayNumber(day)]
  try {
    for (const [ad, { adId }] of adIndex.ads.entries()) {
      const id = uuidBytes(adId)
      days.windowsOf(ad, weights, (window, counts) => {
        writer.beginRow(columns.length)
        writer.text(profile)
        writer.day(on)
        writer.string(window)
        writer.text(id)
        for (const count of counts) writer.bigint(count)
      })
      if (writer.isFull) await writer.flush()
    }
    await writer.end()
  } catch (error) {
    await writer.abort(error as Error)
    throw error
  }
}
