import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { makePerson, makeProfile, makeWorkspace, type Person } from '../../../test/make.ts'
import { findProfileRef } from '../access/queries.ts'
import { listPersonAccess } from './contract.ts'
import { logPersonAccess } from './operations.ts'

let app: TestApp
let owner: Person
beforeAll(async () => {
  app = await startTestApp()
  owner = await makePerson(app, 'Owner')
})
afterAll(() => app.close())

it('views of personal data are shown to the workspace only', async () => {
  const workspaceId = await makeWorkspace(owner)
  const profileId = await makeProfile(owner, workspaceId)
  const other = await makeProfile(owner, await makeWorkspace(owner))
  const { service } = app
  const customerId = '0198f6a2-7c1e-7b7e-9d3c-2f6a54b0c111'
  for (const id of [profileId, other])
    await logPersonAccess(
      {
        db: service.db,
        now: service.clock.now(),
        requestId: 'req_abcdefghijklmnopqrst',
        caller: { kind: 'user', via: 'session', credentialId: owner.id, userId: owner.id, scopes: [] },
        profile: (await findProfileRef(service.db, { profileId: id }))!,
      },
      'listCustomers',
      [customerId],
    )
  const { data, pagination } = await owner.call(listPersonAccess, { params: { workspaceId } })
  expect(data).toMatchObject([
    {
      profile_id: profileId,
      actor: { kind: 'user', id: owner.id },
      route: 'listCustomers',
      customer_ids: [customerId],
      row_count: 1,
    },
  ])
  expect(pagination).toEqual({ has_next: false, cursor: null })
  const none = await owner.call(listPersonAccess, { params: { workspaceId }, query: { profile_id: other } })
  expect(none.data).toEqual([])
})
