/**
 * A shard moves to another node while events arrive: none is lost, and no sender gets an error. Needs CITUS_URL (see
 * one-shard.test.ts) with at least two workers and `wal_level = logical`.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Service } from '../../src/context.ts'
import { uuidv7 } from '../../src/platform/contract/ids.ts'
import type { OpenDatabase } from '../../src/platform/db/database.ts'
import { makeCitusProfile, newEvent, startCitusService } from './make.ts'

const url = process.env.CITUS_URL
const SENDERS = 4

describe.skipIf(url === undefined)('a shard that moves on Citus (skipped without CITUS_URL)', () => {
  let service: Service
  let pool: OpenDatabase['pool']
  let close = async () => {}
  let profileId: string

  beforeAll(async () => {
    ;({ service, pool, close } = await startCitusService(url!))
    profileId = await makeCitusProfile(service.db)
    service.processor.start()
  }, 120_000)
  afterAll(() => close())

  async function moveShard(mode: string): Promise<void> {
    const { rows } = await pool.query<{ shard: string; host: string; port: number }>(
      `select s.shardid::text as shard, n.nodename as host, n.nodeport as port
       from pg_dist_placement p join pg_dist_node n on n.groupid = p.groupid
       join pg_dist_shard s on s.shardid = p.shardid
       where s.shardid = get_shard_id_for_distribution_column('profile_locks', $1::uuid)`,
      [profileId],
    )
    const from = rows[0]!
    const otherNodes = await pool.query<{ host: string; port: number }>(
      `select nodename as host, nodeport as port from pg_dist_node
       where groupid > 0 and (nodename, nodeport) <> ($1, $2::integer) order by nodeport limit 1`,
      [from.host, from.port],
    )
    const to = otherNodes.rows[0]!
    const client = await pool.connect()
    try {
      await client.query('set statement_timeout = 0')
      await client.query('select citus_move_shard_placement($1::bigint, $2, $3, $4, $5, $6)', [
        from.shard,
        from.host,
        from.port,
        to.host,
        to.port,
        mode,
      ])
    } finally {
      client.release(true)
    }
  }

  it.each(['force_logical', 'block_writes'])('%s', { timeout: 300_000 }, async (mode) => {
    const before = await service.nodes.of(profileId)
    const sent: string[] = []
    const statuses = new Set<string>()
    let moving = true
    async function send(): Promise<void> {
      while (moving) {
        const event = newEvent(uuidv7())
        for (const status of await service.ingest.add(profileId, [event])) statuses.add(status)
        sent.push(event.id)
        await pause(5)
      }
    }
    const senders = Array.from({ length: SENDERS }, send)
    await pause(500)
    await moveShard(mode).finally(() => {
      moving = false
    })
    await Promise.all(senders)
    // Also an event before the service has refreshed the shard's location.
    const [late] = await service.ingest.add(profileId, [newEvent(uuidv7())])
    expect([late, ...statuses]).toEqual(['accepted', 'accepted'])
    await service.nodes.refresh()
    expect((await service.nodes.of(profileId)).name).not.toBe(before.name)
    await service.processor.settled(profileId)
    const { rows } = await pool.query<{ found: string; credited: string; waiting: string }>(
      `select (select count(*) from events where profile_id = $1 and id = any($2)) as found,
        (select count(*) from conversions where profile_id = $1 and event_id = any($2)) as credited,
        (select count(*) from event_queue where profile_id = $1) as waiting`,
      [profileId, sent],
    )
    expect(rows.map(({ found, credited, waiting }) => [found, credited, waiting].map(Number))).toEqual([
      [sent.length, sent.length, 0],
    ])
  })
})
