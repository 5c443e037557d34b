/**
 * A tenant that attacks others on Citus, from the same shard and from another node: ids of others, names of shards and SQL
 * in every text. Needs CITUS_URL (see one-shard.test.ts) with two workers and a login that may create databases.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../src/app.ts'
import type { Endpoint } from '../../src/platform/contract/endpoint.ts'
import { isUuid } from '../../src/platform/contract/ids.ts'
import { tableKinds } from '../../src/platform/db/tables.ts'
import { makeAdWorld } from '../ad-world.ts'
import type { TestApp } from '../app.ts'
import { plantRows } from '../rows.ts'
import { idParams, sampleOf, UNKNOWN_ID } from '../samples.ts'
import { makeTenant, send, type Tenant, withoutRequestId } from '../tenants.ts'
import { type CutWorker, startWithWires } from './cut-worker.ts'

const url = process.env.CITUS_URL
/** Number of the victim's ids per route; together the routes try all. */
const IDS_PER_ROUTE = 12

const entries: Endpoint[] = routes.map(({ entry }) => entry)
const ofProfile = entries.filter(({ access }) => access.kind === 'profile')
const withIds = entries.filter((entry) => idParams(entry).some((name) => name !== 'workspaceId'))
const distributed = Object.keys(tableKinds).filter((table) => tableKinds[table] === 'distributed')

describe.skipIf(url === undefined)('a hostile tenant on Citus (skipped without CITUS_URL)', () => {
  let cut: CutWorker
  let app: TestApp
  let victim: Tenant
  /** In the same tables as the victim, and on another worker. */
  let attackers: { shard: Tenant; elsewhere: Tenant }
  let victimIds: string[]
  let shardTables: string[]
  let rowsBefore: Record<string, string>

  const shardOf = async (profileId: string) => {
    const { rows } = await app.pool.query<{ shard: string }>(
      `select get_shard_id_for_distribution_column('events', $1::uuid)::text as shard`,
      [profileId],
    )
    return rows[0]!.shard
  }

  /** A hash of the victim's rows per table. The attacks may only add refused requests of the attackers. */
  async function rowsOfVictim(): Promise<Record<string, string>> {
    const states: Record<string, string> = {}
    for (const table of distributed) {
      const { rows } = await app.pool.query<{ state: string }>(
        `select count(*) || ' ' || coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as state
         from "${table}" t where profile_id = $1`,
        [victim.profileId],
      )
      states[table] = rows[0]!.state
    }
    return states
  }

  const credentialOf = (attacker: Tenant, { access }: Endpoint) =>
    access.kind === 'app'
      ? attacker.partner.basic
      : access.kind === 'profile' || access.kind === 'bearer'
        ? `Bearer ${attacker.key}`
        : `Bearer ${attacker.owner.token}`

  beforeAll(async () => {
    cut = await startWithWires(url!)
    app = cut.app
    victim = await cut.makeTenant(true)
    const home = await shardOf(victim.profileId)
    let neighbour = await cut.makeTenant(true)
    while ((await shardOf(neighbour.profileId)) !== home) neighbour = await makeTenant(app)
    attackers = { shard: neighbour, elsewhere: await cut.makeTenant(false) }
    await makeAdWorld(app, victim.profileId, app.as(victim.key))
    const { planted } = await plantRows(app.pool, victim.profileId)
    victimIds = [...new Set(Object.values(planted))].filter((id) => isUuid(id) && id !== victim.profileId)
    const { rows } = await app.pool.query<{ name: string }>(
      `select shard_name::text as name from citus_shards
       where shardid = get_shard_id_for_distribution_column('events', $1::uuid) limit 1`,
      [victim.profileId],
    )
    shardTables = [rows[0]!.name, `events_${home}`, `key_copies_${home}`]
    rowsBefore = await rowsOfVictim()
  }, 300_000)
  afterAll(() => cut?.close())

  it('the victim has rows in most tables, and one attacker is in the same tables', async () => {
    expect(victimIds.length).toBeGreaterThan(60)
    expect(await shardOf(attackers.shard.profileId)).toBe(await shardOf(victim.profileId))
    expect(await shardOf(attackers.elsewhere.profileId)).not.toBe(await shardOf(victim.profileId))
  })

  it.each(['shard', 'elsewhere'] as const)(
    'ids of the victim answer like unknown ones (%s)',
    async (where) => {
      const attacker = attackers[where]
      const different: unknown[] = []
      for (const [index, entry] of withIds.entries()) {
        const answerFor = async (id: string) => {
          const sample = sampleOf(entry)
          if ('workspaceId' in sample.params) sample.params.workspaceId = attacker.workspaceId
          for (const name of idParams(entry)) if (name !== 'workspaceId') sample.params[name] = id
          const { status, body } = await send(app, entry, credentialOf(attacker, entry), sample)
          return JSON.stringify([status, withoutRequestId(body)]).replaceAll(id, 'ID')
        }
        const unknown = await answerFor(UNKNOWN_ID)
        for (let count = 0; count < IDS_PER_ROUTE; count++) {
          const answer = await answerFor(victimIds[(index * IDS_PER_ROUTE + count) % victimIds.length]!)
          if (answer !== unknown) different.push([entry.name, unknown, answer])
        }
      }
      expect(different).toEqual([])
    },
    600_000,
  )

  it.each(['shard', 'elsewhere'] as const)(
    'the profile of the victim answers like an unknown one (%s)',
    async (where) => {
      const different: unknown[] = []
      for (const entry of ofProfile) {
        const answerFor = async (profileId: string) => {
          const sample = sampleOf(entry)
          const query = { ...sample.query, profile_id: profileId }
          const credential = `Bearer ${attackers[where].userToken}`
          const { status, body } = await send(app, entry, credential, { ...sample, query })
          return JSON.stringify([status, withoutRequestId(body)])
        }
        const [unknown, foreign] = [await answerFor(UNKNOWN_ID), await answerFor(victim.profileId)]
        if (foreign !== unknown || !foreign.startsWith('[404')) different.push([entry.name, unknown, foreign])
      }
      expect(different).toEqual([])
    },
    300_000,
  )

  it('treats shard names and SQL in texts as plain text', async () => {
    const { key } = attackers.shard
    const hostile = [
      ...shardTables,
      `x' union select * from ${shardTables[0]} --`,
      `"${shardTables[1]}"`,
      'from events, key_copies where true /*',
      `$1; select lock_shard_metadata(7, '{1}')`,
      "\\'; drop table events; --",
    ]
    for (const [index, text] of hostile.entries()) {
      const reply = await app.fetch(`${app.baseUrl}/api/v1/events`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          event_name: 'lead_created',
          idempotency_key: `${index} ${text}`,
          anonymous_id: text.slice(0, 60),
          user_traits: { email: `hostile-${index}@example.com`, first_name: text },
          properties: { form: text },
          context: { page: { url: `https://shop.example/?utm_campaign=${encodeURIComponent(text)}` } },
        }),
      })
      expect([reply.status < 500, await reply.text()]).toEqual([true, expect.any(String)])
    }
    await app.service.processor.settled(attackers.shard.profileId)
    const failed: unknown[] = []
    const leaked: unknown[] = []
    for (const entry of ofProfile.filter(({ method }) => method === 'GET'))
      for (const text of ['', ...hostile]) {
        const sample = sampleOf(entry)
        const query = Object.fromEntries(
          Object.entries(sample.query).map(([name, value]) => [
            name,
            typeof value === 'string' && /search|query|name|text|sort|cursor/i.test(name) && text
              ? text
              : value,
          ]),
        )
        const params = Object.fromEntries(
          Object.entries(sample.params).map(([name, value]) => [name, text === '' ? value : text]),
        )
        if (text !== '' && JSON.stringify([query, params]) === JSON.stringify([sample.query, sample.params]))
          continue
        const answer = await send(app, entry, `Bearer ${key}`, { ...sample, query, params })
        if (answer.code !== 'not_implemented' && answer.status >= 500)
          failed.push([entry.name, text, answer.status, answer.code])
        if ([victim.profileId, victim.owner.email, ...victimIds].some((value) => answer.text.includes(value)))
          leaked.push([entry.name, answer.text.slice(0, 200)])
      }
    expect({ failed, leaked }).toEqual({ failed: [], leaked: [] })
  }, 300_000)

  it('without the coordinator the attacker reads its own profile only', async () => {
    const overview = entries.find(({ name }) => name === 'getOverview')!
    const readOverview = (query: Record<string, unknown>) => {
      const sample = sampleOf(overview)
      return send(app, overview, `Bearer ${attackers.shard.key}`, {
        ...sample,
        query: { ...sample.query, ...query },
      })
    }
    expect((await readOverview({})).status).toBe(200)
    await cut.coordinator.cut()
    try {
      const response = await readOverview({})
      expect([response.status, response.text.includes(attackers.shard.profileId)]).toEqual([200, true])
      const aimed = await readOverview({ profile_id: victim.profileId })
      expect(aimed.text).not.toContain(victim.profileId)
    } finally {
      await cut.coordinator.up()
    }
  })

  it('no row of the victim was added, changed or removed', async () => {
    expect(await rowsOfVictim()).toEqual(rowsBefore)
  })
})
