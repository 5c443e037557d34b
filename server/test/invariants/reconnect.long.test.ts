/** Disconnecting and reconnecting an account gives the same figures, without duplicates. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { jobs } from '../../src/app.ts'
import { disconnectConnection } from '../../src/features/sources/connections/contract.ts'
import { startTestApp, type TestApp } from '../app.ts'
import { drainJobs } from '../jobs.ts'
import { makeShop, moveClock } from '../make-shop.ts'
import { checkParts } from './parts.ts'
import { readerOf } from './play.ts'
import { Violations } from './violations.ts'

const DAY = 86_400_000

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  // At noon, so that no day begins between the two syncs.
  const toNoon = DAY - ((Date.now() + DAY / 2) % DAY)
  await moveClock(app, Math.ceil(toNoon / 1000))
})
afterAll(() => app.close())

it('ads and payments have the same days after a reconnect', { timeout: 120_000 }, async () => {
  const shop = await makeShop(app)
  const reader = await readerOf(app, shop.profileId)
  const dayAt = (days: number) =>
    new Date(app.service.clock.now().getTime() - days * DAY).toISOString().slice(0, 10)
  // Platforms still restate the last days.
  const range = { date_from: dayAt(30), date_to: dayAt(4) }
  const read = async () => {
    await drainJobs(app.service, jobs)
    await app.service.processor.settled(shop.profileId)
    const figures = await reader.figures(range)
    const violations = new Violations()
    checkParts(violations, figures)
    expect(violations.lines(12)).toEqual([])
    return figures
  }
  const providers = ['social_ads', 'cardpay'] as const
  const ids = []
  for (const provider of providers) ids.push((await shop.connected(provider)).id)
  const before = await read()
  expect(before.models.linear.levels.ad.rows.length).toBeGreaterThan(3)
  expect(before.models.linear.overview.totals.payments).toBeGreaterThan(3)
  for (const id of ids) await shop.call(disconnectConnection, { params: { id } })
  for (const provider of providers) await shop.connected(provider)
  const after = await read()
  const violations = new Violations()
  violations.equal('figures', before.models, after.models)
  violations.equal('payments', before.payments, after.payments)
  violations.equal('customers', before.customers, after.customers)
  expect(violations.lines(12)).toEqual([])
})
