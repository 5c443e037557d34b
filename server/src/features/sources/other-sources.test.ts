import { afterAll, beforeAll, describe, expect } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { drainJobs } from '../../../test/jobs.ts'
import { shortIt as it, longIt } from '../../../test/length.ts'
import { refusalOf } from '../../../test/make.ts'
import { makeShop, type Shop, triggerSandbox } from '../../../test/make-shop.ts'
import { jobs } from '../../app.ts'
import { connectBankLink, startBankLink } from './bank-links/contract.ts'
import { getChatbot, saveChatbot } from './chatbot/contract.ts'
import { listStages, Pipeline, prefillOutcomes, saveStages } from './connections/contract.ts'
import {
  activateWebPixel,
  createManualStore,
  listManualStores,
  setSigningId,
} from './manual-stores/contract.ts'
import { listAvailablePages, listPages, trackPages } from './social-pages/contract.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const drain = () => drainJobs(app.service, jobs)

describe('a CRM’s stages', () => {
  longIt('mean nothing until someone says so, then the past means it too', async () => {
    const shop = await makeShop(app)
    const params = { provider: 'crmsuite' } as const
    expect((await refusalOf(shop.call(listStages, { params }))).status).toBe(404)
    await shop.connected('crmsuite')
    await drain()
    const pipelines = (await shop.call(listStages, { params })).data.pipelines.map((item) =>
      Pipeline.parse(item),
    )
    const stages = pipelines.flatMap((pipeline) => pipeline.stages)
    expect(stages.length).toBeGreaterThan(2)
    expect(stages.every((stage) => stage.current_outcome === null)).toBe(true)
    const quoted = stages.find((stage) => stage.suggested_outcome === 'quote_presented')!
    const count = async () => {
      await app.service.processor.settled(shop.profileId)
      const { rows } = await app.pool.query<{ count: string }>(
        `select count(*) from conversions where profile_id = $1 and outcome_type = 'quote_presented'`,
        [shop.profileId],
      )
      return Number(rows[0]!.count)
    }
    expect(await count()).toBe(0)
    const map = (outcome_type: 'quote_presented' | null) =>
      shop.call(saveStages, { params, body: { mappings: [{ stage_id: quoted.id, outcome_type }] } })
    const saved = (await map('quote_presented')).data.pipelines.flatMap((pipeline) => pipeline.stages)
    expect(saved.find((stage) => stage.id === quoted.id)!.current_outcome).toBe('quote_presented')
    await drain()
    expect(await count()).toBeGreaterThan(0)
    await map(null)
    await drain()
    expect(await count()).toBe(0)
    const prefill = (await shop.call(prefillOutcomes)).data.mappings
    expect(prefill.find((mapping) => mapping.stage_id === quoted.id)!.outcome_type).toBe('quote_presented')
    const strange = { mappings: [{ stage_id: 'unknown', outcome_type: null }] }
    expect((await refusalOf(shop.call(saveStages, { params, body: strange }))).status).toBe(422)
  })

  it('are crmsuite’s only', async () => {
    const shop = await makeShop(app)
    const refusal = await refusalOf(shop.call(listStages, { params: { provider: 'cardpay' } }))
    expect(refusal).toMatchObject({ status: 501, code: 'not_implemented' })
  })
})

describe('social pages', () => {
  it('are chosen as a set, and the platform is notified', async () => {
    const shop = await makeShop(app)
    await shop.connected('social_ads')
    expect((await shop.call(listPages)).data).toEqual([])
    const available = (await shop.call(listAvailablePages)).data
    const [first, second] = available
    await shop.call(trackPages, { body: { page_ids: [first!.id] } })
    await shop.call(trackPages, { body: { page_ids: [second!.id] } })
    expect((await shop.call(listPages)).data).toEqual([{ ...second, tracked: true }])
    const { page_ids: subscribed } = await triggerSandbox(app, 'social_ads', 'act', {
      action: 'subscribed_pages',
    })
    expect(subscribed).toEqual([second!.id])
    const unknown = shop.call(trackPages, { body: { page_ids: ['unknown'] } })
    expect((await refusalOf(unknown)).status).toBe(422)
    await shop.call(trackPages, { body: { page_ids: [] } })
    expect((await shop.call(listAvailablePages)).data.every((page) => !page.tracked)).toBe(true)
  })
})

describe('pages stay consistent with the platform', () => {
  const subscribed = async () =>
    (await triggerSandbox(app, 'social_ads', 'act', { action: 'subscribed_pages' })).page_ids as string[]
  const stored = async (shop: Shop) => (await shop.call(listPages)).data.map(({ id }) => id)

  it('a page listed twice is one page', async () => {
    const shop = await makeShop(app)
    await shop.connected('social_ads')
    const [first] = (await shop.call(listAvailablePages)).data
    const { data } = await shop.call(trackPages, { body: { page_ids: [first!.id, first!.id] } })
    expect(data).toEqual([{ ...first, tracked: true }])
    expect(await subscribed()).toEqual([first!.id])
    await shop.call(trackPages, { body: { page_ids: [] } })
  })

  it('pages subscribed before a failure are stored, and no others', async () => {
    const shop = await makeShop(app)
    await shop.connected('social_ads')
    const [first, second] = (await shop.call(listAvailablePages)).data
    const match = `/v26.0/${second!.id}/subscribed_apps`
    await triggerSandbox(app, 'social_ads', 'fault', { kind: 'truncated_json', match, times: 1 })
    const request = shop.call(trackPages, { body: { page_ids: [first!.id, second!.id] } })
    expect((await refusalOf(request)).status).toBe(502)
    expect(await stored(shop)).toEqual([first!.id])
    expect(await subscribed()).toEqual([first!.id])
    await shop.call(trackPages, { body: { page_ids: [] } })
    expect(await subscribed()).toEqual([])
  })

  it('after concurrent changes both sides have the same set', async () => {
    const shop = await makeShop(app)
    await shop.connected('social_ads')
    const ids = (await shop.call(listAvailablePages)).data.map(({ id }) => id)
    for (let round = 0; round < 4; round++) {
      const sets = [[ids[0]!], [ids[1]!], [], ids]
      await Promise.allSettled(sets.map((page_ids) => shop.call(trackPages, { body: { page_ids } })))
      expect((await subscribed()).toSorted()).toEqual((await stored(shop)).toSorted())
    }
    await shop.call(trackPages, { body: { page_ids: [] } })
  })

  it('a stage that is mapped twice has the last mapping', async () => {
    const shop = await makeShop(app)
    await shop.connected('crmsuite')
    const params = { provider: 'crmsuite' } as const
    const [stage] = (await shop.call(listStages, { params })).data.pipelines[0]!.stages
    const mappings = (['lead_created', 'closed_won'] as const).map((outcome_type) => ({
      stage_id: stage!.id,
      outcome_type,
    }))
    const { data } = await shop.call(saveStages, { params, body: { mappings } })
    expect(data.pipelines[0]!.stages[0]!.current_outcome).toBe('closed_won')
  })
})

describe('stores', () => {
  it('get their web pixel with the profile’s tracking key', async () => {
    const shop = await makeShop(app)
    expect((await refusalOf(shop.call(activateWebPixel))).status).toBe(404)
    await shop.connected('storefront')
    const { data } = await shop.call(activateWebPixel)
    expect(data.web_pixel_id).not.toBe('')
    expect((await shop.call(activateWebPixel)).data.web_pixel_id).toBe(data.web_pixel_id)
  })

  it('connected manually belong to one profile of a workspace', async () => {
    const first = await makeShop(app)
    const second = await makeShop(app, first)
    const body = { shop: 'https://admin.shopify.com/store/one-store/settings' }
    const { data } = await first.call(createManualStore, { body })
    expect(data.shop).toBe('one-store.myshopify.com')
    expect(await refusalOf(first.call(createManualStore, { body }))).toMatchObject({
      status: 409,
      reason: 'store_already_connected',
    })
    expect(await refusalOf(second.call(createManualStore, { body }))).toMatchObject({
      status: 409,
      code: 'account_connected_elsewhere',
    })
    expect((await second.call(listManualStores)).data).toEqual([])
    const params = { connectionId: data.id }
    const request = second.call(setSigningId, { params, body: { signing_id: 'a signing id' } })
    expect((await refusalOf(request)).status).toBe(404)
    const custom = first.call(createManualStore, { body: { shop: 'shop.example.com' } })
    expect((await refusalOf(custom)).status).toBe(400)
  })
})

describe('the chatbot', () => {
  it('is one connection, whose key is encrypted and never shown', async () => {
    const shop = await makeShop(app)
    expect((await refusalOf(shop.call(getChatbot))).status).toBe(404)
    const saved = await shop.call(saveChatbot, { body: { api_key: 'a key of the chatbot' } })
    expect(saved.data).toMatchObject({ channel: 'chatbot', status: 'connected', display_name: 'Chatbot' })
    const body = { api_key: 'another key of it', display_name: 'Front desk' }
    const updated = await shop.call(saveChatbot, { body })
    expect(updated.data).toMatchObject({ id: saved.data.id, display_name: 'Front desk' })
    const renewed = await shop.call(saveChatbot, { body: { api_key: 'another key, third' } })
    expect(renewed.data).toMatchObject({ id: saved.data.id, display_name: 'Front desk' })
    expect(JSON.stringify((await shop.call(getChatbot)).data)).not.toContain('another key')
    const row = await app.service.db
      .selectFrom('connections')
      .select('token')
      .where('profile_id', '=', shop.profileId)
      .executeTakeFirstOrThrow()
    expect(row.token!.includes(Buffer.from('another key'))).toBe(false)
  })
})

describe('a bank link', () => {
  it('is started, followed and finished once', async () => {
    const shop = await makeShop(app)
    const { data: link } = await shop.call(startBankLink)
    const page = await (await fetch(link.url)).text()
    const publicToken = /data-public-token>([^<]+)</.exec(page)![1]!
    const body = { public_token: publicToken }
    const { data } = await shop.call(connectBankLink, { body })
    expect(data).toMatchObject({
      channel: 'banklink',
      status: 'connected',
      display_name: 'Harbor & Pine Business Checking',
    })
    expect(await refusalOf(shop.call(connectBankLink, { body }))).toMatchObject({
      status: 400,
      code: 'invalid_parameter',
    })
    await triggerSandbox(app, 'banklink', 'fault', { kind: 'html_error', match: '/link', times: 4 })
    expect((await refusalOf(shop.call(startBankLink))).status).toBe(502)
  })

  it('is finished with its link token once the person is done, without a public token', async () => {
    const shop = await makeShop(app)
    const { data: link } = await shop.call(startBankLink)
    const body = { link_token: link.link_token }
    expect(await refusalOf(shop.call(connectBankLink, { body }))).toMatchObject({
      status: 400,
      code: 'invalid_parameter',
    })
    await fetch(link.url)
    const { data } = await shop.call(connectBankLink, { body })
    expect(data).toMatchObject({ channel: 'banklink', status: 'connected' })
    expect((await shop.call(connectBankLink, { body })).data.id).toBe(data.id)
    const other = await makeShop(app)
    expect((await refusalOf(other.call(connectBankLink, { body }))).status).toBe(400)
    const unknown = { link_token: 'link-sandbox-unknown' }
    expect((await refusalOf(shop.call(connectBankLink, { body: unknown }))).status).toBe(400)
    expect((await refusalOf(shop.call(connectBankLink, { body: {} }))).status).toBe(422)
  })
})
