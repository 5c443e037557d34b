import { expect, it } from 'vitest'
import { createExportDestination } from '../../server/src/features/exports/destinations/contract.ts'
import { exportJobs } from '../../server/src/features/exports/jobs.ts'
import { startWorker } from '../../server/src/jobs/worker.ts'
import { makeExportShop } from '../../server/test/export-shop.ts'
import { moveClock, tellSandbox } from '../../server/test/make-shop.ts'
import { until } from '../../server/test/until.ts'
import type { House } from './house.ts'
import { bringSession, openConsole, picture } from './visit.ts'

export function exportFlows(house: () => House): void {
  it('three are sent, the platform shows one, and the page says why; the preview holds hashes only', async () => {
    const { app, browser } = house()
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
    await tellSandbox(app, 'engine_ads', 'act', { action: 'fail_processing', args: { reason, count: 2 } })
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
    await page.getByText('Last run: 3 sent, 0 refused, 0 skipped').waitFor()
    await picture(page, 'exports')
    await page.getByRole('button', { name: 'Preview' }).click()
    const code = page.getByRole('dialog').locator('code')
    await code.getByText('"transactionId"').first().waitFor()
    const body = await code.innerText()
    expect(body).toMatch(/"emailAddress": "[0-9a-f]{64}"/)
    expect(body).not.toContain('@example.com')
    await picture(page, 'export-preview')
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'Actions for Search purchases' }).click()
    await page.getByRole('menuitem', { name: 'Events and test code' }).click()
    await page.getByLabel('Test event code').fill('TEST1')
    await picture(page, 'export-settings')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('test code TEST1').waitFor()

    await page.getByRole('tab', { name: 'Runs' }).click()
    await page.getByRole('table').getByText('1 of 3').waitFor()
    await page.getByRole('rowheader').getByRole('button').click()
    await page.getByText('3 sent, the platform shows 1.').waitFor()
    await page.getByText('2 × The click id could not be read').waitFor()
    await picture(page, 'export-run')
    await visit.close()
  })
}
