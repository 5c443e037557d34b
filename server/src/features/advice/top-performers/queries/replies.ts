/** Conversations started by an ad and those the business replied to, as of the end of a day. */
import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { localDayOf } from '../../../../platform/db/local-day.ts'
import { type ScoreWindow, windowDays } from '../score/counts.ts'

export type ReplyCounts = { conversations: number; answered: number }
export type RepliesByWindow = Record<ScoreWindow, ReadonlyMap<string, ReplyCounts>>

/**
 * Excludes accounts that never reported a reply, and conversations before the account's first reported reply: for those
 * it is unknown whether the business replied.
 */
export async function loadReplies(
  db: Db | Tx,
  { profileId, day, timezone }: { profileId: string; day: string; timezone: string },
): Promise<RepliesByWindow> {
  const dayOf = (column: string) => localDayOf(sql.ref(column), timezone)
  const { rows } = await sql<{ ad_id: string; age: number; conversations: number; answered: number }>`
    with started as (
      select c.channel, c.account_id, c.referral ->> 'adId' as ad, ${dayOf('c.started_at')} as day,
        c.first_reply_at is not null and ${dayOf('c.first_reply_at')} <= ${day}::date as is_answered
      from conversations c
      where c.profile_id = ${profileId} and c.account_id is not null
        and ${dayOf('c.started_at')} <= ${day}::date),
    reporting as (
      select channel, account_id, min(day) as since from started where is_answered group by channel, account_id)
    select e.id as ad_id, ${day}::date - s.day as age, count(*)::integer as conversations,
      (count(*) filter (where s.is_answered))::integer as answered
    from started s
    join reporting r on r.channel = s.channel and r.account_id = s.account_id and s.day >= r.since
    join ad_entities e on e.profile_id = ${profileId} and e.level = 'ad' and e.external_id = s.ad
    group by 1, 2`.execute(db)
  const within = (window: ScoreWindow) => {
    const counts = new Map<string, ReplyCounts>()
    for (const row of rows) {
      if (row.age >= (windowDays[window] ?? Number.POSITIVE_INFINITY)) continue
      const sum = counts.get(row.ad_id) ?? { conversations: 0, answered: 0 }
      counts.set(row.ad_id, {
        conversations: sum.conversations + row.conversations,
        answered: sum.answered + row.answered,
      })
    }
    return counts
  }
  return { '7d': within('7d'), '14d': within('14d'), '28d': within('28d'), lifetime: within('lifetime') }
}
