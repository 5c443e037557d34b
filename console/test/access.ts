import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { accessJobs } from '../../server/src/platform/access/jobs.ts'
import type { TestApp } from '../../server/test/app.ts'
import { drainJobs } from '../../server/test/jobs.ts'
import { makePerson, makeProfile, makeWorkspace, PASSWORD } from '../../server/test/make.ts'
import { mailedToken } from '../../server/test/outbox.ts'
import type { ConsoleWorld } from './console-world.ts'
import { openConsole, picture, signInAs } from './visit.ts'

export function accessFlows(world: () => ConsoleWorld): void {
  it('signs up, creates a business and sees its overview', async () => {
    const visit = await openConsole(world().browser, world().app)
    const { page } = visit
    await page.goto('/')
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.getByLabel('Name').fill('Ana')
    await page.getByLabel('Email').fill('ana.first@example.com')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('heading', { name: 'Welcome' }).waitFor()
    await picture(page, 'welcome')
    await page.getByLabel('Workspace').fill('Acme')
    await page.getByLabel('Business').fill('Acme Madrid')
    await page.getByLabel('Time zone').fill('Europe/Madrid')
    await page.getByLabel('Currency').selectOption('EUR')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.getByRole('button', { name: /^Profile Acme Madrid Acme/ }).waitFor()
    await visit.close()
  })

  it('is rejected with a wrong password, and signed out after signing out', async () => {
    const person = await makePerson(world().app)
    await makeProfile(person, await makeWorkspace(person))
    const visit = await openConsole(world().browser, world().app)
    const { page } = visit
    await page.goto('/sign-in')
    await picture(page, 'sign-in')
    await page.getByLabel('Email').fill(person.email)
    await page.getByLabel('Password').fill('not the password at all')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').waitFor()
    await signInAs(visit, person)
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    const inside = page.url()
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL('**/sign-in')
    await page.goto(inside)
    await page.waitForURL('**/sign-in?next=*')
    await visit.close()
  })

  it('signs in with a link from the mail', async () => {
    const { app } = world()
    const person = await makePerson(app, 'Locked out')
    await makeProfile(person, await makeWorkspace(person))
    const visit = await openConsole(world().browser, app)
    const { page } = visit
    await page.goto('/sign-in')
    await page.getByRole('link', { name: 'Email me a sign-in link' }).click()
    await page.getByRole('heading', { name: 'Sign in with a link' }).waitFor()
    await page.getByLabel('Email').fill(person.email)
    await page.getByRole('button', { name: 'Email me a link' }).click()
    await page.getByRole('status').getByText('If').waitFor()
    await drainJobs(app.service, accessJobs)
    await page.goto(`/sign-in-link?token=${await mailedToken(app, person.email, 'sign-in-link')}`)
    await page.getByRole('button', { name: 'Sign in to Whence' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await visit.close()
  })

  it('resets a forgotten password from the mail, and uses a new address once it is confirmed', async () => {
    const { app } = world()
    const person = await makePerson(app, 'Forgetful')
    await makeProfile(person, await makeWorkspace(person))
    const visit = await openConsole(world().browser, app)
    const { page } = visit
    const signIn = async (email: string, password: string) => {
      await page.getByLabel('Email').fill(email)
      await page.getByLabel('Password').fill(password)
      await page.getByRole('button', { name: 'Sign in' }).click()
    }
    await page.goto('/sign-in')
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    // Both pages have this field; text typed before the second page is shown would go into the first.
    await page.getByRole('heading', { name: 'Reset your password' }).waitFor()
    await page.getByLabel('Email').fill(person.email)
    await page.getByRole('button', { name: 'Email me a link' }).click()
    await page.getByRole('status').getByText('If').waitFor()
    await drainJobs(app.service, accessJobs)
    await page.goto(`/reset-password?token=${await mailedToken(app, person.email)}`)
    await page.getByLabel('New password').fill('another long password')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await signIn(person.email, 'another long password')
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Change email' }).click()
    const moved = `moved-${person.email}`
    await page.getByLabel('New email').fill(moved)
    await page.getByLabel('Current password').fill('another long password')
    await page.getByRole('button', { name: 'Send the link' }).click()
    await page.getByText('on its way to the new address').waitFor()
    await drainJobs(app.service, accessJobs)
    await page.goto(`/verify-email?token=${await mailedToken(app, moved)}`)
    await page.getByRole('button', { name: 'This address is mine' }).click()
    await page
      .getByRole('button', { name: /^Account/ })
      .getByText(moved)
      .waitFor()
    await visit.close()
  })

  it('invites a colleague, who accepts from the mail and sees the profile', async () => {
    const owner = await makePerson(world().app, 'Owner')
    await makeProfile(owner, await makeWorkspace(owner), { name: 'Shared shop' })
    const guest = await makePerson(world().app, 'Guest')
    const visit = await openConsole(world().browser, world().app)
    await signInAs(visit, owner)
    await visit.page.getByRole('link', { name: 'Settings' }).click()
    await visit.page.getByLabel('Email', { exact: true }).fill(guest.email)
    await visit.page.getByLabel('Role', { exact: true }).selectOption('viewer')
    await visit.page.getByRole('button', { name: 'Send invitation' }).click()
    await visit.page.getByRole('list', { name: 'Pending invitations' }).getByText(guest.email).waitFor()
    await picture(visit.page, 'settings')
    // No mail server is configured, so the inviter gets a link to pass on.
    expect(await visit.page.locator('.notice pre').innerText()).toMatch(/\/invitations\/accept\?token=/)

    const other = await openConsole(world().browser, world().app)
    await other.page.goto(await mailedLink(world().app, guest.email))
    await other.page.getByRole('link', { name: 'I have an account' }).click()
    await other.page.getByLabel('Email').fill(guest.email)
    await other.page.getByLabel('Password').fill(PASSWORD)
    await other.page.getByRole('button', { name: 'Sign in' }).click()
    await other.page.getByRole('button', { name: 'Accept the invitation' }).click()
    await other.page.getByRole('button', { name: /^Profile Shared shop/ }).waitFor()
    await other.close()

    await visit.page.reload()
    await visit.page.getByLabel(`Role of Guest`).waitFor()
    await visit.close()
  })
}

async function mailedLink(app: TestApp, email: string): Promise<string> {
  const folder = join(app.service.config.DATA_DIR, 'outbox')
  for (const file of await readdir(folder)) {
    const mail = (await readFile(join(folder, file), 'utf8')).replace(/=\r?\n/g, '').replaceAll('=3D', '=')
    const link = /\/invitations\/accept\?token=\w+/.exec(mail)?.[0]
    if (mail.includes(email) && link !== undefined) return link
  }
  throw new Error(`No invitation was mailed to ${email}`)
}
