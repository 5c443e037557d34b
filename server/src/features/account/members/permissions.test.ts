/** Permissions of a member of a single profile. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { authorizePartner } from '../../../../test/consent-browser.ts'
import {
  makeApp,
  makeKey,
  makePerson,
  makeProfile,
  makeWorkspace,
  type Person,
  refusalOf,
} from '../../../../test/make.ts'
import type { ProfileRole, Scope } from '../../../platform/contract/access.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { createGoal, listGoals } from '../../corrections/goals/contract.ts'
import { listPayments } from '../../corrections/payments/contract.ts'
import { sendEvent } from '../../facts/events/contract.ts'
import { createUserToken } from '../api-keys/contract.ts'

let app: TestApp
let owner: Person
let workspaceId: string
let profileId: string
beforeAll(async () => {
  app = await startTestApp()
  owner = await makePerson(app, 'Owner')
  workspaceId = await makeWorkspace(owner)
  profileId = await makeProfile(owner, workspaceId)
})
afterAll(() => app.close())

async function makeMember(role: ProfileRole, permissions: Scope[]): Promise<Person> {
  const person = await makePerson(app, 'Member')
  const member = { id: uuidv7(), profile_id: profileId, user_id: person.id, role, permissions }
  await app.service.db
    .insertInto('profile_members')
    .values({ ...member, created_at: new Date() })
    .execute()
  return person
}

const query = () => ({ profile_id: profileId })
const list = (person: Person) => person.call(listGoals, { query: query() })
const create = (person: Person, name: string) =>
  person.call(createGoal, {
    query: query(),
    body: {
      display_name: name,
      conversion_key: name,
      source_event_names: [name],
      outcome_type: name,
      revenue_type: 'pipeline',
      attribution_eligible: true,
    },
  })

it('permissions, if set, replace those of the role', async () => {
  const editor = await makeMember('editor', ['conversions:read'])
  expect((await list(editor)).data.length).toBeGreaterThan(0)
  expect(await refusalOf(create(editor, 'one'))).toMatchObject({ status: 403, code: 'forbidden' })
  const viewer = await makeMember('viewer', ['tracking:write'])
  expect((await create(viewer, 'two')).data.display_name).toBe('two')
  expect(await refusalOf(list(viewer))).toMatchObject({ status: 403, code: 'forbidden' })
})

it('without permissions the role decides', async () => {
  const editor = await makeMember('editor', [])
  expect((await create(editor, 'three')).data.display_name).toBe('three')
  const viewer = await makeMember('viewer', [])
  expect((await list(viewer)).data.length).toBeGreaterThan(0)
  expect(await refusalOf(create(viewer, 'four'))).toMatchObject({ status: 403, code: 'forbidden' })
})

it('a viewer of the workspace has the permissions of their profile membership', async () => {
  const person = await makeMember('viewer', ['campaigns:read'])
  await app.service.db
    .insertInto('workspace_members')
    .values({ workspace_id: workspaceId, user_id: person.id, role: 'viewer', created_at: new Date() })
    .execute()
  expect(await refusalOf(list(person))).toMatchObject({ status: 403, code: 'forbidden' })
})

it('no one can grant an app more than their own permissions', async () => {
  const editor = await makeMember('editor', ['analytics:read', 'campaigns:read', 'conversions:read'])
  const partner = await makeApp(app, workspaceId)
  const consent = (scope: string) => authorizePartner(app, partner, editor, { scope, profileId })
  expect(await consent('attribution')).toMatchObject({ error: 'permission_missing' })
  expect(await consent('analytics')).toMatchObject({ access_token: expect.any(String) })
})

it('an editor’s token without the scope for people gets no personal data', async () => {
  await app.as(await makeKey(app, profileId, ['events:write']))(sendEvent, {
    body: {
      event_name: 'payment_received',
      idempotency_key: 'paid',
      timestamp: '2026-05-04T10:00:00Z',
      properties: { value: 100 },
      user_traits: { email: 'ana@example.com' },
    },
  })
  await app.service.processor.settled(profileId)
  const times = { from: '2026-05-01T00:00:00Z', to: '2026-05-31T00:00:00Z' }
  const withheldFlags = async (scopes: Scope[]) => {
    const { data } = await owner.call(createUserToken, { body: { name: 'Reader', scopes } })
    const listed = await app.as(data.token)(listPayments, { query: { ...query(), ...times } })
    return listed.data.map(({ payer }) => payer?.contact_withheld)
  }
  expect(await withheldFlags(['mcp:read'])).toEqual([true])
  expect(await withheldFlags(['mcp:read', 'mcp:read_pii'])).toEqual([false])
})
