import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Model, models } from '@whence/engine'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { type DataExportWorld, makeDataExportWorld } from '../../../../test/data-export-world.ts'
import { checkManifest, filesOf, openExport, readManifest } from '../../../../test/exported-files.ts'
import { toMinor } from '../../../platform/contract/money.ts'
import { sendEvent } from '../../facts/events/contract.ts'
import { getCohorts } from '../../insights/cohorts/contract.ts'
import { getChannels } from '../../insights/reports/channels/contract.ts'
import { getUnattributed, listCampaigns } from '../../insights/reports/contract.ts'

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

const makeWorld = () => makeDataExportWorld(app, folder)

const ranges = [
  { date_from: '2026-05-01', date_to: '2026-05-31' },
  { date_from: '2026-05-02', date_to: '2026-05-04' },
]
const minor = (value: number | null) => (value === null ? null : toMinor(value, 'EUR'))

/** Every report by the SQL of docs/sql, compared with the answer of the API. */
async function compareReports(world: DataExportWorld, compared: readonly Model[] = models): Promise<void> {
  const files = await openExport(world.folder)
  for (const range of ranges)
    for (const model of compared) {
      for (const level of ['campaign', 'ad_set', 'ad'] as const) {
        const rows = await files.report('campaigns', { ...range, model, level })
        const { data } = await world.call(listCampaigns, { query: { ...range, model, level, limit: 100 } })
        const own = rows.filter(({ id }) => id !== null)
        expect(
          own.map(({ name: _, ...row }) => row),
          `${model} ${level}`,
        ).toEqual(
          data.map((row) => ({
            id: row.campaign_id,
            spend_minor: minor(row.spend),
            impressions: row.impressions,
            clicks: row.clicks,
            outcome_count: row.outcome_count,
            outcome_credit: row.outcome_credit,
            outcome_value_minor: minor(row.outcome_value),
            attributed_outcome_count: row.attributed_outcome_count,
            new_customer_count: row.new_customer_count,
            new_customer_value_minor: minor(row.new_customer_value ?? null),
            fx_missing: row.fx_missing,
          })),
        )
        const { data: rest } = await world.call(getUnattributed, { query: { ...range, model, level } })
        const [none] = rows.filter(({ id }) => id === null)
        expect(none?.outcome_value_minor ?? 0).toBe(minor(rest.outcome_value))
        expect(none?.outcome_count ?? 0).toBe(rest.outcome_count)
        expect(none?.new_customer_value_minor ?? 0).toBe(minor(rest.new_customer_value))
      }
      const channels = await files.report('channels', { ...range, model })
      const { data } = await world.call(getChannels, { query: { ...range, model } })
      const byName = (rows: { channel?: unknown }[]) =>
        rows.toSorted((a, b) => (String(a.channel) < String(b.channel) ? -1 : 1))
      expect(byName(channels)).toEqual(
        byName(
          data.map((row) => ({
            channel: row.channel,
            spend_minor: minor(row.spend),
            outcome_count: row.outcome_count,
            outcome_credit: row.outcome_credit,
            outcome_value_minor: minor(row.outcome_value),
            attributed_outcome_count: row.attributed_outcome_count,
            new_customer_count: row.new_customer_count,
          })),
        ),
      )
    }
  const months = { date_from: '2026-04-01', date_to: '2026-06-30' }
  const cells = await files.report('cohorts', { ...months, horizon: 3 })
  const { data } = await world.call(getCohorts, { query: { ...months, horizon: 3 } })
  let cohortCells = 0
  for (const cohort of data)
    for (const [after, revenue] of cohort.cumulative_revenue.entries()) {
      if (revenue === null || cohort.size === 0) continue
      const cell = cells.find(({ month, months_after }) => month === cohort.key && months_after === after)
      cohortCells += 1
      expect(cell).toMatchObject({
        size: cohort.size,
        cumulative_minor: minor(revenue),
        paying_customers: cohort.paying_customers[after],
      })
    }
  expect(cohortCells).toBeGreaterThan(0)
  files.close()
}

it('the SQL of docs/sql over the files gives every report to the minor unit', async () => {
  const world = await makeWorld()
  const run = await world.write()
  expect(run).toMatchObject({ status: 'completed', error: null })
  const { manifest, unlisted } = await checkManifest(world.folder)
  expect(unlisted).toEqual([])
  expect(manifest.run_id).toBe(run.id)
  const files = await openExport(world.folder)
  for (const table of manifest.tables) {
    const paths = table.files.map(({ path }) => `'${join(world.folder, path)}'`).join(', ')
    const [counted] = await files.query(`select count(*) as rows from read_parquet([${paths}])`)
    expect(counted!.rows, table.name).toBe(table.rows)
  }
  const [sum] = await files.query(
    `select sum(value_minor) as sum from credits where part = 'conversion' and model = 'linear' and revenue_type = 'cash'`,
  )
  expect(sum).toEqual({ sum: 15_000 })
  const sums = filesOf(manifest, 'credits').reduce((total, file) => total + file.sums.value_minor!, 0)
  expect(sums).toBe(5 * 15_000)
  files.close()
  await compareReports(world)
})

it('only days whose rows changed are written again, and replaced files go after a day', async () => {
  const world = await makeWorld()
  await world.write()
  const first = await readManifest(world.folder)
  expect((await world.write()).tables).toEqual([])
  expect((await readManifest(world.folder)).run_id).toBe(first.run_id)
  // A late visit takes a share of a payment two days later, and a late payment comes in.
  await world.call(sendEvent, {
    body: {
      event_name: 'visit',
      anonymous_id: 'bob',
      timestamp: '2026-05-03T09:00:00Z',
      ad: { ad_id: 'A1' },
    },
  })
  await world.call(sendEvent, {
    body: {
      event_name: 'payment_received',
      anonymous_id: 'ana',
      timestamp: '2026-05-09T09:00:00Z',
      properties: { value: '12.34' },
      idempotency_key: 'ana-2',
    },
  })
  await app.service.processor.settled(world.profileId)
  const run = await world.write()
  const daysOf = (table: string) => run.tables.find((written) => written.table === table)?.days
  expect(daysOf('touches')).toEqual(['2026-05-03'])
  expect(daysOf('conversions')).toEqual(['2026-05-09'])
  expect(daysOf('credits')).toEqual(['2026-05-05', '2026-05-09'])
  expect(run.tables.map(({ table }) => table)).not.toContain('delivery')
  const { manifest, unlisted } = await checkManifest(world.folder)
  expect(unlisted).toEqual(manifest.replaced.toSorted())
  expect(unlisted.length).toBeGreaterThan(0)
  await compareReports(world, ['linear'])
  await app.service.db
    .updateTable('data_export_files')
    .set({ replaced_at: new Date(0) })
    .where('state', '=', 'replaced')
    .execute()
  await world.write()
  expect((await checkManifest(world.folder)).unlisted).toEqual([])
})
