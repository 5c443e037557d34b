/** A shop that posts its keys: the post alone, another state, or keys of another shop connect nothing. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { drainJobs } from '../../../../test/jobs.ts'
import { refusalOf } from '../../../../test/make.ts'
import { makeShop, type Shop, storedFor, triggerSandbox } from '../../../../test/make-shop.ts'
import { consent, makeVisitor } from '../../../../test/visitor.ts'
import { jobs } from '../../../app.ts'
import { mintHandoff } from '../handoffs/contract.ts'

let app: TestApp
let shop: Shop
beforeAll(async () => {
  app = await startTestApp()
  shop = await makeShop(app)
})
afterAll(() => app.close())

const depositOf = async (id: string) =>
  (
    await app.service.db
      .selectFrom('handoffs')
      .select('deposit')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).deposit

async function post(provider: string, body: unknown): Promise<number> {
  const reply = await fetch(`${app.baseUrl}/connect/callback/${provider}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return reply.status
}

it('identifies the shop by its address, for providers that have one', async () => {
  const mint = (body: object) => shop.call(mintHandoff, { params: { provider: 'woocommerce' }, body })
  expect(await refusalOf(mint({}))).toMatchObject({ code: 'validation_error' })
  expect(await refusalOf(mint({ shop: 'no address' }))).toMatchObject({ code: 'invalid_parameter' })
})

it('refuses keys that no hand-off is waiting for', async () => {
  const minted = await shop.mint({}, 'woocommerce')
  const visitor = makeVisitor()
  const state = new URL((await visitor.open(minted.start_url)).location!).searchParams.get('user_id')
  const keys = { key_id: 1, consumer_key: 'ck_1', consumer_secret: 'cs_1', key_permissions: 'read' }
  for (const body of ['', 'nonsense', '[]', {}, keys, { ...keys, user_id: 'made.up' }])
    expect(await post('woocommerce', body)).toBe(400)
  expect(await post('cardpay', { ...keys, user_id: state })).toBe(404)
  expect(await post('unknown', { ...keys, user_id: state })).toBe(404)
  expect(await depositOf(minted.id)).toBeNull()

  // Keys of another shop are stored until the person returns, and connect nothing.
  expect(await post('woocommerce', { ...keys, user_id: state })).toBe(200)
  const sealed = await depositOf(minted.id)
  expect(sealed).not.toBeNull()
  expect(sealed!.toString('latin1')).not.toContain('cs_1')
  expect((await storedFor(app, shop.profileId)).connections).toEqual([])
  const callbackUrl = `${app.baseUrl}/connect/callback/woocommerce?state=${state}&shop=harbor.example&success=1`
  await visitor.open(callbackUrl)
  expect(await shop.poll(minted.id)).toMatchObject({
    status: 'failed',
    result: { reason: 'token_exchange_failed' },
  })
  expect(await depositOf(minted.id)).toBeNull()
  expect(await post('woocommerce', { ...keys, user_id: state })).toBe(400)
})

it('accepts keys neither from the callback’s query nor with the callback of another shop', async () => {
  const minted = await shop.mint({}, 'woocommerce')
  const visitor = makeVisitor()
  const callback = new URL(await consent(visitor, minted.start_url, 'no-code'))
  callback.searchParams.set('consumer_key', 'ck_1')
  callback.searchParams.set('consumer_secret', 'cs_1')
  await visitor.open(callback.href)
  expect(await shop.poll(minted.id)).toMatchObject({ status: 'failed', result: { reason: 'provider_error' } })
  const other = await shop.mint({}, 'woocommerce')
  const away = new URL(await consent(visitor, other.start_url, 'approve-one'))
  away.searchParams.set('shop', 'other.example')
  expect((await visitor.open(away.href)).status).toBe(400)
  expect(await shop.poll(other.id)).toMatchObject({ status: 'pending' })
})

it('connects, reads the orders, and counts an order once regardless of repeated webhooks', async () => {
  // Without the helper `connected`, which shortens the first sync: here the whole history is read.
  const { handoff } = await shop.connect('approve-one', 'woocommerce')
  await drainJobs(app.service, jobs)
  await app.service.processor.settled(shop.profileId)
  const count = async (table: 'payments' | 'refunds') =>
    Number(
      (
        await app.service.db
          .selectFrom(table)
          .select((eb) => eb.fn.countAll().as('count'))
          .where('profile_id', '=', shop.profileId)
          .executeTakeFirstOrThrow()
      ).count,
    )
  const [payments, refunds] = [await count('payments'), await count('refunds')]
  expect(payments).toBeGreaterThan(50)
  expect(refunds).toBeGreaterThan(5)
  const sending = vi.spyOn(app.service.providerHttp, 'send')
  const deliveries = () =>
    sending.mock.calls.filter(([{ url }]) => url.includes('/webhooks/in/woocommerce')).length
  const { order_id } = await triggerSandbox(app, 'woocommerce', 'act', { action: 'new_order', args: {} })
  const refund = { action: 'refund', args: { order_id, amount_minor: 1000 } }
  await triggerSandbox(app, 'woocommerce', 'act', refund)
  await drainJobs(app.service, jobs)
  await app.service.processor.settled(shop.profileId)
  expect(await count('payments')).toBe(payments + 1)
  expect(await count('refunds')).toBe(refunds + 1)
  expect(handoff.result).toMatchObject({ connection_id: expect.any(String) })

  // Each change three times, with a different delivery id each.
  await triggerSandbox(app, 'woocommerce', 'act', { action: 'host', args: { deliveries: 3 } })
  expect(deliveries()).toBe(2)
  const sold = await triggerSandbox(app, 'woocommerce', 'act', { action: 'new_order', args: {} })
  await triggerSandbox(app, 'woocommerce', 'act', {
    action: 'refund',
    args: { order_id: sold.order_id, amount_minor: 500 },
  })
  await drainJobs(app.service, jobs)
  await app.service.processor.settled(shop.profileId)
  expect(deliveries()).toBe(2 + 3 * 2)
  expect(await count('payments')).toBe(payments + 2)
  expect(await count('refunds')).toBe(refunds + 2)
})
