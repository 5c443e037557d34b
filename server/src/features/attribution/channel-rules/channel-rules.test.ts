import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { drainJobs } from '../../../../test/jobs.ts'
import { makeKey, makePerson, makeProfile, makeWorkspace } from '../../../../test/make.ts'
import { jobs } from '../../../app.ts'
import type { Client } from '../../../platform/contract/client.ts'
import { listPaymentLinkage } from '../../corrections/payments/contract.ts'
import { sendEvent } from '../../facts/events/contract.ts'
import { eventIdOf } from '../../facts/events/rules.ts'
import { getCustomer } from '../../insights/customers/contract.ts'
import { getChannels } from '../../insights/reports/channels/contract.ts'
import { explainConversion } from '../crediting/contract.ts'
import { getChannelRules, saveChannelRules, testChannelRules } from './contract.ts'

let app: TestApp
let profileId: string
let call: Client
const may = { date_from: '2026-05-01', date_to: '2026-05-31' }

beforeAll(async () => {
  app = await startTestApp()
  const owner = await makePerson(app, 'Owner')
  profileId = await makeProfile(owner, await makeWorkspace(owner, 'agency'))
  const scopes = [
    'campaigns:read',
    'conversions:read',
    'customers:read',
    'events:write',
    'payments:read',
    'tracking:read',
    'tracking:write',
  ] as const
  call = app.as(await makeKey(app, profileId, [...scopes]))
})
afterAll(() => app.close())

const visit = async (url: string, referrer?: string) => {
  const query = { url: `https://shop.example/${url}`, ...(referrer === undefined ? {} : { referrer }) }
  const { rule, channel, decided_by, list } = (await call(testChannelRules, { query })).data
  return [rule, channel, decided_by, list]
}

it('reports which rule decides', async () => {
  expect(await visit('?gclid=x&utm_medium=email')).toEqual(['click_id', 'paid_search', 'gclid', null])
  expect(await visit('?ad_id=1')).toEqual(['named_ad', 'paid_other', 'ad_id', null])
  expect(await visit('?utm_source=mag&utm_medium=email')).toEqual(['utm', 'email', 'utm_medium', null])
  expect(await visit('?utm_source=mag')).toEqual(['utm', 'campaign', 'utm_source', null])
  expect(await visit('', 'https://www.google.com/')).toEqual([
    'site_list',
    'organic_search',
    'google.com',
    'search',
  ])
  expect(await visit('', 'https://mail.google.com/')).toEqual([
    'site_list',
    'email',
    'mail.google.com',
    'mail',
  ])
  expect(await visit('', 'https://chatgpt.com/c')).toEqual([
    'site_list',
    'referral',
    'chatgpt.com',
    'ai_assistant',
  ])
  expect(await visit('', 'https://blog.example/')).toEqual(['other_site', 'referral', 'blog.example', null])
  expect(await visit('', 'https://www.paypal.com/checkout')).toEqual([
    'payment_or_login_page',
    null,
    'paypal.com',
    null,
  ])
  expect(await visit('')).toEqual(['direct', 'direct', null, null])
})

it('an override moves credit to its channel after a recompute, also under a model that divides credit', async () => {
  const send = (minute: number, body: { event_name: string; [more: string]: unknown }) =>
    call(sendEvent, {
      body: {
        timestamp: `2026-05-10T10:${minute}:00Z`,
        idempotency_key: `at ${minute}`,
        user_traits: { email: 'ana@x.co' },
        ...body,
      },
    })
  const from = (referrer: string) => ({
    event_name: 'visit',
    session_start: true,
    page: { url: 'https://shop.example/', referrer },
  })
  await send(10, from('https://news.partner.example/'))
  await send(11, from('https://www.google.com/'))
  await send(12, from('https://checkout.stripe.com/pay'))
  await send(13, { event_name: 'payment_received', properties: { value: 30, currency: 'EUR' } })
  await app.service.processor.settled(profileId)
  const read = async () => {
    const { data } = await call(getChannels, { query: { ...may, model: 'linear' } })
    return Object.fromEntries(data.map((row) => [row.channel, [row.outcome_count, row.outcome_value]]))
  }
  expect(await read()).toEqual({ referral: [1, 15], organic_search: [1, 15] })
  const paymentId = eventIdOf(profileId, 'at 13')
  /** The channels of the same visits on the pages of one sale and one customer. */
  const channelsNow = async () => {
    const why = await call(explainConversion, { params: { id: paymentId }, query: { model: 'linear' } })
    const linkage = await call(listPaymentLinkage, {
      query: { from: '2026-05-01T00:00:00Z', to: '2026-05-31T00:00:00Z', model: 'first_touch' },
    })
    const { customer_id } = linkage.data[0]!
    const customer = await call(getCustomer, { params: { id: customer_id! } })
    const channels = why.data.models[0]!.touches.map(({ channel }) => channel)
    expect(customer.data.journey.flatMap((entry) => (entry.kind === 'touch' ? [entry.channel] : []))).toEqual(
      channels,
    )
    return { why: channels, linkage: linkage.data.map(({ touch }) => touch?.channel) }
  }
  const overrides = [{ kind: 'host' as const, value: 'Partner.example', channel: 'affiliate' as const }]
  const { data: saved } = await call(saveChannelRules, { body: { overrides } })
  expect(saved).toMatchObject({ overrides: [{ value: 'partner.example' }], recompute: { state: 'queued' } })
  await drainJobs(app.service, jobs)
  expect(await read()).toEqual({ affiliate: [1, 15], organic_search: [1, 15] })
  expect(await channelsNow()).toEqual({ why: ['affiliate', 'organic_search'], linkage: ['affiliate'] })
  expect(await visit('', 'https://news.partner.example/')).toEqual([
    'override',
    'affiliate',
    'partner.example',
    null,
  ])
  const repeated = await call(saveChannelRules, { body: { overrides } })
  expect(repeated.data.recompute).toBeNull()
  await send(20, from('https://partner.example/'))
  await send(21, { event_name: 'payment_received', properties: { value: 9, currency: 'EUR' } })
  await app.service.processor.settled(profileId)
  expect(await read()).toEqual({ affiliate: [2, 21], organic_search: [2, 18] })
  await call(saveChannelRules, { body: { overrides: [] } })
  await drainJobs(app.service, jobs)
  expect(await read()).toEqual({ referral: [2, 21], organic_search: [2, 18] })
  expect((await call(getChannelRules)).data).toMatchObject({ overrides: [], updated_at: null })
})
