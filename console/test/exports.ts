import { expect, it } from 'vitest'
import { listCustomers } from '../../server/src/features/insights/customers/contract.ts'
import { createExportDestination } from '../../server/src/features/outgoing/exports/destinations/contract.ts'
import { exportJobs } from '../../server/src/features/outgoing/exports/jobs.ts'
import { startWorker } from '../../server/src/platform/jobs/worker.ts'
import { makeExportShop, receivedBy } from '../../server/test/export-shop.ts'
import { moveClock, triggerSandbox } from '../../server/test/make-shop.ts'
import { until } from '../../server/test/until.ts'
import type { ConsoleWorld } from './console-world.ts'
import { bringSession, openConsole, phone, picture, untilClosed } from './visit.ts'

export function exportFlows(world: () => ConsoleWorld): void {
  it('three are sent, the platform shows one, and the page explains why; the preview contains only hashes', async () => {
    const { app, browser } = world()
    const shop = await makeExportShop(app)
    const connection = await shop.connected('engine_ads')
    await shop.call(createExportDestination, {
      body: {
        kind: 'engine',
        connection_id: connection.id,
        engine_conversion_action: '777',
        display_name: 'Search purchases',
      },
    })
    const reason = 'PROCESSING_ERROR_REASON_INVALID_GCLID'
    await triggerSandbox(app, 'engine_ads', 'act', { action: 'fail_processing', args: { reason, count: 2 } })
    for (const name of ['ana', 'bo', 'cy']) await shop.pay(name)
    await shop.settle()
    await moveClock(app, 31 * 60)
    const worker = startWorker({ service: app.service, jobs: exportJobs, pollMs: 20 })
    await until(async () => (await shop.ledger())[0]!.provider_status === 'partial_success', 50)
    await worker.stop()

    const visit = await openConsole(browser, app)
    const { page } = visit
    await bringSession(visit, shop.owner)
    await page.goto(`/p/${shop.profileId}/exports`)
    await page.getByText('Last run: 3 sent, 0 rejected, 0 skipped').waitFor()
    await picture(page, 'exports')
    await page.getByRole('button', { name: 'Preview' }).click()
    const code = page.getByRole('dialog').locator('code')
    await code.getByText('"transactionId"').first().waitFor()
    const body = await code.innerText()
    expect(body).toMatch(/"emailAddress": "[0-9a-f]{64}"/)
    expect(body).not.toContain('@example.com')
    await picture(page, 'export-preview')
    await page.keyboard.press('Escape')
    await untilClosed(page)

    const actions = page.getByRole('button', { name: 'Actions for Search purchases' })
    const test = page.getByRole('menuitem', { name: 'Send a test event' })
    await actions.click()
    expect(await test.isDisabled()).toBe(true)
    await page.getByRole('menuitem', { name: 'Events and test code' }).click()
    await page.getByLabel('Test event code').fill('TEST1')
    await picture(page, 'export-settings')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('test code TEST1').waitFor()
    await untilClosed(page)
    const counted = (await receivedBy(app, 'engine_ads')).length
    await actions.click()
    await test.click()
    await page.getByText('Google Ads accepted the test event purchase').waitFor()
    await picture(page, 'export-test-event')
    expect(await receivedBy(app, 'engine_ads')).toHaveLength(counted)

    await page.getByRole('tab', { name: 'Runs' }).click()
    await page.getByRole('table').getByText('1 of 3').waitFor()
    await page.getByRole('rowheader').getByRole('button').click()
    await page.getByText('3 sent, the platform shows 1.').waitFor()
    await page.getByText('2 × The click id could not be read').waitFor()
    await picture(page, 'export-run')
    await page.keyboard.press('Escape')
    await untilClosed(page)
    await page.getByRole('tab', { name: 'Conversions' }).click()
    await page.getByRole('table').getByText('100').first().waitFor()
    await picture(page, 'export-conversions')
    await visit.close()
  })

  it('a destination is created, its goals are mapped to the platform’s events, and conversions are sent with them', async () => {
    const { app, browser } = world()
    const shop = await makeExportShop(app)
    const visit = await openConsole(browser, app)
    const { page } = visit
    await bringSession(visit, shop.owner)
    await page.goto(`/p/${shop.profileId}/exports`)
    await page.getByText('Nothing is sent yet').waitFor()
    await page.getByRole('button', { name: 'New destination' }).click()
    await page.getByText('Connect Meta first').waitFor()
    await page.getByLabel('Platform').selectOption('shortvideo')
    await page.getByLabel('Pixel code').fill('CCONSOLE012345')
    await page.getByLabel('Access token').fill('pasted-in-the-console')
    await page.getByLabel('Name').fill('Clips')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('No conversions sent yet').waitFor()
    await untilClosed(page)
    await page.getByRole('button', { name: 'Actions for Clips' }).click()
    await page.getByRole('menuitem', { name: 'Events and test code' }).click()
    await page.getByLabel('Payment received').fill('CompletePayment')
    await picture(page, 'export-goals')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await shop.pay('named')
    await shop.settle()
    const [sent] = (await receivedBy(app, 'shortvideo')).filter(
      (event) => event.pixel_code === 'CCONSOLE012345',
    )
    expect(sent).toMatchObject({ event: 'CompletePayment', properties: { value: 100, currency: 'EUR' } })
    await page.getByText('Last run: 1 sent, 0 rejected, 0 skipped').waitFor()
    expect(await page.content()).not.toContain('pasted-in-the-console')
    await visit.close()
  })

  it('a test event is shown in the platform’s test view, and a rejection shows the platform’s message', async () => {
    const { app, browser } = world()
    const shop = await makeExportShop(app)
    await shop.socialDestination({ display_name: 'Main dataset', test_event_code: 'TEST77' })
    const visit = await openConsole(browser, app)
    const { page } = visit
    await bringSession(visit, shop.owner)
    await page.goto(`/p/${shop.profileId}/exports`)
    const sendTest = async () => {
      await page.getByRole('button', { name: 'Actions for Main dataset' }).click()
      await page.getByRole('menuitem', { name: 'Send a test event' }).click()
    }
    await sendTest()
    await page.getByText('Meta accepted the test event').waitFor()
    const tests = (await receivedBy(app, 'social_ads')).filter((event) => event.test_event_code === 'TEST77')
    expect(tests).toHaveLength(1)
    const busy = { kind: 'rate_limited', match: '/v', times: 1, retry_after_seconds: 100 }
    await triggerSandbox(app, 'social_ads', 'fault', busy)
    await sendTest()
    await page.getByText('Meta rejected the test event').waitFor()
    await picture(page, 'export-test-refused')
    await visit.close()
  })

  it('a platform-safe profile gets a clean dataset, and stops using it', async () => {
    const { app, browser } = world()
    const shop = await makeExportShop(app)
    const { pixelId } = await shop.socialDestination()
    const visit = await openConsole(browser, app)
    const { page } = visit
    await bringSession(visit, shop.owner)
    await page.goto(`/p/${shop.profileId}/exports?tab=catalog`)
    await page.getByText(pixelId).first().waitFor()
    expect(await page.getByRole('button', { name: 'Use a clean dataset' }).count()).toBe(0)
    await page.getByLabel('Privacy mode').selectOption('platform_safe')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Use a clean dataset' }).click()
    await picture(page, 'export-clean-dataset')
    await page.getByRole('dialog').getByRole('button', { name: 'Use a clean dataset' }).click()
    await page.getByRole('button', { name: 'Stop using it' }).waitFor()
    await picture(page, 'export-datasets')
    await shop.pay('safe')
    await shop.settle()
    expect((await shop.ledger())[0]).toMatchObject({ status: 'sent', reason: null })
    expect((await receivedBy(app, 'social_ads')).at(-1)!.pixel_id).not.toBe(pixelId)
    await page.getByRole('button', { name: 'Stop using it' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop using the clean dataset' }).click()
    await page.getByRole('button', { name: 'Use a clean dataset' }).waitFor()
    await visit.close()
  })

  it('an audience is created from a filter: counted first, then sent', async () => {
    const { app, browser } = world()
    const shop = await makeExportShop(app)
    await shop.connected('social_ads')
    const at = { timestamp: '2026-05-10T10:00:00Z' }
    for (const [name, value] of [
      ['ana', '300.00'],
      ['bo', '20.00'],
    ])
      await shop.pay(name!, { ...at, properties: { value } })
    const consent = { ad_user_data: 'denied', ad_personalization: 'denied' }
    await shop.pay('cy', { ...at, properties: { value: '300.00', consent } })
    await shop.settle()
    const visit = await openConsole(browser, app)
    const { page } = visit
    await bringSession(visit, shop.owner)
    await page.goto(`/p/${shop.profileId}/exports?tab=audiences`)
    await page.getByLabel('Name', { exact: true }).fill('May buyers')
    await page.getByLabel('From day').fill('2026-05-01')
    await page.getByLabel('To day').fill('2026-05-31')
    await page.getByLabel('I accept Meta’s terms').check()
    await page.getByRole('button', { name: 'Count customers' }).click()
    await page.getByText('3 customers match, 2 can be sent; left out: 1 refused consent.').waitFor()
    await page.getByLabel('Revenue of at least').fill('100')
    await page.getByRole('button', { name: 'Count customers' }).click()
    await page.getByText('2 customers match, 1 can be sent; left out: 1 refused consent.').waitFor()
    await picture(page, 'new-audience')
    await page.getByRole('button', { name: 'Send 1 customer' }).click()
    await page.getByRole('button', { name: 'Send audience' }).click()
    await page.getByText('1 customer sent to Meta.').waitFor()
    await visit.close()
  })

  it('customers are excluded from audiences by their ids; a typing error is reported and changes nothing', async () => {
    const { app, browser } = world()
    const shop = await makeExportShop(app)
    for (const name of ['ana', 'bo']) await shop.pay(name)
    await shop.settle()
    const { data } = await shop.call(listCustomers, { query: {} })
    const ids = data.map((customer) => customer.customer_id)
    const visit = await openConsole(browser, app)
    const { page } = visit
    await bringSession(visit, shop.owner)
    await page.goto(`/p/${shop.profileId}/exports?tab=audiences`)
    await page.getByText('Lists can be sent.').waitFor()
    await picture(page, 'export-audiences')
    const field = page.getByLabel('Customer ids')
    expect(await page.getByRole('button', { name: 'Exclude', exact: true }).isDisabled()).toBe(true)
    await field.fill(`${ids[0]}\nana@example.com`)
    await page.getByText('Not a customer id: ana@example.com.').waitFor()
    expect(await page.getByRole('button', { name: 'Exclude 2 customers' }).isDisabled()).toBe(true)
    await picture(page, 'export-audiences-mistyped')
    await field.fill(ids.join('\n'))
    await page.getByRole('button', { name: 'Exclude 2 customers' }).click()
    await page.getByText('2 customers excluded: 2 added, 0 included again').waitFor()
    await picture(page, 'export-audiences-saved')
    await page.goto(`/p/${shop.profileId}/customers/${ids[0]}`)
    await page.getByText('Excluded', { exact: true }).waitFor()
    await picture(page, 'customer-kept-out')
    await page.goto(`/p/${shop.profileId}/exports?tab=audiences`)
    await field.fill(crypto.randomUUID())
    await page.getByRole('button', { name: 'Exclude 1 customer' }).click()
    await page.getByText('is not a customer of this profile').waitFor()
    await page.getByRole('button', { name: 'Remove all exclusions' }).click()
    const dialog = page.getByRole('dialog')
    await picture(page, 'export-audiences-clear')
    await dialog.getByRole('button', { name: 'Remove all' }).click()
    await page.getByText('0 customers excluded: 0 added, 2 included again').waitFor()

    await page.getByRole('tab', { name: 'Data sharing' }).click()
    await page.getByLabel('Privacy mode').selectOption('platform_safe')
    await page.getByLabel('A partner app may send a customer list').check()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').waitFor()
    await page.getByRole('tab', { name: 'Audiences' }).click()
    await page.getByText('only the partner’s list is sent').waitFor()
    // A link to a tab shows the tab, even if the strip is wider than the screen.
    await page.setViewportSize(phone)
    await page.reload()
    await page.getByText('only the partner’s list is sent').waitFor()
    const rightEdge = async () => {
      const tab = (await page.getByRole('tab', { name: 'Audiences' }).boundingBox())!
      return tab.x + tab.width
    }
    await expect.poll(rightEdge).toBeLessThanOrEqual(phone.width)
    await visit.close()
  })
}
