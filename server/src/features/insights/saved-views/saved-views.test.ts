import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { makeKey, makePerson, makeProfile, makeWorkspace, type Person } from '../../../../test/make.ts'
import { deleteView, listSavedViews, saveView } from './contract.ts'

let app: TestApp
let owner: Person
let profileId: string
beforeAll(async () => {
  app = await startTestApp()
  owner = await makePerson(app, 'Owner')
  profileId = await makeProfile(owner, await makeWorkspace(owner, 'agency'))
})
afterAll(() => app.close())

it('a view is its owner’s until it is shared, and a name is replaced', async () => {
  const query = { profile_id: profileId }
  const save = (name: string, shared: boolean, where: string) =>
    owner.call(saveView, { query, body: { name, shared, values: { where, up: true } } } as never)
  await save('Losers', false, 'roas<1')
  await save('Winners', true, 'roas>3')
  const { data: again } = await save('Losers', false, 'roas<0.5')
  const mine = (await owner.call(listSavedViews, { query } as never)).data
  expect(mine.map(({ name, own, shared, values }) => [name, own, shared, values.where])).toEqual([
    ['Losers', true, false, 'roas<0.5'],
    ['Winners', true, true, 'roas>3'],
  ])
  const key = app.as(await makeKey(app, profileId, ['analytics:read']))
  const seen = (await key(listSavedViews)).data
  expect(seen.map(({ name, own }) => [name, own])).toEqual([['Winners', false]])
  const params = { id: again.id }
  await expect(key(deleteView, { params })).rejects.toMatchObject({ status: 404, code: 'not_found' })
  await owner.call(deleteView, { query, params: { id: again.id } } as never)
  expect((await owner.call(listSavedViews, { query } as never)).data).toHaveLength(1)
})
