/** Client reports of an agency: create and download one, set a schedule, approve its report, register a domain. */
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { generateReports, getReportsHub } from '../../server/src/features/sharing/client-reports/contract.ts'
import { clientReportJobs } from '../../server/src/features/sharing/client-reports/jobs.ts'
import { drainJobs, runSchedule } from '../../server/test/jobs.ts'
import { mailsTo } from '../../server/test/outbox.ts'
import { type Agency, openAgency } from './agency.ts'
import { picture, seriousFaults } from './visit.ts'

let agency: Agency
let app: Agency['app']
let person: Agency['person']
let workspaceId: Agency['workspaceId']
let profileId: Agency['profileId']
let visit: Agency['visit']
beforeAll(async () => {
  agency = await openAgency()
  ;({ app, person, workspaceId, profileId, visit } = agency)
})
afterAll(() => agency?.close())

const drain = () => drainJobs(app.service, clientReportJobs)
const open = () => visit.page.goto(`/p/${profileId}/client-reports`)

it('a report is created, and a finished one downloaded', async () => {
  const { page } = visit
  await open()
  await page.getByLabel('Period').selectOption('7 days to yesterday')
  await page.getByRole('button', { name: 'Create report' }).click()
  await page.getByText('The report is being created').waitFor()
  await page.getByText('In progress').waitFor()
  await drain()
  // The business has no data in the last days.
  await page.getByText('There was no spend, payment or campaign on these days.').waitFor()
  const body = { date_from: '2026-05-01', date_to: '2026-05-31' }
  await person.call(generateReports, { params: { workspaceId }, body })
  await drain()
  await open()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download the report of Harbor & Pine' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('Harbor & Pine 2026-05-01 2026-05-31.pdf')
  expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe('%PDF-')
})

it('a schedule is set, and its report sent once it is approved', async () => {
  const { page } = visit
  await open()
  // Waits for the lists above, so that the button no longer moves.
  await page.getByText('Ready', { exact: true }).first().waitFor()
  await page.getByText('No schedules yet').waitFor()
  await page.getByRole('button', { name: 'Set schedule' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('How often').selectOption('Every month')
  await dialog.getByLabel('Day of the month').fill('31')
  expect(await dialog.getByRole('button', { name: 'Save schedule' }).isDisabled()).toBe(true)
  await dialog.getByLabel('Recipients').fill('client@example.com')
  await dialog.getByLabel('Ask for approval before a report is sent').check()
  expect(await seriousFaults(page)).toEqual([])
  await picture(page, 'client-reports-schedule')
  await dialog.getByRole('button', { name: 'Save schedule' }).click()
  await page.getByText('Monthly on day 31 at 08:00').waitFor()
  await app.pool.query("update report_schedules set next_run_at = now() - interval '1 minute'")
  await runSchedule(app.service, clientReportJobs, 'client_reports.start_due')
  await app.pool.query(
    "update client_reports set date_from = '2026-05-01', date_to = '2026-05-31' where scheduled_for is not null",
  )
  await drain()
  await open()
  await page.getByText('Needs approval').waitFor()
  await picture(page, 'client-reports-approval')
  await page.getByRole('button', { name: 'Approve the report of Harbor & Pine' }).click()
  await page.getByText('Approved. The report is being sent').waitFor()
  await drain()
  const { reports } = (await person.call(getReportsHub, { params: { workspaceId } })).data
  expect(reports.find((report) => report.is_scheduled)).toMatchObject({
    status: 'sent',
    recipients: { sent: 1 },
  })
  expect(await mailsTo(app, 'client@example.com')).toHaveLength(1)
})

it('a sending domain is registered and removed', async () => {
  const { page } = visit
  await page.goto(`/p/${profileId}/settings?tab=branding`)
  await page.getByLabel('Domain', { exact: true }).fill('agency.example')
  await page.getByRole('button', { name: 'Register domain' }).click()
  await page.getByText('Waiting for DNS records').waitFor()
  await page.getByText('reports@agency.example').waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await picture(page, 'sender-domain')
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByRole('button', { name: 'Register domain' }).waitFor()
})
