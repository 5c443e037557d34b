/**
 * Webhooks with a worker away: those of other profiles continue, its own wait and are sent once each when it is back.
 * It has more profiles with due webhooks than are loaded at once. Needs CITUS_URL (see one-shard.test.ts) with two
 * workers and a login that may create databases.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Dispatcher } from '../../src/context.ts'
import { connectionEvent } from '../../src/features/facts/outbox/event-factories.ts'
import { recordEvents } from '../../src/features/facts/outbox/record.ts'
import { createWebhookSubscription } from '../../src/features/outgoing/webhooks/contract.ts'
import { createDispatcher } from '../../src/features/outgoing/webhooks/delivery/dispatcher.ts'
import { fanOut } from '../../src/features/outgoing/webhooks/delivery/fanout.ts'
import { loadOfOneProfile } from '../../src/features/outgoing/webhooks/delivery/lanes.ts'
import type { TestApp } from '../app.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import type { Tenant } from '../tenants.ts'
import { type CutWorker, startWithWires } from './cut-worker.ts'

const url = process.env.CITUS_URL
const CONNECTION = '0198f6a2-7c1e-7b7e-9d3c-2f6a54b0c111'

describe.skipIf(url === undefined)('webhooks with a worker away on Citus (skipped without CITUS_URL)', () => {
  let cut: CutWorker
  let app: TestApp
  let receiver: Receiver
  let dispatcher: Dispatcher
  let reachable: Tenant
  const lost: Tenant[] = []

  beforeAll(async () => {
    cut = await startWithWires(url!, { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' })
    app = cut.app
    receiver = await startReceiver()
    reachable = await cut.makeTenant(false)
    while (lost.length <= loadOfOneProfile.concurrent) lost.push(await cut.makeTenant(true))
    for (const { profileId, key } of [reachable, ...lost])
      await app.as(key)(createWebhookSubscription, {
        body: {
          url: `${receiver.url}/${profileId}`,
          events: ['connection.connected'],
          providers: ['platform'],
        },
      })
  }, 300_000)
  afterAll(async () => {
    await dispatcher?.stop(0)
    await receiver?.close()
    await cut?.close()
  })

  async function tell({ profileId }: Tenant, ...reasons: string[]): Promise<void> {
    const now = app.service.clock.now()
    const events = reasons.map((reason) =>
      connectionEvent(
        'connection.connected',
        profileId,
        { provider: 'cardpay', connection_id: CONNECTION, status: 'connected', reason },
        now,
      ),
    )
    const { backgroundDb } = await app.service.nodes.shardOf(profileId)
    await backgroundDb.transaction().execute((tx) => recordEvents(tx, events, now))
  }

  const pathsOf = (tenants: readonly Tenant[]) => new Set(tenants.map(({ profileId }) => `/${profileId}`))
  const received = (tenants: readonly Tenant[]) =>
    receiver.requests.filter(({ path }) => pathsOf(tenants).has(path)).length

  it.each(['cut', 'stall'] as const)(
    'an unavailable worker (%s) delays only its own webhooks',
    async (how) => {
      const [before, beforeLost] = [received([reachable]), received(lost)]
      for (const tenant of [reachable, ...lost]) {
        await tell(tenant, 'one', 'two')
        const { backgroundDb } = await app.service.nodes.shardOf(tenant.profileId)
        await fanOut(backgroundDb, tenant.profileId, app.service.clock.now())
      }
      await cut.away[how]()
      dispatcher = createDispatcher(app.service, { pollMs: 20, lookMs: 20 })
      dispatcher.start()
      await receiver.until(() => received([reachable]) === before + 2)
      await tell(reachable, 'three')
      await receiver.until(() => received([reachable]) === before + 3)
      expect(received(lost)).toBe(beforeLost)
      if (how === 'stall') await cut.away.cut()
      await cut.away.up()
      await receiver.until(() => received(lost) === beforeLost + lost.length * 2)
      await dispatcher.stop()
      expect([received([reachable]), received(lost)]).toEqual([before + 3, beforeLost + lost.length * 2])
    },
  )
})
