/** A profile's long queue does not delay other profiles, as seen from the order of requests at the platform. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/app.ts'
import { type ExportShop, makeExportShop, receivedBy } from '../../../../../test/export-shop.ts'
import { triggerSandbox } from '../../../../../test/make-shop.ts'
import { until } from '../../../../../test/until.ts'
import { exportRules } from '../../../../connectors/export-rules.ts'
import { startWorker } from '../../../../platform/jobs/worker.ts'
import { sendEvents } from '../../../facts/events/contract.ts'
import { createExportDestination } from '../destinations/contract.ts'
import { exportJobs } from '../jobs.ts'
import { listExportRuns } from '../ledger/contract.ts'

/** More batches than a job sends before it yields. */
const BACKLOG = 45

const { maxBatch } = exportRules.social

let app: TestApp
let large: ExportShop
let small: ExportShop

beforeAll(async () => {
  // One conversion per request, so that few rows are many batches.
  exportRules.social.maxBatch = 1
  app = await startTestApp()
})
afterAll(async () => {
  // Other files of this process read the same rules.
  exportRules.social.maxBatch = maxBatch
  await app.close()
})

/** The worker starts with the lowest profile id, which gets the longer queue. */
beforeEach(async () => {
  const shops = [await makeExportShop(app), await makeExportShop(app)]
  const [first, second] = shops.toSorted((a, b) => (a.profileId < b.profileId ? -1 : 1))
  large = first!
  small = second!
  await large.socialDestination()
})

async function pay(shop: ExportShop, count: number): Promise<void> {
  const events = Array.from({ length: count }, (_, index) => ({
    event_name: 'payment_received',
    idempotency_key: `${index}`,
    properties: { value: '10.00', currency: 'EUR' },
    user_traits: { email: `${index}@example.com` },
  }))
  await shop.call(sendEvents, { body: { events } })
  await app.service.processor.settled(shop.profileId)
}

const countQueued = async (shop: ExportShop) => (await shop.ledger({ status: 'queued' })).length

/** With one slot, so that the other profile waits for the whole turn. */
async function sendUntil(holds: () => Promise<boolean>): Promise<void> {
  // The first sync of a connection is not part of this test.
  await app.service.db.deleteFrom('jobs').where('name', 'not like', 'exports.%').execute()
  const worker = startWorker({ service: app.service, jobs: exportJobs, pollMs: 20, slowSlots: 1 })
  try {
    await until(holds, 20)
  } finally {
    await worker.stop()
  }
}

/** Turns in the order of receipt at the platform: whose conversions, and how many in a row. */
async function turnsAtPlatform(): Promise<{ of: 'large' | 'small'; length: number }[]> {
  const owners = new Map<unknown, 'large' | 'small'>([
    ...(await large.ledger()).map((row) => [row.event_key, 'large'] as const),
    ...(await small.ledger()).map((row) => [row.event_key, 'small'] as const),
  ])
  const turns: { of: 'large' | 'small'; length: number }[] = []
  for (const { event_id: id } of await receivedBy(app, 'social_ads')) {
    const owner = owners.get(id)
    const last = turns.at(-1)
    if (owner === undefined) continue
    if (last?.of === owner) last.length += 1
    else turns.push({ of: owner, length: 1 })
  }
  return turns
}

it('a long queue yields to another profile after some batches, and continues after it', async () => {
  await small.socialDestination()
  await pay(large, BACKLOG)
  await pay(small, 2)
  await sendUntil(async () => (await countQueued(large)) + (await countQueued(small)) === 0)
  const turns = await turnsAtPlatform()
  expect(turns.slice(0, 3).map((turn) => turn.of)).toEqual(['large', 'small', 'large'])
  expect(turns[1]!.length).toBe(2)
  // Two batches are in progress at a time, so one more may have been sent.
  expect(turns[0]!.length).toBeLessThanOrEqual(21)
  expect(turns.filter((turn) => turn.of === 'large').reduce((sum, turn) => sum + turn.length, 0)).toBe(
    BACKLOG,
  )
  const runs = (await large.call(listExportRuns)).data
  expect(runs.length).toBeGreaterThan(2)
  expect(runs.reduce((sum, run) => sum + run.sent, 0)).toBe(BACKLOG)
})

it('a platform that requests a pause receives no further batch, and the next profile is served meanwhile', async () => {
  await small.call(createExportDestination, {
    body: { kind: 'shortvideo', shortvideo_pixel_code: 'CPIXEL0123456789', access_token: 'pasted' },
  })
  await pay(large, BACKLOG)
  await pay(small, 2)
  const pause = { kind: 'rate_limited', match: '/v', times: BACKLOG, retry_after_seconds: 600 }
  await triggerSandbox(app, 'social_ads', 'fault', pause)
  await sendUntil(async () => (await countQueued(small)) === 0)
  expect((await small.ledger()).map((row) => row.status)).toEqual(['sent', 'sent'])
  expect(await turnsAtPlatform()).toEqual([])
  const rows = await large.ledger()
  expect(rows.filter((row) => row.status === 'queued')).toHaveLength(BACKLOG)
  // One for each batch that was in progress when the response arrived.
  expect([1, 2]).toContain(rows.reduce((sum, row) => sum + row.attempts, 0))
})
