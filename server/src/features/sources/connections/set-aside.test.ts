/** When entries of unreadable provider records are deleted. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { makeShop } from '../../../../test/make-shop.ts'
import type { ListRead, SetAside, SyncRecord } from '../../../connectors/connector.ts'
import { countSetAside, saveSetAside } from './set-aside.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

type Params = { setAside?: SetAside[]; good?: SyncRecord[]; rereads?: ListRead[]; cleared?: string[] }

async function makeNotices() {
  const { profileId } = await makeShop(app)
  const connectionId = crypto.randomUUID()
  const now = new Date('2026-02-10T12:00:00Z')
  return {
    save: (params: Params) =>
      app.service.db
        .transaction()
        .execute((tx) =>
          saveSetAside(tx, { profileId, connectionId, setAside: [], good: [], now, ...params }),
        ),
    count: async () => {
      const ref = { profileId, connectionIds: [connectionId] }
      return (await countSetAside(app.service.db, ref)).get(connectionId)?.records ?? 0
    },
  }
}

const row = (day: string): SetAside => ({
  kind: 'delivery',
  externalId: `digest of ${day}`,
  reason: 'Not readable at spend',
  list: 'delivery ad',
  day,
})
const delivered = { type: 'ad_entity', externalId: '7' } as SyncRecord

it('a report row’s entry remains until its day of the same report is read again', async () => {
  const { save, count } = await makeNotices()
  await save({ setAside: [row('2026-01-05'), row('2026-02-05')] })
  await save({ rereads: [{ list: 'delivery campaign', since: '2026-01-01', until: '2026-02-10' }] })
  expect(await count()).toBe(2)
  await save({ rereads: [{ list: 'delivery ad', since: '2026-02-03', until: '2026-02-10' }] })
  expect(await count()).toBe(1)
  await save({ rereads: [{ list: 'delivery ad', since: '2026-01-01', until: '2026-01-30' }] })
  expect(await count()).toBe(0)
})

it('a row that is still unreadable when its day is read again remains one entry', async () => {
  const { save, count } = await makeNotices()
  const rereads = [{ list: 'delivery ad', since: '2026-02-03', until: '2026-02-10' }]
  await save({ setAside: [row('2026-02-05')] })
  await save({ setAside: [{ ...row('2026-02-05'), externalId: 'restated' }], rereads })
  expect(await count()).toBe(1)
})

it('reading an ad’s spend does not clear the entry of the ad itself', async () => {
  const { save, count } = await makeNotices()
  const entity = { kind: 'ad', externalId: '7', reason: 'Not readable at name' }
  await save({ setAside: [{ ...entity, list: 'structure 2' }] })
  await save({ good: [delivered] })
  expect(await count()).toBe(1)
  await save({ rereads: [{ list: 'structure 2' }] })
  expect(await count()).toBe(0)
  await save({ setAside: [entity] })
  await save({ good: [delivered] })
  expect(await count()).toBe(0)
})

it('a restored permission clears its entry in any list', async () => {
  const { save, count } = await makeNotices()
  await save({ setAside: [{ ...row('2026-02-05'), externalId: 'account' }] })
  await save({ cleared: ['account'] })
  expect(await count()).toBe(0)
})
