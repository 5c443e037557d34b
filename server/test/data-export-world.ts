/** The business of ad-world.ts with a destination for all of its tables. */
import { join } from 'node:path'
import type * as contract from '../src/features/outgoing/data-exports/contract.ts'
import {
  createDataDestination,
  getDataRun,
  startDataRun,
} from '../src/features/outgoing/data-exports/contract.ts'
import { dataExportJobs } from '../src/features/outgoing/data-exports/jobs.ts'
import { makeAdWorld } from './ad-world.ts'
import type { TestClient } from './answers.ts'
import type { TestApp } from './app.ts'
import { makeKey, makePerson, makeProfile, makeWorkspace, type Person } from './make.ts'

export type DataExportWorld = {
  owner: Person
  workspaceId: string
  profileId: string
  /** With a key. */
  call: TestClient
  /** As the owner. */
  decide: TestClient
  destinationId: string
  folder: string
  write(full?: boolean): Promise<contract.DataRun>
}

/** As a worker runs the job. */
export async function runExportNow(
  app: TestApp,
  profileId: string,
  runId: string,
  attempt = 1,
): Promise<void> {
  const { service } = app
  const run = dataExportJobs.find(({ name }) => name === 'data_exports.run')!
  const context = {
    service,
    db: service.db,
    now: service.clock.now(),
    log: service.log,
    jobId: '',
    profileId,
    attempt,
  }
  await run.run(
    { ...context, signal: new AbortController().signal },
    { profile_id: profileId, run_id: runId },
  )
}

export async function makeDataExportWorld(
  app: TestApp,
  folder: string,
  body: Record<string, unknown> = {},
): Promise<DataExportWorld> {
  const owner = await makePerson(app, 'Owner')
  const workspaceId = await makeWorkspace(owner)
  const profileId = await makeProfile(owner, workspaceId)
  const key = await makeKey(app, profileId, [
    'events:write',
    'campaigns:read',
    'analytics:read',
    'exports:read',
    'exports:write',
  ])
  const call = app.as(key)
  await makeAdWorld(app, profileId, call)
  const decide = ((entry, input = {}) =>
    owner.call(entry, {
      ...input,
      query: { ...(input.query as object), profile_id: profileId },
    })) as TestClient
  const { data } = await decide(createDataDestination, {
    body: {
      kind: 'file',
      name: 'Warehouse',
      target: { folder: 'warehouse' },
      schedule: 'on_demand',
      ...body,
    },
  })
  const write = async (full = false) => {
    const { data: run } = await call(startDataRun, { body: { destination_id: data.id, full } })
    await runExportNow(app, profileId, run.id)
    return (await call(getDataRun, { params: { id: run.id } })).data
  }
  return {
    owner,
    workspaceId,
    profileId,
    call,
    decide,
    destinationId: data.id,
    folder: join(folder, profileId, 'warehouse'),
    write,
  }
}
