/** A profile that an app provisioned without enabling attribution refuses all writes of attribution data. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../src/app.ts'
import { listConnectedApps, revokeConnectedApp } from '../src/features/account/apps/contract.ts'
import { setEntitlement } from '../src/features/account/profiles/contract.ts'
import { createGoal } from '../src/features/corrections/goals/contract.ts'
import { issueTrackingKey } from '../src/features/sources/tracking/contract.ts'
import { scopes } from '../src/platform/contract/access.ts'
import type { EntitlementExemption } from '../src/platform/contract/endpoint.ts'
import { startTestApp, type TestApp } from './app.ts'
import {
  makeApp,
  makeKey,
  makePerson,
  makeProfile,
  makeWorkspace,
  type PartnerApp,
  type Person,
  provision,
} from './make.ts'
import { stateOf } from './rows.ts'
import { sampleOf } from './samples.ts'
import { send } from './tenants.ts'
import { makeWirePage } from './wire-page.ts'

let app: TestApp
let owner: Person
let workspaceId: string
let profileId: string
let partner: PartnerApp
let key: string
let trackingKey: string

beforeAll(async () => {
  app = await startTestApp()
  owner = await makePerson(app, 'Owner')
  workspaceId = await makeWorkspace(owner)
  profileId = await makeProfile(owner, workspaceId)
  partner = await makeApp(app, workspaceId)
  await provision(app, profileId, partner)
  key = await makeKey(
    app,
    profileId,
    scopes.filter((scope) => scope !== 'workspaces:write'),
  )
  await entitle(true)
  trackingKey = (await app.as(key)(issueTrackingKey)).data.key
  await entitle(false)
})
afterAll(() => app.close())

const entitle = (enabled: boolean) =>
  partner.call(setEntitlement, { params: { profileId, feature: 'attribution' }, body: { enabled } })

const writes = routes
  .map((route) => route.entry)
  .filter((entry) => entry.access.kind === 'profile' && entry.method !== 'GET')

/** Scopes whose writes set up connections and webhooks. */
const setup: readonly string[] = ['connections:write', 'webhooks:write']

/** What the writes of a group may be exempt for; those of all other groups are attribution data. */
const exemptionsByTag: Record<string, EntitlementExemption> = {
  annotations: 'notes',
  campaigns: 'platform_only',
  conversations: 'platform_only',
  'customer-data-exports': 'rights',
  erasures: 'rights',
  notifications: 'notes',
  'saved-views': 'notes',
  tracking: 'rights',
}
const scopesByExemption: Record<EntitlementExemption, readonly string[]> = {
  notes: ['analytics:read', 'tracking:write'],
  platform_only: ['campaigns:apply', 'messages:write'],
  rights: ['customers:read', 'identity:read', 'identity:write', 'tracking:write'],
}

it('every write of a profile needs the feature, except for its scope or a reason that fits its group', () => {
  const misfits = writes.flatMap(({ name, tag, access, entitlement, exemption }) => {
    const { scopes = [] } = access as { scopes?: readonly string[] }
    const isSetup = scopes.every((scope) => setup.includes(scope))
    const isExempt =
      exemption !== null &&
      exemptionsByTag[tag] === exemption &&
      scopes.every((scope) => scopesByExemption[exemption].includes(scope))
    return entitlement !== null || isSetup || isExempt ? [] : [name]
  })
  expect(
    misfits,
    '`entitlement` of the contract is a reason that neither its tag nor its scopes give',
  ).toEqual([])
})

it('of the writes that set something up, only the stages of a CRM are attribution data', () => {
  const gated = writes.filter(
    ({ access, entitlement }) =>
      entitlement !== null &&
      access.kind === 'profile' &&
      access.scopes.every((scope) => setup.includes(scope)),
  )
  expect(gated.map(({ path }) => path)).toEqual(['/connections/{provider}/stages'])
})

it('a tracking key is the only thing of tracking that can be withdrawn without the feature', () => {
  const exempt = writes.filter(({ tag, exemption }) => tag === 'tracking' && exemption !== null)
  expect(exempt.map(({ method, path }) => `${method} ${path}`)).toEqual(['DELETE /tracking/keys/{id}'])
})

describe('without the feature', () => {
  let before: Record<string, string>
  beforeAll(async () => {
    before = await stateOf(app.pool)
  })
  afterAll(async () => {
    expect(await stateOf(app.pool)).toEqual(before)
  })

  it.each(writes.filter((entry) => entry.entitlement !== null).map((entry) => [entry.name, entry] as const))(
    '%s is 409',
    async (_, entry) => {
      const { status, code } = await send(app, entry, `Bearer ${key}`, sampleOf(entry))
      expect([status, code]).toEqual([409, 'entitlement_required'])
    },
  )

  it.each(['collect', 'identity-signal', 'visit'])('the collector’s %s is 409', async (path) => {
    const page = makeWirePage({ event_id: crypto.randomUUID(), anonymous_id: 'eva' })
    const reply = await fetch(`${app.baseUrl}/api/tracking/${path}`, {
      method: 'POST',
      body: JSON.stringify({ ...page, key: trackingKey }),
    })
    const { error } = (await reply.json()) as { error: { code: string } }
    expect([reply.status, error.code]).toEqual([409, 'entitlement_required'])
  })
})

it('allows all writes once no app can enable the feature any more', async () => {
  const { data } = await owner.call(listConnectedApps, { params: { workspaceId } })
  for (const { id } of data) await owner.call(revokeConnectedApp, { params: { workspaceId, id } })
  const goal = await app.as(key)(createGoal, {
    body: {
      display_name: 'Call',
      conversion_key: 'call',
      source_event_names: ['call'],
      outcome_type: 'call',
      revenue_type: 'pipeline',
      attribution_eligible: true,
    },
  })
  expect(goal.data.display_name).toBe('Call')
})
