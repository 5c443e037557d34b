import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { makeKey, makePerson, makeProfile, makeWorkspace } from '../../../../test/make.ts'
import type { Client } from '../../../platform/contract/client.ts'
import { createAnnotation, deleteAnnotation, listAnnotations, updateAnnotation } from './contract.ts'

let app: TestApp
let call: Client
let reader: Client
let other: Client
beforeAll(async () => {
  app = await startTestApp()
  const owner = await makePerson(app, 'Owner')
  const workspaceId = await makeWorkspace(owner, 'agency')
  const profileId = await makeProfile(owner, workspaceId)
  call = app.as(await makeKey(app, profileId, ['analytics:read', 'tracking:write']))
  reader = app.as(await makeKey(app, profileId, ['analytics:read']))
  const extra = await makeProfile(owner, workspaceId)
  other = app.as(await makeKey(app, extra, ['analytics:read', 'tracking:write']))
})
afterAll(() => app.close())

const may = { query: { date_from: '2026-05-01', date_to: '2026-05-31' } }

it('creates, changes and deletes notes, visible only in their own profile', async () => {
  const { data: saleNote } = await call(createAnnotation, {
    body: { day: '2026-05-20', text: ' Sale begins ' },
  })
  await call(createAnnotation, { body: { day: '2026-05-02', text: 'New landing page' } })
  await call(createAnnotation, { body: { day: '2026-06-01', text: 'Next month' } })
  const read = async (client: Client) =>
    (await client(listAnnotations, may)).data.map(({ day, text }) => [day, text])
  expect(await read(reader)).toEqual([
    ['2026-05-02', 'New landing page'],
    ['2026-05-20', 'Sale begins'],
  ])
  expect(await read(other)).toEqual([])
  const params = { id: saleNote.id }
  await expect(other(deleteAnnotation, { params })).rejects.toMatchObject({ code: 'not_found' })
  await expect(reader(deleteAnnotation, { params })).rejects.toMatchObject({ code: 'insufficient_scope' })
  await call(updateAnnotation, { params, body: { day: '2026-05-21' } })
  expect(await read(call)).toContainEqual(['2026-05-21', 'Sale begins'])
  await call(deleteAnnotation, { params })
  await expect(call(deleteAnnotation, { params })).rejects.toMatchObject({ code: 'not_found' })
  expect(await read(call)).toEqual([['2026-05-02', 'New landing page']])
})
