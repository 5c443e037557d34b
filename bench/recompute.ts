/**
 * A full recompute with credits and rollups stored: first with nothing stored, then again with everything in place.
 *
 *   node bench/recompute.ts [conversions=1000000]
 */
import { fillProfile, forgetCredit, recompute } from './big-profile.ts'
import { startDatabaseClock } from './cpu.ts'
import { openWorld } from './world.ts'

const conversions = Number(process.argv[2] ?? 1_000_000)
const world = await openWorld()
try {
  await world.once(`profile of ${conversions}`, () => fillProfile(world, conversions))
  await forgetCredit(world)
  for (const name of ['nothing stored', 'all stored already']) {
    const readDatabaseClock = await startDatabaseClock(world.pool)
    const before = process.cpuUsage()
    const { seconds, timings } = await recompute(world)
    const { user, system } = process.cpuUsage(before)
    const parts = Object.entries(timings).map(([part, ms]) => `${part} ${(ms / 1000).toFixed(2)} s`)
    console.log(
      `${name}: ${conversions} conversions, ${conversions * 6} touches in ${seconds.toFixed(2)} s (${parts.join(', ')})`,
    )
    console.log(
      `  CPU: service ${((user + system) / 1e6).toFixed(1)} s, database ${(await readDatabaseClock()).toFixed(1)} s`,
    )
  }
  console.log(`peak memory ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`)
} finally {
  await world.close()
}
