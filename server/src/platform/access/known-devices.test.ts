import { createSecretKey, randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { mintDevice, readDevice } from './known-devices.ts'

const key = createSecretKey(randomBytes(32))
const now = new Date('2026-11-17T00:00:00Z')
const later = (days: number) => new Date(now.getTime() + days * 86_400_000)

it('a device cookie is valid for its subject and deployment, for half a year', () => {
  const device = mintDevice(key, 'account a', now)
  const id = readDevice(key, 'account a', device, later(179))
  expect(id).toBe(device.split('.')[0])
  expect(readDevice(key, 'account b', device, now)).toBeUndefined()
  expect(readDevice(createSecretKey(randomBytes(32)), 'account a', device, now)).toBeUndefined()
  expect(readDevice(key, 'account a', device, later(181))).toBeUndefined()
  expect(readDevice(key, 'account a', device.replace(/^\d/, '9'), now)).toBeUndefined()
})

it.each([undefined, '', '.', 'x'.repeat(5000), '1-.'])('the cookie %j is invalid', (cookie) => {
  expect(readDevice(key, 'account a', cookie, now)).toBeUndefined()
})
