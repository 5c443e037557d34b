/** Identity: merging pairs and dismissing them, rejecting and accepting links, repairing emails, and a customer's page. */
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { customerDataExportJobs } from '../../server/src/features/corrections/customer-data-exports/jobs.ts'
import { sendEvent } from '../../server/src/features/facts/events/contract.ts'
import type { TestApp } from '../../server/test/app.ts'
import { drainJobs } from '../../server/test/jobs.ts'
import { makeKey, makeProfile, type Person } from '../../server/test/make.ts'
import { mailsTo } from '../../server/test/outbox.ts'
import { picture, pressEnter, seriousFaults, untilClosed } from './visit.ts'

export type IdentityWorld = { app: TestApp; page: Page; person: Person; workspaceId: string }

export function identityFlows(world: () => IdentityWorld): void {
  let profileId = ''

  async function plant(): Promise<void> {
    const { app, person, workspaceId } = world()
    profileId = await makeProfile(person, workspaceId, { name: 'People shop' })
    const call = app.as(await makeKey(app, profileId, ['events:write']))
    const people = [
      { external_id: 'crm-1', email: 'ana@example.com', first_name: 'Ana' },
      { external_id: 'crm-2', email: 'ana@example.com', phone: '+34600000001' },
      { external_id: 'crm-3', email: 'Bob Low <bob@example.com>' },
    ]
    for (const [index, user_traits] of people.entries())
      await call(sendEvent, {
        body: {
          event_name: 'payment_received',
          idempotency_key: `sale-${index}`,
          properties: { value: 10 + index, currency: 'EUR', consent: { ad_user_data: 'denied' } },
          user_traits,
        },
      })
    await app.service.processor.settled(profileId)
  }

  it('merges a pair after a preview and undoes it, by keyboard alone', async () => {
    await plant()
    const { page } = world()
    await page.goto(`/p/${profileId}/identity`)
    await pressEnter(page.getByRole('button', { name: 'Find duplicates' }))
    const pair = page.getByRole('button', { name: /^Preview the merge of/ })
    await pair.waitFor()
    await expect.poll(() => page.locator('.proposals li').innerText()).toContain('90% match')
    await picture(page, 'merge-queue')
    await pressEnter(pair)
    const dialog = page.getByRole('dialog')
    await dialog.getByText('0 visits, 1 conversion, 1 payment and').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await picture(page, 'merge-preview')
    await pressEnter(dialog.getByRole('button', { name: 'Merge', exact: true }))
    await page.getByText('No pairs to decide').waitFor()
    const merged = page.getByRole('radio', { name: 'Merged (1)' })
    await pressEnter(merged)
    await pressEnter(page.getByRole('button', { name: /^Undo the merge/ }))
    await page.getByText('None here').waitFor()
    await pressEnter(page.getByRole('radio', { name: 'To decide (1)' }))
    await pressEnter(page.getByRole('button', { name: /^Not the same person/ }))
    await page.getByRole('radio', { name: 'Not the same (1)' }).waitFor()
  })

  it('rejects a link between two identifiers and accepts it again', async () => {
    const { page } = world()
    await page.goto(`/p/${profileId}/identity?tab=links`)
    const row = page.getByRole('row', { name: /^Email → Your customer id/ }).first()
    await row.getByRole('button', { name: /^Reject/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Reject link' }).click()
    await untilClosed(page)
    await row.getByText('Rejected').waitFor()
    await picture(page, 'identity-links')
    expect(await seriousFaults(page)).toEqual([])
    await row.getByRole('button', { name: /^Accept/ }).click()
    await row.getByText('Accepted').waitFor()
  })

  it('repairs an email in an unusable format', async () => {
    const { page } = world()
    await page.goto(`/p/${profileId}/identity?tab=repair`)
    await page.getByText('bob@example.com', { exact: true }).waitFor()
    await picture(page, 'identity-repair')
    expect(await seriousFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Fill in 1' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Fill in' }).click()
    await page.getByText('No email or phone can be filled in').waitFor()
    await page.getByRole('button', { name: 'Find affected customers' }).click()
    await page.getByText('No customers were merged by a misread number').waitFor()
  })

  it('a customer’s page shows the consent, and links to the erasure', async () => {
    const { page } = world()
    await page.goto(`/p/${profileId}/customers?find=crm-1`)
    await page.getByRole('link', { name: 'Ana' }).click()
    await page.getByRole('heading', { level: 1, name: 'Ana' }).waitFor()
    const consent = page.getByRole('region', { name: 'Consent' })
    await expect
      .poll(() => consent.getByRole('definition').allInnerTexts())
      .toEqual(['Denied', 'Unknown', 'Allowed', 'Export data', 'Erase this person'])
    await consent.getByRole('link', { name: 'Erase this person' }).click()
    await expect.poll(() => page.getByLabel('Value', { exact: true }).inputValue()).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('creates the file of a person after the mailed code was entered', async () => {
    const { app, page } = world()
    await page.goto(`/p/${profileId}/customers?find=crm-1`)
    await page.getByRole('link', { name: 'Ana' }).click()
    await page.getByRole('link', { name: 'Export data' }).click()
    const form = page.getByRole('region', { name: 'Export a person’s data' })
    await expect.poll(() => form.getByLabel('Value of the person').inputValue()).toMatch(/^[0-9a-f-]{36}$/)
    await form.getByLabel('Identified by').selectOption('mail_code')
    await form.getByRole('button', { name: 'Create the file' }).click()
    const requests = page.getByRole('region', { name: 'Requests for personal data' })
    await requests.getByText('Identity open').waitFor()
    expect(await seriousFaults(page)).toEqual([])
    await picture(page, 'personal-data')
    await drainJobs(app.service, customerDataExportJobs)
    const code = /\b(\d{6})\b/.exec((await mailsTo(app, 'ana@example.com')).at(-1)!.text)![1]!
    await requests.getByRole('button', { name: 'Identify the person' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Code from the mail').fill(code)
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await untilClosed(page)
    await drainJobs(app.service, customerDataExportJobs)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      requests.getByRole('button', { name: 'Download' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^customer-data-.*\.zip$/)
    await requests.getByRole('button', { name: 'Delete the file' }).click()
    await requests.getByText('Cancelled').waitFor()
  })
}
