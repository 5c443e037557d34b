import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Model } from '@whence/engine'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import {
  type DataExportWorld,
  makeDataExportWorld,
  runExportNow,
} from '../../../../test/data-export-world.ts'
import { checkManifest, filesOf, openExport, readManifest } from '../../../../test/exported-files.ts'
import { compareReports as compareWith } from '../../../../test/exported-reports.ts'
import { shortIt as it, longIt } from '../../../../test/length.ts'
import { sendEvent } from '../../facts/events/contract.ts'
import { getDataRun, startDataRun } from './contract.ts'
import { createFence, UPLOAD_MS } from './send-files.ts'

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

const compareReports = async (world: DataExportWorld, compared?: readonly Model[]) => {
  const { cohortCells } = await compareWith(
    {
      folder: world.folder,
      call: world.call,
      currency: 'EUR',
      ranges: [
        { date_from: '2026-05-01', date_to: '2026-05-31' },
        { date_from: '2026-05-02', date_to: '2026-05-04' },
      ],
      months: { date_from: '2026-04-01', date_to: '2026-06-30' },
    },
    compared,
  )
  expect(cohortCells).toBeGreaterThan(0)
}

longIt('the SQL of docs/sql over the files gives every report to the minor unit', async () => {
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

it('only days whose rows changed are written again, and replaced files are removed after a day', async () => {
  const world = await makeWorld()
  await world.write()
  const first = await readManifest(world.folder)
  expect((await world.write()).tables).toEqual([])
  expect((await readManifest(world.folder)).run_id).toBe(first.run_id)
  // A late visit gets a share of a payment two days later, and a late payment is received.
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
  // Two children of one customer: each payment is the first of its subject, the customer is new once.
  for (const child of ['ida', 'tom'])
    await world.call(sendEvent, {
      body: {
        event_name: 'payment_received',
        anonymous_id: 'parent',
        timestamp: '2026-05-09T10:00:00Z',
        properties: { value: '75.00', subject_ref: child },
        idempotency_key: child,
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

it('a process executes one run at a time', async () => {
  const worlds = [await makeWorld(), await makeWorld()]
  const runs = await Promise.all(
    worlds.map(async (world) => {
      const { data } = await world.call(startDataRun, { body: { destination_id: world.destinationId } })
      return { world, id: data.id }
    }),
  )
  await Promise.all(runs.map(({ world, id }) => runExportNow(app, world.profileId, id)))
  const statuses = runs.map(
    async ({ world, id }) => (await world.call(getDataRun, { params: { id } })).data.status,
  )
  expect(await Promise.all(statuses)).toEqual(['completed', 'queued'])
})

it('a run that takes too long is retried', async () => {
  const signal = new AbortController().signal
  const fence = createFence({ service: app.service, profile: {}, run: {}, signal } as never, false)
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + UPLOAD_MS + 1)
  const timedOut = fence()
  clock.mockRestore()
  await expect(timedOut).rejects.toMatchObject({ name: 'TargetError', isTemporary: true })
})
