/**
 * Old raw events on Citus: a profile's events are deleted by its own node, months on all nodes. Needs CITUS_URL
 * (see one-shard.test.ts) with a login that may create databases; without it the test is skipped.
 */
import { createSecretKey } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { processBatch } from '../../src/features/attribution/pipeline/process.ts'
import { createHandover } from '../../src/features/facts/events/handover.ts'
import { ensureMonths } from '../../src/features/facts/events/partitions.ts'
import { writeEvents } from '../../src/features/facts/events/queries.ts'
import { countDropped, dropOldEvents } from '../../src/features/facts/events/retention/drop-old.ts'
import { compactMonths } from '../../src/features/facts/events/retention/months.ts'
import { createClock } from '../../src/platform/clock.ts'
import { uuidv7 } from '../../src/platform/contract/ids.ts'
import { type OpenDatabase, openDatabase, poolOf } from '../../src/platform/db/database.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { type Nodes, openNodes } from '../../src/platform/db/nodes.ts'
import { createLog } from '../../src/platform/log.ts'
import { makeCitusProfile, newEvent } from './make.ts'
import { makeOwnCitusDatabase, type OwnCitusDatabase } from './own-database.ts'

const url = process.env.CITUS_URL
const identityPepper = createSecretKey(Buffer.alloc(32, 9))
const before = new Date('2025-08-01T00:00:00Z')
const now = new Date('2026-09-05T00:00:00Z')
const at = (day: string) => new Date(`${day}T10:00:00Z`)

describe.skipIf(url === undefined)('on Citus (skipped without CITUS_URL)', () => {
  let cluster: OwnCitusDatabase
  let coordinator: OpenDatabase
  let nodes: Nodes
  /** Commands that the profile's node sent to others. */
  const sent: string[] = []

  beforeAll(async () => {
    cluster = await makeOwnCitusDatabase(url!, 4)
    await cluster.addExtension()
    for (const worker of cluster.workers) await cluster.addWorker(worker)
    coordinator = openDatabase({
      connectionString: cluster.url,
      options: '-c citus.log_remote_commands=on -c client_min_messages=notice',
    })
    await migrate(coordinator.pool)
    await ensureMonths(
      coordinator.db,
      ['2025-05', '2025-06'].map((month) => at(`${month}-01`)),
    )
    nodes = await openNodes(coordinator.db, { limitMs: 60_000, isDirect: true, onError: () => {} })
  })
  afterAll(async () => {
    await nodes?.close()
    await coordinator?.close()
    await cluster?.drop()
  })

  it('deletes events without a result on the profile’s node, and drops the months', async () => {
    const profileId = await makeCitusProfile(coordinator.db)
    const node = await nodes.of(profileId)
    const view = (day: string) =>
      newEvent(uuidv7(), { name: 'page_view', occurredAt: at(day), body: { identifiers: [] } })
    const visit = newEvent(uuidv7(), { name: 'page_view', occurredAt: at('2025-06-10') })
    const { money: _, ...body } = visit.body
    const sale = newEvent(uuidv7(), { occurredAt: at('2025-06-11') })
    const events = [view('2025-05-10'), view('2025-06-12'), { ...visit, body }, sale, view('2025-08-02')]
    await writeEvents(node.db, { profileId, events, handover: createHandover() })
    await processBatch(
      { db: node.db, clock: createClock(), log: createLog('silent'), identityPepper },
      profileId,
    )
    poolOf(node.db).on('acquire', (client) => {
      client.removeAllListeners('notice')
      client.on('notice', ({ message }) => {
        if (message?.startsWith('issuing')) sent.push(message)
      })
    })
    expect(await dropOldEvents(node.backgroundDb, { profileId, before, now })).toEqual({
      dropped: 2,
      isDone: true,
    })
    expect(sent).toEqual([])
    const { rows } = await sql<{ id: string; settled: boolean }>`
      select id, body ? 'settled' as settled from events where profile_id = ${profileId} order by occurred_at`.execute(
      node.db,
    )
    expect(rows).toEqual([
      { id: visit.id, settled: true },
      { id: sale.id, settled: false },
      { id: events[4]!.id, settled: false },
    ])
    expect(await countDropped(coordinator.db)).toBeGreaterThanOrEqual(2)
    await compactMonths(coordinator.db, { before, now })
    const months = await sql<{ name: string }>`
      select inhrelid::regclass::text as name from pg_inherits where inhparent = 'events'::regclass order by 1`.execute(
      coordinator.db,
    )
    expect(months.rows.map(({ name }) => name)).toEqual(['events_2025_06', 'events_default'])
    const compacted = await sql`select month::text from compacted_event_months`.execute(coordinator.db)
    expect(compacted.rows).toEqual([{ month: '2025-06-01' }])
  })
})
