/** The brief on Overview: figures that link to reports, on a desktop in light mode and on a phone in dark mode. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sendEvent } from '../../server/src/features/facts/events/contract.ts'
import { makeAdWorld } from '../../server/test/ad-world.ts'
import { startTestApp, type TestApp } from '../../server/test/app.ts'
import { launchBrowser } from '../../server/test/browser.ts'
import { makeKey, makePerson, makeProfile, makeWorkspace, type Person } from '../../server/test/make.ts'
import { bringSession, openConsole, phone, pictures, seriousFaults, type Visit } from './visit.ts'

let app: TestApp
let browser: Browser
let owner: Person
let profileId: string
const visits: Visit[] = []
const days = 'from=2026-05-05&to=2026-05-06'
beforeAll(async () => {
  app = await startTestApp()
  browser = await launchBrowser()
  owner = await makePerson(app, 'Owner')
  const workspaceId = await makeWorkspace(owner, 'agency')
  profileId = await makeProfile(owner, workspaceId, { name: 'Hazel & Pine' })
  const key = await makeKey(app, profileId, ['events:write', 'campaigns:read'])
  await makeAdWorld(app, profileId, app.as(key))
  const properties = { value: 77 }
  const body = { event_name: 'payment_received', anonymous_id: 'eve', idempotency_key: 'eve-1', properties }
  await app.as(key)(sendEvent, { body })
  await app.service.processor.settled(profileId)
  for (const look of [{}, { viewport: phone, dark: true }]) {
    const visit = await openConsole(browser, app, look)
    visits.push(visit)
    await bringSession(visit, owner)
  }
})
afterAll(async () => {
  for (const visit of visits) await visit.close()
  await browser?.close()
  await app?.close()
})

it('describes what changed, and every figure opens its report', async () => {
  for (const [index, { page }] of visits.entries()) {
    await page.goto(`/p/${profileId}/overview?${days}`)
    const brief = page.getByRole('region', { name: 'What changed' })
    await brief.getByText('Revenue fell by €50.00').waitFor()
    await page.locator('.skeleton').first().waitFor({ state: 'detached' })
    await pictures(page, `brief-${index === 0 ? 'desktop' : 'phone'}`, index === 1)
    expect(await seriousFaults(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    await brief.getByRole('link', { name: '“Name of C2”' }).click()
    await page.getByRole('heading', { name: 'Name of C2' }).waitFor()
    expect(new URL(page.url()).searchParams.get('from')).toBe('2026-05-05')
  }
})

it('is mailed to the person and sent to a channel that is listed and removed', async () => {
  for (const [index, { page }] of visits.entries()) {
    await page.goto(`/p/${profileId}/overview?${days}`)
    await page.getByRole('button', { name: 'Get by email or chat' }).click()
    const dialog = page.getByRole('dialog', { name: 'Receive briefs and alerts' })
    await dialog.getByRole('button', { name: 'Add a channel' }).click()
    await dialog.getByLabel('Name').fill('#marketing')
    await dialog.getByLabel('Webhook address').fill('https://hooks.example.com/services/T0/B0/secret')
    await dialog.getByRole('button', { name: 'Add channel' }).click()
    await dialog.getByText('Slack at hooks.example.com: brief every day, alerts').waitFor()
    await pictures(page, `brief-receive-${index === 0 ? 'desktop' : 'phone'}`, index === 1)
    expect(await seriousFaults(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Remove #marketing' }).click()
    await dialog.getByText('None yet').waitFor()
    await dialog.getByLabel('How often').selectOption('weekly')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('You will get the brief by email').first().waitFor()
  }
  const { rows } = await app.pool.query('select kind, cadence from brief_receivers')
  expect(rows).toEqual([{ kind: 'mail', cadence: 'weekly' }])
})

it('answers fixed questions and shows the request, and answers no others', async () => {
  for (const [index, { page }] of visits.entries()) {
    await page.goto(`/p/${profileId}/overview?${days}`)
    const panel = page.getByRole('region', { name: 'Ask', exact: true })
    const put = async (text: string) => {
      await panel.getByLabel('Your question').fill(text)
      await panel.getByLabel('Your question').press('Enter')
    }
    await put('Which campaign lost most?')
    await panel.getByText('Name of C2 lost most').waitFor()
    await panel.getByText(/^GET \/api\/v1\/reports\/brief\?date_from=2026-05-05&date_to=2026-05-06/).waitFor()
    await pictures(page, `ask-${index === 0 ? 'desktop' : 'phone'}`, index === 1)
    await panel.getByRole('button', { name: 'Ask', exact: true }).hover()
    expect(await seriousFaults(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    await put('Who paid 77?')
    await panel.getByText(/paid €77\.00 on/).waitFor()
    await put('Will it rain?')
    await panel.getByText('This question is not supported').waitFor()
    await panel.getByRole('button', { name: 'Who paid 129.90?' }).click()
    await panel.getByText('No payment of 129.90 in the last 12 months.').waitFor()
  }
})
