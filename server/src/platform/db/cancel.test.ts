import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { until } from '../../../test/until.ts'
import { cancelledBy } from './cancel.ts'
import { readCopyIn } from './copy/copy-in-transaction.ts'
import { inSnapshot, inTransaction, isCancelled, type Tx } from './database.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const waits = 'select pg_advisory_xact_lock_shared(1500)'

it.each([
  ['a query', (tx: Tx) => sql.raw(waits).execute(tx)],
  ['a COPY', (tx: Tx) => readCopyIn(tx, `copy (${waits}) to stdout (format binary)`, 1, () => {})],
])('%s that gives no rows ends when its work is aborted', async (_, ask) => {
  const { db } = app.service
  const stop = new AbortController()
  await inTransaction(db, async (holder) => {
    await sql`select pg_advisory_xact_lock(1500)`.execute(holder)
    const asked = inSnapshot(db, (tx) => cancelledBy<unknown>(stop.signal, tx, () => ask(tx)))
    const error = asked.catch((cause: unknown) => cause)
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

it('work that was aborted before it began does not begin', async () => {
  const signal = AbortSignal.abort(new Error('stopped'))
  const work = () => Promise.reject(new Error('begun'))
  await expect(inTransaction(app.service.db, (tx) => cancelledBy(signal, tx, work))).rejects.toThrow(
    'stopped',
  )
})
