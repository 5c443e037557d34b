/** Messaging accounts as connections: choosing, health, disconnecting, and exports to their dataset. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { type ExportShop, makeExportShop, receivedBy } from '../../../../test/export-shop.ts'
import { drainJobs } from '../../../../test/jobs.ts'
import { refusalOf } from '../../../../test/make.ts'
import { makeShop, triggerSandbox } from '../../../../test/make-shop.ts'
import { listConversations } from '../../facts/conversations/contract.ts'
import { listConversionDataSources } from '../../outgoing/exports/data-sources/contract.ts'
import { createExportDestination } from '../../outgoing/exports/destinations/contract.ts'
import { disconnectConnection, listConnections } from '../connections/contract.ts'
import { processWebhook } from '../connections/webhook-job.ts'
import { connectMessagingAccount, listMessagingAccounts } from './contract.ts'

let app: TestApp
let shop: ExportShop
let pixelId: string
beforeAll(async () => {
  app = await startTestApp()
  shop = await makeExportShop(app)
  pixelId = (await shop.socialDestination()).pixelId
})
afterAll(() => app.close())

const act = (action: string, args: Record<string, unknown> = {}) =>
  triggerSandbox(app, 'social_ads', 'act', { action, args })
const accountOf = async (channel: string) =>
  (await shop.call(listMessagingAccounts)).data.find((account) => account.channel === channel)!
const connect = async (channel: string) => {
  const { account_id } = await accountOf(channel)
  return (await shop.call(connectMessagingAccount, { body: { channel, account_id } })).data
}
const sourceOf = async (kind: string) =>
  (await shop.call(listConversionDataSources)).data.find((source) => source.kind === kind)
const statusOf = async (channel: string) =>
  (await shop.call(listConnections, { query: { channel } })).data.map(({ status }) => status)
/** Processes the message's webhook, but not the first sync of the connection. */
async function write(args: Record<string, unknown>): Promise<void> {
  await act('message', args)
  await app.service.db.deleteFrom('jobs').where('name', '<>', processWebhook.name).execute()
  await drainJobs(app.service, [processWebhook])
  await app.service.processor.settled(shop.profileId)
}
const outbox = async () =>
  app.service.db
    .selectFrom('outbox_events')
    .select(['type', 'provider', 'data'])
    .where('profile_id', '=', shop.profileId)
    .orderBy('number')
    .execute()

describe('a messaging account', () => {
  it('is chosen from the accounts of the social connection, and gets its dataset', async () => {
    expect(await sourceOf('chatapp')).toMatchObject({
      available: false,
      reason_code: 'chatapp_not_connected',
    })
    expect(
      (await shop.call(listMessagingAccounts)).data.map(({ channel, status }) => [channel, status]),
    ).toEqual([
      ['pagechat', null],
      ['pagechat', null],
      ['photoapp', null],
      ['photoapp', null],
      ['chatapp', null],
    ])
    const chat = await connect('chatapp')
    expect(chat).toMatchObject({
      channel: 'chatapp',
      status: 'connected',
      provider_subtype: 'facebook_login',
      dataset_id: expect.stringMatching(/^\d{15}$/),
    })
    expect(await act('subscribed_chats')).toEqual({ subscribed: true })
    expect(await accountOf('chatapp')).toMatchObject({ connection_id: chat.id, status: 'connected' })
    expect(await sourceOf('chatapp')).toMatchObject({ available: true, dataset_id: chat.dataset_id })
    const last = (await outbox()).at(-1)
    expect(last).toMatchObject({ type: 'connection.connected', data: { provider: 'chatapp' } })
    const repeated = await connect('chatapp')
    expect(repeated).toMatchObject({ id: chat.id, dataset_id: chat.dataset_id })
  })

  it('that the social account does not have is refused', async () => {
    const unknown = { channel: 'chatapp' as const, account_id: '1' }
    expect(await refusalOf(shop.call(connectMessagingAccount, { body: unknown }))).toMatchObject({
      status: 422,
      code: 'validation_error',
    })
  })

  it('of the photo app with its own login has no dataset until it is connected through its page', async () => {
    const { access_token } = (await act('photo_token')) as { access_token: string }
    const wrong = { channel: 'photoapp' as const, access_token: 'IGAA-not-a-token' }
    expect(await refusalOf(shop.call(connectMessagingAccount, { body: wrong }))).toMatchObject({
      code: 'validation_error',
    })
    const ownLogin = (
      await shop.call(connectMessagingAccount, { body: { channel: 'photoapp', access_token } })
    ).data
    expect(ownLogin).toMatchObject({
      status: 'connected',
      provider_subtype: 'photoapp_login',
      dataset_id: null,
    })
    const sibling = await makeShop(app, { owner: shop.owner, workspaceId: shop.workspaceId })
    const request = sibling.call(connectMessagingAccount, { body: { channel: 'photoapp', access_token } })
    expect(await refusalOf(request)).toMatchObject({ status: 409, code: 'account_connected_elsewhere' })
    expect(await sourceOf('photoapp')).toMatchObject({
      available: false,
      reason_code: 'photoapp_facebook_login_required',
    })
    const body = { kind: 'social', social_pixel_id: '77', data_source: 'photoapp' }
    expect(await refusalOf(shop.call(createExportDestination, { body }))).toMatchObject({
      status: 409,
      code: 'photoapp_facebook_login_required',
    })
    const linked = await connect('photoapp')
    expect(await sourceOf('photoapp')).toMatchObject({ available: true, dataset_id: linked.dataset_id })
    const stored = await app.service.db.selectFrom('connections').select('token').execute()
    for (const { token } of stored) expect(token?.toString('latin1') ?? '').not.toContain(access_token)
  })
})

describe('conversions of click-to-message ads', () => {
  const purchases = async () =>
    (await receivedBy(app, 'social_ads')).filter((event) => event.action_source === 'business_messaging')
  const pay = async (key: string, phone: string) => {
    await shop.pay(key, { user_traits: { phone } })
    await shop.settle()
  }

  it('go to the chat account’s dataset with the click that started the chat', async () => {
    const at = app.service.clock.now().toISOString()
    await write({ channel: 'chatapp', person: '12025550177', ad_id: '120210000000000001', at })
    await pay('chat-sale', '+12025550177')
    const chat = await accountOf('chatapp')
    const { dataset_id } = (await sourceOf('chatapp'))!
    expect(await purchases()).toMatchObject([
      {
        pixel_id: dataset_id,
        event_name: 'Purchase',
        messaging_channel: 'whatsapp',
        user_data: {
          whatsapp_business_account_id: chat.account_id,
          ctwa_clid: expect.stringMatching(/^ctwa-/),
        },
      },
    ])
    expect((await shop.ledger())[0]).toMatchObject({ status: 'sent' })
  })

  it('of a person who wrote without an ad go to the destination’s dataset', async () => {
    const before = (await purchases()).length
    await write({ channel: 'chatapp', person: '12025550178', at: app.service.clock.now().toISOString() })
    await pay('plain-sale', '+12025550178')
    expect(await purchases()).toHaveLength(before)
    expect((await receivedBy(app, 'social_ads')).at(-1)).toMatchObject({
      pixel_id: pixelId,
      action_source: 'system_generated',
    })
  })
})

describe('health', () => {
  it('follows the social account, also when it is connected again', async () => {
    await connect('pagechat')
    await act('revoke', { all: true })
    await refusalOf(shop.call(listMessagingAccounts))
    expect(await statusOf('chatapp')).toEqual(['reconnect_required'])
    expect(await sourceOf('chatapp')).toMatchObject({
      available: false,
      reason_code: 'chatapp_not_connected',
    })
    const health = (await outbox()).filter(({ type }) => type === 'channel.health.updated')
    expect(health.map(({ provider }) => provider).toSorted()).toEqual(
      ['chatapp', 'pagechat', 'photoapp', 'social_ads'].toSorted(),
    )
    await shop.connected('social_ads')
    expect(await statusOf('chatapp')).toEqual(['connected'])
    expect(await statusOf('pagechat')).toEqual(['connected'])
  })

  it('a disconnected account is unsubscribed at the platform; its conversations are kept', async () => {
    const [chat] = (await shop.call(listConnections, { query: { channel: 'chatapp' } })).data
    await shop.call(disconnectConnection, { params: { id: chat!.id } })
    expect(await statusOf('chatapp')).toEqual(['revoked'])
    expect(await act('subscribed_chats')).toEqual({ subscribed: false })
    expect((await shop.call(listConversations, { query: { channel: 'chatapp' } })).data).toHaveLength(2)
    expect(await sourceOf('chatapp')).toMatchObject({ available: false })
  })

  it('ends with the social account', async () => {
    const [social] = (await shop.call(listConnections, { query: { channel: 'social_ads' } })).data
    await shop.call(disconnectConnection, { params: { id: social!.id } })
    expect(await statusOf('pagechat')).toEqual(['revoked'])
    const accounts = await app.service.db
      .selectFrom('connection_accounts')
      .select('provider')
      .where('profile_id', '=', shop.profileId)
      .execute()
    // The photo account with its own login remains.
    expect(accounts.map(({ provider }) => provider)).toEqual(['photoapp'])
  })
})
