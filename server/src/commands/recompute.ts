/**
 * `npm run recompute -- --all` or `-- <profile id>…`: recomputes the credits of profiles, for example after an
 * upgrade.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Config, ConfigError } from '../config.ts'
import { queueRecompute } from '../features/attribution/crediting/operations.ts'
import { isUuid } from '../platform/contract/ids.ts'
import { type Db, databaseNow } from '../platform/db/database.ts'
import { isLive, listProcesses } from '../platform/jobs/live-processes.ts'
import { withDatabase } from './with-database.ts'

const usage = 'Usage: npm run recompute -- --all | <profile id>… [--no-wait]'
const POLL_MS = 1000

type Queued = { profileId: string; recomputeId: string }

export async function recomputeFromCommand(config: Config, args: readonly string[]): Promise<string[]> {
  const options = args.filter((arg) => arg.startsWith('--'))
  const profileIds = args.filter((arg) => !arg.startsWith('--'))
  const isAll = options.includes('--all')
  const isValid =
    options.every((option) => ['--all', '--no-wait'].includes(option)) && profileIds.every(isUuid)
  if (!isValid || isAll === profileIds.length > 0) throw new ConfigError(usage)
  return withDatabase(config, async (db) => {
    const queued = await queueRecomputes(db, isAll ? 'all' : profileIds)
    const hasWorker = (await listProcesses(db)).some((process) => process.role !== 'api' && isLive(process))
    if (options.includes('--no-wait') || !hasWorker)
      return [
        `Queued a recompute of ${queued.length} profiles.`,
        hasWorker ? 'A worker runs them.' : 'No worker is running: they start with the service.',
      ]
    return waitForRecomputes(db, queued, (line) => process.stderr.write(`${line}\n`))
  })
}

/** One transaction per profile; an already queued recompute is reused. */
export async function queueRecomputes(db: Db, selection: 'all' | readonly string[]): Promise<Queued[]> {
  const { rows: profiles } = await sql<{ id: string }>`
    select id from profiles where archived_at is null order by id`.execute(db)
  const existing = profiles.map(({ id }) => id)
  const unknownIds = selection === 'all' ? [] : selection.filter((id) => !existing.includes(id))
  if (unknownIds.length > 0) throw new ConfigError(`No profile has the id ${unknownIds.join(', ')}.`)
  const queued: Queued[] = []
  for (const profileId of selection === 'all' ? existing : selection) {
    const now = await databaseNow(db)
    const { recompute_id: recomputeId } = await db
      .transaction()
      .execute((tx) => queueRecompute(tx, profileId, 'full', now))
    queued.push({ profileId, recomputeId })
  }
  return queued
}

/** Prints a line whenever a recompute has ended; failed ones are reported at the end. */
export async function waitForRecomputes(
  db: Db,
  queued: readonly Queued[],
  print: (line: string) => void,
  pollMs = POLL_MS,
): Promise<string[]> {
  let printed = -1
  for (;;) {
    const states = await Promise.all(queued.map((recompute) => readState(db, recompute)))
    const failed = queued.filter((_, at) => states[at] === 'failed')
    const done = states.filter((state) => state === 'done').length
    if (done + failed.length !== printed) print(`${done} of ${queued.length} profiles recomputed`)
    printed = done + failed.length
    if (printed === queued.length) {
      if (failed.length === 0) return [`Recomputed ${queued.length} profiles.`]
      throw new ConfigError(
        `Recomputing failed for ${failed.map(({ profileId }) => profileId).join(', ')}; see the worker's log for the reason.`,
      )
    }
    await delay(pollMs)
  }
}

/** A failed attempt counts as queued while its job is retried. */
async function readState(db: Db, { profileId, recomputeId }: Queued): Promise<string> {
  const { rows } = await sql<{ state: string }>`
    select state from recomputes where profile_id = ${profileId} and id = ${recomputeId}`.execute(db)
  const state = rows[0]?.state ?? 'failed'
  if (state !== 'failed') return state
  const { rows: retries } = await sql`
    select 1 from jobs where dedupe_key = ${recomputeId} and state <> 'dead'`.execute(db)
  return retries.length > 0 ? 'queued' : 'failed'
}
