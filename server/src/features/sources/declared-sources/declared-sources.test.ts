/** Answers from the API, the tracker and the hosted page, and the report that compares them with credit. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { adStructure, saveRecords } from '../../../../test/ad-world.ts'
import { drainJobs } from '../../../../test/jobs.ts'
import { makeOwnProfile, refusalOf, startTestProfile } from '../../../../test/make.ts'
import { makeWirePage } from '../../../../test/wire-page.ts'
import { jobs } from '../../../app.ts'
import { explainConversion } from '../../attribution/crediting/contract.ts'
import { eraseWorkspaceCustomer } from '../../corrections/erasures/contract.ts'
import { sendEvent } from '../../facts/events/contract.ts'
import { createLinkToken } from '../../facts/link-tokens/contract.ts'
import { listCampaigns } from '../../insights/reports/contract.ts'
import { getDeclaredReport } from '../../insights/reports/declared/contract.ts'
import { issueTrackingKey } from '../tracking/contract.ts'
import { declareSource, getDeclaredVocabulary, saveDeclaredVocabulary } from './contract.ts'

const scopes = [
  'analytics:read',
  'campaigns:read',
  'conversions:read',
  'events:write',
  'identity:write',
  'tracking:write',
] as const
const may = { date_from: '2026-05-01', date_to: '2026-05-31' }
const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140 Safari/537' }
let shop: Awaited<ReturnType<typeof startTestProfile>>
let trackingKey: string

beforeAll(async () => {
  shop = await startTestProfile(scopes, { LINK_TOKEN_SECRET: 'a secret of more than thirty-two characters' })
  trackingKey = (await shop.call(issueTrackingKey)).data.key
  await saveRecords(shop.app, shop.profileId, adStructure)
  // Ana and Bea clicked the ad, Cai came without one; all paid, each for an order.
  for (const [index, name] of ['ana', 'bea', 'cai', 'dan'].entries()) {
    const user_traits = { external_id: name, email: `${name}@example.com` }
    if (index < 2)
      await shop.call(sendEvent, {
        body: {
          event_name: 'visit',
          timestamp: `2026-05-0${index + 1}T10:00:00Z`,
          idempotency_key: `visit-${name}`,
          anonymous_id: `visitor-${name}`,
          ad: { ad_id: 'A1' },
          user_traits,
        },
      })
    await shop.call(sendEvent, {
      body: {
        event_name: 'payment_received',
        timestamp: `2026-05-1${index}T10:00:00Z`,
        idempotency_key: `pay-${name}`,
        properties: { value: 100, currency: 'EUR', order_id: `order-${name}` },
        user_traits,
      },
    })
  }
  await shop.app.service.processor.settled(shop.profileId)
})
afterAll(() => shop.app.close())

let answers = 0
const answer = (body: Record<string, unknown>, call = shop.call) =>
  call(declareSource, {
    body: {
      answer_key: 'social_media',
      asked_at: '2026-05-20T10:00:00Z',
      idempotency_key: `answer-${answers++}`,
      ...body,
    },
  })
const reportOf = async (call = shop.call) => (await call(getDeclaredReport, { query: may })).data
const creditNow = async () => (await shop.call(listCampaigns, { query: may })).meta.result_hash
const askUrl = (query: string) => `${shop.app.baseUrl}/ask/${trackingKey}?${query}`
const post = (url: string, fields: Record<string, string>) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields) })

it('offers built-in answers and those that the profile adds', async () => {
  const customEntry = { key: 'trade_fair', label_en: 'At a fair', label_es: 'En una feria', channels: [] }
  await shop.call(saveDeclaredVocabulary, { body: { entries: [customEntry] } })
  const { entries, question_es } = (await shop.call(getDeclaredVocabulary)).data
  expect(entries.slice(-2).map(({ key, is_own }) => [key, is_own])).toEqual([
    ['trade_fair', true],
    ['other', false],
  ])
  expect(question_es).toContain('conociste')
  const clash = { ...customEntry, key: 'email' }
  for (const invalidEntries of [[clash], [customEntry, customEntry]])
    expect(
      await refusalOf(shop.call(saveDeclaredVocabulary, { body: { entries: invalidEntries } })),
    ).toMatchObject({
      status: 422,
      code: 'validation_error',
    })
  const other = await makeOwnProfile(shop.app, scopes)
  expect((await other.call(getDeclaredVocabulary)).data.entries.some(({ is_own }) => is_own)).toBe(false)
})

it('refuses an unknown answer and an unknown reference, and writes nothing', async () => {
  const before = await reportOf()
  const customer = { external_ref: 'ana' }
  expect(await refusalOf(answer({ answer_key: 'moon', customer }))).toMatchObject({
    status: 422,
    code: 'unknown_answer_key',
  })
  expect(await refusalOf(answer({ customer: { external_ref: 'unknown' } }))).toMatchObject({
    status: 422,
    code: 'unknown_customer_ref',
  })
  const other = await makeOwnProfile(shop.app, scopes)
  expect(await refusalOf(answer({ customer }, other.call))).toMatchObject({ code: 'unknown_customer_ref' })
  for (const wrong of [
    { customer, answer_key: 'other' },
    { customer, order_id: 'order-ana' },
    { customer: { email: 'no address' } },
    { customer, asked_at: '2099-01-01T00:00:00Z' },
    {},
  ])
    expect(await refusalOf(answer(wrong))).toMatchObject({ status: 422, code: 'validation_error' })
  expect(await reportOf()).toEqual(before)
  const { rows } = await shop.app.pool.query('select 1 from declared_answers')
  expect(rows).toEqual([])
})

it('accepts answers by reference, address, order, tracker and page, and changes no credit', async () => {
  const before = await creditNow()
  await answer({ customer: { external_ref: 'unknown', email: 'ANA@example.com' } })
  // Repeating the key replaces the answer.
  for (const answer_key of ['press', 'friend_or_family'])
    await answer({ answer_key, order_id: '#order-cai', idempotency_key: 'survey-cai' })
  const now = new Date().toISOString()
  const wire = makeWirePage({
    event_id: randomUUID(),
    anonymous_id: 'visitor-bea',
    type: 'track',
    event_name: 'declared_source',
    session_start: false,
    occurred_at: now,
    sent_at: now,
    properties: { answer_key: 'friend_or_family' },
  })
  const collect = async (event: object) => {
    const body = JSON.stringify({ key: trackingKey, events: [event] })
    const reply = await fetch(`${shop.app.baseUrl}/api/tracking/collect`, {
      method: 'POST',
      headers: BROWSER,
      body,
    })
    return (await reply.json()) as { data: { accepted: number; rejected: { code: string }[] } }
  }
  expect(await collect(wire)).toMatchObject({ data: { accepted: 1, rejected: [] } })
  const wrong = { ...wire, event_id: randomUUID(), properties: { answer_key: 'moon' } }
  expect(await collect(wrong)).toMatchObject({
    data: { accepted: 0, rejected: [{ code: 'unknown_answer_key' }] },
  })
  const report = await reportOf()
  expect(report).toMatchObject({ customers: 4, answered: 3, response_rate: 0.75 })
  expect(report.response_rate_low).toBeCloseTo(0.3006, 4)
  expect(report.response_rate_high).toBeCloseTo(0.9544, 4)
  expect(
    report.answers.map(({ answer_key, count, share, credited_share }) => [
      answer_key,
      count,
      share,
      credited_share,
    ]),
  ).toEqual([
    ['friend_or_family', 2, 0.666666667, null],
    ['social_media', 1, 0.333333333, 0.666666667],
  ])
  const brief = (rows: { credit: number; answers: { answer_key: string; credit: number }[] }[]) =>
    rows.map((row) => [row.credit, row.answers.map((answer) => [answer.answer_key, answer.credit])])
  expect(report.channels.map((row) => row.channel)).toEqual(['paid_social', 'unknown'])
  const adAnswers = [
    2,
    [
      ['friend_or_family', 1],
      ['social_media', 1],
    ],
  ]
  expect(brief(report.channels)).toEqual([adAnswers, [1, [['friend_or_family', 1]]]])
  expect(brief(report.campaigns)).toEqual([adAnswers])
  expect(report.campaigns[0]!.platform_id).toBe('C1')
  expect(await creditNow()).toBe(before)
  const explained = await shop.call(explainConversion, { params: { id: 'pay-cai' }, query: {} })
  expect(explained.data.declared_source).toMatchObject({ answer_key: 'friend_or_family' })
  const unasked = await shop.call(explainConversion, { params: { id: 'pay-dan' }, query: {} })
  expect(unasked.data.declared_source).toBeNull()
})

it('the hosted question: for an order or a link token, in two languages, the last answer counts', async () => {
  const page = await fetch(askUrl('order_id=order-dan'), { headers: { 'accept-language': 'es-MX,en' } })
  const text = await page.text()
  expect([page.status, text.includes('¿Cómo nos conociste?'), text.includes('En una feria')]).toEqual([
    200,
    true,
    true,
  ])
  const url = askUrl('')
  expect((await post(url, { order_id: 'order-dan', answer_key: 'other' })).status).toBe(422)
  expect((await post(url, { order_id: 'order-dan', answer_key: 'press' })).status).toBe(200)
  expect((await post(url, { order_id: 'order-dan', answer_key: 'trade_fair' })).status).toBe(200)
  const { token } = (await shop.call(createLinkToken, { body: { external_ref: 'ana' } })).data
  expect((await post(url, { whence_link: token, answer_key: 'email' })).status).toBe(200)
  const report = await reportOf()
  expect(report.answers.map(({ answer_key, count }) => [answer_key, count])).toEqual([
    ['friend_or_family', 2],
    ['email', 1],
    ['trade_fair', 1],
  ])
  for (const path of [askUrl(''), askUrl('whence_link=forged'), `${shop.app.baseUrl}/ask/trk_x?order_id=1`])
    expect((await fetch(path)).status).toBe(404)
})

it('shows a text only if three customers wrote the same', async () => {
  for (const name of ['ana', 'bea'])
    await answer({ answer_key: 'other', answer_text: 'My  neighbour', customer: { external_ref: name } })
  await answer({ answer_key: 'other', answer_text: 'Ana Perez, 600', order_id: 'order-dan', asked_at: now() })
  expect((await reportOf()).texts).toEqual([])
  await answer({ answer_key: 'other', answer_text: 'my neighbour ', order_id: 'order-cai', asked_at: now() })
  for (const name of ['ana', 'bea'])
    await answer({
      answer_key: 'other',
      answer_text: 'My  neighbour',
      customer: { external_ref: name },
      asked_at: now(),
    })
  expect((await reportOf()).texts).toEqual([{ text: 'my neighbour', count: 3 }])
})
const now = () => new Date(Date.now() + 60_000).toISOString()

it('an erasure deletes the person’s answers, also those with an order', async () => {
  const { owner, workspaceId, profileId } = shop
  await owner.call(eraseWorkspaceCustomer, {
    params: { workspaceId },
    body: { profile_id: profileId, external_id: 'dan' },
  })
  await drainJobs(shop.app.service, jobs)
  const { rows } = await shop.app.pool.query('select answer_text from declared_answers')
  expect(rows.length).toBeGreaterThan(3)
  expect(JSON.stringify(rows)).not.toContain('Perez')
  expect((await reportOf()).answered).toBe(3)
})
