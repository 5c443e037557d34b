import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import {
  type DataExportWorld,
  makeDataExportWorld,
  runExportNow,
} from '../../../../test/data-export-world.ts'
import { checkManifest, filesOf, openExport, readManifest } from '../../../../test/exported-files.ts'
import { runSchedule } from '../../../../test/jobs.ts'
import { makeOwnProfile, refusalOf } from '../../../../test/make.ts'
import { until } from '../../../../test/until.ts'
import { ownerMail } from '../../../platform/access/owner-mail.ts'
import { findProfileRef } from '../../../platform/access/queries.ts'
import { listChanges } from '../../../platform/audit/contract.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { inTransaction, isCancelled } from '../../../platform/db/database.ts'
import { updateComplianceOverview } from '../../account/workspaces/contract.ts'
import { eraseWorkspaceCustomer } from '../../corrections/erasures/contract.ts'
import { erasureJobs } from '../../corrections/erasures/jobs.ts'
import { sendEvent } from '../../facts/events/contract.ts'
import * as contract from './contract.ts'
import { dataExportJobs } from './jobs.ts'
import * as queries from './queries.ts'
import { nextTryAt } from './rules.ts'
import { writeTables } from './run.ts'
import { queueRun } from './start-run.ts'
import { folderTarget } from './targets/folder.ts'
import { type Target, TargetError } from './targets/target.ts'

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

const makeWorld = (body: Record<string, unknown> = {}) => makeDataExportWorld(app, folder, body)

/** A target that fails at one of its operations, before or after executing it. */
function stopping(target: Target, at: number, when: 'before' | 'after'): Target {
  let count = 0
  const step = async (work: () => Promise<void>) => {
    const isHere = count++ === at
    if (isHere && when === 'before') throw new Error('stopped')
    await work()
    if (isHere) throw new Error('stopped')
  }
  return {
    put: (path, bytes) => step(() => target.put(path, bytes)),
    remove: (path) => step(() => target.remove(path)),
  }
}

async function writeWith(
  world: DataExportWorld,
  target: Target,
  signal = new AbortController().signal,
): Promise<boolean> {
  const { service } = app
  const { profileId, destinationId } = world
  const now = service.clock.now()
  const queued = await inTransaction(service.db, (tx) =>
    queueRun(tx, { profileId, destinationId, isFull: false, now }),
  )
  const attemptId = uuidv7(now)
  const run = (await queries.markRunning(service.db, { profileId, id: queued.id, attemptId, now }))!
  const profile = (await findProfileRef(service.db, { profileId }))!
  const destination = (await queries.findDestination(service.db, { profileId, id: destinationId }))!
  return writeTables({
    service,
    profile,
    destination,
    run,
    attemptId,
    target,
    signal,
  }).then(
    () => true,
    (error: Error) => {
      if (error.message !== 'stopped') throw error
      return false
    },
  )
}

const visit = (world: DataExportWorld, day: number, fields: Record<string, unknown> = {}) =>
  world.call(sendEvent, {
    body: {
      event_name: 'visit',
      anonymous_id: `late-${day}`,
      ad: { ad_id: 'A1' },
      timestamp: `2026-05-${day}T09:00:00Z`,
      ...fields,
    },
  })

it('a run that is aborted before the first row of a table ends immediately', async () => {
  const world = await makeWorld({ tables: ['events'] })
  const { db } = app.service
  const stop = new AbortController()
  await inTransaction(db, async (holder) => {
    await sql`lock table events in access exclusive mode`.execute(holder)
    const error = writeWith(world, folderTarget(world.folder), stop.signal).catch((cause: unknown) => cause)
    await until(async () => {
      const { rows } = await sql`
        select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
          and query like '%hash_record_extended%'`.execute(db)
      return rows.length > 0
    }, 20)
    stop.abort()
    expect(isCancelled(await error)).toBe(true)
  })
})

it('a run that is killed at any step leaves a manifest whose files all exist', async () => {
  const world = await makeWorld({ tables: ['touches', 'customers', 'identities'] })
  await world.write()
  for (const when of ['before', 'after'] as const)
    for (let at = 0, isDone = false; !isDone; at++) {
      if (at === 0) {
        await visit(world, when === 'before' ? 11 : 12)
        await app.service.processor.settled(world.profileId)
      }
      isDone = await writeWith(world, stopping(folderTarget(world.folder), at, when))
      await checkManifest(world.folder)
      expect(at, 'steps').toBeLessThan(20)
      if (isDone) expect(at, 'steps').toBeGreaterThan(3)
    }
  // The next run removes leftovers of interrupted runs; replaced files stay for a day.
  await world.write()
  const { manifest, unlisted } = await checkManifest(world.folder)
  expect(filesOf(manifest, 'touches').map(({ day }) => day)).toEqual(
    expect.arrayContaining(['2026-05-11', '2026-05-12']),
  )
  const storedFiles = await queries.listFiles(app.service.db, world)
  expect(storedFiles.filter(({ state }) => state === 'writing')).toEqual([])
  expect(unlisted).toEqual(
    storedFiles
      .filter(({ state }) => state === 'replaced')
      .map(({ path }) => path)
      .sort(),
  )
})

/** The content of all listed files, as text. */
async function contentOf(world: DataExportWorld): Promise<string> {
  const { tables } = await readManifest(world.folder)
  const files = await openExport(world.folder)
  const rows = []
  for (const { path } of tables.flatMap((table) => table.files))
    rows.push(await files.query(`select * from read_parquet('${join(world.folder, path)}')`))
  files.close()
  return JSON.stringify(rows)
}

it('files contain no personal values, and hashes only if an owner allows them', async () => {
  const world = await makeWorld()
  const email = 'planted@example.com'
  await visit(world, 10, {
    user_traits: { email, phone: '+34600111222', first_name: 'Planted', last_name: 'Person' },
    ad: {},
    utm: { source: email, medium: email, campaign: '+34600111222' },
    page: { url: `https://shop.example/?email=${email}`, referrer: 'https://news.example/' },
    properties: { note: email },
  })
  await app.service.processor.settled(world.profileId)
  await world.write()
  const content = await contentOf(world)
  expect(content).toContain('2026-05-10')
  expect(content).not.toMatch(/planted|600111222/i)
  expect(content).not.toMatch(/"email_sha256":"/)
  await world.decide(contract.updateDataDestination, {
    params: { id: world.destinationId },
    body: { include_identifiers: true },
  })
  await world.write()
  const hashed = await contentOf(world)
  expect(hashed).toMatch(/"email_sha256":"[0-9a-f]{64}"/)
  expect(hashed).not.toMatch(/planted|600111222/i)
  // When the profile becomes a healthcare profile, the next run removes the hashes.
  await world.owner.call(updateComplianceOverview, {
    params: { workspaceId: world.workspaceId },
    body: { healthcare: true },
  })
  await world.write()
  expect(await contentOf(world)).not.toMatch(/"email_sha256":"/)
  const request = world.decide(contract.updateDataDestination, {
    params: { id: world.destinationId },
    body: { include_identifiers: true },
  })
  expect(await refusalOf(request)).toMatchObject({ code: 'invalid_state', reason: 'healthcare_profile' })
})

async function erase(world: DataExportWorld, email: string): Promise<void> {
  await world.owner.call(eraseWorkspaceCustomer, {
    params: { workspaceId: world.workspaceId },
    body: { profile_id: world.profileId, email },
  })
  const { service } = app
  const context = {
    service,
    db: service.db,
    now: service.clock.now(),
    log: service.log,
    jobId: '',
    attempt: 1,
  }
  const signal = new AbortController().signal
  await erasureJobs[0]!.run({ ...context, profileId: world.profileId, signal }, {})
  await service.processor.settled(world.profileId)
}

it('an erasure starts a run, which immediately removes the files that contained the person', async () => {
  const world = await makeWorld({ include_identifiers: true })
  const email = 'gone@example.com'
  await visit(world, 10, { user_traits: { email } })
  await app.service.processor.settled(world.profileId)
  await world.write()
  const before = await contentOf(world)
  const hash = /"email_sha256":"([0-9a-f]{64})"/.exec(before)![1]!
  await erase(world, email)
  const { service } = app
  const destinations = await world.call(contract.listDataDestinations)
  expect(destinations.data[0]!.erasures_waiting).toBe(1)
  await runSchedule(service, dataExportJobs, 'data_exports.start_due')
  const [run] = (await world.call(contract.listDataRuns)).data
  expect(run!.status).toBe('queued')
  await runExportNow(app, world.profileId, run!.id)
  const { manifest, unlisted } = await checkManifest(world.folder)
  expect(unlisted).toEqual([])
  expect(manifest.erasures).toBe(1)
  expect(manifest.replaced.length).toBeGreaterThan(0)
  expect(await contentOf(world)).not.toContain(hash)
  expect((await world.call(contract.listDataDestinations)).data[0]!.erasures_waiting).toBe(0)
})

it('an attempt that was taken over, or whose destination was disabled, publishes nothing', async () => {
  const world = await makeWorld({ tables: ['touches'] })
  await world.write()
  const before = await readManifest(world.folder)
  const ref = { profileId: world.profileId, destinationId: world.destinationId }
  const meanwhile = async (work: () => Promise<unknown>) => {
    await visit(world, 13)
    await app.service.processor.settled(world.profileId)
    const target = folderTarget(world.folder)
    const during: Target = {
      remove: target.remove,
      async put(path, bytes) {
        await target.put(path, bytes)
        if (path !== 'manifest.json') await work()
      },
    }
    const outcome = await writeWith(world, during).catch((error: Error) => error.message)
    expect(outcome).toMatch(/disabled|took over/)
    expect(await readManifest(world.folder)).toEqual(before)
    const files = await queries.listFiles(app.service.db, ref)
    expect(files.filter(({ state }) => state === 'replaced')).toEqual([])
  }
  await meanwhile(async () => {
    const { id } = (await inTransaction(app.service.db, (tx) => queries.findOpenRun(tx, ref)))!
    const now = app.service.clock.now()
    await queries.markRunning(app.service.db, { profileId: world.profileId, id, attemptId: uuidv7(now), now })
  })
  await meanwhile(() =>
    world.call(contract.updateDataDestination, {
      params: { id: world.destinationId },
      body: { enabled: false },
    }),
  )
})

it('an erasure counts as pending until the files that contained the person are removed', async () => {
  const world = await makeWorld({ include_identifiers: true })
  const email = 'kept@example.com'
  await visit(world, 14, { user_traits: { email } })
  await app.service.processor.settled(world.profileId)
  await world.write()
  const { service } = app
  await erase(world, email)
  const target = folderTarget(world.folder)
  const stuck: Target = {
    put: target.put,
    remove: () => Promise.reject(new TargetError('The store answered 503.', true)),
  }
  const erasuresWaiting = async () =>
    (await world.call(contract.listDataDestinations)).data[0]!.erasures_waiting
  expect(await erasuresWaiting()).toBe(1)
  await visit(world, 15)
  await service.processor.settled(world.profileId)
  await writeWith(world, stuck)
  expect(await erasuresWaiting()).toBe(1)
  await writeWith(world, target)
  expect(await erasuresWaiting()).toBe(0)
  expect((await checkManifest(world.folder)).unlisted).toEqual([])
})

it('a failing destination is retried with backoff, and a full run is allowed once a day', async () => {
  const world = await makeWorld({ tables: ['touches'], schedule: 'hourly' })
  const { service } = app
  const ref = { profileId: world.profileId, id: world.destinationId }
  const startDue = () => runSchedule(service, dataExportJobs, 'data_exports.start_due')
  await service.db
    .updateTable('data_export_destinations')
    .set({ failures: 3, next_try_at: nextTryAt(3, service.clock.now()) })
    .where('id', '=', ref.id)
    .execute()
  await startDue()
  expect((await world.call(contract.listDataRuns)).data).toEqual([])
  await service.db
    .updateTable('data_export_destinations')
    .set({ next_try_at: service.clock.now() })
    .where('id', '=', ref.id)
    .execute()
  await startDue()
  const [run] = (await world.call(contract.listDataRuns)).data
  await runExportNow(app, world.profileId, run!.id)
  expect(await queries.findDestination(service.db, ref)).toMatchObject({ failures: 0, next_try_at: null })
  const full = () =>
    world.call(contract.startDataRun, { body: { destination_id: world.destinationId, full: true } })
  await runExportNow(app, world.profileId, (await full()).data.id)
  expect(await refusalOf(full())).toMatchObject({ status: 409, reason: 'full_run_within_a_day' })
})

it('only an owner or admin may create a destination; it is audited, mailed and invisible to other tenants', async () => {
  const world = await makeWorld()
  const body = { kind: 'file', name: 'Other', target: { folder: 'other' } } as const
  const needsOwner = { status: 403, code: 'forbidden', reason: 'owner_decision_required' }
  expect(await refusalOf(world.call(contract.createDataDestination, { body }))).toMatchObject(needsOwner)
  const params = { id: world.destinationId }
  for (const changes of [{ enabled: true }, { tables: [] }, { include_identifiers: true }, { name: 'X' }])
    expect(
      await refusalOf(world.call(contract.updateDataDestination, { params, body: changes })),
    ).toMatchObject(needsOwner)
  expect(
    (await world.call(contract.updateDataDestination, { params, body: { enabled: false } })).data.enabled,
  ).toBe(false)
  const taken = world.decide(contract.createDataDestination, {
    body: { ...body, target: { folder: 'warehouse' } },
  })
  expect(await refusalOf(taken)).toMatchObject({ code: 'invalid_state', reason: 'place_in_use' })
  for (const name of ['../up', 'a/b', '.hidden', ''])
    expect(
      await refusalOf(
        world.decide(contract.createDataDestination, {
          body: { ...body, target: { folder: name } },
        }),
      ),
    ).toMatchObject({ status: 422 })
  const other = await makeOwnProfile(app, ['exports:read', 'exports:write'])
  for (const request of [
    () => other.call(contract.updateDataDestination, { params, body: { enabled: false } }),
    () => other.call(contract.testDataDestination, { params }),
    () => other.call(contract.deleteDataDestination, { params }),
    () => other.call(contract.startDataRun, { body: { destination_id: world.destinationId } }),
  ])
    expect(await refusalOf(request())).toMatchObject({ status: 404 })
  const { data: changes } = await world.owner.call(listChanges, {
    params: { workspaceId: world.workspaceId },
  })
  expect(changes.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['data_destination.created', 'data_destination.changed']),
  )
  const mails = await app.service.db
    .selectFrom('jobs')
    .select('payload')
    .where('name', '=', ownerMail.name)
    .execute()
  const workspaceMails = mails
    .map(({ payload }) => JSON.stringify(payload))
    .filter((text) => text.includes(world.workspaceId))
  expect(workspaceMails.some((text) => text.includes('the folder warehouse'))).toBe(true)
  await world.call(contract.deleteDataDestination, { params })
  expect((await world.call(contract.listDataDestinations)).data).toEqual([])
})
