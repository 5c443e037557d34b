/** The console of a service below a path prefix: everything it loads and links to has the prefix. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../server/test/app.ts'
import { launchBrowser, openWindow } from '../../server/test/browser.ts'
import { makePerson, makeProfile, makeWorkspace, PASSWORD } from '../../server/test/make.ts'
import { type Front, startReverseProxy } from '../../server/test/reverse-proxy.ts'

let app: TestApp
let browser: Browser
let front: Front
beforeAll(async () => {
  front = await startReverseProxy('/whence')
  app = await startTestApp({ BASE_URL: front.origin, BASE_PATH: '/whence' })
  front.forwardTo(app.baseUrl)
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await app?.close()
  await front?.close()
})

it('a person signs in, opens a page by its URL, reads the reference, and signs out', {
  timeout: 180_000,
}, async () => {
  const person = await makePerson(app)
  const profileId = await makeProfile(person, await makeWorkspace(person))
  const { page } = await openWindow(browser, { away: '/whence/favicon.svg', baseURL: front.origin })
  await page.goto(`/whence/p/${profileId}/webhooks`)
  await page.waitForURL((url) => url.pathname === '/whence/sign-in')
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor()
  expect(new URL(page.url()).pathname).toBe(`/whence/p/${profileId}/webhooks`)
  await page.reload()
  await page.getByRole('link', { name: 'Developers' }).click()
  expect(await page.getByRole('link', { name: 'API reference' }).getAttribute('href')).toBe('/whence/docs')
  await page.locator('.brand img').evaluate('(image) => image.decode()')
  const session = await page.context().newCDPSession(page)
  const manifest = await session.send('Page.getAppManifest')
  expect([new URL(manifest.url).pathname, manifest.errors]).toEqual(['/whence/app.webmanifest', []])
  const { start_url, icons } = JSON.parse(manifest.data!) as { start_url: string; icons: { src: string }[] }
  for (const address of [
    start_url,
    ...icons.map(({ src }) => src),
    './offline-worker.js',
    './offline.html',
  ]) {
    const url = new URL(address, manifest.url)
    expect([url.pathname.startsWith('/whence/'), (await page.request.get(url.href)).status()]).toEqual([
      true,
      200,
    ])
  }
  await page.goto('/whence')
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL((url) => url.pathname === '/whence/sign-in')
  expect(front.strays).toEqual([])
})
