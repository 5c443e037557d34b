/** A batch without a response is retried as long as the platform deduplicates it. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/app.ts'
import { type ExportShop, makeExportShop, receivedBy } from '../../../../../test/export-shop.ts'
import { runSchedule } from '../../../../../test/jobs.ts'
import { moveClock, triggerSandbox } from '../../../../../test/make-shop.ts'
import { createExportDestination } from '../destinations/contract.ts'
import { exportJobs } from '../jobs.ts'

const HOUR = 3600

let app: TestApp
let shop: ExportShop
let social: { id: string }
let engineId: string

beforeAll(async () => {
  app = await startTestApp()
  shop = await makeExportShop(app)
  social = await shop.socialDestination()
  const { id } = await shop.connected('engine_ads')
  const created = await shop.call(createExportDestination, {
    body: { kind: 'engine', connection_id: id, engine_conversion_action: '987654321' },
  })
  engineId = created.data.id
})
afterAll(() => app.close())

/** Both platforms receive the payment, but their responses are lost. The destinations are due again after the hours. */
async function payWithLostResponse(key: string, hours: number): Promise<void> {
  await triggerSandbox(app, 'social_ads', 'fault', { kind: 'lost_reply', match: '/v', times: 99 })
  await triggerSandbox(app, 'engine_ads', 'fault', { kind: 'lost_reply', match: '/v1/events', times: 99 })
  await shop.pay(key, { click_ids: { gclid: `click-${key}` } })
  await shop.settle()
  const rows = await shop.ledger({ status: 'queued' })
  expect(rows.map((row) => row.attempts)).toEqual([1, 1])
  for (const provider of ['social_ads', 'engine_ads'] as const)
    await triggerSandbox(app, provider, 'act', { action: 'reset', args: {} })
  await moveClock(app, hours * HOUR)
  await runSchedule(app.service, exportJobs, 'exports.resume')
  await shop.settle()
}

const rowOf = async (destinationId: string) => (await shop.ledger({ destination_id: destinationId }))[0]!
const receivedOf = async (provider: string, eventKey: string) =>
  (await receivedBy(app, provider)).filter((event) =>
    [event.event_id, event.transactionId].includes(eventKey),
  )

it('within 48 hours it is sent again with its id, and counted once', async () => {
  await payWithLostResponse('soon', 47)
  for (const [provider, id] of [
    ['social_ads', social.id],
    ['engine_ads', engineId],
  ] as const) {
    const row = await rowOf(id)
    expect(row).toMatchObject({ status: 'sent', attempts: 2, reason: null })
    expect(await receivedOf(provider, row.event_key)).toHaveLength(1)
  }
})

it('later it fails if the platform would count it twice, and is sent if the platform never would', async () => {
  await payWithLostResponse('late', 49)
  const failed = await rowOf(social.id)
  expect(failed).toMatchObject({ status: 'failed', attempts: 1, reason: 'outcome_unknown' })
  expect(await receivedOf('social_ads', failed.event_key)).toHaveLength(1)
  const sent = await rowOf(engineId)
  expect(sent).toMatchObject({ status: 'sent', attempts: 2 })
  expect(await receivedOf('engine_ads', sent.event_key)).toHaveLength(1)
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from export_requests
    where profile_id = ${shop.profileId} and settled_at is null`.execute(app.service.db)
  expect(rows[0]!.count).toBe(0)
})
