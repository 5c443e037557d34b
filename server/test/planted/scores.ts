/** Stored scores of 300 ads, with a planted effect: questions perform 1.6 times as well. */
import type pg from 'pg'
import { uuidv5 } from '../../src/platform/secrets/uuid5.ts'
import { plantCreatives } from './creatives.ts'

const DAY = '2026-11-15'

export async function plantScores(pool: pg.Pool, profileId: string): Promise<void> {
  const effect = (traits: { question: string | null }) => (traits.question === 'yes' ? 1.6 : 1)
  const rows = plantCreatives({ seed: 1, ads: 300, effect }).map((ad) => {
    const shape = 1 / (1 / ad.weight - 0.1)
    return {
      id: uuidv5(profileId, ad.id),
      campaign_id: uuidv5(profileId, ad.campaignId),
      external_id: `planted-${ad.id}`,
      spend_minor: ad.spendMinor,
      above_median: ad.isWinner ? 0.95 : 0.5,
      posterior_shape: shape,
      posterior_rate: shape / Math.exp(ad.logRate),
      format: ad.traits.format,
      title: ad.traits.question === 'yes' ? 'Do you cook every day?' : 'Why we still plane by hand',
      cta_type: ad.traits.call_to_action,
    }
  })
  const from = `from jsonb_to_recordset($2::jsonb) as r(id uuid, campaign_id uuid, external_id text, spend_minor bigint,
    above_median float8, posterior_shape float8, posterior_rate float8, format text, title text, cta_type text)`
  const plant = (text: string) => pool.query(`${text} ${from}`, [profileId, JSON.stringify(rows)])
  await plant(`insert into ad_entities (profile_id, id, level, external_id, source, campaign_id, updated_at)
    select $1, r.id, 'ad', r.external_id, 'social_ads', r.campaign_id, now()`)
  await plant(`insert into ad_creatives (profile_id, ad_id, format, title, cta_type, updated_at)
    select $1, r.id, r.format, r.title, r.cta_type, now()`)
  await plant(`insert into ad_scores (profile_id, day, score_window, ad_id, maturity_stage, truth_grade, primary_outcome_kind,
      objective, format, has_video, spend_minor, fatigue, above_median, posterior_shape, posterior_rate, facts)
    select $1, '${DAY}', '28d', r.id, 'mature', 'observed', 'payment', 'sales', 'static', false, r.spend_minor, 'low',
      r.above_median, r.posterior_shape, r.posterior_rate, '{}'`)
  await pool.query(
    `insert into ad_score_runs (profile_id, day, state, steps_done, steps_total, ads, lags, started_at)
     values ($1, '${DAY}', 'done', 1, 1, 300, '{"cash":[],"pipeline":[]}', now())`,
    [profileId],
  )
}
