import { expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { explainStartError } from './start-errors.ts'

const config = readConfig({
  DATABASE_URL: 'postgres://whence:geheim@db.internal:6432/shop',
  MASTER_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
  METRICS_ADDRESS: '127.0.0.1:9400',
  GEO_DATABASE: '/geo.mmdb',
})
const failure = (fields: object, message = 'no') => Object.assign(new Error(message), fields)

it.each([
  [
    failure({ syscall: 'listen', code: 'EADDRINUSE', port: 4400 }),
    'PORT: 127.0.0.1 port 4400 is used by another process',
  ],
  [failure({ syscall: 'listen', code: 'EADDRINUSE', port: 9400 }), 'METRICS_ADDRESS: '],
  [failure({ code: 'ECONNREFUSED' }), 'DATABASE_URL: no database responds at db.internal:6432/shop'],
  [failure({ code: '28P01' }), 'DATABASE_URL: the password is wrong for db.internal:6432/shop'],
  [failure({ code: '3D000' }), 'DATABASE_URL: the database does not exist'],
  [failure({ code: 'ENOENT', path: '/geo.mmdb' }), 'GEO_DATABASE: the file cannot be read'],
])('%s names the setting', (error, message) => {
  const explained = explainStartError(error, config) as Error
  expect(explained.message).toContain(message)
  expect(explained.message).not.toContain('geheim')
})

it('other errors are unchanged', () => {
  const error = new Error('no')
  expect(explainStartError(error, config)).toBe(error)
})
