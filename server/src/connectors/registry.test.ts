import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { createProviders, shortvideoApp } from './registry.ts'

test.each([
  [
    { SANDBOX: 'on', SANDBOX_SECRET: 'x'.repeat(32), BASE_URL: 'https://whence.example' },
    'https://whence.example/sandbox/shortvideo',
  ],
  [{ SANDBOX: 'off' }, 'https://business-api.tiktok.com'],
  [{ SANDBOX: 'on', SHORTVIDEO_BASE_URL: 'https://events.example/' }, 'https://events.example'],
])('with %j short-video conversions go to %s', (environment, address) => {
  expect(shortvideoApp(readConfig(environment)).apiBaseUrl).toBe(address)
})

test('a start with a registration for a version past its end fails and says which', () => {
  const registration = {
    client_id: 'a',
    client_secret: 'b',
    authorize_base_url: 'https://{shop}',
    api_base_url: 'https://{shop}',
  }
  const config = readConfig({ SANDBOX: 'off', PROVIDER_STOREFRONT: JSON.stringify(registration) })
  const outbound = {} as Outbound
  expect(createProviders(config, outbound, undefined, '2026-11-16').has('storefront')).toBe(true)
  expect(() => createProviders(config, outbound, undefined, '2030-01-01')).toThrow(
    /^storefront: API version 2026-07 was expected to end/,
  )
  const bare = readConfig({ SANDBOX: 'off' })
  expect(createProviders(bare, outbound, undefined, '2030-01-01').size).toBe(0)
})
