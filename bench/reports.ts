/**
 * The campaign report at ad level over 90 days, through HTTP, on a profile with many conversions and six times the touches.
 *
 *   node bench/reports.ts [conversions=200000] [requests=200]
 */
import { fillProfile, keepHouse, recompute } from './big-profile.ts'
import { openWorld } from './world.ts'

const conversions = Number(process.argv[2] ?? 200_000)
const requests = Number(process.argv[3] ?? 200)
const world = await openWorld()
try {
  await fillProfile(world, conversions)
  await recompute(world)
  await keepHouse(world)
  const headers = { authorization: `Bearer ${world.apiKey}` }
  const times: number[] = []
  for (let index = 0; index < requests + 20; index++) {
    const from = new Date(Date.UTC(2026, 1, 1 + (index % 100)))
    const to = new Date(from.getTime() + 89 * 86_400_000)
    const query = `date_from=${from.toISOString().slice(0, 10)}&date_to=${to.toISOString().slice(0, 10)}&level=ad&limit=100`
    const begin = performance.now()
    const reply = await fetch(`${world.baseUrl}/api/v1/campaigns?${query}`, { headers })
    if (reply.status !== 200) throw new Error(await reply.text())
    await reply.arrayBuffer()
    if (index >= 20) times.push(performance.now() - begin)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)]!.toFixed(1)
  console.log(`GET /campaigns, ads over 90 days: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms`)
} finally {
  await world.close()
}
