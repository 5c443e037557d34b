/** Schedules: one row each, locked while it is checked, so that only one worker starts a due run. */

import { sql } from 'kysely'
import { DAY_MS } from '../contract/dates.ts'
import type { Schedule } from '../contract/job.ts'
import { type Db, databaseNow } from '../db/database.ts'
import { rowsWhere } from '../db/rows.ts'
import { enqueue } from './enqueue.ts'

/** The first time after `now` that matches the rule. Pure. */
export function nextRunAt(rule: Schedule['rule'], now: Date): Date {
  if ('everySeconds' in rule) return new Date(now.getTime() + rule.everySeconds * 1000)
  const [hour = 0, minute = 0] = rule.dailyAtUtc.split(':').map(Number)
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS + (hour * 60 + minute) * 60_000
  return new Date(today > now.getTime() ? today : today + DAY_MS)
}

/** Inserts new schedules, and reschedules those whose rule changed or that run at start. */
export async function registerSchedules(db: Db, schedules: readonly Schedule[]): Promise<void> {
  const now = await databaseNow(db)
  for (const schedule of schedules) {
    const rule = JSON.stringify(schedule.rule)
    const atStart = schedule.atStart ?? false
    const next = atStart ? now : nextRunAt(schedule.rule, now)
    await sql`
      insert into job_schedules (name, next_run_at, rule) values (${schedule.name}, ${next}, ${rule})
      on conflict (name) do update set next_run_at = excluded.next_run_at, rule = excluded.rule
      where job_schedules.rule <> excluded.rule or ${atStart}`.execute(db)
  }
}

/** Enqueues each due schedule once and sets its next time, in one transaction. */
export async function enqueueDueSchedules(db: Db, schedules: readonly Schedule[]): Promise<number> {
  const now = await databaseNow(db)
  const { rows: dueSchedules } = await sql<{ name: string }>`
    select name from job_schedules where next_run_at <= ${now}`.execute(db)
  let started = 0
  for (const schedule of schedules) {
    if (!dueSchedules.some((row) => row.name === schedule.name)) continue
    await db.transaction().execute(async (tx) => {
      const { rows } = await sql`
        select name from job_schedules where name = ${schedule.name} and next_run_at <= ${now}
        for update skip locked`.execute(tx)
      if (rows.length === 0) return
      await enqueue(tx, schedule.job, {}, { dedupeKey: `schedule:${schedule.name}` })
      await rowsWhere(tx, 'job_schedules', { name: schedule.name }).update({
        next_run_at: nextRunAt(schedule.rule, now),
      })
      started++
    })
  }
  return started
}
