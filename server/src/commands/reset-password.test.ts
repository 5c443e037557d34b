/** Commands on a database that is in use by a service. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { operatorFromCommand } from './operator.ts'
import { resetFromCommand } from './reset-password.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())
const config = () => ({
  ...app.service.config,
  DATABASE_URL: app.connectionString,
  DATABASE_DIRECT_URL: undefined,
})

it('resetting ends the sessions of an existing account; a new account has none', async () => {
  const reset = async () => (await resetFromCommand(config(), ['new@example.com', '--create'])).join('\n')
  expect(await reset()).not.toContain('have ended')
  expect(await reset()).toContain('Its sessions and user tokens have ended.')
})

it('while tables are being distributed, the operator command reports it clearly', async () => {
  expect((await operatorFromCommand(config(), ['status']))[0]).toContain('Whence ')
  await app.pool.query('create schema distribution')
  await app.pool.query('create table distribution.foreign_keys (name text)')
  await expect(operatorFromCommand(config(), ['status'])).rejects.toThrow('still being distributed')
})
