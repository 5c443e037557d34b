/** From an ad to a sale through a conversation, as seen and answered in the console. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { jobs } from '../../server/src/app.ts'
import { sendEvent } from '../../server/src/features/facts/events/contract.ts'
import { startCalendarLink } from '../../server/src/features/sources/calendars/contract.ts'
import { startSync } from '../../server/src/features/sources/connections/contract.ts'
import { declareSource } from '../../server/src/features/sources/declared-sources/contract.ts'
import { drainJobs } from '../../server/test/jobs.ts'
import { makeKey } from '../../server/test/make.ts'
import { makeShop, triggerSandbox } from '../../server/test/make-shop.ts'
import { makeVisitor, walkConsent } from '../../server/test/visitor.ts'
import { type ConsoleWorld, startConsoleWorld } from './console-world.ts'
import { bringSession, openConsole, picture, untilClosed } from './visit.ts'

let world: ConsoleWorld
beforeAll(async () => {
  world = await startConsoleWorld()
})
afterAll(() => world?.close())

const PERSON = '12025550177'
const EMAIL = 'robin@example.com'

/** All steps are listed in this order. */
async function stepsInOrder(page: Page, steps: string[]): Promise<void> {
  const listed = page.getByRole('listitem').filter({ has: page.locator('time') })
  const visibleSteps = async () => {
    const texts = await listed.allInnerTexts()
    const places = new Map(steps.map((step) => [step, texts.findIndex((text) => text.includes(step))]))
    return steps.filter((step) => places.get(step) !== -1).toSorted((a, b) => places.get(a)! - places.get(b)!)
  }
  await expect.poll(visibleSteps).toEqual(steps)
}

it('ad, message, reply, appointment and payment are one journey, and the ad is credited', async () => {
  const { app, browser } = world
  const shop = await makeShop(app)
  const call = app.as(
    await makeKey(app, shop.profileId, ['events:write', 'connections:read', 'connections:write']),
  )
  const settle = async () => {
    await drainJobs(app.service, jobs)
    await app.service.processor.settled(shop.profileId)
  }
  await shop.connected('social_ads')
  const link = (await call(startCalendarLink, { body: { provider: 'engine_calendar' } })).data
  await walkConsent(makeVisitor(), link.start_url, 'approve-one')
  const { connection_id } = (await shop.poll(link.id)).result as { connection_id: string }
  await settle()
  const ad = await app.service.db
    .selectFrom('ad_entities')
    .select(['external_id', 'name'])
    .where('profile_id', '=', shop.profileId)
    .where('level', '=', 'ad')
    .orderBy('external_id')
    .executeTakeFirstOrThrow()

  const visit = await openConsole(browser, app)
  const { page } = visit
  await bringSession(visit, shop.owner)
  await page.goto(`/p/${shop.profileId}/connections`)
  await page.getByRole('button', { name: 'Choose accounts' }).click()
  await page.getByRole('button', { name: /^Receive .*WhatsApp/ }).click()
  await page.getByText(/^Receiving .*WhatsApp/).waitFor()
  await page.keyboard.press('Escape')
  await untilClosed(page)

  const message = {
    channel: 'chatapp',
    person: PERSON,
    ad_id: ad.external_id,
    at: app.service.clock.now().toISOString(),
  }
  await triggerSandbox(app, 'social_ads', 'act', { action: 'message', args: message })
  await settle()
  await page.goto(`/p/${shop.profileId}/conversations`)
  await page.getByRole('table').getByText('No reply').waitFor()
  await page.getByRole('link', { name: 'Robin Writer' }).click()
  await page.getByText(ad.name!).first().waitFor()
  await page.getByRole('textbox', { name: 'Message' }).fill('Tomorrow at ten?')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByText('You', { exact: true }).waitFor()
  await picture(page, 'conversation-answered')

  // The front desk records the person's email and books an appointment.
  const traits = { email: EMAIL, phone: `+${PERSON}` }
  await call(sendEvent, {
    body: { event_name: 'lead_created', idempotency_key: 'lead', user_traits: traits },
  })
  await settle()
  const starts_at = new Date(app.service.clock.now().getTime() + 3_600_000).toISOString()
  await triggerSandbox(app, 'engine_calendar', 'act', { action: 'book', args: { email: EMAIL, starts_at } })
  await call(startSync, { body: { connection_id } })
  await settle()
  const paid = { value: 250, currency: 'EUR', order_id: 'O-1' }
  const payment = { event_name: 'payment_received', idempotency_key: 'paid', user_traits: { email: EMAIL } }
  await call(sendEvent, { body: { ...payment, properties: paid } })
  await settle()

  await page.reload()
  await page.getByText('Outcome', { exact: true }).waitFor()
  await page.getByRole('link', { name: /conversions?$/ }).click()
  await page.getByText('Appointment booked').first().waitFor()
  await picture(page, 'conversation-customer')
  await stepsInOrder(page, [
    ad.name!,
    'DM started',
    'Your reply',
    'Lead created',
    'Appointment booked',
    'Payment received',
  ])
  await page.getByRole('link', { name: 'Why: Payment received' }).click()
  const credited = page.getByRole('listitem').filter({ hasText: 'Started a conversation' })
  await credited.getByText('100% credit').waitFor()
  await credited.getByText('€250.00').waitFor()
  const declaration = { answer_key: 'friend_or_family', asked_at: app.service.clock.now().toISOString() }
  await call(declareSource, { body: { ...declaration, customer: { email: EMAIL }, idempotency_key: 'said' } })
  await page.reload()
  await page.getByText(/customer answered “Friends or family”.*This answer has no matching channel/).waitFor()
  await stepsInOrder(page, ['Started a conversation', 'Your reply', 'Appointment booked', 'Payment received'])
  await picture(page, 'conversation-why')
  await visit.close()
})
