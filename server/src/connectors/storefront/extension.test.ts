/** Compares the uploaded files (extensions/storefront) with the connector's requirements and the collector's input. */
import { readFileSync } from 'node:fs'
import { pixelSettings } from '@whence/sandbox/storefront/sandbox.ts'
import { expect, test } from 'vitest'
import { startPixel } from '../../../../extensions/storefront/extensions/web-pixel/src/pixel.js'
import { WireEvent } from '../../features/sources/tracking/wire.ts'
import { apiVersions } from '../versions.ts'
import { storefront } from './connector.ts'
import { mapWebhook } from './webhooks.ts'

const fileOf = (path: string) =>
  readFileSync(new URL(`../../../../extensions/storefront/${path}`, import.meta.url), 'utf8')
const manifest = fileOf('shopify.app.toml')
const listsOf = (name: string) =>
  [...manifest.matchAll(new RegExp(`^\\s*${name} = \\[(.*)\\]`, 'gm'))].flatMap(([, list]) =>
    list!.split(',').map((word) => word.trim().replaceAll('"', '')),
  )

test('the manifest has the scopes and the version that the connector uses', () => {
  const request = { redirectUri: 'https://x.test/cb', state: 's', codeChallenge: 'c', shop: 'demo' }
  const base = 'https://{shop}'
  const app = { clientId: 'id', clientSecret: 's', authorizeBaseUrl: base, apiBaseUrl: base, extra: {} }
  const scope = new URL(storefront.oauth.authorizeUrl(app, request)).searchParams.get('scope')
  expect(/scopes = "(.*)"/.exec(manifest)?.[1]).toBe(scope)
  expect(/api_version = "(.*)"/.exec(manifest)?.[1]).toBe(apiVersions.storefront.version)
})

test('the manifest subscribes to exactly the supported topics', () => {
  const understood = readFileSync(new URL('webhooks.ts', import.meta.url), 'utf8')
  const topics = [...understood.matchAll(/case '([a-z]+\/[a-z_]+)'/g)].map(([, topic]) => topic)
  expect([...listsOf('topics'), ...listsOf('compliance_topics')].sort()).toEqual(topics.sort())
  expect(mapWebhook({ rawBody: Buffer.from('{}'), headers: {}, query: {} })).toEqual([{ type: 'ignored' }])
})

test('the pixel has the settings that the connector activates it with', () => {
  const fields = fileOf('extensions/web-pixel/shopify.extension.toml').matchAll(
    /^\[settings\.fields\.(\w+)\]/gm,
  )
  expect([...fields].map(([, name]) => name).sort()).toEqual(pixelSettings)
})

test('the collector accepts the pixel’s purchase with the tracker’s visitor', async () => {
  const handlers = new Map<string, (event: unknown) => Promise<void>>()
  const sent: [string, string][] = []
  const visitor = '6f1c3a52-7a0e-4c53-9a55-1c1f2f5f0a11'
  const session = '0d4f9a52-7a0e-4c53-8a55-1c1f2f5f0a22'
  startPixel(
    {
      analytics: { subscribe: (name: string, handle: never) => void handlers.set(name, handle) },
      browser: { cookie: { get: async () => `${visitor}.${session}.abc` } },
      settings: { trackingKey: 'trk_live_1', collectorUrl: 'https://whence.test/api/tracking/collect' },
    },
    async (url: string, body: string) => void sent.push([url, body]),
  )
  await handlers.get('checkout_completed')!({
    id: 'sh-1',
    clientId: 'not-a-uuid',
    timestamp: '2026-03-10T12:00:00.000Z',
    context: {
      document: { location: { href: 'https://shop.test/checkout' }, title: 'Thanks' },
      window: { innerWidth: 800.5, innerHeight: 600 },
      navigator: { language: 'en' },
    },
    data: {
      checkout: {
        order: { id: 'gid://shopify/OrderIdentity/1001' },
        totalPrice: { amount: 129.95, currencyCode: 'USD' },
        email: 'eva@example.com',
        phone: null,
      },
    },
  })
  const [[url, text] = ['', '']] = sent
  expect(url).toBe('https://whence.test/api/tracking/collect')
  const { key, events } = JSON.parse(text) as { key: string; events: unknown[] }
  expect(key).toBe('trk_live_1')
  expect(WireEvent.parse(events[0])).toMatchObject({
    type: 'purchase',
    event_name: 'order_placed',
    anonymous_id: visitor,
    session_id: session,
    properties: { value: '129.95', currency: 'USD', order_id: '1001' },
    user_traits: { email: 'eva@example.com' },
  })
})
