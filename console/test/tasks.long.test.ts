/** Twenty-one things that people come for, each done in Chromium by visible names, each checked with the API. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { jobs } from '../../server/src/app.ts'
import { prepareFirstRun } from '../../server/src/features/account/demo/first-run.ts'
import { sendEvent } from '../../server/src/features/facts/events/contract.ts'
import { drainJobs } from '../../server/test/jobs.ts'
import { type House, openHouse } from './house.ts'
import { actingTasks } from './tasks/acting.ts'
import { ask, type Desk } from './tasks/desk.ts'
import { readingTasks } from './tasks/reading.ts'
import { settingUpTasks } from './tasks/setting-up.ts'
import { openConsole, signInAs, type Visit } from './visit.ts'

const tasks = { ...readingTasks, ...settingUpTasks, ...actingTasks }

let house: House
let visit: Visit
let desk: Desk
beforeAll(async () => {
  house = await openHouse()
  const { app } = house
  const first = (await prepareFirstRun(app.service))!
  const { profileId: demo, apiKey } = first.demo!
  await drainJobs(app.service, jobs)
  const properties = { value: 129.9, currency: 'USD' }
  const user_traits = { email: 'paula.reyes@example.com', first_name: 'Paula', last_name: 'Reyes' }
  await app.as(apiKey)(sendEvent, {
    body: { event_name: 'payment_received', idempotency_key: 'paula', properties, user_traits },
  })
  visit = await openConsole(house.browser, app)
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
  await house?.close()
})

it('there are 21 of them', () => {
  expect(Object.keys(tasks)).toHaveLength(21)
})

it.each(Object.entries(tasks))('%s', async (_, run) => {
  await run(desk)
})
