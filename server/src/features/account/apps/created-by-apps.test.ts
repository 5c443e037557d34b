import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { type ExportShop, makeExportShop, receivedBy } from '../../../../test/export-shop.ts'
import { endDuring } from '../../../../test/in-flight.ts'
import { drainJobs, runSchedule } from '../../../../test/jobs.ts'
import { makeApp, makeKey, makePerson, makeWorkspace, refusalOf } from '../../../../test/make.ts'
import type { Client } from '../../../platform/contract/client.ts'
import { sendCustomerList } from '../../outgoing/exports/audiences/contract.ts'
import {
  createExportDestination,
  listExportDestinations,
  updateExportDestination,
} from '../../outgoing/exports/destinations/contract.ts'
import { createWebhookSubscription } from '../../outgoing/webhooks/contract.ts'
import { createAlert, listAlerts } from '../../sharing/alerts/contract.ts'
import { connectBankLink, startBankLink } from '../../sources/bank-links/contract.ts'
import { getChatbot, saveChatbot } from '../../sources/chatbot/contract.ts'
import {
  createManualStore,
  deleteManualStore,
  listManualStores,
  setSigningId,
} from '../../sources/manual-stores/contract.ts'
import {
  createTrackingDomain,
  getTrackingOrigin,
  issueTrackingKey,
  listTrackingDomains,
  listTrackingKeys,
  verifyTrackingDomain,
} from '../../sources/tracking/contract.ts'
import { trackingJobs } from '../../sources/tracking/jobs.ts'
import { listConnectedApps, revokeConnectedApp } from './contract.ts'
import { grantToApp } from './grants.ts'
import { planGrants } from './rules.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

type Admitted = {
  call: Client
  authorizationId: string
  appId: string
  /** With the grant `connections`. */
  connections: { call: Client; authorizationId: string }
}

async function admit(shop: ExportShop): Promise<Admitted> {
  const partner = await makeApp(app, await makeWorkspace(await makePerson(app, 'Partner')))
  const requested = ['attribution', 'connections']
  const planned = planGrants(requested, requested)
  if (!planned.ok) throw new Error('No plan for attribution')
  const keys = await app.service.db.transaction().execute((tx) =>
    grantToApp(app.service, tx, {
      app: { id: partner.id, name: 'Partner' },
      profileId: shop.profileId,
      userId: shop.owner.id,
      plan: planned.plan,
      now: app.service.clock.now(),
    }),
  )
  const [authorizationId, connectionsId] = keys.authorizationIds as [string, string]
  const connections = { call: app.as(keys.connectionsKey!), authorizationId: connectionsId }
  return { call: app.as(keys.apiKey), authorizationId, appId: partner.id, connections }
}

const withdraw = (shop: ExportShop, id: string) =>
  shop.owner.call(revokeConnectedApp, { params: { workspaceId: shop.workspaceId, id } })
const pixel = (code: string) =>
  ({
    body: { kind: 'shortvideo', shortvideo_pixel_code: `${code}0123456789`, access_token: 'pasted' },
  }) as const

/** Replaces DNS lookups until the returned function is called. */
function answerDns(cnames: () => Promise<string[]>): () => void {
  const { dns } = app.service
  const before = dns.cnames
  dns.cnames = cnames
  return () => {
    dns.cnames = before
  }
}
const leadsHere = async () => [new URL(app.service.config.BASE_URL).hostname]

it('resources that an app created stop with its authorization, and are listed under the app', async () => {
  const shop = await makeExportShop(app)
  const connection = await shop.connected('social_ads')
  const { call, authorizationId } = await admit(shop)
  const reader = app.as(await makeKey(app, shop.profileId, ['tracking:read']))
  await call(createExportDestination, pixel('CAPP'))
  const { data: domain } = await call(createTrackingDomain, { body: { domain: 'go.shop.example' } })
  const restore = answerDns(leadsHere)
  await call(verifyTrackingDomain, { params: { id: domain.id } })
  restore()
  await call(issueTrackingKey)
  await call(createWebhookSubscription, {
    body: { url: 'https://partner.example/hook', events: ['connection.connected'], providers: ['cardpay'] },
  })
  await call(sendCustomerList, {
    body: {
      connection_id: connection.id,
      audience: { name: 'Members' },
      operation: 'add',
      members: [{ email: 'ana@example.com' }],
      consent: { ad_user_data: 'granted', ad_personalization: 'granted' },
      terms_accepted: true,
    },
  })
  const params = { workspaceId: shop.workspaceId }
  await call(createAlert, {
    body: { name: 'Spend', condition: { kind: 'finding', check_id: null } },
  })
  const [connected] = (await shop.owner.call(listConnectedApps, { params })).data
  expect(connected!.created.map(({ kind, name }) => [kind, name])).toEqual([
    ['export_destination', 'shortvideo CAPP0123456789'],
    ['tracking_domain', 'go.shop.example'],
    ['tracking_key', expect.any(String)],
    ['webhook', 'https://partner.example/hook'],
    ['customer_list', 'Members'],
    ['alert', 'Spend'],
  ])
  const createdByApp = { id: connected!.app.id, name: 'Partner' }
  expect((await shop.call(listExportDestinations)).data[0]).toMatchObject({ created_by_app: createdByApp })
  expect((await reader(listTrackingDomains)).data[0]).toMatchObject({
    created_by_app: createdByApp,
    status: 'verified',
  })
  expect((await reader(getTrackingOrigin)).data.custom_domain).toBe('go.shop.example')

  await shop.pay('before')
  await withdraw(shop, authorizationId)
  await shop.pay('after')
  await shop.settle()
  expect(await receivedBy(app, 'shortvideo')).toEqual([])
  const [destination] = (await shop.call(listExportDestinations)).data
  expect(destination).toMatchObject({ enabled: false, status_reason: 'authorization_ended' })
  expect((await reader(listTrackingDomains)).data[0]).toMatchObject({ status: 'failed' })
  expect((await reader(getTrackingOrigin)).data.custom_domain).toBeNull()
  expect((await reader(listTrackingKeys)).data).toEqual([])
  const { rows } = await app.pool.query(
    `select s.status, s.status_reason, l.ended_at is not null as ended
     from webhook_subscriptions s join audience_lists l on l.profile_id = s.profile_id where s.profile_id = $1`,
    [shop.profileId],
  )
  expect(rows).toEqual([{ status: 'paused', status_reason: 'authorization_ended', ended: true }])
  expect((await shop.decide(listAlerts)).data).toMatchObject([{ name: 'Spend', enabled: false }])

  // The owner enables the destination again: from now on it belongs to the profile.
  const updated = await shop.decide(updateExportDestination, {
    params: { id: destination!.id },
    body: { enabled: true },
  })
  expect(updated.data).toMatchObject({ status: 'active', created_by_app: null })
})

const signed = (secret: string, body: object) => {
  const bytes = JSON.stringify(body)
  const hmac = createHmac('sha256', secret).update(bytes).digest('base64')
  const headers = { 'content-type': 'application/json', 'x-shopify-hmac-sha256': hmac }
  return { method: 'POST', headers: { ...headers, 'x-shopify-topic': 'orders/paid' }, body: bytes }
}

it('a connection that no person confirmed ends with the app that made it, with its signing secret', async () => {
  const shop = await makeExportShop(app)
  const { connections } = await admit(shop)
  const store = (await connections.call(createManualStore, { body: { shop: 'app-store' } })).data
  const params = { connectionId: store.id }
  await connections.call(setSigningId, { params, body: { signing_id: 'known to the app' } })
  const chatbot = (await connections.call(saveChatbot, { body: { api_key: 'a key of the app' } })).data
  const bank = (await connections.call(startBankLink)).data
  const order = (id: number) =>
    app.fetch(
      `${app.baseUrl}${new URL(store.webhook_url).pathname}`,
      signed('known to the app', { id, total_price: '900.00', currency: 'EUR' }),
    )
  expect((await order(1)).status).toBe(200)
  const workspace = { workspaceId: shop.workspaceId }
  const apps = (await shop.owner.call(listConnectedApps, { params: workspace })).data
  const created = apps.find(({ id }) => id === connections.authorizationId)!.created
  expect(created.map(({ kind, id }) => [kind, id])).toEqual([
    ['connection', store.id],
    ['connection', chatbot.id],
  ])
  await withdraw(shop, connections.authorizationId)
  expect((await order(2)).status).toBe(401)
  expect((await shop.decide(listManualStores)).data).toEqual([])
  expect((await shop.decide(getChatbot)).data).toMatchObject({ status: 'revoked' })
  const unfinished = { body: { link_token: bank.link_token } }
  expect(await refusalOf(shop.decide(connectBankLink, unfinished))).toMatchObject({ status: 400 })
  // The owner may connect the same store again, with the owner's own signing id.
  const again = (await shop.decide(createManualStore, { body: { shop: 'app-store' } })).data
  expect(again).toMatchObject({ id: store.id, signing_id_set: false })
})

it('an app cannot put a secret into what others made, nor switch on again what ended', async () => {
  const shop = await makeExportShop(app)
  const [first, second] = [await admit(shop), await admit(shop)]
  const notOwn = { status: 403, code: 'forbidden', reason: 'not_created_by_app' }
  const store = (await shop.call(createManualStore, { body: { shop: 'own-store' } })).data
  await shop.call(saveChatbot, { body: { api_key: 'a key of the owner' } })
  const { data: own } = await shop.call(createExportDestination, pixel('COWNER'))
  await shop.call(updateExportDestination, { params: { id: own.id }, body: { enabled: false } })
  const { data: ended } = await first.call(createExportDestination, pixel('CENDED'))
  const { data: domain } = await first.call(createTrackingDomain, { body: { domain: 'x.shop.example' } })
  await withdraw(shop, first.authorizationId)
  const { call, connections } = second
  const params = { connectionId: store.id }
  for (const attempt of [
    () => call(updateExportDestination, { params: { id: own.id }, body: { access_token: 'of the app' } }),
    () => call(updateExportDestination, { params: { id: own.id }, body: { enabled: true } }),
    () => call(updateExportDestination, { params: { id: ended.id }, body: { enabled: true } }),
    () => call(verifyTrackingDomain, { params: { id: domain.id } }),
    () => connections.call(setSigningId, { params, body: { signing_id: 'known to the app' } }),
    () => connections.call(deleteManualStore, { params }),
    () => connections.call(saveChatbot, { body: { api_key: 'a key of the app' } }),
  ])
    expect(await refusalOf(attempt())).toMatchObject(notOwn)
  const rows = (await shop.call(listExportDestinations)).data
  expect(rows.map(({ enabled }) => enabled)).toEqual([false, false])
  // The same app may, once a person has consented again.
  const planned = planGrants(['attribution'], ['attribution'])
  if (!planned.ok) throw new Error('No plan for attribution')
  const renewed = await app.service.db.transaction().execute((tx) =>
    grantToApp(app.service, tx, {
      app: { id: first.appId, name: 'Partner' },
      profileId: shop.profileId,
      userId: shop.owner.id,
      plan: planned.plan,
      now: app.service.clock.now(),
    }),
  )
  const again = { params: { id: ended.id }, body: { enabled: true } }
  expect((await app.as(renewed.apiKey)(updateExportDestination, again)).data.enabled).toBe(true)
})

it('what an app is creating while it is withdrawn ends too', async () => {
  const shop = await makeExportShop(app)
  const { call, authorizationId } = await admit(shop)
  await endDuring(app, {
    lock: `limit export_destinations ${shop.profileId}`,
    creation: () => call(createExportDestination, pixel('CRACE')),
    end: () => withdraw(shop, authorizationId),
    endLock: `authorization ${authorizationId}`,
  })
  expect((await shop.call(listExportDestinations)).data).toMatchObject([{ enabled: false }])
  expect(await refusalOf(call(createExportDestination, pixel('CLATE')))).toMatchObject({ status: 401 })
})

it('an export run in progress sends nothing after the app is withdrawn', async () => {
  const shop = await makeExportShop(app)
  const { call, authorizationId } = await admit(shop)
  const { data: destination } = await call(createExportDestination, pixel('CTURN'))
  await shop.pay('turn-1')
  await app.service.processor.settled(shop.profileId)
  const before = (await receivedBy(app, 'shortvideo')).length
  // The run has read the destination; the app is withdrawn before the first batch is built.
  const { db } = app.service
  const { sendWaiting } = await import('../../outgoing/exports/run/send.ts')
  const job = {
    service: app.service,
    now: app.service.clock.now(),
    log: app.service.log,
    jobId: '',
    attempt: 1,
  }
  let isWithdrawn = false
  const watched = new Proxy(db, {
    get(target, name) {
      if (name === 'transaction' && !isWithdrawn) {
        isWithdrawn = true
        return () => ({
          execute: async (work: never) => {
            await withdraw(shop, authorizationId)
            return target.transaction().execute(work)
          },
        })
      }
      const value = Reflect.get(target, name) as unknown
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const signal = new AbortController().signal
  await sendWaiting({ ...job, db: watched, profileId: shop.profileId, signal }, destination.id)
  expect(isWithdrawn).toBe(true)
  expect(await receivedBy(app, 'shortvideo')).toHaveLength(before)
  expect((await shop.ledger())[0]).toMatchObject({ status: 'queued' })
})

it('a tracking key that the owner requested too stays valid after the app is withdrawn', async () => {
  const shop = await makeExportShop(app)
  const { call, authorizationId } = await admit(shop)
  const issued = (await call(issueTrackingKey)).data
  expect((await shop.decide(issueTrackingKey)).data.key).toBe(issued.key)
  await withdraw(shop, authorizationId)
  expect((await shop.decide(listTrackingKeys)).data.map(({ key }) => key)).toEqual([issued.key])
})

it('a tracking domain is checked daily: a lost one stops, a failed lookup changes nothing', async () => {
  const shop = await makeExportShop(app)
  const { data: domain } = await shop.decide(createTrackingDomain, { body: { domain: 't.shop.example' } })
  const daily = async (cnames: () => Promise<string[]>) => {
    await app.pool.query("update tracking_domains set checked_at = checked_at - interval '1 day'")
    await app.pool.query('delete from jobs')
    const restore = answerDns(cnames)
    await runSchedule(app.service, trackingJobs, 'tracking.check_domains')
    await drainJobs(app.service, trackingJobs)
    restore()
    return (await shop.decide(getTrackingOrigin)).data.custom_domain
  }
  const restore = answerDns(leadsHere)
  await shop.decide(verifyTrackingDomain, { params: { id: domain.id } })
  restore()
  expect(await daily(leadsHere)).toBe('t.shop.example')
  expect(await daily(() => Promise.reject(new Error('SERVFAIL')))).toBe('t.shop.example')
  expect(await daily(async () => ['parked.example'])).toBeNull()
  // Only an explicit check verifies it again.
  expect(await daily(leadsHere)).toBeNull()
  expect(await refusalOf(shop.call(verifyTrackingDomain, { params: { id: shop.profileId } }))).toMatchObject({
    status: 404,
  })
})
