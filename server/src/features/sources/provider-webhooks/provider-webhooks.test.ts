import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { drainJobs, runSchedule } from '../../../../test/jobs.ts'
import { shortIt as it, splitForRun } from '../../../../test/length.ts'
import { refusalOf } from '../../../../test/make.ts'
import { eventsOf, makeShop, moveClock, triggerSandbox } from '../../../../test/make-shop.ts'
import { jobs } from '../../../app.ts'
import { hmacSha256 } from '../../../connectors/signatures.ts'
import { getConnection } from '../connections/contract.ts'
import {
  createManualStore,
  deleteManualStore,
  listManualStores,
  setSigningId,
} from '../manual-stores/contract.ts'
import { listAvailablePages, trackPages } from '../social-pages/contract.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const drain = () => drainJobs(app.service, jobs)
const received = async (provider: string) =>
  app.service.db
    .selectFrom('provider_webhooks')
    .select(['id', 'processed_at'])
    .where('provider', '=', provider)
    .execute()

describe('a provider’s webhook', () => {
  it('is stored before it is acknowledged, and processed afterwards', async () => {
    await triggerSandbox(app, 'cardpay', 'act', { action: 'new_charge' })
    const stored = await received('cardpay')
    expect(stored.map((row) => row.processed_at)).toEqual([null])
    await drain()
    expect((await received('cardpay'))[0]!.processed_at).not.toBeNull()
    await triggerSandbox(app, 'cardpay', 'act', { action: 'resend_webhook' })
    expect(await received('cardpay')).toHaveLength(1)
  })

  test.each(splitForRun(['cardpay', 'regionalpay', 'storefront'] as const, 2))(
    'of %s delivered three times is one payment in each workspace with the account',
    async (provider) => {
      const shops = [await makeShop(app), await makeShop(app)]
      for (const shop of shops) await shop.connected(provider)
      await drain()
      const payments = async (profileId: string) => {
        await app.service.processor.settled(profileId)
        const rows = app.service.db.selectFrom('payments').select('id').where('profile_id', '=', profileId)
        return (await rows.execute()).length
      }
      const before = await Promise.all(shops.map((shop) => payments(shop.profileId)))
      await triggerSandbox(app, provider, 'act', { action: 'new_charge', args: { email: 'ana@example.com' } })
      await drain()
      for (let attempt = 0; attempt < 2; attempt++)
        await triggerSandbox(app, provider, 'act', { action: 'resend_webhook' })
      await drain()
      const after = await Promise.all(shops.map((shop) => payments(shop.profileId)))
      expect(after).toEqual(before.map((count) => count + 1))
    },
  )

  it.each(['social_ads', 'crmsuite', 'cardpay', 'regionalpay', 'storefront'])(
    'of %s without a valid signature is refused and not stored',
    async (provider) => {
      const before = await received(provider)
      const reply = await fetch(`${app.baseUrl}/webhooks/in/${provider}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'stripe-signature': `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}`,
          'x-hub-signature-256': `sha256=${'0'.repeat(64)}`,
          'x-shopify-hmac-sha256': 'AAAA',
          'x-signature': `ts=1,v1=${'0'.repeat(64)}`,
          'x-wh-signature': 'AAAA',
        },
        body: '{"object":"page","entry":[]}',
      })
      expect(reply.status).toBe(401)
      expect(await received(provider)).toEqual(before)
    },
  )

  it('is not found for an unknown provider or one without webhooks', async () => {
    for (const provider of ['engine_ads', 'unknown'])
      expect((await fetch(`${app.baseUrl}/webhooks/in/${provider}`, { method: 'POST' })).status).toBe(404)
  })

  it('about an uninstall revokes the connection, once, with its event', async () => {
    const shop = await makeShop(app)
    const { id } = await shop.connected('storefront')
    await triggerSandbox(app, 'storefront', 'act', { action: 'uninstall' })
    await drain()
    expect((await shop.call(getConnection, { params: { id } })).data.status).toBe('revoked')
    await triggerSandbox(app, 'storefront', 'act', { action: 'resend_webhook' })
    await drain()
    const announced = (await eventsOf(app, shop.profileId)).filter((type) => type === 'connection.revoked')
    expect(announced).toHaveLength(1)
  })

  it('about an order or a product is sent to subscribers, once per change', async () => {
    // An order of the tests above, in the same second as the connect, would count as new.
    await moveClock(app, 2)
    const shop = await makeShop(app)
    const { id } = await shop.connected('storefront')
    await drain()
    const sent = async () =>
      (
        await app.service.db
          .selectFrom('outbox_events')
          .select(['type', 'provider', 'data'])
          .where('profile_id', '=', shop.profileId)
          .where('type', 'in', ['order.status.changed', 'catalog.updated'])
          .orderBy('number')
          .execute()
      ).map(({ type, provider, data }) => ({ type, provider, ...(data as Record<string, unknown>) }))
    const act = (action: string, args: Record<string, unknown> = {}) =>
      triggerSandbox(app, 'storefront', 'act', { action, args })
    // Orders from before the connection are history.
    expect(await sent()).toEqual([])
    const { order_id } = await act('new_order')
    await drain()
    await act('refund', { order_id })
    await drain()
    await act('resend_webhook')
    await drain()
    await act('cancel_order', { order_id })
    await drain()
    const { product_id } = await act('update_product')
    await act('resend_webhook')
    await drain()
    await act('update_product', { product_id, change: 'delete' })
    await drain()
    const store = { provider: 'storefront', connection_id: id, account_id: 'harbor-and-pine.myshopify.com' }
    const events = (await sent()).map(({ profile_id: _, ...event }: Record<string, unknown>) => event)
    const order = { type: 'order.status.changed', ...store, order_id }
    const product = { type: 'catalog.updated', ...store, product_id }
    expect(events).toEqual([
      { ...order, status: 'paid', previous_status: null },
      { ...order, status: 'refunded', previous_status: 'paid' },
      { ...order, status: 'cancelled', previous_status: 'refunded' },
      { ...product, change: 'updated' },
      { ...product, change: 'deleted' },
    ])
  })

  it('answers the platform’s challenge only with the shared token', async () => {
    const { app: registration } = app.service.providers.get('social_ads')!
    const challenge = async (word: string) => {
      const query = new URLSearchParams({
        'hub.mode': 'subscribe',
        'hub.verify_token': word,
        'hub.challenge': '12345',
      })
      const reply = await fetch(`${app.baseUrl}/webhooks/in/social_ads?${query}`)
      return [reply.status, await reply.text()]
    }
    expect(await challenge(registration.extra.webhookVerifyToken!)).toEqual([200, '12345'])
    expect((await challenge('another'))[0]).toBe(404)
  })

  it('with a lead on a tracked page is one lead and one event, also if repeated', async () => {
    const shop = await makeShop(app)
    await shop.connected('social_ads')
    const pages = (await shop.call(listAvailablePages)).data
    const page = pages[0]!
    await triggerSandbox(app, 'social_ads', 'act', {
      action: 'lead',
      args: { page_id: page.id, days_ago: 30, silent: true },
    })
    const tracked = await shop.call(trackPages, { body: { page_ids: [page.id] } })
    expect(tracked.data).toEqual([{ ...page, tracked: true }])
    await drain()
    const leads = () =>
      app.service.db
        .selectFrom('provider_leads')
        .select(['leadgen_id', 'page_id', 'field_data'])
        .where('profile_id', '=', shop.profileId)
        .execute()
    const before = await leads()
    // The lead from before the page was tracked was read back.
    expect(before.filter((lead) => lead.page_id === page.id)).toHaveLength(1)
    await triggerSandbox(app, 'social_ads', 'act', { action: 'lead', args: { page_id: page.id } })
    await drain()
    const after = await leads()
    expect(after).toHaveLength(before.length + 1)
    expect((after.at(-1)!.field_data as unknown[]).length).toBeGreaterThan(0)
    const announced = (await eventsOf(app, shop.profileId)).filter((type) => type === 'leadgen.received')
    expect(announced).toHaveLength(after.length)
  })
})

describe('a store connected by hand', () => {
  it('is accepted only with its own signing id', async () => {
    const shop = await makeShop(app)
    const { data: store } = await shop.call(createManualStore, { body: { shop: 'hand-made' } })
    expect(store).toMatchObject({
      shop: 'hand-made.myshopify.com',
      signing_id_set: false,
      status: 'awaiting_signing_id',
    })
    const send = (secret: string) => {
      const body = JSON.stringify({ myshopify_domain: 'hand-made.myshopify.com' })
      return fetch(store.webhook_url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-shopify-topic': 'app/uninstalled',
          'x-shopify-shop-domain': 'hand-made.myshopify.com',
          'x-shopify-hmac-sha256': hmacSha256(secret, body).toString('base64'),
        },
        body,
      })
    }
    expect((await send('a signing id')).status).toBe(401)
    const params = { connectionId: store.id }
    const set = await shop.call(setSigningId, { params, body: { signing_id: 'a signing id' } })
    expect(set.data).toEqual({ ...store, signing_id_set: true, status: 'connected' })
    expect((await send('another id')).status).toBe(401)
    expect((await send('a signing id')).status).toBe(200)
    await drain()
    expect((await shop.call(getConnection, { params: { id: store.id } })).data.status).toBe('revoked')
    // The signing id and the store end with the connection.
    expect((await shop.call(listManualStores)).data).toEqual([])
    expect(await refusalOf(shop.call(deleteManualStore, { params }))).toMatchObject({ code: 'not_found' })
    const { data: again } = await shop.call(createManualStore, { body: { shop: 'hand-made' } })
    await shop.call(deleteManualStore, { params: { connectionId: again.id } })
    expect((await shop.call(listManualStores)).data).toEqual([])
  })
})

it('webhooks are kept for 30 days', async () => {
  const triggerCharge = () => triggerSandbox(app, 'cardpay', 'act', { action: 'new_charge' })
  const dropOld = () => runSchedule(app.service, jobs, 'connections.drop_old_webhooks')
  await triggerCharge()
  const old = await received('cardpay')
  await moveClock(app, 29 * 86_400)
  await dropOld()
  expect(await received('cardpay')).toEqual(old)
  await moveClock(app, 86_400 + 60)
  await triggerCharge()
  await dropOld()
  const remaining = await received('cardpay')
  expect(remaining).toHaveLength(1)
  expect(old.map((row) => row.id)).not.toContain(remaining[0]!.id)
})
