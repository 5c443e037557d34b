/**
 * `npm run rebalance` distributes tenants over the nodes by load while events arrive. Needs CITUS_URL (see
 * one-shard.test.ts) with two workers, `wal_level = logical` and a login that may create databases.
 */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { uuidv7 } from '../../src/platform/contract/ids.ts'
import { rebalanceDatabase } from '../../src/platform/db/rebalance/command.ts'
import { loadsOf } from '../../src/platform/db/rebalance/plan.ts'
import { listDataNodes, listShardLoads } from '../../src/platform/db/rebalance/queries.ts'
import { makeCitusProfile, newEvent, startCitusService } from './make.ts'
import { makeOwnCitusDatabase, type OwnCitusDatabase } from './own-database.ts'

const url = process.env.CITUS_URL

describe.skipIf(url === undefined)('rebalancing on Citus (skipped without CITUS_URL)', () => {
  let cluster: OwnCitusDatabase
  let started: Awaited<ReturnType<typeof startCitusService>>
  const profiles: string[] = []

  beforeAll(async () => {
    cluster = await makeOwnCitusDatabase(url!, 4)
    await cluster.addExtension()
    for (const worker of cluster.workers.slice(0, 2)) await cluster.addWorker(worker)
    started = await startCitusService(cluster.url)
    const { service } = started
    // Two tenants in two shards of one worker: equal numbers of shards per node, but all tenants on one.
    const shards = new Set<unknown>()
    const nodes = new Set<string>()
    while (profiles.length < 2) {
      const profileId = await makeCitusProfile(service.db)
      const [node, shard] = [await service.nodes.of(profileId), await service.nodes.shardOf(profileId)]
      if ((nodes.size > 0 && !nodes.has(node.name)) || shards.has(shard))
        await started.pool.query('update profiles set archived_at = now() where id = $1', [profileId])
      else {
        nodes.add(node.name)
        shards.add(shard)
        profiles.push(profileId)
      }
    }
    for (const profileId of profiles)
      for (let count = 0; count < 3; count++) await service.ingest.add(profileId, [newEvent(uuidv7())])
  }, 300_000)
  afterAll(async () => {
    await started?.close()
    await cluster?.drop()
  })

  const perNode = async () => {
    const client = new pg.Client({ connectionString: cluster.url })
    await client.connect()
    try {
      const names = (await listDataNodes(client)).filter((node) => node.takesShards).map(({ name }) => name)
      return loadsOf(names, await listShardLoads(client, new Date(Date.now() - 86_400_000)))
    } finally {
      await client.end()
    }
  }

  it('a plan moves nothing; then each node has one of two tenants, and no event is lost', async () => {
    expect((await perNode()).map(({ tenants }) => tenants).sort()).toEqual([0, 2])
    const lines: string[] = []
    const print = (line: string) => void lines.push(line)
    await rebalanceDatabase(cluster.url, { isPlan: true, print })
    expect((await perNode()).map(({ tenants }) => tenants).sort()).toEqual([0, 2])
    const sent: [string, string][] = []
    let moving = true
    const sending = (async () => {
      while (moving)
        for (const profileId of profiles) {
          const id = uuidv7()
          expect(await started.service.ingest.add(profileId, [newEvent(id)])).toEqual(['accepted'])
          sent.push([profileId, id])
        }
    })()
    const report = await rebalanceDatabase(cluster.url, { isPlan: false, print }).finally(() => {
      moving = false
    })
    await sending
    expect((await perNode()).map(({ tenants, shards }) => [tenants, shards])).toEqual([
      [1, 2],
      [1, 2],
    ])
    expect(report.join('\n')).toContain('1 profiles')
    for (const profileId of profiles) {
      const ids = sent.flatMap(([owner, id]) => (owner === profileId ? [id] : []))
      const { rows } = await started.pool.query<{ found: number }>(
        'select count(*)::int as found from events where profile_id = $1 and id = any($2)',
        [profileId, ids],
      )
      expect(rows[0]!.found).toBe(ids.length)
    }
    expect((await rebalanceDatabase(cluster.url, { isPlan: false, print }))[0]).toContain('nothing to move')
  }, 600_000)
})
