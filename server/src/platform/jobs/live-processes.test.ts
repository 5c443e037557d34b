import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { previousRelease } from '../db/migrate.ts'
import { readBuildId, version } from '../version.ts'
import { isLive, isTooOld, listProcesses, registerProcess, stateOf } from './live-processes.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const worker = {
  role: 'worker',
  masterKeyIds: ['k2', 'k1'],
  workerSeenAt: () => performance.now(),
  now: () => new Date(),
} as const
const fail = (error: unknown) => {
  throw error
}

describe('a process', () => {
  it('is listed with version, role and keys while running, and as stopped afterwards', async () => {
    const { db } = app.service
    const registration = await registerProcess(db, worker, fail)
    const [running] = await listProcesses(db)
    expect(running).toMatchObject({
      role: 'worker',
      version,
      runs_beside: previousRelease.version,
      build: readBuildId(),
      pid: process.pid,
      master_key_ids: ['k2', 'k1'],
      stopped_at: null,
    })
    expect(isLive(running!)).toBe(true)
    await registration.stop()
    const [stopped] = await listProcesses(db)
    expect(stopped!.stopped_at).not.toBeNull()
    expect(isLive(stopped!)).toBe(false)
  })

  it('reports how long ago its worker polled for jobs, and null if it runs none', async () => {
    const { db } = app.service
    const workers = [() => performance.now() - 90_000, () => undefined]
    const registrations = await Promise.all(
      workers.map((workerSeenAt) => registerProcess(db, { ...worker, workerSeenAt }, fail)),
    )
    const live = (await listProcesses(db)).filter(isLive)
    const ages = live.map((row) => row.seconds_since_worked)
    expect(ages).toContain(null)
    expect(Math.max(...ages.map((age) => age ?? 0))).toBeGreaterThanOrEqual(90)
    for (const registration of registrations) await registration.stop()
  })

  it('without a heartbeat is not live, and is deleted after a day', async () => {
    const { db } = app.service
    await registerProcess(db, worker, fail).then(({ stop }) => stop())
    await app.pool.query(
      `update service_processes set stopped_at = null, seen_at = clock_timestamp() - interval '2 minutes'`,
    )
    expect((await listProcesses(db)).some(isLive)).toBe(false)
    await app.pool.query(`update service_processes set seen_at = clock_timestamp() - interval '25 hours'`)
    const { stop } = await registerProcess(db, worker, fail)
    expect(await listProcesses(db)).toHaveLength(1)
    await stop()
  })
})

it('a killed process is silent after two missed heartbeats, and lost after a minute', () => {
  const seen = (seconds_since_seen: number, stopped_at: Date | null = null) =>
    stateOf({ seconds_since_seen, stopped_at })
  expect([seen(11), seen(26), seen(61), seen(61, new Date())]).toEqual([
    'running',
    'silent',
    'lost',
    'stopped',
  ])
})

describe('a process that is two releases behind', () => {
  const other = (oldestPeer: string, isRunning = true) => ({
    runs_beside: oldestPeer,
    stopped_at: isRunning ? null : new Date(),
    seconds_since_seen: 1,
  })

  it('is too old while a running process has a newer previous release', () => {
    expect(isTooOld([other('0.9.0')], '0.8.0')).toBe(true)
    expect(isTooOld([other('0.10.0')], '0.9.0')).toBe(true)
    expect(isTooOld([other('0.8.0')], '0.8.0')).toBe(false)
    expect(isTooOld([other('0.9.0', false)], '0.8.0')).toBe(false)
    expect(isTooOld([{ ...other('0.9.0'), seconds_since_seen: 61 }], '0.8.0')).toBe(false)
  })

  it('is not ready until the newer one has stopped', async () => {
    const readyz = async () => {
      const reply = await fetch(`${app.baseUrl}/readyz`)
      return [reply.status, ((await reply.json()) as { reason?: string }).reason]
    }
    expect(await readyz()).toEqual([200, undefined])
    const { stop } = await registerProcess(app.service.db, worker, fail)
    await app.pool.query(`update service_processes set runs_beside = '999.0.0' where stopped_at is null`)
    expect(await readyz()).toEqual([503, 'release_too_old'])
    await stop()
    expect(await readyz()).toEqual([200, undefined])
  })
})
