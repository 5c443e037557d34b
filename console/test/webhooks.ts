import { expect, it } from 'vitest'
import {
  createWebhookSubscription,
  listWebhookSubscriptions,
} from '../../server/src/features/outgoing/webhooks/contract.ts'
import { makeKey, makePerson, makeProfile, makeWorkspace } from '../../server/test/make.ts'
import type { ConsoleWorld } from './console-world.ts'
import { bringSession, openConsole, picture } from './visit.ts'

export function webhookFlows(world: () => ConsoleWorld): void {
  it('a delivery is read with its attempts and replayed from the console, with the same payload', async () => {
    const { app, browser, receiver } = world()
    const person = await makePerson(app)
    const profileId = await makeProfile(person, await makeWorkspace(person))
    const call = app.as(await makeKey(app, profileId, ['webhooks:write']))
    await call(createWebhookSubscription, {
      body: { url: `${receiver.url}/hook`, events: ['connection.connected'], providers: ['platform'] },
    })
    const visit = await openConsole(browser, app)
    const { page } = visit
    await bringSession(visit, person)
    await page.goto('/')
    await page.getByRole('link', { name: 'Webhooks' }).click()
    await page.getByRole('button', { name: 'Send a test' }).click()
    await receiver.until((requests) => requests.length === 1)
    await page.getByRole('table').getByText('Delivered').waitFor()
    await picture(page, 'webhooks')
    await page.getByRole('table').getByRole('button').filter({ hasText: '.' }).first().click()
    await page.getByRole('list', { name: 'Attempts' }).getByText('204').waitFor()
    await picture(page, 'delivery')
    await page.getByRole('button', { name: 'Replay' }).click()
    await receiver.until((requests) => requests.length === 2)
    const [first, second] = receiver.requests
    expect(second!.body).toBe(first!.body)
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id'])
    await visit.close()
  })

  it('the form leaves out history, and shows which events never arrive', async () => {
    const { app, browser, receiver } = world()
    const person = await makePerson(app)
    const profileId = await makeProfile(person, await makeWorkspace(person))
    const visit = await openConsole(browser, app)
    const { page } = visit
    await bringSession(visit, person)
    await page.goto(`/p/${profileId}/webhooks`)
    await page.getByRole('button', { name: 'New subscription' }).click()
    await page.getByLabel('Address').fill(`${receiver.url}/hook`)
    await page.getByLabel('Platform', { exact: true }).uncheck()
    await page.getByLabel('Include history').uncheck()
    await page.getByRole('button', { name: 'Subscribe' }).click()
    const warning = 'outcome.recorded is sent with the provider platform'
    await page.getByRole('dialog').getByText(warning).waitFor()
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await page.getByText('Without history').waitFor()
    await page.getByRole('main').getByText(warning).waitFor()
    const call = app.as(await makeKey(app, profileId, ['webhooks:read']))
    const subscription = async () => (await call(listWebhookSubscriptions)).data[0]!
    expect((await subscription()).include_history).toBe(false)
    await page.getByRole('button', { name: /^Actions for/ }).click()
    await page.getByRole('menuitem', { name: 'Include history' }).click()
    await page.getByText('Without history').waitFor({ state: 'detached' })
    expect((await subscription()).include_history).toBe(true)
    await visit.close()
  })
}
