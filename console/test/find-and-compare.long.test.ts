/** An agency's routine: all clients, one compared with the previous period, and who paid an amount. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sendEvent } from '../../server/src/features/facts/events/contract.ts'
import { startTestApp, type TestApp } from '../../server/test/app.ts'
import { launchBrowser } from '../../server/test/browser.ts'
import { makeKey, makePerson, makeProfile, makeWorkspace, type Person } from '../../server/test/make.ts'
import { bringSession, openConsole, openSearch, picture, seriousFaults, type Visit } from './visit.ts'

let app: TestApp
let browser: Browser
let person: Person
let visit: Visit
let shop = ''
const clients = ['Shop', 'Studio', 'Bakery', 'Hotel', 'Clinic', 'School', 'Garage', 'Theatre']
const days = 'from=2026-05-01&to=2026-05-31'

beforeAll(async () => {
  app = await startTestApp()
  browser = await launchBrowser()
  person = await makePerson(app)
  const workspaceId = await makeWorkspace(person, 'agency')
  for (const name of clients) {
    const profileId = await makeProfile(person, workspaceId, { name })
    if (name === 'Shop') shop = profileId
  }
  const call = app.as(await makeKey(app, shop, ['events:write']))
  const sales = [
    { day: '2026-04-10', value: 100, first_name: 'Lucía', last_name: 'Mora' },
    { day: '2026-05-10', value: 129.9, first_name: 'José', last_name: 'García' },
  ]
  for (const { day, value, ...name } of sales)
    await call(sendEvent, {
      body: {
        event_name: 'payment_received',
        idempotency_key: day,
        timestamp: `${day}T10:00:00Z`,
        properties: { value, currency: 'EUR' },
        user_traits: { email: `${day}@example.com`, ...name },
      },
    })
  await app.service.processor.settled(shop)
  visit = await openConsole(browser, app)
  await bringSession(visit, person)
})
afterAll(async () => {
  await visit?.close()
  await browser?.close()
  await app?.close()
})

it('all clients are searched, tagged and switched to', async () => {
  const { page } = visit
  await page.goto(`/p/${shop}/clients?${days}`)
  const row = page.getByRole('row', { name: /Select Shop/ })
  await row.getByText('€129.90').waitFor()
  await row.getByText('+29.9%').waitFor()
  await page.getByLabel('Select Shop').check()
  await page.getByRole('button', { name: 'Add tag' }).click()
  await page.getByLabel('Tag', { exact: true }).last().fill('retail')
  await page.keyboard.press('Enter')
  await row.getByText('retail').waitFor()
  await page.getByLabel('Search clients and tags').fill('retail')
  await page.getByRole('heading', { name: '1 of 8' }).waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await picture(page, 'clients')
  await page.getByRole('button', { name: /Shop/ }).first().click()
  await page.getByLabel('Search profiles').fill('bak')
  await page.keyboard.press('Enter')
  await page
    .getByRole('button', { name: /Bakery/ })
    .first()
    .waitFor()
})

it('a person is found by part of a name and by an amount, also from the search menu', async () => {
  const { page } = visit
  await page.goto(`/p/${shop}/customers`)
  await page.getByLabel('Find a customer').fill('garc jos')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'José García', exact: true }).waitFor()
  await page.getByRole('link', { name: 'Lucía Mora' }).waitFor({ state: 'detached' })
  expect(await seriousFaults(page)).toEqual([])
  await picture(page, 'found')
  await (await openSearch(page)).fill('100')
  await page.getByRole('option', { name: /Who paid 100/ }).click()
  await page.getByRole('link', { name: 'Lucía Mora' }).waitFor()
  await page.goto(`/p/${shop}/payments?${days}&find=129.90`)
  await page.getByRole('link', { name: 'José García', exact: true }).waitFor()
})

it('channels are compared with the previous period until the comparison is turned off', async () => {
  const { page } = visit
  await page.goto(`/p/${shop}/channels?${days}`)
  await page.getByText('vs Mar 31 – Apr 30').first().waitFor()
  await page.getByLabel('Compare').uncheck()
  await page.getByText('refunds subtracted').waitFor()
  await page.getByText('vs Mar 31').first().waitFor({ state: 'detached' })
})
