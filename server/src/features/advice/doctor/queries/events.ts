import { sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import { localDayOf } from '../../../../platform/db/local-day.ts'
import type { Window } from '../verdict-rules.ts'

export type DayCount = { name: string; day: string; events: number }

const within = ({ profileId, start, end }: Window) =>
  sql`profile_id = ${profileId} and occurred_at >= ${start} and occurred_at < ${end}`

const localDay = (window: Window) => localDayOf(sql.ref('occurred_at'), window.timezone, window)

/** Complete days only. Rare names are excluded, because their drops are not significant. */
export async function countNames(db: Db | Tx, window: Window & { minEvents: number }): Promise<DayCount[]> {
  const { rows } = await sql<DayCount>`
    select name, day, events from (
      select name, day, count(*)::int as events, sum(count(*)) over (partition by name) as in_all
      from (
        select name, ${localDay(window)} as day from events
        where ${within(window)} and not is_bot) named
      group by name, day) counted
    where in_all >= ${window.minEvents}`.execute(db)
  return rows
}

export async function countPages(db: Db | Tx, window: Window & { minEvents: number }): Promise<DayCount[]> {
  const { rows } = await sql<DayCount>`
    select name, day, events from (
      select name, day, count(*)::int as events, sum(count(*)) over (partition by name) as in_all
      from (
        select substring(body->'page'->>'url' from '^[A-Za-z]+://([^?#]+)') as name,
          ${localDay(window)} as day
        from events
        where ${within(window)} and name = 'page_view' and body ? 'page' and not is_bot) viewed
      where name is not null
      group by name, day) counted
    where in_all >= ${window.minEvents}`.execute(db)
  return rows
}

export type SenderRow = {
  sender: string
  events: number
  ahead: number
  since: Date | null
  /** Seconds from the event to its receipt: the 10th and the 90th percentile. */
  low_delay: number
  high_delay: number
}

/** Excludes browsers, whose clocks are corrected on receipt, and imports, whose events are in the past. */
export async function listSenders(
  db: Db | Tx,
  params: { profileId: string; start: Date; end: Date; aheadSeconds: number },
): Promise<SenderRow[]> {
  const { rows } = await sql<SenderRow>`
    select sender, count(*)::int as events, count(*) filter (where delay < ${-params.aheadSeconds})::int as ahead,
      min(occurred_at) filter (where delay < ${-params.aheadSeconds}) as since,
      (percentile_disc(0.1) within group (order by delay))::float8 as low_delay,
      (percentile_disc(0.9) within group (order by delay))::float8 as high_delay
    from (
      select coalesce(provider, source) as sender, occurred_at,
        extract(epoch from received_at - occurred_at) as delay
      from events
      where profile_id = ${params.profileId} and occurred_at >= ${params.start} and occurred_at < ${params.end}
        and source in ('api', 'integration')) sent
    group by sender order by sender`.execute(db)
  return rows
}

export type BotCount = { events: number; bots: number; since: Date | null }

export async function countBots(db: Db | Tx, window: Window): Promise<BotCount> {
  const { rows } = await sql<BotCount>`
    select count(*)::int as events, count(*) filter (where is_bot)::int as bots,
      min(occurred_at) filter (where is_bot) as since
    from events where ${within(window)} and source = 'tracker'`.execute(db)
  return rows[0]!
}
