/**
 * A full recompute that stores credits and rollups, first with nothing stored, then again. The limit is a bare COPY of
 * the same rows: out for those that a recompute reads, out and in for those that it stores. Another process fills the
 * profile, so that this does not count as memory of a recompute.
 *
 *   node --expose-gc bench/recompute.ts [conversions=1000000]
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CopyWriter } from '@whence/server/platform/db/copy/copy-in.ts'
import { CopyOut, readCopy } from '@whence/server/platform/db/copy/copy-out.ts'
import { deleteCredit, fillProfile, recompute } from './big-profile.ts'
import { startDatabaseClock } from './cpu.ts'
import { openWorld, type World } from './world.ts'

const conversions = Number(process.argv[2] ?? 1_000_000)

const READ = {
  identifiers: ['id', 'customer_id'],
  conversions: ['id', 'identifier_id', 'occurred_at', 'day', 'goal_id', 'report_value_minor', 'outcome_type'],
  touches: ['identifier_id', 'occurred_at', 'source_id'],
}
const STORED = ['credits', 'credit_daily', 'credit_spans', 'held_daily']

async function bareCopy({ pool, profileId }: World): Promise<void> {
  const [reader, writer] = [await pool.connect(), await pool.connect()]
  try {
    await reader.query('set statement_timeout = 0')
    await writer.query('set statement_timeout = 0')
    await writer.query('begin')
    for (const [table, columns] of Object.entries(READ))
      await readCopy(
        reader,
        `copy (select ${columns.join(', ')} from ${table} where profile_id = '${profileId}') to stdout (format binary)`,
        columns.length,
        () => {},
      )
    for (const table of STORED) {
      await writer.query(`create table bare_${table} (like ${table} including all)`)
      const { fields } = await writer.query(`select * from bare_${table}`)
      const rows = new CopyOut(reader, `copy ${table} to stdout (format binary)`, fields.length)
      const copy = new CopyWriter(writer, `copy bare_${table} from stdin (format binary)`)
      do {
        while (rows.next()) {
          copy.beginRow(fields.length)
          copy.raw(rows.row.bytes, rows.row.begin, rows.row.end)
          if (copy.isFull) await copy.flush()
        }
      } while (await rows.more())
      await copy.end()
    }
    await writer.query('rollback')
    // The connections stay open, so that the CPU of their processes can be read.
    for (const client of [reader, writer]) await client.query('reset statement_timeout')
  } finally {
    reader.release()
    writer.release()
  }
}

type Measurement = { seconds: number; service: number; database: number; memory: number }

async function measure(world: World, run: () => Promise<unknown>): Promise<Measurement> {
  globalThis.gc?.()
  const readDatabaseClock = await startDatabaseClock(world.pool)
  const cpu = process.cpuUsage()
  let peak = process.memoryUsage.rss()
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 20)
  const begin = performance.now()
  await run()
  const seconds = (performance.now() - begin) / 1000
  clearInterval(watch)
  const { user, system } = process.cpuUsage(cpu)
  return {
    seconds,
    service: (user + system) / 1e6,
    database: await readDatabaseClock(),
    memory: Math.round(peak / 1e6),
  }
}

const format = ({ seconds, service, database, memory }: Measurement) =>
  `${seconds.toFixed(2)} s; CPU: service ${service.toFixed(1)} s, database ${database.toFixed(1)} s; memory at the peak ${memory} MB`

async function fill(): Promise<void> {
  const world = await openWorld()
  try {
    await world.once(`profile of ${conversions}`, () => fillProfile(world, conversions))
  } finally {
    await world.close()
  }
}

if (process.argv[3] === 'fill') {
  await fill()
  process.exit()
}
const savedDir = process.env.BENCH_DIR
process.env.BENCH_DIR ??= mkdtempSync(join(tmpdir(), 'whence-bench-'))
execFileSync(process.execPath, [fileURLToPath(import.meta.url), String(conversions), 'fill'], {
  stdio: 'inherit',
})
const world = await openWorld()
try {
  await deleteCredit(world)
  globalThis.gc?.()
  console.log(`memory before: ${Math.round(process.memoryUsage.rss() / 1e6)} MB`)
  const measurements: Measurement[] = []
  for (const name of ['nothing stored', 'all stored already']) {
    let parts = ''
    const measurement = await measure(world, async () => {
      const { timings } = await recompute(world)
      parts = Object.entries(timings)
        .map(([part, ms]) => `${part} ${(ms / 1000).toFixed(2)} s`)
        .join(', ')
    })
    measurements.push(measurement)
    console.log(
      `${name}: ${conversions} conversions, ${conversions * 6} touches in ${format(measurement)} (${parts})`,
    )
  }
  const bare = await measure(world, () => bareCopy(world))
  console.log(`bare COPY of the same rows: ${format(bare)}`)
  const totalCpu = (measurement: Measurement) => measurement.service + measurement.database
  for (const measurement of measurements)
    console.log(
      `of the bare COPY: ${(measurement.seconds / bare.seconds).toFixed(2)} by time, ${(totalCpu(measurement) / totalCpu(bare)).toFixed(2)} by CPU`,
    )
} finally {
  await world.close()
  if (savedDir === undefined) rmSync(process.env.BENCH_DIR, { recursive: true, force: true })
}
