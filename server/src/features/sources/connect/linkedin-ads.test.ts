/** LinkedIn Ads through the service: hand-off, first sync, leads, the challenge of the webhook address, the end of the consent. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { jobContext } from '../../../../test/job-context.ts'
import { drainJobs } from '../../../../test/jobs.ts'
import { makeKey } from '../../../../test/make.ts'
import { makeShop, moveClock, type Shop, triggerSandbox } from '../../../../test/make-shop.ts'
import { expectPauses } from '../../../../test/pause-chain.ts'
import { jobs } from '../../../app.ts'
import { addDays } from '../../../platform/contract/dates.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { redactLead } from '../../corrections/privacy-requests/leads.ts'
import { sendEvents } from '../../facts/events/contract.ts'
import { getChannels } from '../../insights/reports/channels/contract.ts'
import { getConnection, startSync } from '../connections/contract.ts'
import { freshToken } from '../connections/refresh.ts'

let app: TestApp
let shop: Shop
let connectionId: string
beforeAll(async () => {
  app = await startTestApp()
  shop = await makeShop(app)
  connectionId = (await shop.connected('linkedin_ads')).id
  await drain()
})
afterAll(() => app.close())

const drain = async () => {
  await drainJobs(app.service, jobs)
  await app.service.processor.settled(shop.profileId)
}
const rows = async <T extends Record<string, unknown>>(text: string) =>
  (await app.pool.query<T>(text, [shop.profileId])).rows

it('connects one ad account and reads its structure and spend', async () => {
  expect(
    await rows('select provider, display_name, currency, status from connections where profile_id = $1'),
  ).toEqual([
    { provider: 'linkedin_ads', display_name: 'Harbor & Pine', currency: 'USD', status: 'connected' },
  ])
  expect(
    await rows(
      'select level, count(*)::int as entities from ad_entities where profile_id = $1 group by level order by level',
    ),
  ).toEqual([
    { level: 'ad', entities: 16 },
    { level: 'ad_set', entities: 6 },
    { level: 'campaign', entities: 3 },
  ])
  // An ad belongs to the campaign of its ad set, which the ad's listing does not contain.
  expect(
    await rows(
      `select count(*)::int as ads from ad_entities where profile_id = $1 and level = 'ad' and campaign_id is not null`,
    ),
  ).toEqual([{ ads: 16 }])
  // Only settled days: recent ones grow between pages.
  const spend = await rows<{ spend: string }>(
    `select level, sum(spend_minor)::text as spend from ad_delivery where profile_id = $1
       and day < (select max(day) - 3 from ad_delivery where profile_id = $1) group by level`,
  )
  expect(spend).toHaveLength(3)
  expect(new Set(spend.map((row) => row.spend)).size).toBe(1)
})

it('lists what the consent does not cover at the connection, without an error, until it is granted', async () => {
  const read = async () => (await shop.call(getConnection, { params: { id: connectionId } })).data
  const resync = async () => {
    await shop.call(startSync, { body: { connection_id: connectionId } })
    await drain()
  }
  expect((await read()).missing_abilities).toEqual([])
  const extra = app.service.providers.get('linkedin_ads')!.app.extra as Record<string, string>
  const { products } = extra
  extra.products = 'lead_sync'
  try {
    await shop.connected('linkedin_ads')
    await drain()
    const { missing_abilities: missing, sync, status } = await read()
    expect(missing.map(({ ability }) => ability)).toEqual(['ad_texts', 'conversions'])
    expect(missing[1]!.reason).toContain('adds conversions to extra.products')
    expect([status, sync.state, sync.set_aside]).toEqual([
      'connected',
      'idle',
      { records: 0, last_reason: null },
    ])
  } finally {
    extra.products = products!
  }
  await resync()
  expect((await read()).missing_abilities[0]!.reason).toContain('Connect again')
  await shop.connected('linkedin_ads')
  await drain()
  expect((await read()).missing_abilities).toEqual([])
})

it('pauses every level and changes a budget, with an entry in the change log', () => expectPauses(app, shop))

it('a lead of a form is an outcome credited to its ad', async () => {
  const { id } = await triggerSandbox(app, 'linkedin_ads', 'act', { action: 'lead', args: {} })
  await drain()
  const [lead] = await rows<{ id: string; external_id: string }>(
    `select id, external_id from conversions where profile_id = $1 and outcome_type = 'lead_created'
     order by occurred_at desc limit 1`,
  )
  expect(lead!.external_id).toBe(id)
  const today = app.service.clock.now().toISOString().slice(0, 10)
  const { data } = await shop.call(getChannels, {
    query: { date_from: addDays(today, -10), date_to: addDays(today, 1) },
  })
  expect(data.find(({ channel }) => channel === 'paid_social')?.sources).toMatchObject([
    { source: 'linkedin', kind: 'ads' },
  ])
  expect(data.map(({ channel }) => channel)).not.toContain('paid_other')
})

describe('a lead that its member deletes at LinkedIn', () => {
  const act = (action: string, args: Record<string, unknown> = {}) =>
    triggerSandbox(app, 'linkedin_ads', 'act', { action, args })
  const newLead = async () => {
    const { id } = await act('lead')
    await drain()
    return String(id)
  }
  const answersOf = async (id: string) =>
    (
      await rows<{ id: string; answers: number }>(
        'select leadgen_id as id, jsonb_array_length(field_data) as answers from provider_leads where profile_id = $1',
      )
    ).find((row) => row.id === id)?.answers
  const withdraw = async (id: string) => {
    await act('delete_lead', { id })
    await drain()
  }
  const erasures = async () => (await rows('select state from erasures where profile_id = $1')).length
  const leadEvents = async (id: string) =>
    (
      await rows<{ external_id: string | null }>(
        `select external_id from events where profile_id = $1 and provider = 'linkedin_ads'`,
      )
    ).filter((row) => row.external_id === id).length

  it('erases a person who is known by leads only', async () => {
    const id = await newLead()
    expect(await answersOf(id)).toBeGreaterThan(0)
    const before = await erasures()
    await withdraw(id)
    expect(await answersOf(id)).toBe(0)
    expect(await erasures()).toBe(before + 1)
    expect(await leadEvents(id)).toBe(0)
  })

  /** A lead of a person who also subscribed to the newsletter. */
  const knownLead = async () => {
    const id = await newLead()
    const [lead] = await rows<{ email: string }>(
      `select f -> 'values' ->> 0 as email from provider_leads, jsonb_array_elements(field_data) f
       where profile_id = $1 and f ->> 'name' = 'email' order by recorded_at desc limit 1`,
    )
    const sender = app.as(await makeKey(app, shop.profileId, ['events:write']))
    const { data } = await sender(sendEvents, {
      body: { events: [{ event_name: 'newsletter', user_traits: { email: lead!.email } }] },
    })
    expect(data).toMatchObject({ accepted: 1, refused: 0 })
    await drain()
    return id
  }

  it('is only retracted if the person is known from other sources too', async () => {
    const id = await knownLead()
    const before = await erasures()
    await withdraw(id)
    expect(await erasures()).toBe(before)
    expect(await answersOf(id)).toBe(0)
    expect(await leadEvents(id)).toBe(0)
    const [remaining] = await rows<{ count: number }>(
      `select count(*)::int as count from events where profile_id = $1 and source <> 'integration'`,
    )
    expect(remaining!.count).toBe(1)
    const [entry] = await rows<{ reason: string }>(
      `select detail ->> 'reason' as reason from audit_log where profile_id = $1 and action = 'event.retracted'`,
    )
    expect(entry!.reason).toBe('The person deleted the lead')
  })

  it('erases the person if its conversion was exported', async () => {
    const id = await knownLead()
    await app.pool.query(
      `insert into conversion_exports (profile_id, id, destination_id, conversion_id, event_id, status, created_at)
       select profile_id, gen_random_uuid(), gen_random_uuid(), id, event_id, 'sent', now()
       from conversions where profile_id = $1 and external_id = $2`,
      [shop.profileId, id],
    )
    const before = await erasures()
    await withdraw(id)
    expect(await erasures()).toBe(before + 1)
    expect(await answersOf(id)).toBe(0)
    expect(await leadEvents(id)).toBe(0)
  })

  it('erases no one if the retraction fails for another reason', async () => {
    const id = await knownLead()
    const before = await erasures()
    const { service } = app
    let transactions = 0
    const db = new Proxy(service.db, {
      get(target, name) {
        if (name === 'transaction' && ++transactions === 2)
          throw new ApiError('service_unavailable', 'The database is busy.')
        const value = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const context = { ...jobContext(service), db }
    const holder = { profileId: shop.profileId, workspaceId: shop.workspaceId, connectionId }
    await expect(redactLead(context, 'linkedin_ads', holder, id)).rejects.toThrow('The database is busy.')
    expect(await erasures()).toBe(before)
  })
})

it('answers the challenge of the webhook address in JSON', async () => {
  const address = `${app.baseUrl}/webhooks/in/linkedin_ads`
  const code = '890e4665-4dfe-4ab1-b689-ed553bceeed0'
  const answer = await fetch(`${address}?challengeCode=${code}`)
  expect(answer.headers.get('content-type')).toContain('application/json')
  expect(await answer.json()).toEqual({
    challengeCode: code,
    challengeResponse: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  expect((await fetch(`${address}?challengeCode=hmacsha256=x`)).status).toBe(404)
})

it('asks a person to reconnect on day 366, and not before', async () => {
  const read = async () => (await shop.call(getConnection, { params: { id: connectionId } })).data
  const status = async () => (await read()).status
  const ref = { profileId: shop.profileId, id: connectionId }
  for (const _ of [1, 2, 3, 4, 5, 6]) {
    await moveClock(app, 60 * 86_400)
    await freshToken(app.service, ref)
  }
  expect(await status()).toBe('connected')
  const { authorized_at: begun, consent_ends_at: ends } = await read()
  expect((Date.parse(ends!) - Date.parse(begun)) / 86_400_000).toBeCloseTo(365, 3)
  await moveClock(app, 6 * 86_400)
  await expect(freshToken(app.service, ref)).rejects.toThrow('reconnect_required')
  expect(await status()).toBe('reconnect_required')
})
