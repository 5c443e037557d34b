import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { drainJobs, runSchedule } from '../../../../test/jobs.ts'
import { makePerson, makeWorkspace, refusalOf } from '../../../../test/make.ts'
import { makeShop, type Shop, triggerSandbox } from '../../../../test/make-shop.ts'
import { mailsTo } from '../../../../test/outbox.ts'
import { makeVisitor } from '../../../../test/visitor.ts'
import { jobs } from '../../../app.ts'
import { disconnectConnection } from '../../sources/connections/contract.ts'
import { getHandoff } from '../../sources/handoffs/contract.ts'
import { archiveWorkspace, createWorkspace, getSubscription, listWorkspaces } from '../workspaces/contract.ts'
import { selectStorePlan } from './contract.ts'
import { billingJobs } from './jobs.ts'

let app: TestApp
let shop: Shop
let params: { workspaceId: string }
beforeAll(async () => {
  app = await startTestApp({ SANDBOX: 'on' })
  const owner = await makePerson(app)
  const body = { name: 'From the store', plan: 'growth', store_install: installQuery() } as const
  const { data } = await owner.call(createWorkspace, { body })
  expect(data.checkout).toBeNull()
  shop = await makeShop(app, { owner, workspaceId: data.workspace_id })
  params = { workspaceId: shop.workspaceId }
})
afterAll(() => app.close())

/** The query string with which the platform opens the app, signed like the platform does. */
function installQuery({ secret = '', ageMs = 0, shop = 'harbor-and-pine.myshopify.com' } = {}): string {
  const key = secret || app.service.providers.get('storefront')!.app.clientSecret
  const timestamp = Math.floor((app.service.clock.now().getTime() - ageMs) / 1000)
  const line = `host=YWRtaW4&shop=${shop}&timestamp=${timestamp}`
  return `${line}&hmac=${createHmac('sha256', key).update(line).digest('hex')}`
}

it.each([
  ['forged', () => installQuery({ secret: 'guessed' })],
  ['old', () => installQuery({ ageMs: 25 * 3_600_000 })],
  ['from tomorrow', () => installQuery({ ageMs: -25 * 3_600_000 })],
  ['for another shop', () => installQuery().replace('harbor-and-pine', 'other')],
  ['for no shop of the platform', () => installQuery({ shop: 'evil.example' })],
  ['signed, with letters after the signature', () => `${installQuery()}z1`],
  ['without a signature', () => 'shop=harbor-and-pine.myshopify.com&timestamp=1'],
])('an install that is %s creates no workspace', async (_, query) => {
  const owner = await makePerson(app)
  const body = { name: 'Not from the store', store_install: query() }
  expect(await refusalOf(owner.call(createWorkspace, { body }))).toMatchObject({
    status: 422,
    field: 'store_install',
  })
  expect((await owner.call(listWorkspaces)).data).toEqual([])
})

it('an install creates only one workspace, even if another person repeats it', async () => {
  const store_install = installQuery({ ageMs: 3_600_000 })
  const owner = await makePerson(app)
  const body = { name: 'First', store_install }
  const { data } = await owner.call(createWorkspace, { body })
  expect((await owner.call(createWorkspace, { body })).data.workspace_id).toBe(data.workspace_id)
  const other = await makePerson(app)
  for (const name of ['First', 'Second'])
    expect(await refusalOf(other.call(createWorkspace, { body: { name, store_install } }))).toMatchObject({
      status: 422,
      field: 'store_install',
    })
  const shouted = store_install.replace(/hmac=.*/, (hmac) => `hmac=${hmac.slice(5).toUpperCase()}`)
  const repeatedBody = { name: 'Second', store_install: shouted }
  expect(await refusalOf(owner.call(createWorkspace, { body: repeatedBody }))).toMatchObject({
    field: 'store_install',
  })
  expect((await other.call(listWorkspaces)).data).toEqual([])
})

const select = (plan: 'growth' | 'agency' = 'agency') =>
  shop.owner.call(selectStorePlan, { params, body: { plan } })
const settle = (status: string) =>
  triggerSandbox(app, 'storefront', 'act', { action: 'settle_subscription', args: { status } })
const planOf = async () => {
  const { plan, status } = (await shop.owner.call(getSubscription, { params })).data
  return { plan, status }
}

it('is refused for a workspace that did not come from the store market, and without a store', async () => {
  const direct = await makePerson(app)
  const request = { params: { workspaceId: await makeWorkspace(direct) }, body: { plan: 'agency' } } as const
  expect(await refusalOf(direct.call(selectStorePlan, request))).toMatchObject({
    status: 409,
    code: 'invalid_state',
    reason: 'not_a_store_workspace',
  })
  expect(await refusalOf(select())).toMatchObject({ status: 409, reason: 'store_not_connected' })
})

it('opens the platform’s page, and the plan changes only when the platform reports it', async () => {
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

it.each(['removed', 'without a token'])(
  'ends after the paid period and the grace period if the store is %s',
  async (how) => {
    const shop = await makeShop(app)
    const { id } = await shop.connected('storefront')
    if (how === 'removed') await shop.call(disconnectConnection, { params: { id } })
    else
      await app.pool.query('update connections set token = null where profile_id = $1 and id = $2', [
        shop.profileId,
        id,
      ])
    const paidUntil = async (daysAgo: number) => {
      await app.pool.query(
        `update workspace_subscriptions set status = 'active', plan = 'agency', billing_subscription = $2,
        current_period_end = now() - $3 * interval '1 day' where workspace_id = $1`,
        [shop.workspaceId, `gid://shopify/AppSubscription/${shop.workspaceId}`, daysAgo],
      )
      await runSchedule(app.service, billingJobs, 'billing.review')
      return (await shop.owner.call(getSubscription, { params: { workspaceId: shop.workspaceId } })).data
        .status
    }
    expect(await paidUntil(-1)).toBe('active')
    expect(await paidUntil(1)).toBe('past_due')
    expect(await paidUntil(13.9)).toBe('past_due')
    expect(await paidUntil(14.1)).toBe('canceled')
  },
)

it('an archived workspace that the store pays for writes to its owner how to end the payment', async () => {
  const shop = await makeShop(app)
  await app.pool.query(
    "update workspace_subscriptions set status = 'active', plan = 'agency', billing_subscription = $2 where workspace_id = $1",
    [shop.workspaceId, `gid://shopify/AppSubscription/${shop.workspaceId}`],
  )
  await shop.owner.call(archiveWorkspace, { params: { workspaceId: shop.workspaceId } })
  await drainJobs(app.service, jobs)
  const mails = await mailsTo(app, shop.owner.email)
  expect(mails.map(({ subject }) => subject)).toEqual(['Your store still pays for the agency plan'])
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

it('is tried from outside: opened from the store’s admin, approved on the platform’s page', async () => {
  const links = async (url: string) => {
    const page = await (await fetch(url)).text()
    return [...page.matchAll(/href="([^"]+)"/g)].map(([, href]) => href!.replaceAll('&amp;', '&'))
  }
  const { clientId, clientSecret } = app.service.providers.get('storefront')!.app
  const dashboard = await triggerSandbox(app, 'storefront', 'act', { action: 'partner_dashboard', args: {} })
  expect(dashboard).toMatchObject({ client_id: clientId, client_secret: clientSecret })
  const opened = await fetch(`${app.baseUrl}${dashboard.open_app}`, { redirect: 'manual' })
  const welcome = new URL(opened.headers.get('location')!)
  expect(welcome.pathname).toBe('/welcome')
  const owner = await makePerson(app)
  const body = { name: 'From outside', store_install: welcome.search.slice(1) }
  const { workspace_id: workspaceId } = (await owner.call(createWorkspace, { body })).data
  const ours = await makeShop(app, { owner, workspaceId })
  await ours.connected('storefront')
  const planRequest = { params: { workspaceId }, body: { plan: 'growth' } } as const
  const handoff = (await owner.call(selectStorePlan, planRequest)).data
  const start = (await owner.call(getHandoff, { params: { id: handoff.id } })).data.start_url
  const started = await makeVisitor().open(start)
  const [approve] = await links(started.location!)
  const back = (await fetch(approve!, { redirect: 'manual' })).headers.get('location')!
  expect((await makeVisitor().open(back)).status).toBe(200)
  const { plan, status } = (await owner.call(getSubscription, { params: { workspaceId } })).data
  expect({ plan, status }).toEqual({ plan: 'growth', status: 'active' })
})

it('answers 503 where the deployment sells no plans through the store platform', async () => {
  delete app.service.providers.get('storefront')!.app.extra.planGrowth
  expect(await refusalOf(select('growth'))).toMatchObject({ status: 503, reason: 'billing_not_configured' })
})
