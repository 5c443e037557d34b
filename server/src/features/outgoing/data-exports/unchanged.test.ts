import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeCreative, makeDelivery, makeEntity, saveRecords } from '../../../../test/ad-world.ts'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { makeDataExportWorld } from '../../../../test/data-export-world.ts'
import { makeKey } from '../../../../test/make.ts'
import { eraseIn } from '../../../../test/oracle/erasing.ts'
import { staleFiles } from '../../../../test/stale-exports.ts'
import { countedTables } from '../../../../test/watch-report-numbers.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { loadAttributionProfile } from '../../attribution/crediting/settings.ts'
import { saveExchangeRate } from '../../corrections/exchange-rates/contract.ts'
import { mergeCustomers } from '../../corrections/identity-review/merges.ts'
import { recordRefund } from '../../corrections/payments/contract.ts'
import { retractEvent } from '../../corrections/retractions/contract.ts'
import { saveAdDetails } from '../../facts/ads/details.ts'
import { sendEvent } from '../../facts/events/contract.ts'
import { eventIdOf } from '../../facts/events/rules.ts'
import { movesChangeNumber, selects } from './partition-queries.ts'
import { tableNames } from './tables.ts'

let app: TestApp
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whence-data-exports-'))
  app = await startTestApp({ DATA_EXPORT_DIR: folder })
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

it('a table may be skipped only if all tables that its query reads move the change number', () => {
  for (const includeIdentifiers of [false, true]) {
    const scope = { profileId: uuidv7(), timezone: 'UTC', currency: 'EUR', includeIdentifiers }
    for (const name of tableNames) {
      const { sql: text } = sql`${selects[name](scope)}`.compile(app.service.db)
      const read = [...text.matchAll(/\b(?:from|join)\s+([a-z_]+)/g)].map(([, table]) => table!)
      expect(read.length, name).toBeGreaterThan(0)
      expect(
        read.every((table) => countedTables.includes(table)),
        `${name} reads ${read}`,
      ).toBe(movesChangeNumber(name, scope))
    }
  }
})

it('a run without a new change number reads only tables that do not move it', async () => {
  const { write, profileId, destinationId } = await makeDataExportWorld(app, folder)
  await write()
  // A scan would treat these files as changed.
  await app.service.db
    .updateTable('data_export_files')
    .set({ fingerprint: 'other' })
    .where('profile_id', '=', profileId)
    .execute()
  expect((await write()).tables.map(({ table }) => table)).toEqual(['events', 'rates'])
  await app.service.db
    .updateTable('report_changes')
    .set({ number: sql`number + 1` })
    .where('profile_id', '=', profileId)
    .where('holds_lock', '=', true)
    .execute()
  expect((await write()).tables.length).toBe(tableNames.length - 2)
  expect(await staleFiles(app, profileId, destinationId)).toEqual([])
})

it('every kind of change is written by the next run', async () => {
  const world = await makeDataExportWorld(app, folder, { include_identifiers: true })
  const { profileId, destinationId, call } = world
  const { db } = app.service
  const manage = app.as(await makeKey(app, profileId, ['payments:read', 'payments:write', 'tracking:write']))
  await world.write()
  const change = async (label: string, tables: readonly string[], act: () => Promise<unknown>) => {
    await act()
    await app.service.processor.settled(profileId)
    const run = await world.write()
    expect(
      run.tables.map(({ table }) => table),
      label,
    ).toEqual(expect.arrayContaining([...tables]))
    expect(await staleFiles(app, profileId, destinationId), label).toEqual([])
  }
  const send = (body: Record<string, unknown>) => call(sendEvent, { body })
  const records = (...rows: Parameters<typeof saveRecords>[2]) => saveRecords(app, profileId, rows)
  await change('a visit with an address', ['events', 'touches', 'identities', 'credits', 'daily'], () =>
    send({
      event_name: 'visit',
      anonymous_id: 'cid',
      timestamp: '2026-05-05T10:00:00Z',
      user_traits: { email: 'cid@example.com' },
      ad: { ad_id: 'A2' },
    }),
  )
  await change('a payment', ['events', 'customers', 'conversions', 'payments', 'credits', 'daily'], () =>
    send({
      event_name: 'payment_received',
      anonymous_id: 'eve',
      timestamp: '2026-05-08T10:00:00Z',
      properties: { value: 40 },
      idempotency_key: 'eve-1',
    }),
  )
  await change('a refund', ['refunds', 'credits', 'daily'], () =>
    manage(recordRefund, {
      params: { payment_id: eventIdOf(profileId, 'ana-1') },
      body: { amount: '25.00', refunded_at: '2026-05-09T10:00:00Z' },
    }),
  )
  await change('a retraction', ['events', 'conversions', 'payments', 'credits', 'daily'], () =>
    call(retractEvent, { body: { idempotency_key: 'eve-1' } }),
  )
  await change('spend', ['delivery'], () =>
    records(makeDelivery('ad', 'A1', '2026-05-02', { spendMinor: 700, impressions: 600, clicks: 6 })),
  )
  await change('a campaign with a new name', ['campaigns', 'ad_versions'], () =>
    records(makeEntity('campaign', 'C1', { name: 'Renamed', objective: 'SALES', dailyBudgetMinor: 5000 })),
  )
  await change('an ad that moves', ['ads'], () =>
    records(makeEntity('ad', 'A2', { campaignExternalId: 'C2', adSetExternalId: 'S2' })),
  )
  await change('a creative', ['creatives'], () =>
    inTransaction(db, (tx) =>
      saveAdDetails(tx, profileId, [makeCreative('A1', { title: 'New' })], app.service.clock.now()),
    ),
  )
  await change('an entered rate', ['rates'], () =>
    manage(saveExchangeRate, { body: { currency: 'GBP', day: '2026-05-04', rate: '1.15' } }),
  )
  await change('a merge', ['customers', 'identities', 'credits'], async () => {
    const { rows } = await sql<{ customer_id: string }>`
      select distinct customer_id from conversions c join identifiers i on i.profile_id = ${profileId}
        and i.id = c.identifier_id where c.profile_id = ${profileId} and revenue_type = 'cash'
      order by 1`.execute(db)
    const [from, into] = rows.map(({ customer_id }) => customer_id)
    const now = app.service.clock.now()
    await inTransaction(db, async (tx) =>
      mergeCustomers(tx, await loadAttributionProfile(tx, profileId), {
        id: uuidv7(now),
        fromCustomerId: from!,
        intoCustomerId: into!,
        by: null,
        now,
      }),
    )
  })
  await change('an erasure', ['identities'], () =>
    eraseIn(app, profileId, { kind: 'email', value: 'cid@example.com' }),
  )
})
