/** An agency's workspace with one profile that has ads and sales, and its owner's console. */
import { makeAdWorld } from '../../server/test/ad-world.ts'
import { startTestApp } from '../../server/test/app.ts'
import { launchBrowser } from '../../server/test/browser.ts'
import { makeKey, makePerson, makeProfile, makeWorkspace } from '../../server/test/make.ts'
import { bringSession, openConsole } from './visit.ts'

export type Agency = Awaited<ReturnType<typeof openAgency>>

export async function openAgency() {
  await using opened = new AsyncDisposableStack()
  const app = opened.adopt(await startTestApp(), (server) => server.close())
  const browser = opened.adopt(await launchBrowser(), (launched) => launched.close())
  const person = await makePerson(app)
  const workspaceId = await makeWorkspace(person, 'agency')
  const profileId = await makeProfile(person, workspaceId, { name: 'Harbor & Pine' })
  await makeAdWorld(app, profileId, app.as(await makeKey(app, profileId, ['events:write'])))
  const visit = opened.adopt(await openConsole(browser, app), (window) => window.close())
  await bringSession(visit, person)
  const all = opened.move()
  return { app, browser, person, workspaceId, profileId, visit, close: () => all.disposeAsync() }
}
