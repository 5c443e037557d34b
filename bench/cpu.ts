/** CPU time of the database's processes on this machine, from /proc; NaN on systems without it. */
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { type OpenDatabase, openDatabase } from '@whence/server/platform/db/database.ts'

type Pool = OpenDatabase['pool']

const TICKS_PER_SECOND = 100

/** Returns a function that reads the CPU seconds used since the start. */
export async function startDatabaseClock(pool: Pool): Promise<() => Promise<number>> {
  const before = await ticksByProcess(pool)
  return async () => {
    const after = await ticksByProcess(pool)
    let ticks = 0
    for (const [pid, used] of after) ticks += used - (before.get(pid) ?? 0)
    return ticks / TICKS_PER_SECOND
  }
}

async function ticksByProcess(pool: Pool): Promise<Map<number, number>> {
  const { rows } = await pool.query<{ pid: number }>('select pid from pg_stat_activity')
  const entries = await Promise.all(
    rows.map(async ({ pid }): Promise<[number, number]> => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
      const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
      return [pid, fields === undefined ? Number.NaN : Number(fields[11]) + Number(fields[12])]
    }),
  )
  return new Map(entries)
}

/** Process id of the PostgreSQL server at this address, which must be on this machine. */
export async function findServerPid(url: string): Promise<number> {
  const { pool, close } = openDatabase({ connectionString: url, max: 1 })
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  const stat = await readFile(`/proc/${rows[0]!.pid}/stat`, 'utf8')
  await close()
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

/** CPU milliseconds used so far by a server and all its processes, including those that have ended. */
export function readServerCpu(postmaster: number): number {
  let ticks = 0
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const stat = readStat(entry)
    if (stat === undefined) continue
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    if (Number(entry) === postmaster) ticks += fields[11]! + fields[12]! + fields[13]! + fields[14]!
    else if (fields[1] === postmaster) ticks += fields[11]! + fields[12]!
  }
  return (ticks * 1000) / TICKS_PER_SECOND
}

/** Undefined if the process has ended meanwhile. */
function readStat(pid: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return undefined
  }
}
