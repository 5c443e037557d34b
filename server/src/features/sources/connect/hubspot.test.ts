/** HubSpot through the service: hand-off, first sync, stages, webhooks at the public address, a privacy deletion. */
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { drainJobs } from '../../../../test/jobs.ts'
import { makeShop, type Shop, triggerSandbox } from '../../../../test/make-shop.ts'
import { jobs } from '../../../app.ts'
import { listStages, saveStages } from '../connections/contract.ts'

let app: TestApp
let shop: Shop
beforeAll(async () => {
  app = await startTestApp()
  shop = await makeShop(app)
  await shop.connected('hubspot')
  await drain()
})
afterAll(() => app.close())

const drain = async () => {
  await drainJobs(app.service, jobs)
  await app.service.processor.settled(shop.profileId)
}
const act = async (action: string, args: Record<string, unknown> = {}) => {
  const reply = await triggerSandbox(app, 'hubspot', 'act', { action, args })
  await drain()
  return reply as Record<string, string>
}
const conversions = async (outcomeType: string, externalId?: string) => {
  const { rows } = await app.pool.query<{
    external_id: string
    value_minor: number | null
    currency: string
  }>(
    `select external_id, value_minor, currency from conversions
     where profile_id = $1 and outcome_type = $2 and ($3::text is null or external_id = $3)`,
    [shop.profileId, outcomeType, externalId ?? null],
  )
  return rows
}

it('connects one account and reads leads, sales and their clicks', async () => {
  const { rows } = await app.pool.query(
    'select provider, external_id, display_name, currency, status from connections where profile_id = $1',
    [shop.profileId],
  )
  expect(rows).toEqual([
    {
      provider: 'hubspot',
      external_id: '48151623',
      display_name: 'Harbor & Pine',
      currency: 'USD',
      status: 'connected',
    },
  ])
  expect((await conversions('lead_created')).length).toBeGreaterThan(50)
  const won = await conversions('closed_won')
  expect(won.length).toBeGreaterThan(5)
  expect(won.every((sale) => Number(sale.value_minor) > 0 && sale.currency === 'USD')).toBe(true)
  const { rows: clicks } = await app.pool.query(
    'select click_id_kind, count(*)::int as touches from touches where profile_id = $1 and click_id is not null group by 1 order by 1',
    [shop.profileId],
  )
  expect(clicks.map((row) => row.click_id_kind)).toEqual(['fbclid', 'gclid'])
})

it('a stage has the outcome that a person mapped it to', async () => {
  const params = { provider: 'hubspot' } as const
  const { data } = await shop.call(listStages, { params })
  const stages = data.pipelines[0]!.stages
  expect(stages.find(({ id }) => id === 'closedwon')!.suggested_outcome).toBe('closed_won')
  const { deal_id: id } = await act('new_deal', { properties: { dealstage: 'contractsent' } })
  const mappings = [{ stage_id: 'contractsent', outcome_type: 'quote_presented' as const }]
  await shop.call(saveStages, { params, body: { mappings } })
  await drain()
  expect(await conversions('quote_presented', `${id}:contractsent`)).toHaveLength(1)
})

it('a webhook is read back once despite repetitions, and an archived deal no longer counts', async () => {
  const { contact_id } = await act('new_contact', { properties: { email: 'hook@example.com' } })
  const { deal_id: id } = await act('new_deal', {
    contact_ids: [contact_id],
    properties: { amount: '99.90', deal_currency_code: 'EUR' },
  })
  await act('move_deal', { deal_id: id })
  await act('resend_webhook')
  expect(await conversions('closed_won', id)).toEqual([
    { external_id: id, value_minor: 9990, currency: 'EUR' },
  ])
  await act('archive_deal', { deal_id: id })
  expect(await conversions('closed_won', id)).toEqual([])
})

it('a webhook signed for another address than the public one is refused and stores nothing', async () => {
  const stored = async () =>
    (await app.pool.query('select count(*)::int as count from provider_webhooks')).rows[0].count
  const before = await stored()
  const sentAt = String(app.service.clock.now().getTime())
  const { clientSecret } = app.service.providers.get('hubspot')!.app
  const signedFor = (address: string) =>
    createHmac('sha256', clientSecret)
      .update(`POST${address}/webhooks/in/hubspot[]${sentAt}`)
      .digest('base64')
  const send = async (signature: string) =>
    (
      await fetch(`${app.baseUrl}/webhooks/in/hubspot`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-hubspot-request-timestamp': sentAt,
          'x-hubspot-signature-v3': signature,
        },
        body: '[]',
      })
    ).status
  expect(await send(signedFor('https://other.example'))).toBe(401)
  expect(await stored()).toBe(before)
  expect(await send(signedFor(app.service.config.BASE_URL))).toBe(200)
})

it('a privacy deletion erases the person, and no property value was stored', async () => {
  const email = 'gone@example.com'
  const { contact_id } = await act('new_contact', { properties: { email } })
  await act('change_contact', { contact_id, properties: { email, phone: '+12015550123' } })
  const traces = async () => {
    const { rows } = await app.pool.query<{ table: string }>(
      `select 'traits' as table from identity_traits where profile_id = $1 and value = $2
       union select 'webhooks' from provider_webhooks where convert_from(body, 'UTF8') like '%' || $2 || '%'`,
      [shop.profileId, email],
    )
    return rows.map((row) => row.table)
  }
  expect(await traces()).toEqual(['traits'])
  await act('privacy_delete', { contact_id })
  expect(await traces()).toEqual([])
  const { rows } = await app.pool.query('select state from erasures where profile_id = $1', [shop.profileId])
  expect(rows).toEqual([{ state: 'completed' }])
})
