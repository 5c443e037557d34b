/**
 * The complete integration of a partner engineer with what the service publishes: the SDK, the snippet, Segment's client,
 * webhooks on loopback, pagination, refusals, and an assistant with a separate key.
 */
import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Analytics } from '@segment/analytics-node'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as whence from '../../sdk/src/index.ts'
import { writeTracker } from '../../tracker/build.ts'
import { launchPersonBrowser, openPersonWindow, openSite, type Site } from '../../tracker/test/site.ts'
import { jobs } from '../src/app.ts'
import { createDispatcher } from '../src/features/outgoing/webhooks/delivery/dispatcher.ts'
import { startTestApp, type TestApp } from './app.ts'
import { drainJobs } from './jobs.ts'
import { makeKey, makePerson, makeWorkspace } from './make.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { until } from './until.ts'
import { makeVisitor, walkConsent } from './visitor.ts'

let app: TestApp
let receiver: Receiver
let dispatcher: ReturnType<typeof createDispatcher>
let browser: Browser
let site: Site
let snippet = ''
beforeAll(async () => {
  await writeTracker()
  app = await startTestApp({ SANDBOX: 'on', WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' })
  receiver = await startReceiver()
  dispatcher = createDispatcher(app.service, { pollMs: 20, lookMs: 20 })
  dispatcher.start()
  browser = await launchPersonBrowser()
  site = await openSite(() => snippet)
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await site?.close()
  await dispatcher?.stop()
  await receiver?.close()
  await app?.close()
})

it('a partner provisions, connects, tracks, sends events, receives webhooks, reads reports and uses an assistant', {
  timeout: 120_000,
}, async () => {
  const { baseUrl } = app
  const connect = (credential: Pick<whence.ClientOptions, 'token' | 'app'>) =>
    whence.createClient({ baseUrl, maxRetries: 0, ...credential })

  // A registered app provisions a profile for a business; writes wait until attribution is switched on.
  const engineer = await makePerson(app)
  const workspaceId = await makeWorkspace(engineer)
  const { data: registered } = await connect({ token: engineer.token }).call(whence.createOAuthApp, {
    params: { workspaceId },
    body: {
      name: 'Dealer suite',
      redirect_uris: ['https://suite.example/callback'],
      allowed_scopes: ['attribution', 'analytics', 'connections'],
    },
  })
  const partner = connect({
    app: { clientId: registered.client_id, clientSecret: registered.client_secret },
  })
  const { data: profile } = await partner.call(whence.createProfile, {
    body: {
      name: 'Acme Madrid',
      timezone: 'Europe/Madrid',
      currency: 'EUR',
      user: { email: 'owner@acme.example' },
    },
  })
  const profileId = profile.profile_id
  const backOffice = connect({ token: profile.api_key! })
  const payment = (idempotencyKey: string, value: number | string) => ({
    event_name: 'payment_received',
    idempotency_key: idempotencyKey,
    properties: { value, currency: 'EUR' },
    user_traits: { email: 'ana@example.com' },
  })
  const send = (key: string, value: number | string, client = backOffice) =>
    client.call(whence.sendEvent, { body: payment(key, value) })
  await expect(send('invoice-1', 100)).rejects.toMatchObject({ status: 409, code: 'entitlement_required' })
  await partner.call(whence.setEntitlement, {
    params: { profileId, feature: 'attribution' },
    body: { enabled: true },
  })

  // Webhooks: a signed example, verified by the SDK.
  const { data: subscription } = await backOffice.call(whence.createWebhookSubscription, {
    body: { url: `${receiver.url}/hook`, events: ['handoff.completed'], providers: ['platform'] },
  })
  const received = async (count: number) => {
    await receiver.until((requests) => requests.length >= count)
    const { body, headers } = receiver.requests[count - 1]!
    return whence.verifyWebhook(body, headers as Record<string, string>, subscription.secret)
  }
  await backOffice.call(whence.testWebhookSubscription, { params: { id: subscription.id }, body: {} })
  expect(await received(1)).toMatchObject({ type: 'webhook.test' })

  // A hand-off, finished by the person; its webhook, and a replay of it.
  const connections = connect({ token: profile.connections_key! })
  const { data: handoff } = await connections.call(whence.mintHandoff, {
    params: { provider: 'cardpay' },
    body: {},
  })
  await walkConsent(makeVisitor(), handoff.start_url!, 'approve-one')
  const { data: finished } = await connections.call(whence.getHandoff, { params: { id: handoff.id } })
  expect(finished.status).toBe('completed')
  await drainJobs(app.service, jobs)
  expect(await received(2)).toMatchObject({ type: 'handoff.completed', data: { id: handoff.id } })
  const delivered = () =>
    backOffice.call(whence.listWebhookDeliveries, { query: { subscription_id: subscription.id } })
  await until(async () => (await delivered()).data.every(({ status }) => status === 'delivered'))
  const original = receiver.requests[1]!
  const sent = (await delivered()).data.find(({ event_id: id }) => id === original.headers['webhook-id'])
  await backOffice.call(whence.replayWebhookDelivery, { params: { id: sent!.id }, body: {} })
  expect(await received(3)).toMatchObject({ data: { id: handoff.id } })

  // The tracker on a page, in a browser.
  await backOffice.call(whence.issueTrackingKey)
  snippet = (await backOffice.call(whence.getTrackingSnippet)).data.html
  const { page } = await openPersonWindow(browser)
  await page.goto(`${site.origin}/?utm_source=news&utm_medium=email`)
  const tracked = () => backOffice.call(whence.listTrackedEvents, { query: {} })
  await until(async () => (await tracked()).data.length > 0, 50)

  // Events through the SDK and Segment's client; the report and its pages.
  expect((await send('invoice-1', 100)).data.status).toBe('accepted')
  expect((await send('invoice-1', 100)).data.status).toBe('unchanged')
  const problems: unknown[] = []
  const segment = new Analytics({ writeKey: profile.api_key!, host: baseUrl, maxRetries: 0 })
  segment.on('error', (problem) => problems.push(problem))
  segment.track({
    userId: 'customer-7',
    event: 'Order Completed',
    properties: { order_id: 'A-1', revenue: 49.9, currency: 'EUR' },
  })
  await segment.closeAndFlush()
  expect(problems).toEqual([])
  await app.service.processor.settled(profileId)
  const now = app.service.clock.now().getTime()
  const at = (days: number) => new Date(now + days * 86_400_000).toISOString()
  const values: (number | null)[] = []
  for await (const row of backOffice.rows(whence.listPayments, {
    query: { from: at(-1), to: at(1), limit: 1 },
  }))
    values.push(row.value)
  // In addition to payments of the connected account.
  expect(values).toEqual(expect.arrayContaining([100, 49.9]))
  const range = { date_from: at(-1).slice(0, 10), date_to: at(1).slice(0, 10) }
  const report = await backOffice.call(whence.listCampaigns, { query: range })
  const { total } = report.meta.reconciliation
  expect(total).toBeGreaterThanOrEqual(149.9)

  // Each class of refusal, and the lookup of a refused event.
  const wrong = await send('invoice-2', 'much').catch((error: unknown) => error)
  expect(wrong).toBeInstanceOf(whence.InvalidRequestError)
  await app.service.refusals.flush()
  const lookUp = await backOffice.call(whence.lookUpEvents, { query: { idempotency_key: 'invoice-2' } })
  expect(lookUp.data.refused).toMatchObject([{ request_id: (wrong as whence.WhenceError).requestId }])
  await expect(send('x', 1, connect({ token: 'whence_live_no' }))).rejects.toThrow(whence.AuthenticationError)
  await expect(send('x', 1, connections)).rejects.toThrow(whence.PermissionError)
  const unknown = { params: { id: '0198f6a2-7c1e-7b7e-9d3c-2f6a54b0c111' } }
  await expect(connections.call(whence.getHandoff, unknown)).rejects.toThrow(whence.NotFoundError)

  // An assistant with a key that reads campaigns, and nothing else.
  const token = await makeKey(app, profileId, ['mcp:read', 'campaigns:read'])
  const assistant = new McpClient({ name: 'walk', version: '1.0.0' })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await assistant.connect(new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), { requestInit }))
  try {
    const names = (await assistant.listTools()).tools.map((tool) => tool.name)
    expect(names).toContain('list_campaigns')
    expect(names).not.toContain('list_customers')
    const answer = await assistant.callTool({ name: 'list_campaigns', arguments: range })
    expect(JSON.stringify(answer.structuredContent)).toContain(String(total))
  } finally {
    await assistant.close()
  }
})
