/** Latency of sequential requests. The first requests warm the caches and are not counted. */
import { startDatabaseClock } from './cpu.ts'
import { openReader } from './reader.ts'
import type { World } from './world.ts'

const WARM_UP = 20

export async function printLatency(
  world: World,
  name: string,
  requests: number,
  pathAt: (index: number) => string,
): Promise<void> {
  // With 0 requests a run only fills BENCH_DIR for a later one.
  if (requests === 0) return
  // Bypasses the cache: the ranges repeat after a hundred requests.
  const headers = { authorization: `Bearer ${world.apiKey}`, 'cache-control': 'no-cache' }
  const urls = Array.from(
    { length: requests + WARM_UP },
    (_, index) => `${world.baseUrl}/api/v1${pathAt(index)}`,
  )
  const reader = openReader()
  await reader.read(urls.slice(0, WARM_UP), headers)
  const readDatabaseClock = await startDatabaseClock(world.pool)
  const before = process.cpuUsage()
  const { times } = await reader.read(urls.slice(WARM_UP), headers)
  const { user, system } = process.cpuUsage(before)
  const databaseMs = (await readDatabaseClock()) * 1000
  reader.close()
  const each = (ms: number) => (ms / requests).toFixed(1)
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)]!.toFixed(1)
  console.log(`${name}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms`)
  // CPU depends little on other load.
  console.log(`  CPU a request: service ${each((user + system) / 1000)} ms, database ${each(databaseMs)} ms`)
}

/** Day of the year, from 0, on which the range of this index begins. */
export function getFirstDay(index: number): number {
  return 31 + (index % 100)
}

/** Query of a range of `days` days; a different one for each index up to a hundred. */
export function rangeQuery(index: number, days: number): string {
  const from = new Date(Date.UTC(2026, 0, 1 + getFirstDay(index)))
  const to = new Date(from.getTime() + (days - 1) * 86_400_000)
  return `date_from=${from.toISOString().slice(0, 10)}&date_to=${to.toISOString().slice(0, 10)}`
}
