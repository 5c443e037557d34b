import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { storefrontPixel, tagManagerContainer } from './installers.ts'
import type { TrackingSettings } from './queries.ts'
import { WireBatch, WireEvent } from './wire.ts'

type Sent = { url: string; body: string }

/** The store's sandbox: cookies by name, subscriptions, fetch, and no page. */
async function buy(cookies: Map<string, string>): Promise<Sent[]> {
  const sent: Sent[] = []
  const handlers = new Map<string, (event: unknown) => Promise<void>>()
  const install = {
    key: 'trk_live_k',
    origin: 'https://t.shop.example',
    canonical: 'https://whence.example',
    settings: {} as TrackingSettings,
  }
  runInNewContext(storefrontPixel(install).code, {
    crypto,
    browser: {
      cookie: {
        get: async (name: string) => cookies.get(name) ?? '',
        set: async (text: string) => {
          const [name, value] = text.split(';')[0]!.split('=')
          cookies.set(name!, value!)
        },
      },
    },
    analytics: {
      subscribe: (name: string, handler: (event: unknown) => Promise<void>) => handlers.set(name, handler),
    },
    fetch: async (url: string, options: { body: string }) => {
      sent.push({ url, body: options.body })
    },
  })
  await handlers.get('checkout_completed')!({
    timestamp: '2026-03-01T12:00:00.000Z',
    context: {
      document: { location: { href: 'https://shop.example/thanks' }, referrer: '', title: 'Thanks' },
    },
    data: {
      checkout: {
        email: 'a@b.co',
        totalPrice: { amount: 19.9 },
        currencyCode: 'EUR',
        order: { id: 'o-1' },
        token: 't',
      },
    },
  })
  return sent
}

it('reports a store checkout with the visitor of the tracker’s cookie', async () => {
  const id = '11111111-1111-4111-8111-111111111111'
  const session = '22222222-2222-4222-8222-222222222222'
  const [sent] = await buy(new Map([['whence', `${id}.${session}.m1abc`]]))
  expect(sent!.url).toBe('https://t.shop.example/api/tracking/collect')
  const batch = WireBatch.parse(JSON.parse(sent!.body))
  expect(WireEvent.parse(batch.events[0])).toMatchObject({
    type: 'purchase',
    anonymous_id: id,
    session_id: session,
    properties: { value: '19.9', currency: 'EUR', order_id: 'o-1' },
    user_traits: { email: 'a@b.co' },
  })
})

it('without a cookie, creates a visitor that the tracker then recognises', async () => {
  const cookies = new Map<string, string>()
  const [sent] = await buy(cookies)
  const event = WireEvent.parse((JSON.parse(sent!.body) as { events: unknown[] }).events[0])
  expect(cookies.get('whence')).toMatch(/^[0-9a-f-]{36}\.[0-9a-f-]{36}\.[0-9a-z]{1,10}$/)
  expect(cookies.get('whence')!.startsWith(`${event.anonymous_id}.${event.session_id}.`)).toBe(true)
})

it('starts with all settings in a tag manager, which strips data attributes', () => {
  const container = tagManagerContainer({
    key: 'trk_live_k',
    origin: 'https://t.shop.example',
    canonical: 'https://whence.example',
    settings: {
      consentMode: 'pending',
      sessionMinutes: 45,
      forms: 'off',
      spa: 'off',
      allowedDomains: ['one.example', 'two.example'],
      consentSignals: 'auto',
      gpc: 'explicit_choice_wins',
      excludePaths: ['/admin*', '/preview/*'],
    } as unknown as TrackingSettings,
  }) as { containerVersion: { tag: { parameter: { key: string; value: string }[] }[] } }
  const html = container.containerVersion.tag[0]!.parameter.find(({ key }) => key === 'html')!.value
  const stripped = html.replace(/ data-[\w-]+="[^"]*"/g, '')
  const [script] = /<script>([\s\S]*)<\/script>/.exec(stripped)!.slice(1)
  const added: { src?: string; async?: boolean }[] = []
  const page: Record<string, unknown> = {
    document: {
      createElement: () => ({}),
      head: { appendChild: (element: { src: string }) => added.push(element) },
    },
  }
  page.window = page
  runInNewContext(script!, page)
  expect(added).toEqual([{ async: true, src: 'https://t.shop.example/tracker.js' }])
  const [call] = (page.whence as { q: ArrayLike<unknown>[] }).q
  expect(JSON.parse(JSON.stringify(Array.from(call!)))).toEqual([
    'init',
    {
      key: 'trk_live_k',
      origin: 'https://t.shop.example',
      canonical: 'https://whence.example',
      consent: 'pending',
      signals: 'auto',
      gpc: 'explicit_choice_wins',
      exclude: '/admin*,/preview/*',
      sessionMinutes: 45,
      forms: 'off',
      spa: 'off',
      domains: 'one.example,two.example',
    },
  ])
})
