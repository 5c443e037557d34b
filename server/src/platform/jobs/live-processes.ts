/**
 * Processes of the service on this database. Each writes a row with a heartbeat, from which operators, readiness checks
 * and key rotation see the versions, roles and keys in use. All times are from the database's clock.
 */
import { hostname } from 'node:os'
import { sql } from 'kysely'
import { readSecondsAhead } from '../clock-difference.ts'
import { uuidv7 } from '../contract/ids.ts'
import type { Db } from '../db/database.ts'
import { previousRelease } from '../db/migrate.ts'
import { compareVersions, readBuildId, version } from '../version.ts'

const BEAT_MS = 10_000
/** A process without a heartbeat for this long is considered gone. */
export const GONE_AFTER_SECONDS = 60

export type ProcessRole = 'all' | 'api' | 'worker'

export type ServiceProcess = {
  id: string
  role: ProcessRole
  version: string
  runs_beside: string
  build: string
  host: string
  pid: number
  master_key_ids: string[]
  started_at: Date
  stopped_at: Date | null
  seconds_since_seen: number
  /** Null if the process runs no jobs. */
  seconds_since_worked: number | null
  /** Negative if the clock of the process is behind the database's; null for a process of an earlier release. */
  clock_ahead_seconds: number | null
}

export type Registration = {
  /** Writes the heartbeat immediately. */
  beat(): Promise<void>
  stop(): Promise<void>
}

/**
 * `workerSeenAt` is when the worker last polled for jobs, in milliseconds of `performance.now()`; `now` is the clock of
 * the process.
 */
export async function registerProcess(
  db: Db,
  ownProcess: {
    role: ProcessRole
    masterKeyIds: readonly string[]
    workerSeenAt: () => number | undefined
    now: () => Date
  },
  onError: (error: unknown) => void,
): Promise<Registration> {
  const id = uuidv7()
  const write = async (isStopping: boolean) => {
    const seenAt = ownProcess.workerSeenAt()
    const workerAge = seenAt === undefined ? null : (performance.now() - seenAt) / 1000
    const clockAhead = await readSecondsAhead(db, ownProcess.now)
    await saveProcess(db, { id, ...ownProcess, workerAge, clockAhead, isStopping })
  }
  await deleteOldProcesses(db)
  await write(false)
  const timer = setInterval(() => void write(false).catch(onError), BEAT_MS)
  timer.unref()
  return {
    beat: () => write(false),
    stop: async () => {
      clearInterval(timer)
      await write(true)
    },
  }
}

async function saveProcess(
  db: Db,
  row: {
    id: string
    role: ProcessRole
    masterKeyIds: readonly string[]
    workerAge: number | null
    clockAhead: number
    isStopping: boolean
  },
): Promise<void> {
  await sql`
    insert into service_processes (id, role, version, runs_beside, build, host, pid, master_key_ids, started_at,
      seen_at, worker_seen_at, clock_ahead_seconds, stopped_at)
    values (${row.id}::uuid, ${row.role}, ${version}, ${previousRelease.version}, ${readBuildId()}, ${hostname()},
      ${process.pid}, ${[...row.masterKeyIds]}::text[], clock_timestamp(), clock_timestamp(),
      clock_timestamp() - ${row.workerAge}::float8 * interval '1 second', ${row.clockAhead}::float8,
      case when ${row.isStopping}::boolean then clock_timestamp() end)
    on conflict (id) do update set seen_at = excluded.seen_at, worker_seen_at = excluded.worker_seen_at,
      clock_ahead_seconds = excluded.clock_ahead_seconds, stopped_at = excluded.stopped_at`.execute(db)
}

async function deleteOldProcesses(db: Db): Promise<void> {
  await sql`delete from service_processes where seen_at < clock_timestamp() - interval '1 day'`.execute(db)
}

/** Running processes first, then those stopped in the last day. */
export async function listProcesses(db: Db): Promise<ServiceProcess[]> {
  const { rows } = await sql<ServiceProcess>`
    select id, role, version, runs_beside, build, host, pid, master_key_ids, started_at, stopped_at,
      extract(epoch from clock_timestamp() - seen_at)::float8 as seconds_since_seen,
      extract(epoch from clock_timestamp() - worker_seen_at)::float8 as seconds_since_worked,
      clock_ahead_seconds
    from service_processes order by stopped_at is not null, seen_at desc, id limit 200`.execute(db)
  return rows
}

export function isLive(process: Pick<ServiceProcess, 'stopped_at' | 'seconds_since_seen'>): boolean {
  return process.stopped_at === null && process.seconds_since_seen <= GONE_AFTER_SECONDS
}

/** Two heartbeats and a slow one. */
const SILENT_AFTER_SECONDS = 25

export function stateOf(
  process: Pick<ServiceProcess, 'stopped_at' | 'seconds_since_seen'>,
): 'running' | 'silent' | 'stopped' | 'lost' {
  if (process.stopped_at !== null) return 'stopped'
  if (!isLive(process)) return 'lost'
  return process.seconds_since_seen > SILENT_AFTER_SECONDS ? 'silent' : 'running'
}

/** True if a running process requires a newer release to run next to it than the given one. Pure. */
export function isTooOld(
  processes: readonly Pick<ServiceProcess, 'stopped_at' | 'seconds_since_seen' | 'runs_beside'>[],
  release: string = version,
): boolean {
  return processes.some((other) => isLive(other) && compareVersions(release, other.runs_beside) < 0)
}
