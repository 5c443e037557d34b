/**
 * The run: phases with faults, each followed by a calm phase, after which everything must add up. Every decision comes
 * from the seed, so a seed and a number of steps reproduce a failure.
 */
import { createHash, createSecretKey } from 'node:crypto'
import pg from 'pg'
import { openDatabase } from '../../src/platform/db/database.ts'
import { createLog } from '../../src/platform/log.ts'
import { parseMasterKeys } from '../../src/platform/secrets/keyring.ts'
import { createRandom } from '../oracle/random.ts'
import { listViolations } from './invariants.ts'
import { createScheduler, type Scheduler } from './scheduler.ts'
import { type Faults, noFaults } from './scripted-database.ts'
import { createReceivers } from './scripted-receivers.ts'
import { countingJob, type SimulatedProcess, startProcess } from './simulated-process.ts'
import { takeOverTime } from './virtual-time.ts'
import { createWorld, prepareDatabase } from './world.ts'

export type Outcome = {
  steps: number
  phases: number
  /** Hash of the whole run: equal for equal seeds. */
  digest: string
  virtualHours: number
  counts: Record<string, number>
  violations: string[]
}

const START_MS = Date.parse('2026-02-01T00:00:00Z')
const TROUBLE_STEPS = 700
const MAX_CALM_STEPS = 7000
const PHASES_OF_A_WORLD = 12
const STEADY_WITHIN_MS = 180_000
const PATIENCE = 0.9
const troubles: Faults = { lost: 0.004, lostAtCommit: 0.04, slow: 0.01 }

export async function simulate(options: {
  connectionString: string
  seed: number
  steps: number
  say?: (line: string) => void
}): Promise<Outcome> {
  const random = createRandom(options.seed)
  const digest = createHash('sha256')
  const counts: Record<string, number> = {}
  let scheduler: Scheduler | undefined
  const time = takeOverTime(START_MS, createRandom(options.seed ^ 0x5eed), () => scheduler?.noteActivity())
  const { say = () => {} } = options
  scheduler = createScheduler(time, random)
  const steps = { done: 0 }
  /** Violations that are noticed as they happen. */
  const atOnce = new Set<string>()
  let faults = noFaults
  let databaseAheadMs = 0
  let databaseMovedMs = 0
  const note = (what: string) => {
    const kind = what.split(':')[0]!.replace(/\d+ ms/, 'a while')
    counts[kind] = (counts[kind] ?? 0) + 1
    digest.update(what)
    say(`${steps.done} ${Math.round(time.monotonicMs())} ms ${what}`)
  }

  const admin = new pg.Client({ connectionString: options.connectionString })
  await admin.connect()
  await prepareDatabase(admin)
  const checker = openDatabase({
    connectionString: options.connectionString,
    max: 2,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: 0,
  })
  const keyring = parseMasterKeys(`s:${Buffer.alloc(32, 7).toString('base64')}`)
  const receivers = createReceivers(time, random, () => time.movedMs() + databaseMovedMs)
  const countJob = countingJob(() => faults !== noFaults && random.chance(0.15))
  const users = createWorld({
    admin,
    keyring,
    pepper: createSecretKey(Buffer.alloc(32, 9)),
    random,
    receivers,
    countJob,
  })
  const { world } = users
  const processes: SimulatedProcess[] = []
  let started = 0
  const startOne = () => {
    const parts = {
      connectionString: options.connectionString,
      scheduler: scheduler!,
      time,
      random,
      faults: () => faults,
      admin,
      note,
      violated: (what: string) => void atOnce.add(what),
      keyring,
      outbound: receivers.outbound,
      log: createLog('silent'),
    }
    processes.push(startProcess(`p${++started}`, parts, [countJob]))
    note('process started')
  }

  let setMs = Number.NaN
  /** The database reads the time from a table, which is updated whenever it has changed. */
  async function syncClock(): Promise<void> {
    const ms = START_MS + time.monotonicMs() + databaseAheadMs
    if (ms === setMs) return
    setMs = ms
    await admin.query('update simulation.clock set at = to_timestamp($1 / 1000.0)', [ms])
  }

  async function step(): Promise<void> {
    await syncClock()
    const what = await scheduler!.step(faults === noFaults ? 0.97 : PATIENCE)
    steps.done++
    digest.update(what)
  }

  async function kill(process: SimulatedProcess): Promise<void> {
    note('process killed')
    processes.splice(processes.indexOf(process), 1)
    await process.kill()
    users.giveUp(process)
  }

  /** Moves one clock by less than a second, or all by a lot: clocks of a deployment are synchronised. */
  function setClocks(): void {
    const whose = random.pick(['service', 'database', 'everybody'])
    const byMs =
      whose !== 'everybody'
        ? random.int(-900, 900)
        : random.chance(0.6)
          ? random.int(1000, 3_600_000)
          : -random.int(1000, 60_000)
    note(`clock of ${whose} set: ${byMs} ms`)
    if (whose !== 'database') time.setWall(byMs)
    if (whose === 'service') return
    databaseAheadMs += byMs
    databaseMovedMs += Math.abs(byMs)
  }

  async function trouble(): Promise<void> {
    faults = troubles
    receivers.calm = false
    for (const until = steps.done + Math.min(TROUBLE_STEPS, options.steps); steps.done < until; ) {
      if (processes.length === 0 || (processes.length < 2 && random.chance(0.02))) startOne()
      const chosenProcess = random.pick(processes)
      const fate = random.next()
      if (fate < 0.04) users.send(chosenProcess, false)
      else if (fate < 0.055) users.read(chosenProcess, random.pick(world.readers))
      else if (fate < 0.075) users.wish(chosenProcess)
      else if (fate < 0.0765) await kill(chosenProcess)
      else if (fate < 0.0805) setClocks()
      else if (fate < 0.0855) {
        const ms = random.pick([3000, 10_000, 60_000, 360_000, 2_400_000, 10_800_000])
        note(`everything slept: ${ms} ms`)
        time.sleep(ms)
      }
      await step()
    }
  }

  type Left = { pipeline: boolean; steady: boolean; deliveries: boolean; jobs: boolean; dueMs: number | null }

  /** Unfinished work, and when the next of it is due. */
  async function whatIsLeft(): Promise<Left> {
    const moody = world.subscriptions.filter(({ mood }) => mood !== 'broken').map(({ id }) => id)
    const steady = world.subscriptions.filter(({ mood }) => mood === 'steady').map(({ id }) => id)
    const { rows } = await admin.query(
      `select exists (select 1 from event_queue) or exists (select 1 from webhook_fanouts f
           join outbox_counters c on c.profile_id = f.profile_id and c.last_number > f.through_number) as pipeline,
         exists (select 1 from webhook_deliveries where status = 'pending' and subscription_id = any($2::uuid[])) as steady,
         exists (select 1 from webhook_deliveries where status = 'pending' and subscription_id = any($1::uuid[])) as deliveries,
         exists (select 1 from jobs where state <> 'dead') as jobs,
         (select extract(epoch from min(at)) * 1000 from (
           select next_attempt_at as at from webhook_deliveries where status = 'pending' and subscription_id = any($1::uuid[])
           union all select case state when 'scheduled' then run_at when 'running' then lease_until else '-infinity' end from jobs where state <> 'dead') d)::float8 as due`,
      [moody, steady],
    )
    const { pipeline, steady: isSteadyLeft, deliveries, jobs, due } = rows[0]
    return { pipeline, steady: isSteadyLeft, deliveries, jobs, dueMs: due }
  }

  async function calmDown(): Promise<string[]> {
    faults = noFaults
    receivers.calm = true
    while (processes.length < 2) startOne()
    const began = time.monotonicMs()
    let steadySince: number | null = null
    for (let taken = 0; ; taken++) {
      const chosenProcess = random.pick(processes)
      if (taken % 10 === 0) users.send(chosenProcess, true)
      if (taken % 10 === 5) users.read(chosenProcess, random.pick(world.readers))
      await step()
      if (taken % 40 !== 39) continue
      const pending = await whatIsLeft()
      const isAcknowledged = world.facts.every((fact) => fact.isAcknowledged)
      if (isAcknowledged && !pending.pipeline) steadySince ??= time.monotonicMs()
      if (steadySince !== null && pending.steady && time.monotonicMs() - steadySince > STEADY_WITHIN_MS)
        return [`an endpoint that always answers waited more than ${STEADY_WITHIN_MS} ms`]
      const unread = await countUnread()
      if (
        isAcknowledged &&
        !pending.pipeline &&
        !pending.deliveries &&
        !pending.jobs &&
        unread === 0 &&
        !users.isWaiting()
      )
        return []
      if (taken > MAX_CALM_STEPS)
        return [
          `not at rest ${Math.round((time.monotonicMs() - began) / 1000)} s after the trouble ended: ${JSON.stringify({ ...pending, isAcknowledged, unread })}`,
        ]
      const now = START_MS + time.monotonicMs() + databaseAheadMs
      if (
        isAcknowledged &&
        !pending.pipeline &&
        !pending.steady &&
        pending.dueMs !== null &&
        pending.dueMs > now + 1000
      )
        time.sleep(pending.dueMs - now + 1)
    }
  }

  async function countUnread(): Promise<number> {
    const { rows } = await admin.query<{ recorded: string }>(
      `select count(*) as recorded from outbox_events where profile_id = any($1) and type = 'outcome.recorded'`,
      [world.profileIds],
    )
    return Number(rows[0]!.recorded) - world.readers.reduce((sum, reader) => sum + reader.seen.length, 0)
  }

  let violations: string[] = []
  let phases = 0
  while (steps.done < options.steps && violations.length === 0) {
    if (phases % PHASES_OF_A_WORLD === 0) await users.renew()
    else await users.resubscribe()
    await trouble()
    violations = await calmDown()
    if (violations.length === 0)
      violations = await listViolations({ admin, db: checker.db, world, tries: receivers.tries })
    violations.unshift(...atOnce)
    phases++
    if (phases % PHASES_OF_A_WORLD === 0) receivers.tries.clear()
  }
  for (const process of [...processes]) await kill(process)
  await checker.close()
  await admin.end()
  time.restore()
  return {
    steps: steps.done,
    phases,
    digest: digest.digest('hex').slice(0, 16),
    virtualHours: Math.round(time.monotonicMs() / 3_600_000),
    counts,
    violations,
  }
}
