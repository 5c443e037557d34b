/** Twenty-one user tasks, each done in Chromium by visible names and checked with the API. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { jobs } from '../../server/src/app.ts'
import { sendEvent } from '../../server/src/features/facts/events/contract.ts'
import { prepareFirstRun } from '../../server/src/features/sharing/demo/first-run.ts'
import { drainJobs } from '../../server/test/jobs.ts'
import { type ConsoleWorld, startConsoleWorld } from './console-world.ts'
import { actingTasks } from './tasks/acting.ts'
import { ask, type Desk } from './tasks/desk.ts'
import { readingTasks } from './tasks/reading.ts'
import { settingUpTasks } from './tasks/setting-up.ts'
import { collectErrors, openConsole, signInAs, type Visit } from './visit.ts'

const tasks = { ...readingTasks, ...settingUpTasks, ...actingTasks }

let world: ConsoleWorld
let visit: Visit
let desk: Desk
beforeAll(async () => {
  world = await startConsoleWorld()
  const { app } = world
  const first = (await prepareFirstRun(app.service))!
  const { profileId: demo, apiKey } = first.demo!
  await drainJobs(app.service, jobs)
  const properties = { value: 129.9, currency: 'USD' }
  const user_traits = { email: 'paula.reyes@example.com', first_name: 'Paula', last_name: 'Reyes' }
  await app.as(apiKey)(sendEvent, {
    body: { event_name: 'payment_received', idempotency_key: 'paula', properties, user_traits },
  })
  visit = await openConsole(world.browser, app)
  await signInAs(visit, first, first.password)
  const { page, context } = visit
  const settled = async () => {
    await drainJobs(app.service, jobs)
    for (const id of [demo, first.profileId]) await app.service.processor.settled(id)
  }
  await settled()
  desk = { page, context, demo, own: first.profileId, workspaceId: '', settled }
  const { data } = await ask<{ data: { id: string; workspace_id: string }[] }>(desk, '/profiles')
  desk.workspaceId = data.find(({ id }) => id === demo)!.workspace_id
}, 300_000)
afterAll(async () => {
  await visit?.close()
  await world?.close()
})

it('there are 21 of them', () => {
  expect(Object.keys(tasks)).toHaveLength(21)
})

it('no page of the demo, and none of an empty business, shows an error in the browser’s console', async () => {
  const page = await visit.context.newPage()
  const errors = collectErrors(page)
  // High enough that no menu group is collapsed.
  await page.setViewportSize({ width: 1440, height: 1600 })
  await page.goto(`/p/${desk.demo}/overview`)
  await page.locator('main h1').first().waitFor()
  const paths = await page.evaluate<string[]>(
    `[...document.querySelectorAll('.sidebar nav a')].map((link) => new URL(link.href).pathname)`,
  )
  expect(paths.length).toBeGreaterThan(30)
  for (const path of [...paths, ...paths.map((demoPath) => demoPath.replace(desk.demo, desk.own))]) {
    await page.goto(path)
    await page.locator('main h1').first().waitFor()
    await page.locator('.skeleton').first().waitFor({ state: 'detached' })
    expect([path, errors]).toEqual([path, []])
  }
  await page.close()
}, 300_000)

it.each(Object.entries(tasks))('%s', async (_, run) => {
  await run(desk)
})
