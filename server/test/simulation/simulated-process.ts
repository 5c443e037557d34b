/** One process of the deployment: the real ingest, pipeline, dispatcher, sender and job worker on a scripted database. */
import { createSecretKey } from 'node:crypto'
import { sql } from 'kysely'
import type pg from 'pg'
import { z } from 'zod'
import type { ProfileContext, Service } from '../../src/context.ts'
import { createProcessor } from '../../src/features/attribution/pipeline/processor.ts'
import { createHandover } from '../../src/features/facts/events/handover.ts'
import { createIngest } from '../../src/features/facts/events/ingest.ts'
import { writeEvents } from '../../src/features/facts/events/queries.ts'
import { createDispatcher } from '../../src/features/outgoing/webhooks/delivery/dispatcher.ts'
import { createClock } from '../../src/platform/clock.ts'
import { type Job, job } from '../../src/platform/contract/job.ts'
import { type OpenDatabase, openDatabase, withTimeLimit } from '../../src/platform/db/database.ts'
import { oneNode } from '../../src/platform/db/nodes.ts'
import { startWorker } from '../../src/platform/jobs/worker.ts'
import type { Log } from '../../src/platform/log.ts'
import type { Outbound } from '../../src/platform/outbound/outbound.ts'
import type { Keyring } from '../../src/platform/secrets/keyring.ts'
import { loseConnections, openConnections, scriptedClient, type Wiring } from './scripted-database.ts'
import type { Owner } from './virtual-time.ts'

export type SimulatedProcess = {
  owner: Owner
  db: OpenDatabase['db']
  ingest: Service['ingest']
  kill(): Promise<void>
}

export type ProcessParts = Omit<Wiring, 'owner'> & {
  connectionString: string
  keyring: Keyring
  outbound: Outbound
  log: Log
}

export const Note = z.object({ note: z.string() })

/** A job whose runs are counted in the database, and which fails at a seeded rate. */
export function countingJob(fails: () => boolean): Job<z.infer<typeof Note>> {
  return job({
    name: 'simulation.count',
    payload: Note,
    async run(context, { note }) {
      await sql`insert into simulation.effects (note, attempt) values (${note}, ${context.attempt})`.execute(
        context.db,
      )
      if (fails()) throw new Error('the job was made to fail')
    },
  })
}

const SEARCH_PATH =
  '-c search_path=simulation,pg_catalog,public -c jit=off -c max_parallel_workers_per_gather=0'

export function startProcess(name: string, parts: ProcessParts, jobs: readonly Job[]): SimulatedProcess {
  const owner: Owner = { name, dead: false }
  const { time, scheduler, random } = parts
  openConnections(owner)
  return time.as(owner, () => {
    const opened = openDatabase({
      connectionString: parts.connectionString,
      max: 8,
      // Closing an idle connection takes real time, which would affect the order.
      idleTimeoutMillis: 0,
      options: SEARCH_PATH,
      // Disabled: real timers of the server must not interfere.
      statement_timeout: 0,
      idle_in_transaction_session_timeout: 0,
      Client: scriptedClient({ ...parts, owner }),
    } as pg.PoolConfig)
    const { log, keyring, outbound } = parts
    const backgroundDb = opened.db
    const nodes = oneNode(backgroundDb)
    const db = withTimeLimit(backgroundDb, 10_000)
    const clock = createClock()
    const dispatcher = createDispatcher(
      { db: backgroundDb, nodes, keyring, publicHttp: outbound, log },
      { pollMs: 1000, lookMs: 2000, chance: random.next },
    )
    const handover = createHandover()
    const processor = createProcessor({
      nodes,
      clock,
      log,
      identityPepper: createSecretKey(Buffer.alloc(32, 9)),
      handover,
      onProcessed: dispatcher.wake,
    })
    const ingest = createIngest(
      (profileId, events) => writeEvents(db, { profileId, events, handover }),
      processor.wake,
      log,
    )
    processor.start()
    dispatcher.start()
    startWorker({
      service: { db: backgroundDb, backgroundDb, nodes, clock, log } as Service,
      jobs,
      pollMs: 2000,
      leaseSeconds: 45,
      heartbeatMs: 15_000,
      reapMs: 10_000,
    })
    return {
      owner,
      db,
      ingest,
      async kill() {
        owner.dead = true
        scheduler.forget(owner)
        await loseConnections(owner)
      },
    }
  })
}

/** The part of a request context that the replay uses. */
export function replayContext(process: SimulatedProcess, profileId: string, appId: string): ProfileContext {
  return {
    db: process.db,
    now: new Date(),
    profile: {
      id: profileId,
      privacyMode: 'standard',
      healthcareWorkspace: false,
      provisionedByAppId: appId,
    },
    caller: { kind: 'key', appId, grant: 'attribution', scopes: ['conversions:read'] },
    role: null,
  } as unknown as ProfileContext
}
