import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { runSchedule } from '../../../../test/jobs.ts'
import { refusalOf } from '../../../../test/make.ts'
import { makeShop, type Shop, tellSandbox } from '../../../../test/make-shop.ts'
import { makeVisitor } from '../../../../test/visitor.ts'
import { getHandoff } from '../../sources/handoffs/contract.ts'
import { getSubscription } from '../workspaces/contract.ts'
import { selectStorePlan } from './contract.ts'
import { billingJobs } from './jobs.ts'

let app: TestApp
let shop: Shop
let params: { workspaceId: string }
beforeAll(async () => {
  app = await startTestApp({ SANDBOX: 'on' })
  Object.assign(app.service.providers.get('storefront')!.app.extra, {
    planGrowth: '49.00',
    planAgency: '199.00',
  })
  shop = await makeShop(app)
  params = { workspaceId: shop.workspaceId }
})
afterAll(() => app.close())

const select = (plan: 'growth' | 'agency' = 'agency') =>
  shop.owner.call(selectStorePlan, { params, body: { plan } })
const settle = (status: string) =>
  tellSandbox(app, 'storefront', 'act', { action: 'settle_subscription', args: { status } })
const planOf = async () => {
  const { plan, status } = (await shop.owner.call(getSubscription, { params })).data
  return { plan, status }
}

it('is refused for a workspace that did not come from the store market, and without a store', async () => {
  expect(await refusalOf(select())).toMatchObject({
    status: 409,
    code: 'invalid_state',
    reason: 'not_a_store_workspace',
  })
  await app.pool.query("update workspaces set acquisition_source = 'store' where id = $1", [shop.workspaceId])
  expect(await refusalOf(select())).toMatchObject({ status: 409, reason: 'store_not_connected' })
})

it('leads to the platform’s page, and the plan changes only when the platform says so', async () => {
  await shop.connected('storefront')
  const before = await planOf()
  const handoff = (await select('agency')).data
  const read = async () => (await shop.owner.call(getHandoff, { params: { id: handoff.id } })).data
  expect(await read()).toMatchObject({ kind: 'checkout', status: 'pending' })
  const started = await makeVisitor().open((await read()).start_url)
  expect([started.status, started.location]).toEqual([303, expect.stringContaining('/admin/charges/')])

  // A return without a payment, with whatever it claims.
  const forged = await makeVisitor().open(`${handoff.url}/paid?charge_id=1&session_id=x&status=ACTIVE`)
  expect(forged.status).toBe(400)
  await runSchedule(app.service, billingJobs, 'billing.review')
  expect(await planOf()).toEqual(before)
  expect((await read()).status).toBe('pending')

  await settle('DECLINED')
  expect((await makeVisitor().open(`${handoff.url}/paid?charge_id=1`)).status).toBe(400)
  expect(await planOf()).toEqual(before)

  await settle('ACTIVE')
  expect((await makeVisitor().open(`${handoff.url}/paid?charge_id=1`)).status).toBe(200)
  expect(await planOf()).toEqual({ plan: 'agency', status: 'active' })
  expect(await read()).toMatchObject({ status: 'completed', result: { plan: 'agency' } })
})

it('follows the platform afterwards: a canceled subscription ends the plan', async () => {
  await settle('CANCELLED')
  await app.pool.query(
    "update workspace_subscriptions set current_period_end = now() - interval '1 hour' where workspace_id = $1",
    [shop.workspaceId],
  )
  await runSchedule(app.service, billingJobs, 'billing.review')
  expect((await planOf()).status).toBe('canceled')
})

it('answers 503 where the deployment sells no plans through the store platform', async () => {
  delete app.service.providers.get('storefront')!.app.extra.planGrowth
  expect(await refusalOf(select('growth'))).toMatchObject({ status: 503, reason: 'billing_not_configured' })
})
