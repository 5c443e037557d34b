/**
 * Frequent statements touch one shard on one node. Needs CITUS_URL, a database for this test on a coordinator with
 * workers (docs/scale.md shows how to start one); without it the tests are skipped.
 */
import { createSecretKey } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { processBatch } from '../../src/features/attribution/pipeline/process.ts'
import { createHandover } from '../../src/features/facts/events/handover.ts'
import { ensurePartitions } from '../../src/features/facts/events/partitions.ts'
import { writeEvents } from '../../src/features/facts/events/queries.ts'
import { recordEvents } from '../../src/features/facts/outbox/record.ts'
import { fanOut } from '../../src/features/outgoing/webhooks/delivery/fanout.ts'
import { nextDue } from '../../src/features/outgoing/webhooks/delivery/save-attempts.ts'
import { createClock } from '../../src/platform/clock.ts'
import { uuidv7 } from '../../src/platform/contract/ids.ts'
import { type Db, type OpenDatabase, openDatabase, poolOf, type Tx } from '../../src/platform/db/database.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { type Nodes, openNodes } from '../../src/platform/db/nodes.ts'
import { lockProfile } from '../../src/platform/db/profile-lock.ts'
import { createLog } from '../../src/platform/log.ts'
import { until } from '../until.ts'
import { makeCitusProfile, newEvent } from './make.ts'

const url = process.env.CITUS_URL
const LOG_COMMANDS = '-c citus.log_remote_commands=on -c client_min_messages=notice'
const clock = createClock()
const log = createLog('silent')
const identityPepper = createSecretKey(Buffer.alloc(32, 9))

describe.skipIf(url === undefined)('on Citus (skipped without CITUS_URL)', () => {
  let coordinator: OpenDatabase
  let nodes: Nodes
  let profileId: string
  /** Commands that a node sent to others, with the server they went to. */
  const sent: string[] = []
  const listen = (database: Pick<OpenDatabase, 'pool'>) =>
    database.pool.on('connect', (client) =>
      client.on('notice', ({ message, detail }) => {
        if (message?.startsWith('issuing')) sent.push(`${detail} ${message}`)
      }),
    )
  const during = async (work: () => Promise<unknown>) => {
    sent.length = 0
    await work()
    return [...sent]
  }

  beforeAll(async () => {
    coordinator = openDatabase({ connectionString: url, options: LOG_COMMANDS })
    listen(coordinator)
    await migrate(coordinator.pool)
    await ensurePartitions(coordinator.db, new Date())
    nodes = await openNodes(coordinator.db, { limitMs: 60_000, isDirect: true, onError: () => {} })
    for (const node of nodes.list()) listen({ pool: poolOf(node.db) })
    profileId = await makeCitusProfile(coordinator.db)
    listen({ pool: poolOf((await nodes.shardOf(profileId)).backgroundDb) })
  }, 120_000)
  afterAll(async () => {
    await nodes?.close()
    await coordinator?.close()
  })

  const nodeOfProfile = () => nodes.of(profileId)
  const shard = () => nodes.shardOf(profileId)
  const write = async (count: number) => {
    const handover = createHandover()
    const events = Array.from({ length: count }, () => newEvent(uuidv7()))
    return writeEvents((await shard()).db, { profileId, events, handover })
  }

  it('the profile is on a worker', async () => {
    expect((await nodeOfProfile()).name).not.toBe('coordinator')
    expect(nodes.list().length).toBeGreaterThan(1)
  })

  it.each([1, 2, 120])('%i new events are written by one node', async (count) => {
    expect(await during(() => write(count))).toEqual([])
  })

  it('repeated and changed events are read and written by one node', async () => {
    const event = newEvent(uuidv7())
    const { db } = await shard()
    await writeEvents(db, { profileId, events: [event] })
    const changed = { ...event, contentHash: Buffer.from('other') }
    expect(
      await during(async () => {
        expect(await writeEvents(db, { profileId, events: [event] })).toEqual(['unchanged'])
        expect(await writeEvents(db, { profileId, events: [changed] })).toEqual(['updated'])
      }),
    ).toEqual([])
  })

  it('a batch is processed by one node', async () => {
    await write(1)
    await write(30)
    const { backgroundDb: db } = await shard()
    const remoteCommands = await during(async () => {
      expect((await processBatch({ db, clock, log, identityPepper }, profileId))?.taken).toBeGreaterThan(30)
    })
    expect(remoteCommands).toEqual([])
  })

  function recordIn(tx: Tx, ofProfile = profileId): Promise<void> {
    const event = {
      profileId: ofProfile,
      type: 'connection.connected',
      provider: 'platform',
      occurredAt: new Date(),
      data: {},
    }
    return recordEvents(tx, [event, event], new Date())
  }
  const record = (db: Db, ofProfile?: string) => db.transaction().execute((tx) => recordIn(tx, ofProfile))

  it('two transactions that record for a new profile, one with its lock, wait for each other in one order', async () => {
    const newId = await makeCitusProfile(coordinator.db)
    const { db } = await nodes.of(newId)
    const isWaited = async () => {
      const { rows } = await sql`select 1 from pg_stat_activity where wait_event_type = 'Lock'
        and query ilike '%insert into%profile_locks%'`.execute(db)
      return rows.length > 0
    }
    let other: Promise<void> | undefined
    await coordinator.db.transaction().execute(async (tx) => {
      await lockProfile(tx, newId)
      other = record(coordinator.db, newId)
      await until(isWaited)
      await recordIn(tx, newId)
    })
    await other
    const { rows } = await sql<{ number: number }>`
      select number from outbox_events where profile_id = ${newId} order by number`.execute(coordinator.db)
    expect(rows.map(({ number }) => number)).toEqual([1, 2, 3, 4])
  })

  it('outbox events are written, fanned out and polled by one node', async () => {
    await sql`insert into webhook_fanouts (profile_id, through_number) values (${profileId}, 0)
      on conflict do nothing`.execute(coordinator.db)
    const { backgroundDb: db } = await shard()
    const remoteCommands = await during(async () => {
      await record(db)
      await fanOut(db, profileId, new Date())
      await nextDue(db, { profileId, ids: [uuidv7()] })
    })
    expect(remoteCommands).toEqual([])
    const { rows } = await sql<{ isDone: boolean }>`
      select f.through_number = c.last_number as "isDone" from webhook_fanouts f
      join outbox_counters c on c.profile_id = f.profile_id where f.profile_id = ${profileId}`.execute(
      coordinator.db,
    )
    expect(rows).toEqual([{ isDone: true }])
  })

  const serversOf = (commands: readonly string[]) =>
    new Set(commands.map((command) => /@[\w.]+:\d+/.exec(command)?.[0]))
  const collected = (commands: readonly string[]) =>
    commands.filter((command) => /prepare transaction|intermediate_result|\bcopy\b/i.test(command))

  it('through the coordinator, a write goes to one node and one shard of each table', async () => {
    const events = [newEvent(uuidv7())]
    const commands = await during(() => writeEvents(coordinator.db, { profileId, events }))
    expect(commands.filter((command) => /insert into/i.test(command)).length).toBe(3)
    expect(serversOf(commands).size).toBe(1)
    expect(collected(commands)).toEqual([])
  })

  it('through the coordinator, outbox events go to one node', async () => {
    const commands = await during(() => record(coordinator.db))
    expect(serversOf(commands).size).toBe(1)
    expect(collected(commands)).toEqual([])
  })

  it('through the coordinator, a batch goes to one node without intermediate results', async () => {
    await write(20)
    const commands = await during(() =>
      processBatch({ db: coordinator.db, clock, log, identityPepper }, profileId),
    )
    expect(commands.length).toBeGreaterThan(10)
    expect(await coordinator.db.selectFrom('event_quarantine').select('detail').execute()).toEqual([])
    expect(serversOf(commands).size).toBe(1)
    expect(collected(commands).map((command) => command.slice(0, 300))).toEqual([])
  })
})
