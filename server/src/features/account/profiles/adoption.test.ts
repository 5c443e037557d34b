/** Adoption: who may adopt a profile, the permissions of the adopting app, and how the adoption ends. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { authorizePartner, ConsentBrowser } from '../../../../test/consent-browser.ts'
import {
  isAccepted,
  makeApp,
  makeKey,
  makePerson,
  makeProfile,
  makeWorkspace,
  type PartnerApp,
  type Person,
  refusalOf,
} from '../../../../test/make.ts'
import { deleteGoal, listGoals } from '../../corrections/goals/contract.ts'
import { listRecordedOutcomes } from '../../outgoing/webhooks/contract.ts'
import { getHandoff, mintHandoff } from '../../sources/handoffs/contract.ts'
import { listConnectedApps, revokeConnectedApp } from '../apps/contract.ts'
import { listMembers, putMember } from '../members/contract.ts'
import { createWorkspace, updateComplianceOverview } from '../workspaces/contract.ts'
import { adoptProfile, archiveProfile, createProfile, listProfiles, setEntitlement } from './contract.ts'
import { type AppRelation, canAdopt, canArchive } from './rules.ts'

let app: TestApp
let owner: Person
let workspaceId: string
let profileId: string
let partner: PartnerApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

/** Creates a business, and an app registered by someone else. */
async function start(): Promise<void> {
  owner = await makePerson(app, 'Owner')
  workspaceId = await makeWorkspace(owner)
  profileId = await makeProfile(owner, workspaceId)
  const stranger = await makePerson(app, 'Stranger')
  partner = await makeApp(app, await makeWorkspace(stranger), [
    'attribution',
    'analytics',
    'connections',
    'adoption',
  ])
}

const adopt = (caller = partner) => caller.call(adoptProfile, { params: { profileId }, body: {} })
const archive = (caller = partner) => caller.call(archiveProfile, { params: { profileId } })
const entitle = (enabled: boolean) =>
  partner.call(setEntitlement, { params: { profileId, feature: 'attribution' }, body: { enabled } })
const consent = (scope: string, person = owner) =>
  authorizePartner(app, partner, person, { scope, profileId })
const connected = async () => (await owner.call(listConnectedApps, { params: { workspaceId } })).data

async function withdraw(grant: string): Promise<void> {
  const row = (await connected()).find((connectedApp) => connectedApp.grant === grant)
  await owner.call(revokeConnectedApp, { params: { workspaceId, id: row!.id } })
}

describe('a consent to read', () => {
  beforeAll(start)

  it('does not allow the app to adopt, archive or switch features', async () => {
    const { access_token: key } = await consent('analytics')
    expect(await refusalOf(adopt())).toMatchObject({ status: 403, reason: 'adoption_not_consented' })
    expect(await refusalOf(archive())).toMatchObject({ status: 404, code: 'not_found' })
    expect(await refusalOf(entitle(false))).toMatchObject({ status: 404, code: 'not_found' })
    expect(await isAccepted(app, key)).toBe(true)
    expect((await connected()).map((row) => [row.grant, row.governs])).toEqual([['analytics', false]])
  })
})

describe('a consent that hands the profile over', () => {
  beforeAll(start)

  it('states that on the page, with the target of the decision and a warning about the unverified app', async () => {
    const url = new URL('/oauth/authorize', app.baseUrl)
    url.search = new URLSearchParams({
      response_type: 'code',
      client_id: partner.clientId,
      redirect_uri: 'https://partner.example/callback',
      scope: 'analytics adoption',
      code_challenge: 'c'.repeat(43),
      code_challenge_method: 'S256',
    }).toString()
    const browser = new ConsentBrowser(app.baseUrl)
    expect(await (await browser.get(url)).text()).toContain('partner.example')
    browser.cookie = `__Host-whence_session=${owner.token}`
    const page = await (await browser.get(url)).text()
    expect(page).toContain('Take over this profile')
    expect(page).toContain('Your decision is sent to <strong>partner.example</strong>')
    expect(page).toContain('This app is not verified')
  })

  it('requires an admin or owner', async () => {
    const editor = await makePerson(app, 'Editor')
    await app.service.db
      .insertInto('workspace_members')
      .values({ workspace_id: workspaceId, user_id: editor.id, role: 'editor', created_at: new Date() })
      .execute()
    expect(await consent('analytics adoption', editor)).toMatchObject({ error: 'adoption_forbidden' })
    expect(await consent('analytics', editor)).toMatchObject({ access_token: expect.any(String) })
  })

  it('lets the app govern, but neither archive the profile nor switch attribution off', async () => {
    await consent('attribution connections adoption')
    expect((await adopt()).data).toEqual({ profile_id: profileId, workspace_id: workspaceId, adopted: true })
    expect((await adopt()).data.adopted).toBe(false)
    expect(await refusalOf(archive())).toMatchObject({ status: 403, reason: 'profile_adopted' })
    expect(await refusalOf(entitle(false))).toMatchObject({ status: 403, reason: 'profile_adopted' })
    expect((await entitle(true)).data.enabled).toBe(true)
    const owned = app.as(await makeKey(app, profileId, ['conversions:read', 'tracking:write']))
    const [goal] = (await owned(listGoals)).data
    await owned(deleteGoal, { params: { id: goal!.id } })
    expect((await connected()).map((row) => row.governs)).toEqual([true, true, true])
  })

  it('is governed by one app at a time', async () => {
    const rival = await makeApp(app, await makeWorkspace(await makePerson(app, 'Rival')), [
      'analytics',
      'adoption',
    ])
    await authorizePartner(app, rival, owner, { scope: 'analytics adoption', profileId })
    expect(await refusalOf(adopt(rival))).toMatchObject({ status: 409, reason: 'governed_by_another_app' })
  })

  it('gives the app no healthcare contacts', async () => {
    await owner.call(updateComplianceOverview, { params: { workspaceId }, body: { healthcare: true } })
    const { access_token: key } = await consent('attribution')
    expect(await refusalOf(app.as(key)(listRecordedOutcomes))).toMatchObject({
      status: 403,
      code: 'healthcare_scope_forbidden',
    })
  })

  it('ends when any part of it is withdrawn, together with hand-offs that the app started', async () => {
    const { connections_key: key } = await consent('attribution connections')
    const minted = await app.as(key)(mintHandoff, { params: { provider: 'cardpay' }, body: {} })
    await withdraw('attribution')
    expect((await connected()).some((row) => row.app.id === partner.id && row.governs)).toBe(false)
    expect(await refusalOf(archive())).toMatchObject({ status: 404 })
    expect(await refusalOf(entitle(true))).toMatchObject({ status: 404 })
    while ((await connected()).some((row) => row.grant === 'connections')) await withdraw('connections')
    const link = await fetch(minted.data.url)
    expect(await link.text()).toContain('expired')
    const poll = await owner.call(getHandoff, { params: { id: minted.data.id } })
    expect(poll.data).toMatchObject({ status: 'failed', result: { reason: 'handoff_expired' } })
  })
})

describe('in a workspace that the app created', () => {
  it('the app adopts a profile that a person created there, until a person withdraws it', async () => {
    await start()
    const workspace = await partner.call(createWorkspace, { body: { email: owner.email, plan: 'growth' } })
    workspaceId = workspace.data.workspace_id
    profileId = await makeProfile(owner, workspaceId)
    const other = await partner.call(createProfile, { body: { workspace_id: workspaceId, name: 'Second' } })
    expect((await adopt()).data).toMatchObject({ adopted: true, api_key: expect.any(String) })
    expect(await refusalOf(archive())).toMatchObject({ status: 403, reason: 'profile_adopted' })
    const connectedApp = (await connected()).find((row) => row.profile_id === profileId)
    await owner.call(revokeConnectedApp, { params: { workspaceId, id: connectedApp!.id } })
    expect(await refusalOf(adopt())).toMatchObject({ status: 403, reason: 'consent_withdrawn' })
    const listProfileIds = async () => (await partner.call(listProfiles)).data.map((profile) => profile.id)
    expect(await listProfileIds()).toContain(other.data.profile_id)
    expect((await partner.call(listMembers, { params: { workspaceId } })).data).toHaveLength(1)
    for (const row of await connected())
      await owner.call(revokeConnectedApp, { params: { workspaceId, id: row.id } })
    expect(await listProfileIds()).toEqual([])
    expect(await refusalOf(adopt())).toMatchObject({ status: 404 })
    const second = { params: { profileId: other.data.profile_id } }
    expect(await refusalOf(partner.call(archiveProfile, second))).toMatchObject({ status: 404 })
    const member = { params: { workspaceId }, body: { email: 'mole@example.com', role: 'owner' as const } }
    expect(await refusalOf(partner.call(putMember, member))).toMatchObject({ status: 404 })
    const third = partner.call(createProfile, { body: { workspace_id: workspaceId, name: 'Third' } })
    expect(await refusalOf(third)).toMatchObject({ status: 404 })
  })
})

describe('the relation of an app to a profile', () => {
  const none: AppRelation = {
    workspaceId: 'w',
    archivedAt: null,
    provisioned: false,
    governing: null,
    authorized: false,
    consentId: null,
    withdrawn: false,
  }
  const governing = { own: true, live: true, byConsent: false }

  it.each<[string, Partial<AppRelation>, boolean, string]>([
    ['no relation', {}, false, 'no_profile'],
    ['authorized without consent to adopt', { authorized: true }, false, 'consent_missing'],
    ['adoption consented', { authorized: true, consentId: 'a' }, false, 'by_consent'],
    ['owner of the workspace', {}, true, 'in_own_workspace'],
    ['withdrawn', { withdrawn: true }, true, 'withdrawn'],
    ['withdrawn and consented again', { withdrawn: true, consentId: 'a' }, true, 'by_consent'],
    ['governing', { governing }, false, 'already_governed'],
    ['no longer governing', { governing: { ...governing, live: false } }, false, 'no_profile'],
    [
      'consented, but another app governs',
      { consentId: 'a', governing: { ...governing, own: false } },
      false,
      'governed_by_another_app',
    ],
    ['consented, but archived', { consentId: 'a', archivedAt: new Date() }, true, 'no_profile'],
  ])('adoption: %s', (_, profile, ownsWorkspace, verdict) => {
    expect(canAdopt({ ...none, ...profile }, ownsWorkspace).verdict).toBe(verdict)
  })

  it.each<[string, Partial<AppRelation>, string]>([
    ['the app that created it', { provisioned: true, governing }, 'archive'],
    [
      'the app that created it, with a new consent of a person',
      { provisioned: true, governing: { ...governing, byConsent: true } },
      'adopted',
    ],
    ['the app that created it, withdrawn', { provisioned: true, governing: null }, 'no_profile'],
    ['an app that adopted it', { governing }, 'adopted'],
    [
      'the app that created it, already archived',
      { provisioned: true, governing: { ...governing, live: false }, archivedAt: new Date() },
      'already_archived',
    ],
    ['an unrelated app', { archivedAt: new Date() }, 'no_profile'],
  ])('archive by %s', (_, profile, verdict) => {
    expect(canArchive({ ...none, ...profile })).toBe(verdict)
  })
})
