import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drainJobs } from '../../../../test/jobs.ts'
import { shortIt as it, roundsForRun, splitForRun } from '../../../../test/length.ts'
import { makeKey, makeOwnProfile, startTestProfile } from '../../../../test/make.ts'
import { faults } from '../../../../test/planted/doctor-faults.ts'
import {
  DAYS,
  type DoctorWorld,
  healthyWorld,
  NOW,
  playDoctorWorld,
  timeOf,
} from '../../../../test/planted/doctor-world.ts'
import { apiVersions } from '../../../connectors/versions.ts'
import { registerProcess } from '../../../platform/jobs/live-processes.ts'
import { checks } from './checks.ts'
import { getDoctor, runDoctor } from './contract.ts'
import { readInstallation } from './installation.ts'
import { doctorJobs } from './jobs.ts'
import { checkProfile } from './operations.ts'

let testProfile: Awaited<ReturnType<typeof startTestProfile>>
beforeAll(async () => {
  testProfile = await startTestProfile(['campaigns:read', 'tracking:write'])
})
afterAll(() => testProfile.app.close())

async function examine(world: DoctorWorld) {
  const { app } = testProfile
  const profile = await makeOwnProfile(app, ['campaigns:read', 'customers:read'])
  await playDoctorWorld(app, profile.profileId, world)
  const check = (now = NOW) =>
    checkProfile({ db: app.service.db, now }, profile.profileId, world.installation)
  await check()
  const read = async () => (await profile.call(getDoctor)).data
  const answer = await read()
  const findings = answer.checks.filter(({ status }) => status === 'problem' || status === 'warning')
  return { ...profile, answer, findings, check, read }
}

describe('a simulated fault is detected, and nothing else', () => {
  // Each simulates a month of a shop and takes a second of CPU.
  test.each(splitForRun(Object.entries(faults), 6))('%s', async (id, plant) => {
    const world = healthyWorld(`fault ${id}`)
    plant(world)
    const { findings } = await examine(world)
    expect(findings.map((finding) => finding.id)).toEqual([id])
    expect(findings[0]!.count).toBeGreaterThan(0)
    expect(findings[0]!.examples.length).toBeGreaterThan(0)
    expect(findings[0]!.opened_at).toBe(NOW.toISOString())
  })

  it('every check has a simulated fault', () => {
    expect(Object.keys(faults).sort()).toEqual(checks.map(({ id }) => id).sort())
  })
})

test(`healthy worlds have no findings`, async () => {
  for (const seed of roundsForRun(1, 2, 100)) {
    const { findings, answer } = await examine(healthyWorld(`healthy ${seed}`))
    expect({ seed, findings }).toEqual({ seed, findings: [] })
    expect(answer.status).toBe('ok')
    expect(answer.checks.length).toBe(checks.length)
  }
}, 600_000)

const opened = async (profileId: string) =>
  (
    await testProfile.app.service.db
      .selectFrom('outbox_events')
      .select(['type', 'data'])
      .where('profile_id', '=', profileId)
      .where('type', 'like', 'doctor.%')
      .orderBy('number')
      .execute()
  ).map(({ type, data }) => [type, (data as { check_id: string }).check_id])

it('a finding is announced once when it opens and once when it is resolved', async () => {
  const world = healthyWorld('announced')
  world.connection.syncedDaysAgo = 5
  const { profileId, check, read } = await examine(world)
  const later = new Date(NOW.getTime() + 3_600_000)
  await check(later)
  expect(await opened(profileId)).toEqual([['doctor.finding.opened', 'stale_connections']])
  const first = (await read()).checks[0]!
  expect(first).toMatchObject({ id: 'stale_connections', status: 'problem', opened_at: NOW.toISOString() })
  await testProfile.app.service.db
    .updateTable('connection_syncs')
    .set({ last_success_at: later })
    .where('profile_id', '=', profileId)
    .execute()
  await check(later)
  expect(await opened(profileId)).toEqual([
    ['doctor.finding.opened', 'stale_connections'],
    ['doctor.finding.resolved', 'stale_connections'],
  ])
  expect((await read()).checks[0]).toMatchObject({ status: 'ok', opened_at: null })
})

it('shows customers only to callers with access to people, and never personal data', async () => {
  const world = healthyWorld('people')
  faults.overmerged_customers!(world)
  world.tracked.push(
    ...world.tracked
      .filter(({ url }) => url?.endsWith('/product'))
      .map((view) => ({ ...view, url: 'https://shop.example/of/ana@mail.example' })),
  )
  world.tracked = world.tracked.filter(
    ({ url, at }) => !url?.includes('ana@') || at < timeOf(DAYS.at(-3)!, 0),
  )
  const { findings, profileId, answer } = await examine(world)
  expect(findings.map(({ id }) => id)).toEqual(['page_drop', 'overmerged_customers'])
  expect(JSON.stringify(answer)).not.toContain('@')
  expect(findings[1]!.examples).toMatchObject([{ kind: 'customer', count: 7 }])
  const withoutPeople = testProfile.app.as(await makeKey(testProfile.app, profileId, ['campaigns:read']))
  const check = (await withoutPeople(getDoctor)).data.checks.find(({ id }) => id === 'overmerged_customers')!
  expect(check).toMatchObject({ status: 'warning', count: 1, examples: [] })
})

it('runs on request, and only for its own profile', async () => {
  const before = (await testProfile.call(getDoctor)).data
  expect(before).toEqual({ status: null, checked_at: null, currency: 'EUR', checks: [] })
  expect((await testProfile.call(runDoctor)).data).toEqual({ queued: true })
  await drainJobs(testProfile.app.service, doctorJobs)
  expect((await testProfile.call(getDoctor)).data.checks.length).toBe(checks.length)
  const other = await makeOwnProfile(testProfile.app, ['campaigns:read'])
  expect((await other.call(getDoctor)).data.checks).toEqual([])
})

it('compares the clocks of running processes, and the API versions of registered platforms', async () => {
  const { service } = testProfile.app
  const registration = await registerProcess(
    service.db,
    {
      role: 'worker',
      masterKeyIds: ['k1'],
      workerSeenAt: () => undefined,
      now: () => new Date(Date.now() + 90_000),
    },
    (error) => {
      throw error
    },
  )
  const config = {
    ...service.config,
    providers: { storefront: { base_url: 'https://shop.example' } },
  } as never
  const { clocks, versions } = await readInstallation({ ...service, config })
  expect(clocks.map(({ clock_ahead_seconds: ahead }) => Math.round(ahead! / 10))).toEqual([9])
  expect(versions).toEqual({ storefront: apiVersions.storefront })
  await registration.stop()
  expect((await readInstallation(service)).clocks).toEqual([])
})
