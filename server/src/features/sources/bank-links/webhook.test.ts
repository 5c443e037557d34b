/** A hosted bank link is finished by its webhook: once, for the profile that started it, also with a concurrent caller. */

import { sandboxWebhookKey } from '@whence/sandbox/banklink/keys.ts'
import { SEED } from '@whence/sandbox/mode.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { drainJobs, runSchedule } from '../../../../test/jobs.ts'
import { refusalOf } from '../../../../test/make.ts'
import { eventsOf, makeShop, moveClock, type Shop, triggerSandbox } from '../../../../test/make-shop.ts'
import { jobs } from '../../../app.ts'
import { listConnections } from '../connections/contract.ts'
import { connectBankLink, startBankLink } from './contract.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const drain = () => drainJobs(app.service, jobs)
const bank = (kind: 'fault' | 'act', body: Record<string, unknown>) =>
  triggerSandbox(app, 'banklink', kind, body)
const connected = async (shop: Shop) =>
  (await shop.call(listConnections)).data.filter(({ channel }) => channel === 'banklink')
const announced = async (shop: Shop) =>
  (await eventsOf(app, shop.profileId)).filter((type) => type === 'connection.connected').length
const received = async () =>
  (await app.pool.query("select processed_at, body from provider_webhooks where provider = 'banklink'")).rows

async function post(body: string, jwt: string | undefined): Promise<number> {
  const headers = {
    'content-type': 'application/json',
    ...(jwt === undefined ? {} : { 'plaid-verification': jwt }),
  }
  return (await fetch(`${app.baseUrl}/webhooks/in/banklink`, { method: 'POST', headers, body })).status
}

it('is finished by its webhook when the person is done, and the caller receives the same connection', async () => {
  const shop = await makeShop(app)
  const { data: link } = await shop.call(startBankLink)
  await fetch(link.url)
  expect(await connected(shop)).toEqual([])
  await drain()
  const [connection] = await connected(shop)
  expect(connection).toMatchObject({ status: 'connected', display_name: 'Harbor & Pine Business Checking' })
  const { data } = await shop.call(connectBankLink, { body: { link_token: link.link_token } })
  expect(data.id).toBe(connection!.id)
  expect(await announced(shop)).toBe(1)
  const { rows } = await app.pool.query('select bank_links::text as text from bank_links')
  expect(rows.map(({ text }) => text).join()).not.toContain(link.link_token)
})

it('delivered three times and late creates one connection', async () => {
  const shop = await makeShop(app)
  const { data: link } = await shop.call(startBankLink)
  await fetch(link.url)
  for (let attempt = 0; attempt < 2; attempt++) await bank('act', { action: 'resend_webhook' })
  await drain()
  // The provider retries for a day and signs each attempt again.
  await moveClock(app, 20 * 3600)
  await bank('act', { action: 'finish_link', args: { link_token: link.link_token } })
  await drain()
  expect(await connected(shop)).toHaveLength(1)
  expect(await announced(shop)).toBe(1)
  expect((await received()).every((row) => row.processed_at !== null && row.body.length === 0)).toBe(true)
})

it('is refused when it was signed more than five minutes ago', async () => {
  const shop = await makeShop(app)
  const { data: link } = await shop.call(startBankLink)
  await fetch(link.url)
  const before = (await received()).length
  await moveClock(app, 301)
  const { clientSecret } = app.service.banklink!.app
  const key = sandboxWebhookKey({ seed: SEED, clientSecret })
  const body = JSON.stringify({
    webhook_type: 'LINK',
    webhook_code: 'SESSION_FINISHED',
    link_token: link.link_token,
    status: 'SUCCESS',
  })
  const now = app.service.clock.now()
  const old = key.sign(body, new Date(now.getTime() - 301_000))
  expect(await post(body, old)).toBe(401)
  expect(await post(body, undefined)).toBe(401)
  expect(await post(`${body} `, key.sign(body, now))).toBe(401)
  const forgedKey = sandboxWebhookKey({ seed: 'forger', clientSecret })
  expect(await post(body, forgedKey.sign(body, now))).toBe(401)
  expect((await received()).length).toBe(before)
  expect(await post(body, key.sign(body, now))).toBe(200)
  // Valid but irrelevant webhooks are acknowledged and not stored.
  const other = JSON.stringify({ webhook_type: 'ITEM', webhook_code: 'ERROR' })
  expect(await post(other, key.sign(other, now))).toBe(200)
  expect((await received()).length).toBe(before + 1)
  await drain()
})

it('and a concurrent caller create one connection, and both succeed', async () => {
  const shop = await makeShop(app)
  for (let round = 0; round < 3; round++) {
    const { data: link } = await shop.call(startBankLink)
    await fetch(link.url)
    const body = { link_token: link.link_token }
    const [first, second] = await Promise.all([
      shop.call(connectBankLink, { body }),
      shop.call(connectBankLink, { body }),
      drain(),
    ])
    expect(first.data.id).toBe(second.data.id)
    await drain()
    expect(await connected(shop)).toHaveLength(round + 1)
  }
  expect(await announced(shop)).toBe(3)
})

it('of an aborted session or an unknown link creates nothing', async () => {
  const shop = await makeShop(app)
  const { data: link } = await shop.call(startBankLink)
  await bank('act', { action: 'exit_link', args: { link_token: link.link_token } })
  await bank('act', { action: 'finish_link', args: { link_token: 'link-sandbox-unknown' } })
  await drain()
  expect(await connected(shop)).toEqual([])
  const body = { link_token: link.link_token }
  expect((await refusalOf(shop.call(connectBankLink, { body }))).code).toBe('invalid_parameter')
  await fetch(link.url)
  await drain()
  expect(await connected(shop)).toHaveLength(1)
})

it('is retried when the provider fails midway', async () => {
  const shop = await makeShop(app)
  const { data: link } = await shop.call(startBankLink)
  await fetch(link.url)
  await bank('fault', { kind: 'server_error', match: '/link/token/get', times: 4 })
  await drain()
  expect(await connected(shop)).toEqual([])
  expect((await received()).some((row) => row.processed_at === null)).toBe(true)
  const { data } = await shop.call(connectBankLink, { body: { link_token: link.link_token } })
  expect(data.status).toBe('connected')
})

it('is answered with 503 while the key cannot be fetched', async () => {
  const other = await startTestApp()
  try {
    const fault = { kind: 'server_error', match: '/webhook_verification_key', times: 4 }
    await triggerSandbox(other, 'banklink', 'fault', fault)
    const { clientSecret } = other.service.banklink!.app
    const key = sandboxWebhookKey({ seed: SEED, clientSecret })
    const body = JSON.stringify({ webhook_type: 'ITEM', webhook_code: 'ERROR' })
    const send = async () => {
      const headers = { 'plaid-verification': key.sign(body, other.service.clock.now()) }
      return (await fetch(`${other.baseUrl}/webhooks/in/banklink`, { method: 'POST', headers, body })).status
    }
    expect(await send()).toBe(503)
    expect(await send()).toBe(200)
  } finally {
    await other.close()
  }
})

it('links that can no longer be finished are deleted after a week', async () => {
  const shop = await makeShop(app)
  await shop.call(startBankLink)
  const countLinks = async () => {
    await runSchedule(app.service, jobs, 'integrations.drop_old_links')
    return (await app.pool.query('select 1 from bank_links where profile_id = $1', [shop.profileId])).rowCount
  }
  await moveClock(app, 6 * 86_400)
  expect(await countLinks()).toBe(1)
  await moveClock(app, 86_401)
  expect(await countLinks()).toBe(0)
})
