/**
 * Cost of `GET /reports/cohorts` on a profile with many payments in one year, stored in time order: customers with two
 * identifiers each, as many people who never paid, every fiftieth payment refunded.
 *
 *   node bench/cohorts.ts [payments=1000000] [customers=350000] [requests=3]
 *
 * With STATISTICS=0 the tables have no statistics, as after a bulk load before the first analyze.
 */
import { vacuumAndAnalyze } from './big-profile.ts'
import { startDatabaseClock } from './cpu.ts'
import { deleteStatistics, fillPayers } from './payers.ts'
import { openWorld, type World } from './world.ts'

const payments = Number(process.argv[2] ?? 1_000_000)
const customers = Number(process.argv[3] ?? 350_000)
const requests = Number(process.argv[4] ?? 3)
const hasStatistics = process.env.STATISTICS !== '0'
const YEAR = 'date_from=2025-01-01&date_to=2025-12-31'

const world = await openWorld()
try {
  await world.once(`payments ${payments} of ${customers}`, () => fillPayers(world, { payments, customers }))
  if (!hasStatistics) await deleteStatistics(world)
  console.log(`${payments} payments of ${customers} customers${hasStatistics ? '' : ', no statistics'}`)
  for (const dimension of ['month', 'channel', 'campaign'])
    for (const range of [YEAR, 'date_from=2025-11-01&date_to=2025-11-30']) {
      const path = `/reports/cohorts?${range}&by=${dimension}&model=linear`
      for (let request = 0; request < requests; request++) await measureRequest(world, path)
    }
} finally {
  if (!hasStatistics) await vacuumAndAnalyze(world)
  await world.close()
}

async function measureRequest({ baseUrl, apiKey, pool }: World, path: string): Promise<void> {
  const readDatabaseClock = await startDatabaseClock(pool)
  const before = process.cpuUsage()
  const stalls = watchStalls()
  const begin = performance.now()
  const reply = await fetch(`${baseUrl}/api/v1${path}`, { headers: { authorization: `Bearer ${apiKey}` } })
  const { meta } = (await reply.json()) as { meta?: { result_hash: string } }
  const seconds = (performance.now() - begin) / 1000
  const { longestMs, moreBytes } = stalls.end()
  const { user, system } = process.cpuUsage(before)
  console.log(
    `${path}: ${reply.status} in ${seconds.toFixed(2)} s, CPU service ${((user + system) / 1e6).toFixed(2)} s, ` +
      `database ${(await readDatabaseClock()).toFixed(2)} s, longest block of the event loop ${longestMs.toFixed(0)} ms, ` +
      `memory +${(moreBytes / 1024 ** 2).toFixed(0)} MiB, result ${meta?.result_hash.slice(0, 12)}`,
  )
}

/** Watches the longest block of the event loop, by CPU time, and the memory above the start. */
function watchStalls(): { end(): { longestMs: number; moreBytes: number } } {
  const start = process.memoryUsage().rss
  let [longestMs, most] = [0, start]
  let last = process.threadCpuUsage()
  const timer = setInterval(() => {
    const now = process.threadCpuUsage()
    longestMs = Math.max(longestMs, (now.user + now.system - last.user - last.system) / 1000)
    last = now
    most = Math.max(most, process.memoryUsage.rss())
  }, 10)
  return {
    end() {
      clearInterval(timer)
      return { longestMs, moreBytes: most - start }
    },
  }
}
