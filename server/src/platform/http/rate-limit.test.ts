import { afterAll, beforeAll, expect, it } from 'vitest'
import { cloneDatabase } from '../../../test/database.ts'
import { type OpenDatabase, openDatabase } from '../db/database.ts'
import { createLocalLimits, spendUnits } from './rate-limit.ts'

let database: OpenDatabase
beforeAll(async () => {
  database = openDatabase({ connectionString: (await cloneDatabase()).connectionString })
})
afterAll(() => database.close())

const limit = { perMinute: 60, burst: 5 }
const now = Date.parse('2026-05-01T12:00:00Z')
const hour = 3_600_000

it('a clock that jumps ahead and back blocks no one for the hours between', async () => {
  const spendAt = (at: number) => spendUnits(database.db, 'jump', limit, 1, at)
  for (let spent = 0; spent < 5; spent++) expect((await spendAt(now + 5 * hour)).allowed).toBe(true)
  expect(await spendAt(now + 5 * hour)).toMatchObject({ allowed: false, retryAfterSeconds: 1 })
  expect(await spendAt(now)).toMatchObject({ allowed: true, remaining: 4 })
  for (let spent = 0; spent < 4; spent++) expect((await spendAt(now)).allowed).toBe(true)
  expect((await spendAt(now)).allowed).toBe(false)
})

it('processes whose clocks differ by seconds together allow no more than one would', async () => {
  let allowed = 0
  for (let turn = 0; turn < 40; turn++) {
    const behind = turn % 2 === 0 ? 0 : 20_000
    if ((await spendUnits(database.db, 'skew', limit, 1, now - behind)).allowed) allowed += 1
  }
  expect(allowed).toBe(5)
})

it('counted in memory, a credential has the same burst and the same refill', () => {
  const count = createLocalLimits()
  const spend = (key: string, units: number, at: number) => count(key, limit, units, at)
  for (const remaining of [4, 3, 2, 1, 0])
    expect(spend('a', 1, now)).toEqual({ allowed: true, remaining, retryAfterSeconds: 0 })
  expect(spend('a', 1, now)).toEqual({ allowed: false, remaining: 0, retryAfterSeconds: 1 })
  expect(spend('a', 3, now)).toEqual({ allowed: false, remaining: 0, retryAfterSeconds: 3 })
  expect(spend('b', 1, now).allowed).toBe(true)
  expect(spend('a', 1, now + 999).allowed).toBe(false)
  expect(spend('a', 1, now + 1000)).toEqual({ allowed: true, remaining: 0, retryAfterSeconds: 0 })
  expect(spend('a', 5, now + hour)).toEqual({ allowed: true, remaining: 0, retryAfterSeconds: 0 })
})
