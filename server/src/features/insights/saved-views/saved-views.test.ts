import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import {
  makeKey,
  makePerson,
  makeProfile,
  makeWorkspace,
  type Person,
  refusalOf,
} from '../../../../test/make.ts'
import { deleteView, listSavedViews, saveView } from './contract.ts'

let app: TestApp
let owner: Person
let workspaceId: string
let profileId: string
beforeAll(async () => {
  app = await startTestApp()
  owner = await makePerson(app, 'Owner')
  workspaceId = await makeWorkspace(owner, 'agency')
  profileId = await makeProfile(owner, workspaceId)
})
afterAll(() => app.close())

it('a view is private until shared, and saving the same name replaces it', async () => {
  const query = { profile_id: profileId }
  const save = (name: string, shared: boolean, where: string) =>
    owner.call(saveView, { query, body: { name, shared, values: { where, up: true } } })
  await save('Losers', false, 'roas<1')
  await save('Winners', true, 'roas>3')
  const { data: replaced } = await save('Losers', false, 'roas<0.5')
  const ownerViews = (await owner.call(listSavedViews, { query })).data
  expect(ownerViews.map(({ name, own, shared, values }) => [name, own, shared, values.where])).toEqual([
    ['Losers', true, false, 'roas<0.5'],
    ['Winners', true, true, 'roas>3'],
  ])
  const key = app.as(await makeKey(app, profileId, ['analytics:read']))
  const keyViews = (await key(listSavedViews)).data
  expect(keyViews.map(({ name, own }) => [name, own])).toEqual([['Winners', false]])
  const params = { id: replaced.id }
  await expect(key(deleteView, { params })).rejects.toMatchObject({ status: 404, code: 'not_found' })
  await owner.call(deleteView, { query, params: { id: replaced.id } })
  expect((await owner.call(listSavedViews, { query })).data).toHaveLength(1)
})

it('a viewer can save but not share views; owners and admins can delete shared ones', async () => {
  const [viewer, editor, admin] = await Promise.all(
    (['viewer', 'editor', 'admin'] as const).map(async (role) => {
      const person = await makePerson(app, role)
      await app.service.db
        .insertInto('workspace_members')
        .values({ workspace_id: workspaceId, user_id: person.id, role, created_at: new Date() })
        .execute()
      return person
    }),
  )
  const query = { profile_id: profileId }
  const save = (person: Person, name: string, shared: boolean) =>
    person.call(saveView, { query, body: { name, shared, values: {} } })
  const remove = (person: Person, id: string) => person.call(deleteView, { query, params: { id } })
  const privateView = (await save(viewer!, 'Mine', false)).data
  expect(await refusalOf(save(viewer!, 'Mine', true))).toMatchObject({ status: 403, code: 'forbidden' })
  const key = app.as(await makeKey(app, profileId, ['analytics:read']))
  const shared = { body: { name: 'By key', shared: true, values: {} } }
  expect(await refusalOf(key(saveView, shared))).toMatchObject({
    code: 'insufficient_scope',
    required_scopes: ['tracking:write'],
  })
  const published = (await save(editor!, 'Published', true)).data
  expect(await refusalOf(remove(viewer!, published.id))).toMatchObject({ status: 404 })
  const removableBy = async (person: Person) =>
    (await person.call(listSavedViews, { query })).data
      .filter((view) => view.removable && !view.own)
      .map((view) => view.name)
  expect(await removableBy(viewer!)).toEqual([])
  expect(await removableBy(admin!)).toContain('Published')
  expect(await refusalOf(remove(admin!, privateView.id))).toMatchObject({ status: 404 })
  await remove(admin!, published.id)
  expect(await removableBy(owner)).not.toContain('Published')
})
