/** Backups on a schedule (`BACKUP_TO`): written, stored, recorded; then those that the rule does not keep are removed. */
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { z } from 'zod'
import type { JobContext } from '../../context.ts'
import { type Job, job, type Schedule } from '../../platform/contract/job.ts'
import { recordBackup, withDatabase, writeBackup } from './files.ts'
import { backupName, expiredBackups } from './keep.ts'
import { openStore } from './store.ts'

/** Looks more often than it writes, so that a failed backup is repeated soon, and one after an outage is not late. */
const LOOK_SECONDS = 900
/** A backup is due this much earlier, so that a daily one does not move by a look every day. */
const EARLY_SECONDS = LOOK_SECONDS / 2

export async function backUpIfDue({
  service,
  now,
}: Pick<JobContext, 'service' | 'now'>): Promise<string | undefined> {
  const { config, log, db } = service
  const store = openStore(service)
  if (store === undefined || config.backups === undefined) return undefined
  const { rows } = await sql<{ is_due: boolean }>`
    select coalesce(max(finished_at), '-infinity')
      <= clock_timestamp() - make_interval(hours => ${config.backups.everyHours}, secs => ${-EARLY_SECONDS}) as is_due
    from last_backup`.execute(db)
  if (!rows[0]!.is_due) return undefined
  const name = backupName(now)
  // On the disk of the data, because it can be as large as that.
  const folder = await mkdtemp(join(config.DATA_DIR, 'backup-'))
  try {
    const file = join(folder, name)
    await withDatabase(config, 'shared', async (connection) => {
      const summary = await writeBackup(connection, file, now)
      await store.put(name, file)
      for (const problem of await recordBackup(connection, summary)) log.warn(problem)
      log.info(`backup ${name} stored`, { count: summary.rows })
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  for (const expired of expiredBackups(await store.list(), config.backups.keep, now)) {
    await store.remove(expired)
    log.info(`backup ${expired} removed`)
  }
  return name
}

const backUp = job({
  name: 'backup.run',
  payload: z.object({}),
  slow: true,
  run: async (context: JobContext) => void (await backUpIfDue(context)),
})

export const backupJobs: readonly Job[] = [backUp]
export const backupSchedules: readonly Schedule[] = [
  { name: 'backup.run', job: backUp, rule: { everySeconds: LOOK_SECONDS } },
]
