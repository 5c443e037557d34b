import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { drainJobs } from '../../test/jobs.ts'
import { makePerson, makeProfile, makeWorkspace } from '../../test/make.ts'
import { attributionJobs } from '../features/attribution/crediting/jobs.ts'
import { uuidv7 } from '../platform/contract/ids.ts'
import { queueRecomputes, waitForRecomputes } from './recompute.ts'

let app: TestApp
let profileIds: string[]
beforeAll(async () => {
  app = await startTestApp()
  const owner = await makePerson(app)
  const workspaceId = await makeWorkspace(owner)
  profileIds = [await makeProfile(owner, workspaceId), await makeProfile(owner, workspaceId)].sort()
})
afterAll(() => app.close())

it('queues one recompute per profile, once, and reports each completed one', async () => {
  const { db } = app.service
  const queued = await queueRecomputes(db, 'all')
  expect(queued.map(({ profileId }) => profileId)).toEqual(profileIds)
  expect(await queueRecomputes(db, 'all')).toEqual(queued)
  const printed: string[] = []
  const waiting = waitForRecomputes(db, queued, (line) => printed.push(line), 5)
  await drainJobs(app.service, attributionJobs)
  expect(await waiting).toEqual(['Recomputed 2 profiles.'])
  expect(printed.at(-1)).toBe('2 of 2 profiles recomputed')
})

it('rejects an unknown profile and queues nothing', async () => {
  await expect(queueRecomputes(app.service.db, [profileIds[0]!, uuidv7()])).rejects.toThrow(
    'No profile has the id',
  )
  const { rows } = await app.pool.query(`select 1 from recomputes where state = 'queued'`)
  expect(rows).toEqual([])
})

it('waits while a failed recompute is retried, and reports the profile once its job is dead', async () => {
  const { db } = app.service
  const [queued] = await queueRecomputes(db, [profileIds[0]!])
  await app.pool.query(`update recomputes set state = 'failed' where id = $1`, [queued!.recomputeId])
  const printed: string[] = []
  const waiting = waitForRecomputes(
    db,
    [queued!],
    (line) => {
      printed.push(line)
      void app.pool.query(`update jobs set state = 'dead', died_at = now() where dedupe_key = $1`, [
        queued!.recomputeId,
      ])
    },
    5,
  )
  await expect(waiting).rejects.toThrow(profileIds[0]!)
  expect(printed[0]).toBe('0 of 1 profiles recomputed')
})
