/** The operator page: what operators can do, and that others cannot open it. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listOperatorActions, listProblems } from '../../server/src/features/account/operator/contract.ts'
import { startTestApp, type TestApp } from '../../server/test/app.ts'
import { launchBrowser } from '../../server/test/browser.ts'
import {
  makeOwnProfile,
  makePerson,
  makeProfile,
  makeWorkspace,
  type Person,
} from '../../server/test/make.ts'
import { makeOperator, makeProblem, OPERATOR_EMAIL } from '../../server/test/make-problems.ts'
import { bringSession, openConsole, phone, picture, seriousFaults } from './visit.ts'

let app: TestApp
let browser: Browser
let operator: Person
beforeAll(async () => {
  app = await startTestApp({ OPERATORS: OPERATOR_EMAIL })
  browser = await launchBrowser()
  operator = await makeOperator(app)
})
afterAll(async () => {
  await browser?.close()
  await app?.close()
})

const reason = 'The shop closed'

it('an operator views a dead job, retries it, and drops an event with a reason', async () => {
  const profile = await makeOwnProfile(app, ['events:write', 'webhooks:write'])
  const jobId = await makeProblem(app, profile, 'dead-jobs')
  const eventId = await makeProblem(app, profile, 'quarantined-events')
  await makeProblem(app, profile, 'stuck-deliveries')
  await makeProfile(operator, await makeWorkspace(operator))
  const visit = await openConsole(browser, app)
  const { page } = visit
  await bringSession(visit, operator)
  await page.goto('/')
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Operator' }).click()
  await page.getByRole('heading', { name: 'Operator' }).waitFor()
  // No worker runs in this test.
  await page.getByRole('alert').getByText('Events are accepted but not processed').waitFor()
  await picture(page, 'operator')

  await page.getByRole('tab', { name: 'Dead jobs' }).click()
  await page.getByRole('button', { name: 'test.dead' }).click()
  await page.getByRole('dialog').getByText(jobId).waitFor()
  expect(await page.getByText('ana@example.com').count()).toBe(0)
  await page.getByRole('button', { name: 'Retry now' }).click()
  await page.getByText('No dead jobs').waitFor()

  await page.getByRole('tab', { name: 'Quarantined events' }).click()
  await page.getByRole('button', { name: 'lead_created' }).click()
  await page.getByRole('button', { name: 'Drop…' }).click()
  await page.getByLabel('Reason').fill(reason)
  await picture(page, 'operator-drop')
  await page.getByRole('button', { name: 'Drop', exact: true }).click()
  await page.getByText('No quarantined events').waitFor()

  await page.getByRole('tab', { name: 'Stuck deliveries' }).click()
  await page.getByRole('button', { name: 'recompute.completed' }).waitFor()
  await page.getByRole('tab', { name: 'Log' }).click()
  await page.getByRole('cell', { name: reason }).waitFor()
  await visit.close()

  const { data: log } = await operator.call(listOperatorActions)
  const summaryOf = ({ action, subject, user_id }: (typeof log)[number]) => ({ action, subject, user_id })
  expect(log.map(summaryOf)).toEqual([
    { action: 'drop', subject: eventId, user_id: operator.id },
    { action: 'retry', subject: jobId, user_id: operator.id },
  ])
  const dead = await operator.call(listProblems, { params: { kind: 'dead-jobs' }, query: {} })
  expect(dead.data).toEqual([])
  await isWholeOnAPhone()
})

it('the page is not found for other users', async () => {
  const person = await makePerson(app, 'Owner')
  await makeProfile(person, await makeWorkspace(person))
  const visit = await openConsole(browser, app)
  const { page } = visit
  await bringSession(visit, person)
  await page.goto('/')
  await page.getByRole('button', { name: /^Account Owner/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Operator' }).count()).toBe(0)
  await page.goto('/operator')
  await page.getByText('Page not found').waitFor()
  await visit.close()
})

async function isWholeOnAPhone(): Promise<void> {
  const visit = await openConsole(browser, app, { viewport: phone, dark: true })
  const { page } = visit
  await bringSession(visit, operator)
  for (const tab of ['processes', 'stuck-deliveries', 'log']) {
    await page.goto(`/operator?tab=${tab}`)
    await page.getByRole('tabpanel').getByRole('heading', { level: 2 }).waitFor()
    await page.locator('.skeleton').first().waitFor({ state: 'detached' })
    await picture(page, `operator-${tab}-phone`)
    expect(await seriousFaults(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
  }
  await visit.close()
}
