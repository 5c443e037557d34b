/** What was appended for a day, read back: scores are made of these rows and of nothing newer. */
import { type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import { addDays } from '../../../contract/dates.ts'
import { readBigint, readCopy, readUuid } from '../../../db/copy/copy-out.ts'
import type { Db, Tx } from '../../../db/database.ts'
import { windowColumns } from '../score/ad-days.ts'
import type { AdCounts, ScoreWindow } from '../score/counts.ts'
import type { CameOf, KnownAd, WeekCounts } from '../score/likelihood.ts'

type At = { profileId: string; day: string }

export type KnownRow = AdCounts & {
  frequency: number | null
  firstDay: string | null
  status: string | null
}

type Attributes = Pick<
  KnownRow,
  | 'adId'
  | 'channel'
  | 'format'
  | 'objective'
  | 'audienceWarmth'
  | 'geo'
  | 'placement'
  | 'frequency'
  | 'firstDay'
  | 'status'
>

export type Known = ReadonlyMap<string, Attributes>

/** The id of the last of so many ads in the order of ids; null where there are no more. */
export async function findLastOf(db: Db | Tx, { profileId, day }: At, ads: number): Promise<string | null> {
  const { rows } = await sql<{ ad_id: string }>`
    select w.ad_id from ad_score_windows w
    where w.profile_id = ${profileId} and w.day = ${day}::date and w.score_window = '28d'
    order by w.ad_id offset ${ads - 1} limit 1`.execute(db)
  return rows[0]?.ad_id ?? null
}

const within = (column: RawBuilder<unknown>, upTo: string | null) =>
  upTo === null ? sql`true` : sql`${column} <= ${upTo}::uuid`

/** What does not depend on the window, of the ads up to this id, in the order of ids. */
export async function loadAttributes(
  db: Db | Tx,
  { profileId, day }: At,
  upTo: string | null = null,
): Promise<Known> {
  const { rows } = await sql<Attributes>`
    select d.ad_id as "adId", d.channel, d.format, d.objective, d.audience_warmth as "audienceWarmth", d.geo, d.placement,
      d.frequency_milli / 1e3::double precision as frequency, d.first_day as "firstDay", d.status
    from ad_score_days d
    where d.profile_id = ${profileId} and d.day = ${day}::date and ${within(sql`d.ad_id`, upTo)}
    order by d.ad_id`.execute(db)
  // The driver makes a string of every field, and there are few different ones.
  const words = new Map<string, string>()
  const once = <T extends string | null>(word: T): T => {
    if (word === null) return word
    if (!words.has(word)) words.set(word, word)
    return words.get(word) as T
  }
  return new Map(
    rows.map((row) => [
      row.adId,
      {
        adId: row.adId,
        channel: once(row.channel),
        format: once(row.format),
        objective: once(row.objective),
        audienceWarmth: once(row.audienceWarmth),
        geo: once(row.geo),
        placement: once(row.placement),
        frequency: row.frequency,
        firstDay: once(row.firstDay),
        status: once(row.status),
      },
    ]),
  )
}

/**
 * Ads in the order of their ids. Read apart from their attributes and put together here: the rows are minutes old, and
 * a join planned by statistics from before them compares each ad with each (20 s for 2,000 ads).
 */
export async function readCounts(
  client: pg.PoolClient,
  { profileId, day }: At,
  window: ScoreWindow,
  attributes: Known,
  upTo: string | null = null,
): Promise<KnownRow[]> {
  const found: KnownRow[] = []
  await readCopy(
    client,
    `copy (
      select ad_id, ${windowColumns.join(', ')} from ad_score_windows
      where profile_id = '${profileId}' and day = '${day}' and score_window = '${window}'
        ${upTo === null ? '' : `and ad_id <= '${upTo}'`}
      order by ad_id) to stdout (format binary)`,
    1 + windowColumns.length,
    ({ bytes, view, at }) => {
      const own = attributes.get(readUuid(bytes, at[0]!))
      if (own === undefined) return
      const count = (column: number) => readBigint(view, at[1 + column]!)
      found.push({
        adId: own.adId,
        channel: own.channel,
        format: own.format,
        objective: own.objective,
        audienceWarmth: own.audienceWarmth,
        geo: own.geo,
        placement: own.placement,
        frequency: own.frequency,
        firstDay: own.firstDay,
        status: own.status,
        // In the order of windowColumns.
        spendMinor: count(0),
        impressions: count(1),
        clicks: count(2),
        linkClicks: count(3),
        videoImpressions: count(4),
        videoViews: count(5),
        thruplays: count(6),
        messagingStarted: count(7),
        platformConversionsMilli: count(8),
        platformValueMinor: count(9),
        rankedDays: count(10),
        rankingPoints: count(11),
        activeDays: count(12),
        outcomes: count(13),
        cashOutcomes: count(14),
        pipelineOutcomes: count(15),
        messagingOutcomes: count(16),
        revenueMinor: count(17),
        pipelineMinor: count(18),
        cashExposure: count(19) / 1e6,
        pipelineExposure: count(20) / 1e6,
      })
    },
  )
  return found
}

/** The ads that were shown in the window. */
export async function listShown(
  db: Db | Tx,
  { profileId, day }: At,
  window: ScoreWindow,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ ad_id: string }>`
    select w.ad_id from ad_score_windows w
    where w.profile_id = ${profileId} and w.day = ${day}::date and w.score_window = ${window}`.execute(db)
  return new Set(rows.map((row) => row.ad_id))
}

export async function listKnownDays(db: Db | Tx, { profileId, day }: At, since: string): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select r.day from ad_score_runs r
    where r.profile_id = ${profileId} and r.day between ${since}::date and ${day}::date and r.state = 'done'
    order by r.day`.execute(db)
  return rows.map((row) => row.day)
}

/** What came of the ads known on a day: a week later, and once it had settled a week after that. */
export async function loadCameOf(
  db: Db | Tx,
  { profileId, day }: At,
  upTo: string | null,
): Promise<Map<string, CameOf>> {
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

/** A platform that tells no status lets the ad run. */
export const isRunning = (status: string | null): boolean => status === null || status === 'ACTIVE'

export function toKnownAds(
  month: readonly KnownRow[],
  weekOf: ReadonlyMap<string, WeekCounts>,
  day: string,
): KnownAd[] {
  return month.map((row) => ({
    adId: row.adId,
    month: row,
    week: weekOf.get(row.adId) ?? null,
    frequency: row.frequency,
    ageDays: row.firstDay === null ? 0 : ageOn(row.firstDay, day),
    isActive: isRunning(row.status),
  }))
}

const ageOn = (first: string, day: string): number =>
  Math.round((Date.parse(`${day}T00:00:00Z`) - Date.parse(`${first}T00:00:00Z`)) / 86_400_000) + 1
