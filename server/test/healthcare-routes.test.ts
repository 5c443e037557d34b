/** A partner's key on a healthcare profile: person-level routes refuse it with their own code, and no refusal names a scope that it can never get. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { routes } from '../src/app.ts'
import { updateComplianceOverview } from '../src/features/account/workspaces/contract.ts'
import { personScopes } from '../src/platform/contract/access.ts'
import type { Endpoint } from '../src/platform/contract/endpoint.ts'
import { errorCodesOf } from '../src/platform/http/openapi-errors.ts'
import { startTestApp, type TestApp } from './app.ts'
import { makeApp, makeKey, makeOwnProfile, type OwnProfile, provision } from './make.ts'
import { sampleOf } from './samples.ts'
import { send } from './tenants.ts'

const byKey: Endpoint[] = routes
  .map((route): Endpoint => route.entry)
  .filter(({ access }) => access.kind === 'profile')

/** Scopes that show people, stated apart from `personScopes` of the product. */
const showsPeople: readonly string[] = ['customers:read', 'visitors:read']
const opensPeople = byKey
  .filter(
    ({ access, personLevel }) =>
      personLevel === 'refused' ||
      (access.kind === 'profile' && access.scopes.some((scope) => showsPeople.includes(scope))),
  )
  .map(({ name }) => name)
  .sort()

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const setMode = (mode: string) => (profile: OwnProfile) =>
  app.pool.query('update profiles set privacy_mode = $2 where id = $1', [profile.profileId, mode])

const kinds: [string, (profile: OwnProfile) => Promise<unknown>][] = [
  ['in the mode hipaa', setMode('hipaa')],
  ['in the mode platform_safe', setMode('platform_safe')],
  [
    'of a healthcare workspace',
    ({ owner, workspaceId }) =>
      owner.call(updateComplianceOverview, { params: { workspaceId }, body: { healthcare: true } }),
  ],
]

it.each(kinds)(
  'a profile %s refuses person-level reads of partners by that name',
  async (_, makeHealthcare) => {
    const profile = await makeOwnProfile(app)
    const partner = await makeApp(app, profile.workspaceId)
    const { apiKey } = await provision(app, profile.profileId, partner, ['connections'])
    await makeHealthcare(profile)
    const forbidden: string[] = []
    for (const entry of byKey) {
      const { code, body } = await send(app, entry, `Bearer ${apiKey}`, sampleOf(entry))
      if (code === 'healthcare_scope_forbidden') forbidden.push(entry.name)
      const { required_scopes = [], alternative_scopes = [] } =
        (body as { error?: { required_scopes?: string[]; alternative_scopes?: string[] } } | null)?.error ??
        {}
      for (const scope of [...required_scopes, ...alternative_scopes])
        expect(personScopes, `${entry.name} names ${scope}`).not.toContain(scope)
    }
    // The replay is allowed, because this is the provisioning app.
    expect(forbidden.toSorted()).toEqual(opensPeople)
    const profileKey = await makeKey(app, profile.profileId, ['customers:read'])
    const listCustomers = byKey.find(({ name }) => name === 'listCustomers')!
    expect(await send(app, listCustomers, `Bearer ${profileKey}`, sampleOf(listCustomers))).toMatchObject({
      status: 200,
    })
  },
)

it('the reference lists the code for the routes that return it', () => {
  const listed = byKey.filter((entry) => errorCodesOf(entry).includes('healthcare_scope_forbidden'))
  expect(listed.map(({ name }) => name).toSorted()).toEqual(
    [...opensPeople, 'listRecordedOutcomes'].toSorted(),
  )
})
