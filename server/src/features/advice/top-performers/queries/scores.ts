/** The scores themselves: written by a scoring, read by the leaderboard. */
import { type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import { dayNumber } from '../../../../platform/contract/dates.ts'
import { CopyWriter, uuidBytes } from '../../../../platform/db/copy/copy-in.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { ScoreWindow } from '../score/counts.ts'
import type { PreviousScore } from '../score/score.ts'

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
  /** As JSON. */
  facts: string
}

/** Called before a window is rewritten. Readers use the last finished run, so they never see a partial window. */
export async function deleteScores(tx: Tx, { profileId, day }: At, window: ScoreWindow): Promise<void> {
  await sql`
    delete from ad_scores
    where profile_id = ${profileId} and day = ${day} and score_window = ${window}`.execute(tx)
}

const columns = [
  'profile_id',
  'day',
  'score_window',
  'ad_id',
  'composite_score',
  'maturity_stage',
  'truth_grade',
  'primary_outcome_kind',
  'objective',
  'format',
  'has_video',
  'spend_minor',
  'fatigue',
  'above_median',
  'posterior_shape',
  'posterior_rate',
  'facts',
]

/** Streams the rows without keeping them in memory. */
export async function copyScores(
  client: pg.PoolClient,
  { profileId, day }: At,
  window: ScoreWindow,
  rows: Iterable<ScoreWrite>,
): Promise<void> {
  const writer = new CopyWriter(client, `copy ad_scores (${columns.join(', ')}) from stdin (format binary)`)
  const [profile, on] = [uuidBytes(profileId), dayNumber(day)]
  try {
    for (const row of rows) {
      writer.beginRow(columns.length)
      writer.text(profile)
      writer.day(on)
      writer.string(window)
      writer.text(uuidBytes(row.ad_id))
      writer.double(row.composite_score)
      writer.string(row.maturity_stage)
      writer.string(row.truth_grade)
      writer.string(row.primary_outcome_kind)
      writer.string(row.objective)
      writer.string(row.format)
      writer.boolean(row.has_video)
      writer.bigint(row.spend_minor)
      writer.string(row.fatigue)
      writer.double(row.above_median)
      writer.double(row.posterior_shape)
      writer.double(row.posterior_rate)
      writer.jsonb(row.facts)
      if (writer.isFull) await writer.flush()
    }
    await writer.end()
  } catch (error) {
    await writer.abort(error as Error)
    throw error
  }
}

/** The previous scoring's stage, evidence and probability per ad. */
export async function listPreviousScores(
  db: Db | Tx,
  { profileId, day }: At,
  window: string,
): Promise<Map<string, PreviousScore>> {
  const { rows } = await sql<PreviousScore & { ad_id: string }>`
    select distinct on (ad_id) ad_id, maturity_stage as stage, facts->>'evidence' as evidence,
      above_median as "aboveMedian"
    from ad_scores
    where profile_id = ${profileId} and score_window = ${window} and day < ${day}
    order by ad_id, day desc`.execute(db)
  return new Map(rows.map(({ ad_id, ...before }) => [ad_id, before]))
}

/** Only the latest scores are stored; their inputs stay in ad_score_days. */
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
