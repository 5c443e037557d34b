import { createHmac } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { makePerson, type Person, refusalOf } from '../../../../test/make.ts'
import { makeVisitor } from '../../../../test/visitor.ts'
import { listChanges } from '../../../platform/audit/contract.ts'
import { getHandoff } from '../../sources/handoffs/contract.ts'
import { createProfile } from '../profiles/contract.ts'
import { createWorkspace, getSubscription } from '../workspaces/contract.ts'
import { createBillingPortalSession, createCheckoutSession } from './contract.ts'
import { billingJobs } from './jobs.ts'

/** Fake payment provider: hosted checkouts that a test marks as paid. */
type Session = {
  id: string
  reference: string
  success: string
  cancel: string
  expiresAt: number
  paid: boolean
}
let sessions: Session[] = []
let minted = 0
let subscription = { status: 'active', from: 0, to: 0 }
let fails = false
let provider: Server
const SECRET = 'whsec_billing'
const DAY_S = 86_400
const nowSeconds = () => Math.floor(Date.now() / 1000)
let app: TestApp
let owner: Person
beforeAll(async () => {
  provider = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const form = new URLSearchParams(Buffer.concat(chunks).toString())
    const send = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.headers.authorization !== 'Bearer sk_billing')
      return send(401, { error: { code: 'bad_key' } })
    if (fails) return send(400, { error: { code: 'price_missing', message: 'No such price' } })
    if (request.url === '/v1/billing_portal/sessions')
      return send(200, { url: `https://portal.example/${form.get('customer')}` })
    if (request.method === 'POST') {
      const session = {
        id: `cs_${++minted}`,
        reference: form.get('client_reference_id')!,
        success: form.get('success_url')!,
        cancel: form.get('cancel_url')!,
        expiresAt: Number(form.get('expires_at')),
        paid: false,
      }
      sessions.push(session)
      return send(200, { id: session.id, url: `https://pay.example/${session.id}` })
    }
    if (request.url?.startsWith('/v1/subscriptions/'))
      return send(200, {
        id: request.url.split('/').at(-1),
        status: subscription.status,
        items: { data: [{ current_period_start: subscription.from, current_period_end: subscription.to }] },
      })
    const requestedSession = sessions.find(({ id }) => request.url?.endsWith(id))
    if (requestedSession === undefined) return send(404, { error: { code: 'resource_missing' } })
    const { id, reference, paid } = requestedSession
    return send(200, {
      id,
      client_reference_id: reference,
      payment_status: paid ? 'paid' : 'unpaid',
      customer: 'cus_1',
      subscription: `sub_${id}`,
    })
  })
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  const apiBaseUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
  const prices = { growth: 'price_growth', agency: 'price_agency' }
  app = await startTestApp({
    BILLING: JSON.stringify({
      secret_key: 'sk_billing',
      api_base_url: apiBaseUrl,
      prices,
      webhook_secret: SECRET,
    }),
  })
})
beforeEach(async () => {
  sessions = []
  subscription = { status: 'active', from: nowSeconds() - 60, to: nowSeconds() + 30 * DAY_S }
  fails = false
  owner = await makePerson(app, 'Owner')
})
afterAll(async () => {
  await app?.close()
  provider?.close()
})

const open = async (plan: 'growth' | 'agency') =>
  (await owner.call(createWorkspace, { body: { name: `Shop ${plan}`, timezone: 'UTC', plan } })).data
const poll = async (id: string) => (await owner.call(getHandoff, { params: { id } })).data
const settle = (session: Session) => session.success.replace('{CHECKOUT_SESSION_ID}', session.id)

describe('a checkout', () => {
  it('is a hand-off that opens the payment page and completes when it is paid', async () => {
    const created = await open('growth')
    const checkout = created.checkout!
    const handoff = await poll(checkout.id)
    expect(handoff).toMatchObject({ kind: 'checkout', status: 'pending', url: checkout.url })
    expect((await makeVisitor().open(handoff.url)).text).toContain('Continue to payment')
    const started = await makeVisitor().open(handoff.start_url)
    expect([started.status, started.location]).toEqual([303, 'https://pay.example/cs_1'])
    const [session] = sessions
    expect((await makeVisitor().open(settle(session!))).status).toBe(400)
    expect((await poll(checkout.id)).status).toBe('pending')
    session!.paid = true
    expect((await makeVisitor().open(settle(session!))).text).toContain('The payment is complete')
    expect(await poll(checkout.id)).toMatchObject({ status: 'completed', result: { plan: 'growth' } })
    const params = { workspaceId: created.workspace_id }
    expect((await owner.call(getSubscription, { params })).data).toMatchObject({
      plan: 'growth',
      status: 'active',
    })
    const portal = await owner.call(createBillingPortalSession, { params, body: {} })
    expect(portal.data.url).toBe('https://portal.example/cus_1')
    expect((await makeVisitor().open(handoff.start_url)).text).toContain('Thank you')
  })

  it('is not completed by the session of another checkout', async () => {
    const checkout = (await open('growth')).checkout!
    await open('agency')
    const [ownSession, otherSession] = sessions
    otherSession!.paid = true
    const crossed = ownSession!.success.replace('{CHECKOUT_SESSION_ID}', otherSession!.id)
    expect((await makeVisitor().open(crossed)).status).toBe(400)
    expect((await poll(checkout.id)).status).toBe('pending')
  })

  it('that the person cancels is cancelled', async () => {
    const created = await open('growth')
    await makeVisitor().open(sessions[0]!.cancel)
    expect(await poll(created.checkout!.id)).toMatchObject({
      status: 'cancelled',
      result: { reason: 'user_cancelled' },
    })
    const params = { workspaceId: created.workspace_id }
    const secondCheckout = await owner.call(createCheckoutSession, { params, body: { plan: 'agency' } })
    expect((await poll(secondCheckout.data.id)).status).toBe('pending')
    const portal = owner.call(createBillingPortalSession, { params, body: {} })
    expect(await refusalOf(portal)).toMatchObject({ status: 409, reason: 'no_payer' })
  })

  it('that the provider refuses does not fail the creation of the workspace', async () => {
    fails = true
    const created = await open('growth')
    expect(created).toMatchObject({
      created: true,
      checkout: null,
      warnings: [{ code: 'checkout_unavailable' }],
    })
  })
})

const review = billingJobs[0]!
async function runReview(offsetDays = 0): Promise<void> {
  const { service } = app
  const now = new Date(Date.now() + offsetDays * DAY_S * 1000)
  await review.run({ service, db: service.db, now } as Parameters<typeof review.run>[0], {})
}
const subscriptionOf = async (workspaceId: string) =>
  (await owner.call(getSubscription, { params: { workspaceId } })).data
const iso = (seconds: number) => new Date(seconds * 1000).toISOString()

async function sendWebhook(type: string, object: object, secret = SECRET): Promise<number> {
  const body = JSON.stringify({ id: 'evt_1', type, data: { object } })
  const time = nowSeconds()
  const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
  const reply = await fetch(`${app.baseUrl}/billing/webhook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': `t=${time},v1=${signature}` },
    body,
  })
  return reply.status
}

describe('a payer who does not return from the payment page', () => {
  it('has paid once the provider is queried, with the period that the provider names', async () => {
    const created = await open('growth')
    await runReview()
    expect((await poll(created.checkout!.id)).status).toBe('pending')
    expect(sessions[0]!.expiresAt * 1000).toBeLessThanOrEqual(Date.parse(created.checkout!.expires_at))
    sessions[0]!.paid = true
    await runReview()
    expect(await poll(created.checkout!.id)).toMatchObject({
      status: 'completed',
      result: { plan: 'growth' },
    })
    expect(await subscriptionOf(created.workspace_id)).toMatchObject({
      status: 'active',
      trial_ends_at: null,
      current_period_start: iso(subscription.from),
      current_period_end: iso(subscription.to),
    })
  })

  it('has paid once the provider reports it, whatever a webhook says', async () => {
    const created = await open('agency')
    const [session] = sessions
    const object = { id: session!.id, client_reference_id: session!.reference }
    expect(await sendWebhook('checkout.session.completed', object, 'guessed')).toBe(400)
    expect(await sendWebhook('checkout.session.completed', object)).toBe(200)
    // The webhook claims it is paid, but the provider's session is not.
    expect((await poll(created.checkout!.id)).status).toBe('pending')
    session!.paid = true
    expect(await sendWebhook('checkout.session.completed', object)).toBe(200)
    expect(await poll(created.checkout!.id)).toMatchObject({ status: 'completed' })
    expect(await subscriptionOf(created.workspace_id)).toMatchObject({ plan: 'agency', status: 'active' })
  })

  it('has paid even if the link has expired, and an old payment does not count twice', async () => {
    const created = await open('growth')
    const [session] = sessions
    session!.paid = true
    await app.pool.query(`update handoffs set expires_at = now() - interval '1 second' where id = $1`, [
      created.checkout!.id,
    ])
    await runReview()
    expect((await subscriptionOf(created.workspace_id)).status).toBe('active')
    subscription.status = 'canceled'
    expect(await sendWebhook('customer.subscription.deleted', { id: `sub_${session!.id}` })).toBe(200)
    await makeVisitor().open(settle(session!))
    expect((await subscriptionOf(created.workspace_id)).status).toBe('canceled')
  })
})

it('a paid plan follows the provider: renewed, unpaid, ended', async () => {
  const created = await open('growth')
  sessions[0]!.paid = true
  subscription.to = nowSeconds() - 10
  await runReview()
  subscription = { status: 'active', from: nowSeconds(), to: nowSeconds() + 31 * DAY_S }
  await runReview()
  expect(await subscriptionOf(created.workspace_id)).toMatchObject({
    status: 'active',
    current_period_end: iso(subscription.to),
  })
  subscription.status = 'unpaid'
  expect(
    await sendWebhook('invoice.payment_failed', { id: 'in_1', subscription: `sub_${sessions[0]!.id}` }),
  ).toBe(200)
  expect((await subscriptionOf(created.workspace_id)).status).toBe('past_due')
  const changes = await owner.call(listChanges, {
    params: { workspaceId: created.workspace_id },
    query: { action: 'subscription.changed' },
  })
  expect(changes.data.map((change) => change.detail.after)).toEqual([
    { plan: 'growth', status: 'past_due' },
    { plan: 'growth', status: 'active' },
  ])
})

it('an unpaid trial is past due, then canceled, and then has the limits of the free plan', async () => {
  const created = await open('growth')
  const workspaceId = created.workspace_id
  const add = () =>
    owner.call(createProfile, {
      body: { workspace_id: workspaceId, name: 'Shop', timezone: 'UTC', currency: 'EUR' },
    })
  await add()
  const trialEnd = Date.parse((await subscriptionOf(workspaceId)).trial_ends_at!)
  const expire = async (days: number) => {
    const end = new Date(Date.now() - days * DAY_S * 1000)
    await app.pool.query(
      `update workspace_subscriptions set trial_ends_at = $2, current_period_end = $2 where workspace_id = $1`,
      [workspaceId, end],
    )
    return end
  }
  expect(trialEnd).toBeGreaterThan(Date.now())
  const end = await expire(1)
  const pastDue = {
    status: 'past_due',
    current_period_start: end.toISOString(),
    current_period_end: new Date(end.getTime() + 14 * DAY_S * 1000).toISOString(),
    active_profiles: { used: 1, limit: 10 },
  }
  expect(await subscriptionOf(workspaceId)).toMatchObject(pastDue)
  await runReview()
  expect(await subscriptionOf(workspaceId)).toMatchObject(pastDue)
  await add()
  await runReview(14)
  expect(await subscriptionOf(workspaceId)).toMatchObject({
    status: 'canceled',
    current_period_end: null,
    active_profiles: { used: 2, limit: 1 },
  })
  expect(await refusalOf(add())).toMatchObject({
    code: 'profile_limit_reached',
    reason: 'plan_limit_reached',
    upgrade_required: true,
    upgrade: { plan: 'growth' },
  })
})
