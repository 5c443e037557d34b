/** Second factors in the console, with Chromium's virtual authenticator. */

import type { Browser, CDPSession } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../server/test/app.ts'
import { appCode } from '../../server/test/app-codes.ts'
import { launchBrowser } from '../../server/test/browser.ts'
import { makePerson, makeProfile, makeWorkspace, PASSWORD } from '../../server/test/make.ts'
import { openConsole, picture, seriousFaults } from './visit.ts'

let first: TestApp
let app: TestApp
let browser: Browser
beforeAll(async () => {
  first = await startTestApp()
  // WebAuthn needs a host name; an IP address is no relying party.
  const { port } = new URL(first.baseUrl)
  app = { ...first, baseUrl: `http://localhost:${port}` }
  Object.assign(first.service, { config: { ...first.service.config, BASE_URL: app.baseUrl } })
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await first?.close()
})

async function addAuthenticator(session: CDPSession): Promise<void> {
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

it('adds an app and a passkey, signs in with each, and lists the sessions', async () => {
  const person = await makePerson(first)
  await makeProfile(person, await makeWorkspace(person))
  const visit = await openConsole(browser, app)
  const { page, context } = visit
  await addAuthenticator(await context.newCDPSession(page))
  const cookie = {
    name: '__Host-whence_session',
    value: person.token,
    path: '/',
    secure: true,
    httpOnly: true,
  }
  await context.addCookies([{ ...cookie, domain: 'localhost' }])
  await page.goto('/account')
  await page.getByRole('button', { name: 'Add an authenticator app' }).click()
  const dialog = page.getByRole('dialog')
  const secret = await dialog.locator('code').innerText()
  const codeAt = (step: number) => appCode(first, secret, step)
  await dialog.getByLabel('Code').fill(codeAt(0))
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
  await page.getByRole('button', { name: 'I have stored them' }).click()
  await page.getByText('10 recovery codes left').waitFor()

  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await dialog.getByRole('button', { name: 'Create the passkey' }).click()
  await page.getByRole('button', { name: 'Remove This device' }).waitFor()
  await page.getByText('This one').waitFor()
  expect(await seriousFaults(page)).toEqual([])
  await picture(page, 'sign-in-and-sessions')

  await context.clearCookies()
  await page.goto('/sign-in')
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Second factor' }).waitFor()
  await page.getByLabel('Code of your authenticator app').fill(codeAt(1))
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()

  await context.clearCookies()
  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await visit.close()
})
