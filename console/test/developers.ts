import { expect, it } from 'vitest'
import { listConnections } from '../../server/src/features/sources/connections/contract.ts'
import { makePerson, makeProfile, makeWorkspace, refusalOf } from '../../server/test/make.ts'
import type { ConsoleWorld } from './console-world.ts'
import { bringSession, openConsole, picture, untilClosed } from './visit.ts'

export function developerFlows(world: () => ConsoleWorld): void {
  it('a key created in the console can call the API within its scopes, until it is revoked', async () => {
    const { app, browser } = world()
    const person = await makePerson(app)
    await makeProfile(person, await makeWorkspace(person))
    const visit = await openConsole(browser, app)
    const { page } = visit
    await bringSession(visit, person)
    await page.goto('/')
    await page.getByRole('link', { name: 'Developers' }).click()
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Name').fill('Back office')
    await page.getByRole('radio', { name: 'Custom' }).click()
    await page.getByLabel('connections:read').check()
    await page.getByRole('button', { name: 'Create key' }).click()
    const key = await page.getByRole('dialog').locator('pre').first().innerText()
    await picture(page, 'new-key')
    await page.getByRole('button', { name: 'I have copied it' }).click()

    expect((await app.as(key)(listConnections)).data).toEqual([])
    await page.getByText('Back office').waitFor()
    await untilClosed(page)
    expect(await page.content()).not.toContain(key)
    await picture(page, 'developers')

    await page.getByRole('button', { name: 'Actions for Back office' }).click()
    await page.getByRole('menuitem', { name: 'Revoke' }).click()
    await page.getByRole('button', { name: 'Revoke key' }).click()
    await page.getByText('No keys yet').waitFor()
    expect(await refusalOf(app.as(key)(listConnections))).toMatchObject({ status: 401 })
    await visit.close()
  })

  it('a new key for events shows when the first event has arrived', async () => {
    const { app, browser } = world()
    const person = await makePerson(app)
    const profileId = await makeProfile(person, await makeWorkspace(person))
    const visit = await openConsole(browser, app)
    const { page } = visit
    await bringSession(visit, person)
    await page.goto(`/p/${profileId}/developers`)
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Name').fill('Till')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByText('Waiting for your first event').waitFor()
    await picture(page, 'first-request')
    const request = await page.getByRole('dialog').locator('pre').nth(1).innerText()
    const [, url, authorization, body] = /^curl -X POST (\S+) .*?"Authorization: ([^"]+)".*?-d '(.*)'$/s.exec(
      request,
    )!
    const reply = await fetch(url!, {
      method: 'POST',
      headers: { authorization: authorization!, 'content-type': 'application/json' },
      body: body!,
    })
    expect(reply.status).toBe(202)
    await page.getByText('Your first event has arrived').waitFor()
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await visit.close()
  })
}
