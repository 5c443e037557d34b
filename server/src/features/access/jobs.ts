/** What lapsed is kept a while for questions, then goes. */
import { sql } from 'kysely'
import { z } from 'zod'
import type { JobContext } from '../../context.ts'
import { type Job, job, type Schedule } from '../../contract/job.ts'
import { mailAccount } from './mail-job.ts'

const KEEP_LAPSED_MS = 7 * 24 * 3_600_000

const removeLapsed = job({
  name: 'access.remove_lapsed',
  payload: z.object({}),
  async run({ db, now, service }: JobContext) {
    const machineNow = service.clock.machineNow()
    const before = new Date(machineNow.getTime() - KEEP_LAPSED_MS)
    await sql`delete from idempotency_keys where expires_at < ${now}`.execute(db)
    await sql`delete from rate_buckets where full_at_ms < ${machineNow.getTime()}`.execute(db)
    await sql`delete from account_links where expires_at < ${machineNow}`.execute(db)
    const { rows } = await sql<{ id: string }>`
      delete from credentials where kind in ('session', 'oauth_code', 'oauth_access', 'oauth_refresh')
        and expires_at < ${before} returning id`.execute(db)
    const ids = rows.map((row) => row.id)
    await sql`delete from session_activity where credential_id = any(${ids}::uuid[])`.execute(db)
  },
})

export const accessJobs: readonly Job[] = [removeLapsed, mailAccount]
export const accessSchedules: readonly Schedule[] = [
  { name: 'access.remove_lapsed', job: removeLapsed, rule: { everySeconds: 3600 } },
]
