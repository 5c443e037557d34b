import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { until } from '../../../test/until.ts'
import { cancelledBy, cancelStatement, findBackend } from './cancel.ts'
import { readCopyIn } from './copy/copy-in-transaction.ts'
import { inSnapshot, inTransaction, isCancelled, poolOf, type Tx } from './database.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const waits = 'select pg_advisory_xact_lock_shared(1500)'

it.each([
  ['a query', (tx: Tx) => sql.raw(waits).execute(tx)],
  ['a COPY', (tx: Tx) => readCopyIn(tx, `copy (${waits}) to stdout (format binary)`, 1, () => {})],
])('%s that gives no rows ends when its work is aborted', async (_, execute) => {
  const { db, log } = app.service
  const stop = new AbortController()
  await inTransaction(db, async (holder) => {
    await sql`select pg_advisory_xact_lock(1500)`.execute(holder)
    const reading = inSnapshot(db, (tx) => cancelledBy<unknown>(stop.signal, { tx, log }, () => execute(tx)))
    const error = reading.catch((cause: unknown) => cause)
    await until(async () => {
      const { rows } = await sql`
        select 1 from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`.execute(
        db,
      )
      return rows.length > 0
    }, 20)
    stop.abort()
    expect(isCancelled(await error)).toBe(true)
  })
})

it('work aborted before its start does not run', async () => {
  const signal = AbortSignal.abort(new Error('stopped'))
  const work = () => Promise.reject(new Error('begun'))
  const { db, log } = app.service
  const transaction = inTransaction(db, (tx) => cancelledBy(signal, { tx, log }, work))
  await expect(transaction).rejects.toThrow('stopped')
})

it('a later backend with the same pid is not cancelled', async () => {
  const { db } = app.service
  await inTransaction(db, async (tx) => {
    const backend = await findBackend(tx)
    const pool = poolOf(db)
    expect(await cancelStatement(pool, { ...backend, started: '2026-01-01T00:00:00Z' })).toBe(false)
    expect(await cancelStatement(pool, backend)).toBe(true)
  })
})

it('a failed cancellation is logged, and the work ends normally', async () => {
  const stop = new AbortController()
  const warnings: string[] = []
  const log = { ...app.service.log, warn: (message: string) => void warnings.push(message) }
  await inTransaction(app.service.db, async (tx) => {
    const query = vi
      .spyOn(poolOf(tx), 'query')
      .mockImplementation(() => Promise.reject(new Error('none free')))
    try {
      const work = async () => {
        stop.abort()
        return 'ended'
      }
      expect(await cancelledBy(stop.signal, { tx, log }, work)).toBe('ended')
    } finally {
      query.mockRestore()
    }
  })
  expect(warnings).toEqual(['statement not cancelled'])
})
