import { afterAll, beforeAll, describe, expect } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { shortIt as it, longIt } from '../../../../test/length.ts'
import { makeKey, refusalOf } from '../../../../test/make.ts'
import { makeShop, triggerSandbox } from '../../../../test/make-shop.ts'
import { sendEvent } from '../../facts/events/contract.ts'
import { listConnections, listPixels } from './contract.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

describe('pixels', () => {
  it('are read live from a social connection only', async () => {
    const shop = await makeShop(app)
    const social = await shop.connected('social_ads')
    const { data, meta } = await shop.call(listPixels, { params: { id: social.id } })
    expect(meta.profile_id).toBe(shop.profileId)
    expect(data.pixels.length).toBeGreaterThan(0)
    expect(listPixels.reply.parse(data)).toEqual(data)
    const other = await shop.connected('regionalpay')
    expect(await refusalOf(shop.call(listPixels, { params: { id: other.id } }))).toMatchObject({
      status: 409,
      code: 'invalid_state',
      reason: 'not_social_ads',
    })
  })

  it('a provider that returns garbage or nothing causes a 502, one that keeps failing a 503', async () => {
    const shop = await makeShop(app)
    const { id } = await shop.connected('social_ads')
    const pixelsRefusal = () => refusalOf(shop.call(listPixels, { params: { id } }))
    await triggerSandbox(app, 'social_ads', 'fault', { kind: 'truncated_json', match: '/', times: 1 })
    expect(await pixelsRefusal()).toMatchObject({ status: 502, code: 'provider_error' })
    await triggerSandbox(app, 'social_ads', 'fault', { kind: 'reset', match: '/', times: 8 })
    expect(await pixelsRefusal()).toMatchObject({ status: 502, code: 'provider_error' })
    expect(await pixelsRefusal()).toMatchObject({ status: 503, code: 'service_unavailable' })
    expect((await shop.call(listConnections)).data).toHaveLength(1)
  })
})

longIt(
  'while thirty calls wait for a provider that says nothing, events and reads are answered',
  async () => {
    const separateApp = await startTestApp()
    try {
      const shop = await makeShop(separateApp)
      const { id } = await shop.connected('social_ads')
      const sender = separateApp.as(await makeKey(separateApp, shop.profileId, ['events:write']))
      await triggerSandbox(separateApp, 'social_ads', 'fault', { kind: 'timeout', match: '/', times: 500 })
      let answered = 0
      const calls = Array.from({ length: 30 }, () =>
        refusalOf(shop.call(listPixels, { params: { id } })).finally(() => answered++),
      )
      for (let at = 0; at < 20; at++) {
        await sender(sendEvent, { body: { event_name: 'sale', idempotency_key: `sale-${at}` } })
        await shop.call(listConnections)
      }
      expect(answered).toBe(0)
      const codes = new Set((await Promise.all(calls)).map(({ code }) => code))
      expect([...codes]).toEqual(['provider_error'])
    } finally {
      await separateApp.close()
    }
  },
)
