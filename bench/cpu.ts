/** CPU seconds that the database's processes on this machine have used, from /proc; NaN where there is none. */
import { readFile } from 'node:fs/promises'
import type { OpenDatabase } from '@whence/server/db/database.ts'

type Pool = OpenDatabase['pool']

const TICKS_PER_SECOND = 100

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
