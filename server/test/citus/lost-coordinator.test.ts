/**
 * The coordinator is away: keys that the process has seen still send events and read reports of their profile, through
 * the profile's node; everything else is 503. Needs CITUS_URL (see one-shard.test.ts) with two workers and a
 * login that may create databases.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../src/app.ts'
import { createApiKey, revokeApiKey } from '../../src/features/account/api-keys/contract.ts'
import { forgetCredentials } from '../../src/platform/access/authenticate.ts'
import { nodeAnswers } from '../../src/platform/db/node-answers.ts'
import { makeAdWorld } from '../ad-world.ts'
import type { TestApp } from '../app.ts'
import { sampleOf } from '../samples.ts'
import { send, type Tenant } from '../tenants.ts'
import { until } from '../until.ts'
import { type CutWorker, startWithWires } from './cut-worker.ts'

const url = process.env.CITUS_URL

/**
 * Reads that need the coordinator. Here only the service's connection to it is cut; if the workers cannot connect
 * to it either, reads of tracking keys and connected accounts wait too (docs/scale.md).
 */
const needCoordinator: string[] = []

const reads = routes
  .map(({ entry }) => entry)
  .filter((entry) => entry.method === 'GET' && entry.access.kind === 'profile')

describe.skipIf(url === undefined)('without the coordinator of Citus (skipped without CITUS_URL)', () => {
  let cut: CutWorker
  let app: TestApp
  let tenant: Tenant
  let revoked: string
  const before = new Map<string, { status: number; data: unknown }>()

  const request = async (entry: (typeof reads)[number], key = tenant.key) => {
    forgetCredentials(app.service)
    const { status, body, headers } = await send(app, entry, `Bearer ${key}`, sampleOf(entry))
    return { status, data: (body as { data?: unknown } | null)?.data, headers }
  }
  const entryOf = (name: string) => reads.find((entry) => entry.name === name)!
  const sendEvent = async (id: string) => {
    forgetCredentials(app.service)
    const reply = await app.fetch(`${app.baseUrl}/api/v1/events`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ event_name: 'lead_created', idempotency_key: id }),
    })
    await reply.text()
    return reply.status
  }

  beforeAll(async () => {
    cut = await startWithWires(url!, { DATABASE_TIMEOUT_SECONDS: '2' })
    app = cut.app
    tenant = await cut.makeTenant(true)
    await makeAdWorld(app, tenant.profileId, app.as(tenant.key))
    const { workspaceId, profileId, owner } = tenant
    const { data } = await owner.call(createApiKey, {
      params: { workspaceId },
      body: { profile_id: profileId, name: 'Revoked', scopes: ['analytics:read', 'campaigns:read'] },
    })
    revoked = data.key
    expect((await request(entryOf('getOverview'), revoked)).status).toBe(200)
    await owner.call(revokeApiKey, { params: { workspaceId, id: data.id } })
    for (const entry of reads) before.set(entry.name, await request(entry))
  }, 300_000)
  afterAll(() => cut?.close())

  for (const how of ['cut', 'stall'] as const)
    describe(how === 'cut' ? 'that refuses' : 'that hangs', () => {
      beforeAll(async () => {
        await cut.coordinator[how]()
        await until(async () => !(await nodeAnswers(app.service.nodes.main)))
      }, 60_000)
      afterAll(async () => {
        if (how === 'stall') await cut.coordinator.cut()
        await cut.coordinator.up()
        await until(() => nodeAnswers(app.service.nodes.main))
      }, 60_000)

      it('every report and list of a profile is answered as before, all others get Retry-After', async () => {
        const unavailable: string[] = []
        const changed: unknown[] = []
        for (const entry of reads) {
          const { status, data, headers } = await request(entry)
          const answerBefore = before.get(entry.name)!
          if (status === 503 && answerBefore.status !== 503) {
            unavailable.push(entry.name)
            expect([entry.name, Number(headers.get('retry-after')) > 0]).toEqual([entry.name, true])
          } else if (status !== answerBefore.status) changed.push([entry.name, answerBefore.status, status])
          else if (['getOverview', 'getChannels', 'listCampaigns'].includes(entry.name))
            expect([entry.name, data]).toEqual([entry.name, answerBefore.data])
        }
        expect(changed).toEqual([])
        expect(unavailable.sort()).toEqual(needCoordinator)
      }, 300_000)

      it('events are accepted, and a previously revoked key is refused', async () => {
        expect(await sendEvent(`without-${how}`)).toBe(202)
        expect([401, 503]).toContain((await request(entryOf('getOverview'), revoked)).status)
      })

      it('readiness lists the supported requests, and metrics respond immediately', async () => {
        const ready = async (path: string) => (await app.fetch(`${app.baseUrl}${path}`)).status
        expect([await ready('/readyz'), await ready('/readyz/events'), await ready('/readyz/reads')]).toEqual(
          [503, 200, 200],
        )
      })
    })
})
