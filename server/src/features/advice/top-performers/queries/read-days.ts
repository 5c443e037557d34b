/**
 * Reads the days of a profile's ads once, each table in its physical order, and joins them in memory. (Summed by the
 * database in ranges of ids, every range read nearly every page of three tables: 30 s for 20,000 ads.)
 */
import type pg from 'pg'
import { addDays, dayNumber } from '../../../../platform/contract/dates.ts'
import { ByteTable } from '../../../../platform/db/copy/byte-table.ts'
import { type CopyRow, readBigint, readCopy, readDay } from '../../../../platform/db/copy/copy-out.ts'
import { adCreditText, adDeliveryText } from '../../../figures/rollups/raw-rows.ts'
import { AdDays } from '../score/ad-days.ts'
import type { ScoreWindow } from '../score/counts.ts'
import { HISTORY_DAYS } from './append-days.ts'
import type { AdIndex } from './window-counts.ts'

type At = { profileId: string; day: string }

/** The value of a bigint column; null if SQL null. */
const bigintOf = ({ view, at, size }: CopyRow, column: number): number | null =>
  size[column]! < 0 ? null : readBigint(view, at[column]!)
const booleanOf = ({ view, at }: CopyRow, column: number): boolean => view.getUint8(at[column]!) === 1

export async function readDays(
  client: pg.PoolClient,
  { profileId, day }: At,
  adIndex: AdIndex,
  { firstDay, frequencyDays }: { firstDay: string; frequencyDays: number },
): Promise<AdDays> {
  const lastDay = dayNumber(day)
  const days = Math.min(HISTORY_DAYS, lastDay - dayNumber(firstDay) + 1)
  const adDays = new AdDays(adIndex.ads.length, days, frequencyDays)
  const since = (back: number) => `between '${addDays(day, 1 - back)}' and '${day}'`
  /** The first two columns of each row are ad and day; rows of other ads are skipped. */
  const read = (statement: string, columns: number, onRow: (ad: number, age: number, row: CopyRow) => void) =>
    readCopy(client, `copy (${statement}) to stdout (format binary)`, columns, (row) => {
      const ad = adIndex.slotOf(row)
      if (ad >= 0) onRow(ad, lastDay - readDay(row.view, row.at[1]!), row)
    })
  await read(adDeliveryText({ profileId, from: addDays(day, 1 - days), to: day }), 8, (ad, age, row) => {
    const count = (column: number) => bigintOf(row, column) ?? 0
    adDays.deliver(ad, age, {
      spend: count(2),
      impressions: count(3),
      clicks: count(4),
      messaging: count(5),
      conversionsMilli: count(6),
      value: count(7),
    })
  })
  await read(
    `select ad_id, day, link_clicks, video_views, thruplays, quality_ranking
     from ad_attention_days where profile_id = '${profileId}' and day ${since(days)}`,
    6,
    (ad, age, row) =>
      adDays.attend(ad, age, {
        linkClicks: bigintOf(row, 2),
        videoViews: bigintOf(row, 3),
        thruplays: bigintOf(row, 4),
        ranking: row.size[5]! < 0 ? null : row.view.getInt16(row.at[5]!),
      }),
  )
  await read(
    `select ad_id, day, frequency_milli from ad_frequency_days
     where profile_id = '${profileId}' and day ${since(frequencyDays)}`,
    3,
    (ad, age, row) => adDays.see(ad, age, bigintOf(row, 2)!),
  )
  await read(adCreditText({ profileId, from: addDays(day, 1 - HISTORY_DAYS), to: day }), 7, (ad, age, row) =>
    adDays.credit(ad, age, {
      count: bigintOf(row, 2)!,
      minor: bigintOf(row, 3)!,
      isCash: booleanOf(row, 4),
      isPipeline: booleanOf(row, 5),
      isMessaging: booleanOf(row, 6),
    }),
  )
  return adDays
}

/** Days on which status or budget of an ad changed, from the appended days, by ad index. */
export async function readChanges(
  client: pg.PoolClient,
  { profileId, day }: At,
  adIndex: AdIndex,
  days: number,
): Promise<ReadonlyMap<number, number[]>> {
  const changes = new Map<number, number[]>()
  const settings = new ByteTable()
  const before = new Int32Array(adIndex.ads.length).fill(-1)
  await readCopy(
    client,
    `copy (
      select ad_id, day, status, daily_budget_minor from ad_score_days
      where profile_id = '${profileId}' and day between '${addDays(day, 1 - days)}' and '${day}' order by day)
     to stdout (format binary)`,
    4,
    (row) => {
      const ad = adIndex.slotOf(row)
      if (ad < 0) return
      const setting = settings.numberOf(row.view, row.at[1]! + 4, row.end)
      if (before[ad]! >= 0 && before[ad] !== setting)
        changes.set(ad, [...(changes.get(ad) ?? []), readDay(row.view, row.at[1]!)])
      before[ad] = setting
    },
  )
  return changes
}

/** 1 for ads shown in the window, by ad index. */
export async function readShown(
  client: pg.PoolClient,
  { profileId, day }: At,
  window: ScoreWindow,
  adIndex: AdIndex,
): Promise<Uint8Array> {
  const isShown = new Uint8Array(adIndex.ads.length)
  await readCopy(
    client,
    `copy (
      select ad_id from ad_score_windows
      where profile_id = '${profileId}' and day = '${day}' and score_window = '${window}') to stdout (format binary)`,
    1,
    (row) => {
      const ad = adIndex.slotOf(row)
      if (ad >= 0) isShown[ad] = 1
    },
  )
  return isShown
}
