import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { shortvideoApp } from './registry.ts'

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
