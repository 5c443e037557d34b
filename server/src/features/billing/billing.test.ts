import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makePerson, type Person, refusalOf } from '../../../test/make.ts'
import { makeVisitor } from '../../../test/visitor.ts'
import { getHandoff } from '../handoffs/contract.ts'
import { createWorkspace, getSubscription } from '../workspaces/contract.ts'
import { createBillingPortalSession, createCheckoutSession } from './contract.ts'

/** The payment provider: hosted checkouts that a test marks as paid. */
type Session = { id: string; reference: string; success: string; cancel: string; paid: boolean }
let sessions: Session[] = []
let fails = false
let provider: Server
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
      const made = {
        id: `cs_${sessions.length + 1}`,
        reference: form.get('client_reference_id')!,
        success: form.get('success_url')!,
        cancel: form.get('cancel_url')!,
        paid: false,
      }
      sessions.push(made)
      return send(200, { id: made.id, url: `https://pay.example/${made.id}` })
    }
    const found = sessions.find(({ id }) => request.url?.endsWith(id))
    if (found === undefined) return send(404, { error: { code: 'resource_missing' } })
    const { id, reference, paid } = found
    return send(200, {
      id,
      client_reference_id: reference,
      payment_status: paid ? 'paid' : 'unpaid',
      customer: 'cus_1',
    })
  })
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  const apiBaseUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
  const prices = { growth: 'price_growth', agency: 'price_agency' }
  app = await startTestApp({
    BILLING: JSON.stringify({ secret_key: 'sk_billing', api_base_url: apiBaseUrl, prices }),
  })
})
beforeEach(async () => {
  sessions = []
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
  it('is an ordinary hand-off that leads to the payment page and completes when it is paid', async () => {
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

  it('is not paid by the session of another', async () => {
    const mine = (await open('growth')).checkout!
    await open('agency')
    const [own, other] = sessions
    other!.paid = true
    const crossed = own!.success.replace('{CHECKOUT_SESSION_ID}', other!.id)
    expect((await makeVisitor().open(crossed)).status).toBe(400)
    expect((await poll(mine.id)).status).toBe('pending')
  })

  it('that is given up is cancelled', async () => {
    const created = await open('growth')
    await makeVisitor().open(sessions[0]!.cancel)
    expect(await poll(created.checkout!.id)).toMatchObject({
      status: 'cancelled',
      result: { reason: 'user_cancelled' },
    })
    const params = { workspaceId: created.workspace_id }
    const again = await owner.call(createCheckoutSession, { params, body: { plan: 'agency' } })
    expect((await poll(again.data.id)).status).toBe('pending')
    const portal = owner.call(createBillingPortalSession, { params, body: {} })
    expect(await refusalOf(portal)).toMatchObject({ status: 409, reason: 'no_payer' })
  })

  it('that the provider refuses does not stop the workspace', async () => {
    fails = true
    const created = await open('growth')
    expect(created).toMatchObject({
      created: true,
      checkout: null,
      warnings: [{ code: 'checkout_unavailable' }],
    })
  })
})
