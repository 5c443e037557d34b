/** Reads the rows appended for a day: scores are computed from these rows and nothing newer. */
import { type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import { addDays, DAY_MS } from '../../../../platform/contract/dates.ts'
import { readCopy } from '../../../../platform/db/copy/copy-out.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { windowColumns } from '../score/ad-days.ts'
import type { ScoreWindow } from '../score/counts.ts'
import type { AdOutcome, AdState, WeekCounts } from '../score/likelihood.ts'
import { AdIndex, type AdRow, WindowCounts } from './window-counts.ts'

type At = { profileId: string; day: string }

/** The id of the `ads`-th ad in id order; null if there are fewer. */
export async function findIdAtRank(db: Db | Tx, { profileId, day }: At, ads: number): Promise<string | null> {
  const { rows } = await sql<{ ad_id: string }>`
    select w.ad_id from ad_score_windows w
    where w.profile_id = ${profileId} and w.day = ${day}::date and w.score_window = '28d'
    order by w.ad_id offset ${ads - 1} limit 1`.execute(db)
  return rows[0]?.ad_id ?? null
}

const within = (column: RawBuilder<unknown>, upTo: string | null) =>
  upTo === null ? sql`true` : sql`${column} <= ${upTo}::uuid`

/** Attributes that do not depend on the window, of the ads up to this id. */
export async function readAttributes(
  client: pg.PoolClient,
  { profileId, day }: At,
  upTo: string | null = null,
): Promise<AdIndex> {
  const adIndex = new AdIndex()
  await readCopy(
    client,
    `copy (
      select ad_id, channel, format, objective, audience_warmth, geo, placement, frequency_milli / 1e3::double precision,
        first_day::text, status
      from ad_score_days
      where profile_id = '${profileId}' and day = '${day}' ${upTo === null ? '' : `and ad_id <= '${upTo}'`}
      order by ad_id) to stdout (format binary)`,
    10,
    (row) => adIndex.push(row),
  )
  return adIndex
}

/**
 * Read separately from the ads' attributes and joined in memory: the rows are minutes old, and a join planned with
 * outdated statistics becomes a nested loop over all pairs of ads (20 s for 2,000 ads).
 */
export async function readCounts(
  client: pg.PoolClient,
  { profileId, day }: At,
  window: ScoreWindow,
  adIndex: AdIndex,
  upTo: string | null = null,
): Promise<WindowCounts> {
  const counts = new WindowCounts(adIndex)
  await readCopy(
    client,
    `copy (
      select ad_id, ${windowColumns.join(', ')} from ad_score_windows
      where profile_id = '${profileId}' and day = '${day}' and score_window = '${window}'
        ${upTo === null ? '' : `and ad_id <= '${upTo}'`}) to stdout (format binary)`,
    1 + windowColumns.length,
    (row) => counts.push(row),
  )
  return counts
}

export async function listScoredDays(db: Db | Tx, { profileId, day }: At, since: string): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select r.day from ad_score_runs r
    where r.profile_id = ${profileId} and r.day between ${since}::date and ${day}::date and r.state = 'done'
    order by r.day`.execute(db)
  return rows.map((row) => row.day)
}

/** Outcomes of the ads of a day: their state a week later, and settled figures another week later. */
export async function loadAdOutcomes(
  db: Db | Tx,
  { profileId, day }: At,
  upTo: string | null,
): Promise<Map<string, AdOutcome>> {
  const { rows } = await sql<{
    ad_id: string
    settled_spend_minor: number | null
    settled_cash: number | null
    settled_pipeline: number | null
    status: string | null
    impressions: number | null
    link_clicks: number | null
  }>`
    select k.ad_id, s.settled_spend_minor, s.settled_cash, s.settled_pipeline, n.status, w.impressions, w.link_clicks
    from ad_score_days k
    left join ad_score_days s on s.profile_id = ${profileId} and s.day = ${addDays(day, 14)}::date and s.ad_id = k.ad_id
    left join ad_score_days n on n.profile_id = ${profileId} and n.day = ${addDays(day, 7)}::date and n.ad_id = k.ad_id
    left join ad_score_windows w on w.profile_id = ${profileId} and w.day = ${addDays(day, 7)}::date and w.score_window = '7d'
      and w.ad_id = k.ad_id
    where k.profile_id = ${profileId} and k.day = ${day}::date and ${within(sql`k.ad_id`, upTo)} and n.ad_id is not null`.execute(
    db,
  )
  return new Map(
    rows.map((row) => [
      row.ad_id,
      {
        settled:
          row.settled_spend_minor === null
            ? null
            : {
                spendMinor: row.settled_spend_minor,
                cash: row.settled_cash!,
                pipeline: row.settled_pipeline!,
              },
        next: {
          isActive: isRunning(row.status) && (row.impressions ?? 0) > 0,
          impressions: row.impressions ?? 0,
          linkClicks: row.link_clicks ?? 0,
        },
      },
    ]),
  )
}

/** An ad without a status counts as running. */
export const isRunning = (status: string | null): boolean => status === null || status === 'ACTIVE'

export const toAdState = (month: AdRow, week: WeekCounts | null, day: string): AdState => ({
  adId: month.adId,
  month,
  week,
  frequency: month.frequency,
  ageDays: month.firstDay === null ? 0 : ageOn(month.firstDay, day),
  isActive: isRunning(month.status),
})

const ageOn = (first: string, day: string): number =>
  Math.round((Date.parse(`${day}T00:00:00Z`) - Date.parse(`${first}T00:00:00Z`)) / DAY_MS) + 1
