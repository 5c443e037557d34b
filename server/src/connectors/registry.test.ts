import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import type { Outbound } from '../platform/outbound/outbound.ts'
import { createProviders, shortvideoApp } from './registry.ts'

test.each([
  [
    { SANDBOX: 'on', SANDBOX_SECRET: 'x'.repeat(32), BASE_URL: 'https://whence.example' },
    'https://whence.example/sandbox/shortvideo',
  ],
  [{ SANDBOX: 'off' }, 'https://business-api.tiktok.com'],
  [{ SANDBOX: 'on', SHORTVIDEO_BASE_URL: 'https://events.example/' }, 'https://events.example'],
])('with %j short-video conversions are sent to %s', (environment, address) => {
  expect(shortvideoApp(readConfig(environment)).apiBaseUrl).toBe(address)
})

test('a version past its end fails its own calls with a clear message and affects nothing else', async () => {
  const registration = {
    client_id: 'a',
    client_secret: 'b',
    authorize_base_url: 'https://{shop}',
    api_base_url: 'https://{shop}',
  }
  const config = readConfig({ SANDBOX: 'off', PROVIDER_STOREFRONT: JSON.stringify(registration) })
  const outbound = {
    send: async () => ({ status: 200, headers: {}, bytes: new Uint8Array() }),
  } as unknown as Outbound
  const warnings: string[] = []
  let day = '2026-11-16'
  const watch = { log: { warn: (text: string) => void warnings.push(text) }, today: () => day }
  const { http } = createProviders(config, outbound, undefined, outbound, watch).get('storefront')!
  const call = () => http.send({ method: 'GET', url: 'https://shop.example' })
  expect(warnings).toEqual([])
  await expect(call()).resolves.toMatchObject({ status: 200 })
  day = '2027-07-01'
  await expect(call()).rejects.toMatchObject({
    reason: 'rejected',
    providerCode: 'api_version_ended',
    message: expect.stringMatching(/^storefront: API version 2026-07 was expected to end/),
  })
  expect(createProviders(config, outbound, undefined, outbound, watch).has('storefront')).toBe(true)
  expect(warnings).toEqual([expect.stringContaining('was expected to end')])
})

test('a shop address that a person entered is called only if it is public', async () => {
  const registration = JSON.stringify({
    client_id: 'a',
    client_secret: 'b',
    authorize_base_url: 'https://{shop}',
    api_base_url: 'https://{shop}',
  })
  const config = readConfig({
    SANDBOX: 'off',
    PROVIDER_STOREFRONT: registration,
    PROVIDER_WOOCOMMERCE: registration,
  })
  const way = (name: string) =>
    ({
      send: async () => ({ status: 200, headers: { by: name }, bytes: new Uint8Array() }),
    }) as unknown as Outbound
  const providers = createProviders(config, way('any'), undefined, way('public'), {
    log: { warn: () => {} },
    today: () => '2026-11-17',
  })
  const wayOf = async (provider: 'storefront' | 'woocommerce') =>
    (await providers.get(provider)!.http.send({ method: 'GET', url: 'https://shop.example' })).headers.by
  expect(await wayOf('woocommerce')).toBe('public')
  expect(await wayOf('storefront')).toBe('any')
})
