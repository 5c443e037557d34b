/** How long requests take, one after another; the first ones warm the caches and are not counted. */
import { startDatabaseClock } from './cpu.ts'
import type { World } from './world.ts'

const WARM_UP = 20

export async function printLatency(
  world: World,
  name: string,
  requests: number,
  pathAt: (index: number) => string,
): Promise<void> {
  // Asked for none, a run only fills the directory that a later one measures.
  if (requests === 0) return
  // Computed, not kept from the request before: ranges come again after a hundred.
  const headers = { authorization: `Bearer ${world.apiKey}`, 'cache-control': 'no-cache' }
  const times: number[] = []
  const readDatabaseClock = await startDatabaseClock(world.pool)
  const before = process.cpuUsage()
  for (let index = 0; index < requests + WARM_UP; index++) {
    const begin = performance.now()
    const reply = await fetch(`${world.baseUrl}/api/v1${pathAt(index)}`, { headers })
    if (reply.status !== 200) throw new Error(await reply.text())
    await reply.arrayBuffer()
    if (index >= WARM_UP) times.push(performance.now() - begin)
  }
  const { user, system } = process.cpuUsage(before)
  const databaseMs = (await readDatabaseClock()) * 1000
  const each = (ms: number) => (ms / (requests + WARM_UP)).toFixed(1)
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)]!.toFixed(1)
  console.log(`${name}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms`)
  // What a machine in use hardly moves; the client is part of the service's process.
  console.log(`  CPU a request: service ${each((user + system) / 1000)} ms, database ${each(databaseMs)} ms`)
}

/** Days from the year's first to where the range of this index begins. */
export function firstDayOf(index: number): number {
  return 31 + (index % 100)
}

/** A range of so many days, another one for each index. */
export function rangeQuery(index: number, days: number): string {
  const from = new Date(Date.UTC(2026, 0, 1 + firstDayOf(index)))
  const to = new Date(from.getTime() + (days - 1) * 86_400_000)
  return `date_from=${from.toISOString().slice(0, 10)}&date_to=${to.toISOString().slice(0, 10)}`
}
