/** Links to known customers, from the token to the visitor who opens it. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeKey, makeOwnProfile, refusalOf, startTestProfile } from '../../../../test/make.ts'
import { makeWirePage } from '../../../../test/wire-page.ts'
import { listCustomers } from '../../insights/customers/contract.ts'
import { issueTrackingKey } from '../../sources/tracking/contract.ts'
import { sendEvent } from '../events/contract.ts'
import { createLinkToken } from './contract.ts'

const SECRET = 'a secret of more than thirty-two characters'
const scopes = ['events:write', 'identity:write', 'customers:read', 'tracking:write'] as const
let shop: Awaited<ReturnType<typeof startTestProfile>>
let trackingKey: string
beforeAll(async () => {
  shop = await startTestProfile(scopes, { LINK_TOKEN_SECRET: SECRET })
  trackingKey = (await shop.call(issueTrackingKey)).data.key
})
afterAll(() => shop.app.close())

const createCustomer = async (externalId: string, traits: Record<string, string> = {}) => {
  await shop.call(sendEvent, {
    body: {
      event_name: 'lead_created',
      idempotency_key: externalId,
      user_traits: { external_id: externalId, ...traits },
    },
  })
  await shop.app.service.processor.settled(shop.profileId)
}

async function open(visitor: string, fields: Record<string, unknown> = {}) {
  const now = shop.app.service.clock.now().toISOString()
  const page = makeWirePage({
    event_id: randomUUID(),
    anonymous_id: visitor,
    occurred_at: now,
    sent_at: now,
    ...fields,
  })
  const reply = await fetch(`${shop.app.baseUrl}/api/tracking/collect`, {
    method: 'POST',
    headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140 Safari/537' },
    body: JSON.stringify({ key: trackingKey, events: [page] }),
  })
  expect([reply.status, await reply.json()]).toEqual([
    202,
    { data: { accepted: 1, duplicates: 0, rejected: [] } },
  ])
  await shop.app.service.processor.settled(shop.profileId)
}

const customerOf = async (search: string) =>
  (await shop.call(listCustomers, { query: { search } })).data[0]?.customer_id
const tokenOf = async (externalRef: string, seconds = 3600) =>
  (
    await shop.call(createLinkToken, {
      body: { external_ref: externalRef, expires_in_seconds: seconds },
    })
  ).data.token

it('a visitor who opens the link becomes the customer; the URL keeps its other parts', async () => {
  await createCustomer('ana', { email: 'ana@example.com' })
  const customerId = await customerOf('ana')
  const { data } = await shop.call(createLinkToken, {
    body: { customer_id: customerId!, url: 'https://shop.example/offer?a=1#top', expires_in_seconds: 60 },
  })
  expect(data.url).toBe(`https://shop.example/offer?a=1&whence_link=${data.token}#top`)
  expect(Buffer.from(data.token, 'base64url').toString('latin1')).not.toContain('ana')
  await open('visitor-ana', { link_token: data.token })
  expect(await customerOf('visitor-ana')).toBe(customerId)
})

it('a visitor of a forwarded link who identifies as another person becomes that person, and both remain separate', async () => {
  await createCustomer('bea')
  await open('visitor-carl', { link_token: await tokenOf('bea') })
  expect(await customerOf('visitor-carl')).toBe(await customerOf('bea'))
  await open('visitor-carl', {
    type: 'identify',
    event_name: 'identify',
    session_start: false,
    user_traits: { external_id: 'carl' },
  })
  expect(await customerOf('visitor-carl')).toBe(await customerOf('carl'))
  expect(await customerOf('bea')).not.toBe(await customerOf('carl'))
})

it('an identified visitor remains the same person', async () => {
  await createCustomer('dan')
  await open('visitor-eve', { user_traits: { external_id: 'eve' } })
  await open('visitor-eve', { link_token: await tokenOf('dan') })
  expect(await customerOf('visitor-eve')).toBe(await customerOf('eve'))
  expect(await customerOf('dan')).not.toBe(await customerOf('eve'))
})

it('a forged or expired token, or one of another profile, links no customer; the visit still counts', async () => {
  await createCustomer('fay')
  const good = await tokenOf('fay', 60)
  const forged = `${good.slice(0, -1)}${good.endsWith('A') ? 'Q' : 'A'}`
  const other = await makeOwnProfile(shop.app, scopes)
  await other.call(sendEvent, {
    body: { event_name: 'lead_created', idempotency_key: 'f', user_traits: { external_id: 'fay' } },
  })
  const foreignToken = (await other.call(createLinkToken, { body: { external_ref: 'fay' } })).data.token
  const { clock } = shop.app.service
  const { now } = clock
  for (const [visitor, token] of [
    ['visitor-forged', forged],
    ['visitor-foreign', foreignToken],
    ['visitor-words', 'not a token'],
  ])
    await open(visitor!, { link_token: token })
  const ago = now()
  clock.now = () => new Date(ago.getTime() + 61_000)
  await open('visitor-expired', { link_token: good })
  clock.now = now
  const fay = await customerOf('fay')
  for (const name of ['forged', 'foreign', 'words', 'expired']) {
    const visitor = await customerOf(`visitor-${name}`)
    expect([name, visitor === undefined || visitor === fay]).toEqual([name, false])
  }
})

it('creates no token for a customer that is unknown, anonymous, or of another profile', async () => {
  await open('visitor-gil')
  const other = await makeOwnProfile(shop.app, scopes)
  const refusalFor = (call: typeof shop.call, body: Record<string, unknown>) =>
    refusalOf(call(createLinkToken, { body: body as { external_ref: string } }))
  const fay = await customerOf('fay')
  const gil = await customerOf('visitor-gil')
  for (const refusal of [
    await refusalFor(shop.call, { external_ref: 'unknown' }),
    await refusalFor(shop.call, { customer_id: gil! }),
    await refusalFor(other.call, { customer_id: fay! }),
  ])
    expect(refusal).toMatchObject({ status: 404, code: 'customer_not_found' })
  expect(await refusalFor(shop.call, { external_ref: 'fay', customer_id: fay! })).toMatchObject({
    status: 422,
  })
})

it('without a secret there are no tokens', async () => {
  const twin = await shop.app.startTwin({ env: { LINK_TOKEN_SECRET: '' } })
  const call = twin.as(await makeKey(shop.app, shop.profileId, ['identity:write']))
  expect(await refusalOf(call(createLinkToken, { body: { external_ref: 'fay' } }))).toMatchObject({
    status: 503,
    code: 'link_tokens_disabled',
  })
  const metrics = await (await fetch(`${twin.baseUrl}/metrics`)).text()
  expect(metrics).toMatch(/^http_requests_total\{.*status="503"\} 1$/m)
  expect(metrics).not.toContain('http_faults_total')
  await twin.close()
})
