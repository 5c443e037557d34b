/**
 * Permissions of an app by its relation to a profile: creator, adopter, reader, withdrawn app, unrelated app.
 * Every route that accepts an app's own credential or an app's key has a row here.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../src/app.ts'
import { listConnectedApps, revokeConnectedApp } from '../src/features/account/apps/contract.ts'
import { putMember } from '../src/features/account/members/contract.ts'
import { adoptProfile, createProfile } from '../src/features/account/profiles/contract.ts'
import { createWorkspace } from '../src/features/account/workspaces/contract.ts'
import { mintHandoff } from '../src/features/sources/handoffs/contract.ts'
import type { Grant } from '../src/platform/contract/access.ts'
import type { Endpoint } from '../src/platform/contract/endpoint.ts'
import { startTestApp, type TestApp } from './app.ts'
import { authorizePartner } from './consent-browser.ts'
import { foreignScopes, grantsReaching } from './grants-by-scope.ts'
import { makeApp, makePerson, makeProfile, makeWorkspace, type PartnerApp, type Person } from './make.ts'
import { sampleOf } from './samples.ts'
import { representativesOf } from './signatures.ts'
import { send } from './tenants.ts'

const relations = ['maker', 'adopter', 'reader', 'withdrawn', 'stranger'] as const
type Relation = (typeof relations)[number]
type World = { owner: Person; partner: PartnerApp; workspaceId: string; profileId: string; memberId: string }

let app: TestApp
const worlds = {} as Record<Relation, World>

beforeAll(async () => {
  app = await startTestApp()
  for (const relation of relations) worlds[relation] = await makeWorld(relation)
})
afterAll(() => app.close())

async function makeWorld(relation: Relation): Promise<World> {
  const owner = await makePerson(app, 'Owner')
  const registrar = await makePerson(app, 'Registrar')
  const partner = await makeApp(app, await makeWorkspace(registrar), [
    'analytics',
    'analytics_pii',
    'attribution',
    'attribution_write',
    'connections',
    'adoption',
  ])
  if (relation !== 'maker' && relation !== 'withdrawn') {
    const workspaceId = await makeWorkspace(owner)
    const profileId = await makeProfile(owner, workspaceId)
    const world = { owner, partner, workspaceId, profileId, memberId: owner.id }
    if (relation !== 'stranger')
      await authorizePartner(app, partner, owner, {
        scope: relation === 'adopter' ? 'analytics adoption' : 'analytics',
        profileId,
      })
    if (relation === 'adopter') await partner.call(adoptProfile, { params: { profileId }, body: {} })
    return world
  }
  const workspace = await partner.call(createWorkspace, { body: { email: owner.email, plan: 'agency' } })
  const workspaceId = workspace.data.workspace_id
  const member = await partner.call(putMember, {
    params: { workspaceId },
    body: { email: `member-of-${relation}@example.com`, role: 'viewer' },
  })
  const { data } = await partner.call(createProfile, { body: { workspace_id: workspaceId, name: 'Shop' } })
  const world = { owner, partner, workspaceId, profileId: data.profile_id, memberId: member.data.user_id }
  if (relation === 'withdrawn') await withdrawAll(world)
  return world
}

async function withdrawAll({ owner, workspaceId }: World): Promise<void> {
  const { data } = await owner.call(listConnectedApps, { params: { workspaceId } })
  for (const { id } of data) await owner.call(revokeConnectedApp, { params: { workspaceId, id } })
}

const entries: Endpoint[] = routes.map((route) => route.entry)
const entryOf = (name: string) => entries.find((entry) => entry.name === name)!

type Row = {
  route: string
  /** Distinguishes several actions of one route. */
  doing?: string
  body?: Record<string, unknown>
  expected: Record<Relation, string>
}
/** For maker, adopter, reader, withdrawn and stranger. */
const each = (maker: string, adopter: string, reader: string, withdrawn: string, stranger: string) => ({
  maker,
  adopter,
  reader,
  withdrawn,
  stranger,
})
const forMaker = each('ok', '404 not_found', '404 not_found', '404 not_found', '404 not_found')

/** In order: routes that end a profile are last. */
const byApp: Row[] = [
  {
    route: 'createWorkspace',
    expected: each('ok', 'ok', 'ok', 'ok', 'ok'),
    body: { email: 'new@example.com' },
  },
  { route: 'listProfiles', expected: each('listed', 'listed', 'listed', 'absent', 'absent') },
  { route: 'createProfile', expected: forMaker },
  { route: 'listMembers', expected: forMaker },
  { route: 'putMember', expected: forMaker, body: { email: 'mole@example.com', role: 'owner' } },
  { route: 'removeMember', expected: forMaker },
  {
    route: 'adoptProfile',
    expected: each('ok', 'ok', '403 adoption_not_consented', '404 not_found', '404 not_found'),
  },
  {
    route: 'setEntitlement',
    doing: 'on',
    body: { enabled: true },
    expected: each('ok', 'ok', '404 not_found', '404 not_found', '404 not_found'),
  },
  {
    route: 'setEntitlement',
    doing: 'off',
    body: { enabled: false },
    expected: each('ok', '403 profile_adopted', '404 not_found', '404 not_found', '404 not_found'),
  },
  { route: 'saveAudienceExclusions', expected: forMaker },
  {
    route: 'archiveProfile',
    expected: each('ok', '403 profile_adopted', '404 not_found', '404 not_found', '404 not_found'),
  },
]

it('every route that accepts an app’s own credential has a row', () => {
  const taking = entries.filter(({ access }) =>
    ['app', 'user_or_app', 'workspace_or_app'].includes(access.kind),
  )
  expect(new Set(byApp.map((row) => row.route))).toEqual(new Set(taking.map((entry) => entry.name)))
})

describe('with its own credential', () => {
  it.each(byApp.map((row) => [`${row.route} ${row.doing ?? ''}`.trim(), row] as const))(
    '%s',
    async (_, row) => {
      const answers = {} as Record<Relation, string>
      for (const relation of relations) answers[relation] = await answerOf(row, worlds[relation])
      expect(answers).toEqual(row.expected)
    },
  )
})

async function answerOf(row: Row, world: World): Promise<string> {
  const entry = entryOf(row.route)
  const sample = sampleOf(entry)
  if ('workspaceId' in sample.params) sample.params.workspaceId = world.workspaceId
  if ('profileId' in sample.params) sample.params.profileId = world.profileId
  if ('userId' in sample.params) sample.params.userId = world.memberId
  if (row.body !== undefined) sample.body = row.body
  if (row.route === 'createProfile') sample.body = { workspace_id: world.workspaceId, name: 'Another' }
  const { status, code, body } = await send(app, entry, world.partner.basic, sample)
  if (row.route === 'listProfiles')
    return (body as { data: { id: string }[] }).data.some((profile) => profile.id === world.profileId)
      ? 'listed'
      : 'absent'
  const reason = (body as { error?: { reason?: string } } | null)?.error?.reason
  return status < 400 ? 'ok' : `${status} ${reason ?? code}`
}

const grantNames: Grant[] = ['analytics', 'analytics_pii', 'attribution', 'attribution_write', 'connections']

const byKey = entries.filter(({ access }) => access.kind === 'profile' || access.kind === 'bearer')

it('every route needs scopes of its group', () => {
  const foreign = byKey.flatMap((entry) => foreignScopes(entry).map((scope) => `${entry.name}: ${scope}`))
  expect(foreign, 'grants-by-scope.ts lists the scopes of each tag').toEqual([])
})

describe('with the key of a grant', () => {
  let world: World
  let handoffId: string
  const keys = new Map<string, string>()
  beforeAll(async () => {
    world = await makeWorld('stranger')
    for (const grant of grantNames) {
      const { access_token: key } = await authorizePartner(app, world.partner, world.owner, {
        scope: grant,
        profileId: world.profileId,
      })
      keys.set(grant, key)
    }
    const minted = await app.as(keys.get('connections')!)(mintHandoff, {
      params: { provider: 'cardpay' },
      body: {},
    })
    handoffId = minted.data.id
  })

  const answerWithKey = async (entry: Endpoint, key: string) => {
    const sample = sampleOf(entry)
    if (entry.name === 'getHandoff') sample.params.id = handoffId
    const { status, code } = await send(app, entry, `Bearer ${key}`, sample)
    return status === 401 || status === 403 ? `${status} ${code}` : 'reached'
  }

  it.each(byKey.map((entry) => [entry.name, entry] as const))('%s', async (_, entry) => {
    const reaching = grantsReaching(entry, grantNames)
    const answers: Record<string, string> = {}
    const expected: Record<string, string> = {}
    for (const [grant, key] of keys) {
      answers[grant] = await answerWithKey(entry, key)
      if (!reaching.some((name) => name === grant)) expected[grant] = '403 insufficient_scope'
      else expected[grant] = entry.refusesApps === true ? '403 forbidden' : 'reached'
    }
    expect(answers, 'differs from grants-by-scope.ts, or from refusesApps of the contract').toEqual(expected)
  })

  it('its key is refused everywhere once a person has withdrawn the grant', async () => {
    await withdrawAll(world)
    const answers = new Set<string>()
    // The credential is read before the route is known: one route of each combination of contract members.
    for (const entry of representativesOf(byKey))
      for (const key of keys.values()) answers.add(await answerWithKey(entry, key))
    expect([...answers]).toEqual(['401 unauthorized'])
  })
})
