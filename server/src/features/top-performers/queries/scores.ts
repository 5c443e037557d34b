/** The scores themselves: written by a scoring, read by the leaderboard. */
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import type { ScoreWindow } from '../score/counts.ts'

type At = { profileId: string; day: string }

export type ScoreWrite = {
  ad_id: string
  composite_score: number | null
  maturity_stage: string
  truth_grade: string
  primary_outcome_kind: string
  objective: string
  format: string
  has_video: boolean
  spend_minor: number
  fatigue: string
  above_median: number | null
  posterior_shape: number | null
  posterior_rate: number | null
  facts: unknown
}

/** Before a window is written anew; whoever reads goes by the finished run, so half a window is never seen. */
export async function deleteScores(tx: Tx, { profileId, day }: At, window: ScoreWindow): Promise<void> {
  await sql`
    delete from ad_scores where profile_id = ${profileId} and day = ${day} and score_window = ${window}`.execute(
    tx,
  )
}

/** `rows` is the JSON text of `ScoreWrite[]`: it is hashed too, and made once. */
export async function insertScores(
  tx: Tx,
  { profileId, day }: At,
  window: ScoreWindow,
  rows: string,
): Promise<void> {
  await sql`
    insert into ad_scores (profile_id, day, score_window, ad_id, composite_score, maturity_stage, truth_grade,
      primary_outcome_kind, objective, format, has_video, spend_minor, fatigue, above_median, posterior_shape, posterior_rate, facts)
    select ${profileId}::uuid, ${day}::date, ${window}::text, r.*
    from json_to_recordset(${rows}::json) as r(ad_id uuid,
      composite_score double precision, maturity_stage text, truth_grade text, primary_outcome_kind text, objective text,
      format text, has_video boolean, spend_minor bigint, fatigue text, above_median double precision,
      posterior_shape double precision, posterior_rate double precision, facts jsonb)`.execute(tx)
}

/** Scores are the latest only; what they were made of stays in ad_score_days. */
export async function deleteOlderScores(tx: Tx, { profileId, day }: At): Promise<void> {
  await sql`delete from ad_scores where profile_id = ${profileId} and day < ${day}`.execute(tx)
}

export type ScoreFilter = {
  minSpendMinor: number | undefined
  objectives: readonly string[] | undefined
  truthGrades: readonly string[] | undefined
  outcomeKinds: readonly string[] | undefined
  formats: readonly string[] | undefined
  hasVideo: boolean | undefined
  adExternalIds?: readonly string[] | undefined
}

export type ScoreRow = {
  ad_id: string
  ad_external_id: string
  ad_name: string | null
  campaign_name: string | null
  ad_set_name: string | null
  thumbnail_url: string | null
  composite_score: number | null
  spend_minor: number
  maturity_stage: string
  fatigue: string
  facts: Record<string, unknown>
}

export async function listScores(
  db: Db | Tx,
  { profileId, day }: At,
  window: ScoreWindow,
  filter: ScoreFilter,
  limit: number | null,
): Promise<ScoreRow[]> {
  const { rows } = await sql<ScoreRow>`
    select s.ad_id, e.external_id as ad_external_id, e.name as ad_name, c.name as campaign_name, a.name as ad_set_name,
      k.thumbnail_url, s.composite_score, s.spend_minor, s.maturity_stage, s.fatigue, s.facts
    from (
      select s.ad_id, s.composite_score, s.spend_minor, s.maturity_stage, s.fatigue, s.facts from ad_scores s
      where s.profile_id = ${profileId} and s.day = ${day} and s.score_window = ${window}
        and ${conditionsOf(profileId, filter)}
      order by s.composite_score desc nulls last, s.ad_id limit ${limit}) s
    join ad_entities e on e.profile_id = ${profileId} and e.id = s.ad_id
    left join ad_entities a on a.profile_id = ${profileId} and a.id = e.ad_set_id
    left join ad_entities c on c.profile_id = ${profileId} and c.id = e.campaign_id
    left join ad_creatives k on k.profile_id = ${profileId} and k.ad_id = s.ad_id
    order by s.composite_score desc nulls last, s.ad_id`.execute(db)
  return rows
}

function conditionsOf(profileId: string, filter: ScoreFilter): RawBuilder<unknown> {
  const within = (column: RawBuilder<unknown>, values: readonly string[] | undefined) =>
    values === undefined ? [] : [sql`${column} = any(${[...values]}::text[])`]
  const conditions = [
    ...within(sql`s.objective`, filter.objectives),
    ...within(sql`s.truth_grade`, filter.truthGrades),
    ...within(sql`s.primary_outcome_kind`, filter.outcomeKinds),
    ...within(sql`s.format`, filter.formats),
    ...(filter.minSpendMinor === undefined ? [] : [sql`s.spend_minor >= ${filter.minSpendMinor}`]),
    ...(filter.hasVideo === undefined ? [] : [sql`s.has_video = ${filter.hasVideo}`]),
    ...(filter.adExternalIds === undefined
      ? []
      : [
          sql`s.ad_id in (select id from ad_entities where profile_id = ${profileId} and level = 'ad'
            and external_id = any(${[...filter.adExternalIds]}::text[]))`,
        ]),
  ]
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
}

export type CreativeText = {
  ad_id: string
  format: string | null
  title: string | null
  body: string | null
  cta_type: string | null
  video_id: string | null
  landing_host: string | null
}

export async function loadCreatives(db: Db | Tx, profileId: string): Promise<Map<string, CreativeText>> {
  const { rows } = await sql<CreativeText>`
    select ad_id, format, title, body, cta_type, video_id, landing_host from ad_creatives
    where profile_id = ${profileId}`.execute(db)
  return new Map(rows.map((row) => [row.ad_id, row]))
}
