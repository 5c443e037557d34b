import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { makePerson, makeProfile, makeWorkspace } from '../../server/test/make.ts'
import { writeTracker } from '../../tracker/build.ts'
import { openSite } from '../../tracker/test/site.ts'
import type { ConsoleWorld } from './console-world.ts'
import { bringSession, openConsole, picture, type Visit } from './visit.ts'

export function trackingFlows(world: () => ConsoleWorld): void {
  it('is pasted from the console into a site, passes the install check, and its visit is listed', async () => {
    const { app, browser } = world()
    await writeTracker()
    const person = await makePerson(app)
    const profileId = await makeProfile(person, await makeWorkspace(person))
    const visit = await openConsole(browser, app)
    const { page } = visit
    await bringSession(visit, person)
    await page.goto(`/p/${profileId}/tracking`)
    await page.getByRole('button', { name: 'Create a key' }).click()
    const snippet = await page.getByRole('region', { name: 'Snippet' }).locator('pre').innerText()
    let html = snippet
    const site = await openSite(() => html)
    try {
      await page.getByLabel('Page to check').fill(`${site.origin}/land`)
      await page.getByRole('button', { name: 'Start check' }).click()
      await page.getByText('Waiting for the tracker').waitFor()
      const [shop] = await Promise.all([
        visit.context.waitForEvent('page'),
        page.getByRole('link', { name: 'Open the page' }).first().click(),
      ])
      await page.getByText('The tracker works on').waitFor()
      await picture(page, 'install-check')
      await shop.close()
      await app.service.processor.settled(profileId)
      await page.getByRole('tab', { name: 'Events' }).click()
      const row = page.getByRole('row', { name: /^Page view/ })
      await expect.poll(() => row.innerText()).toContain(site.origin)
      await page.getByRole('tab', { name: 'Install' }).click()
      await runInstallers(visit, site, (next) => {
        html = next
      })
      await app.service.processor.settled(profileId)
      await page.reload()
      const links = page.getByRole('region', { name: 'Ad links' })
      await links.getByText('Arriving', { exact: true }).waitFor()
      await expect.poll(() => links.innerText()).toContain('1 of 1 paid clicks had an ad id')
      await page.getByRole('tab', { name: 'Events' }).click()
      await page
        .getByRole('row', { name: /^Order placed/ })
        .first()
        .waitFor()
    } finally {
      await visit.close()
      await site.close()
    }
  })
}

/**
 * The parts of the store's sandbox that a custom pixel uses: `analytics.subscribe`, `browser.cookie`, and the event of a
 * finished checkout publishes (shopify.dev/docs/api/web-pixels-api, standard-api and standard-events, 2026-11-16).
 */
const storeSandbox = `
  const handlers = new Map()
  const analytics = { subscribe: (name, handle) => handlers.set(name, handle) }
  const browser = { cookie: {
    get: async (name) => (document.cookie.split('; ').find((one) => one.startsWith(name + '=')) ?? '').slice(name.length + 1),
    set: async (text) => { document.cookie = text },
  } }
  const buy = () => handlers.get('checkout_completed')({
    id: 'sh-1', name: 'checkout_completed', timestamp: new Date().toISOString(), clientId: 'a client',
    context: { document: { location: { href: location.href }, referrer: '', title: 'Thank you' } },
    data: { checkout: { currencyCode: 'USD', email: 'eva@example.com', phone: null, token: 'a token',
      totalPrice: { amount: 129.95, currencyCode: 'USD' }, order: { id: 'gid://shopify/OrderIdentity/1001' } } },
  })`

/** The alternatives to the snippet work like the snippet; a click on a link with the ad's parameters has its ad id. */
async function runInstallers(visit: Visit, site: { origin: string }, put: (html: string) => void) {
  const { page } = visit
  await page.getByText('Custom pixel of a store').click()
  const key = await page.getByRole('region', { name: 'Snippet' }).locator('pre').innerText()
  const pixel = await page.getByRole('region', { name: 'Other ways to install' }).locator('pre').innerText()
  expect(pixel).toContain(/wk_\w+|key=([\w-]+)/.exec(key)?.[0] ?? 'analytics.subscribe')
  put(`<script>${storeSandbox}</script><script>${pixel}</script>`)
  const store = await visit.context.newPage()
  await store.goto(`${site.origin}/checkout`)
  const collected = store.waitForResponse((response) => response.request().method() === 'POST')
  await store.evaluate('buy()')
  const bought = await collected
  expect(bought.ok()).toBe(true)
  const [event] = (bought.request().postDataJSON() as { events: Record<string, unknown>[] }).events
  // Of the same visitor as the tracker's events on the site.
  const cookie = (await visit.context.cookies(site.origin)).find(({ name }) => name === 'whence')!
  expect(event).toMatchObject({
    type: 'purchase',
    anonymous_id: cookie.value.split('.')[0],
    properties: { value: '129.95', currency: 'USD', order_id: '1001' },
  })
  await store.close()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download container' }).click(),
  ])
  const container = JSON.parse(await readFile(await file.path(), 'utf8')) as {
    containerVersion: { tag: { parameter: { key: string; value: string }[] }[] }
  }
  const tag = container.containerVersion.tag[0]!.parameter.find((parameter) => parameter.key === 'html')!
  put(tag.value)
  const template = await page.getByRole('region', { name: 'Ad links' }).locator('pre').first().innerText()
  const filled = template.trim().replaceAll(/\{\{[^}]+\}\}/g, '42')
  const shop = await visit.context.newPage()
  const sent = shop.waitForResponse((response) => response.request().method() === 'POST')
  await shop.goto(`${site.origin}/land?${filled}&fbclid=abc`)
  await sent
  await shop.close()
}
