/**
 * Writes while another profile's worker is away: signing in and out, keys, members and everything else continue, except
 * writes to reference tables. Needs CITUS_URL (see one-shard.test.ts) with two
 * workers and a login that may create databases.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../../src/app.ts'
import { createApiKey, listApiKeys, revokeApiKey } from '../../src/features/account/api-keys/contract.ts'
import { listMembers } from '../../src/features/account/members/contract.ts'
import { createProfile, getReadiness, listProfiles } from '../../src/features/account/profiles/contract.ts'
import { listWorkspaces } from '../../src/features/account/workspaces/contract.ts'
import { getOverview } from '../../src/features/insights/reports/contract.ts'
import { issueTrackingKey, revokeTrackingKey } from '../../src/features/sources/tracking/contract.ts'
import { forgetCredentials } from '../../src/platform/access/authenticate.ts'
import { getMe, signIn, signOut } from '../../src/platform/access/contract.ts'
import type { TestApp } from '../app.ts'
import { PASSWORD, refusalOf, sessionOf } from '../make.ts'
import { type Sample, sampleOf } from '../samples.ts'
import { fittingCredential, send, type Tenant } from '../tenants.ts'
import { type CutWorker, startWithWires } from './cut-worker.ts'

const url = process.env.CITUS_URL

/** They write reference tables: workspaces, profiles, apps, app authorizations or entitlements. */
const needEveryNode = [
  'acceptDpa',
  'adoptProfile',
  'archiveWorkspace',
  'createDemoProfile',
  'createOAuthApp',
  'createProfile',
  'createWorkspace',
  'saveConversionSyncCatalog',
  'updateComplianceOverview',
  'updateOAuthApp',
  'updateProfile',
  'updateReportingCurrency',
]

/** The sample with the tenant's own ids of workspace, profile and app. */
function aimedAt({ workspaceId, profileId, partner }: Tenant, sample: Sample): Sample {
  const tenantIds: Record<string, unknown> = {
    workspaceId,
    profileId,
    appId: partner.id,
    workspace_id: workspaceId,
    profile_id: profileId,
  }
  const aim = (part: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(part).map(([name, value]) => [name, tenantIds[name] ?? value]))
  return { ...sample, params: aim(sample.params), body: sample.body && aim(sample.body) }
}

describe.skipIf(url === undefined)('writes with a worker away on Citus (skipped without CITUS_URL)', () => {
  let cut: CutWorker
  let app: TestApp
  let lost: Tenant
  let reachable: Tenant

  const sendEvent = async (key: string, id: string) => {
    const reply = await fetch(`${app.baseUrl}/api/v1/events`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ event_name: 'lead_created', idempotency_key: id }),
    })
    await reply.arrayBuffer()
    return reply.status
  }

  beforeAll(async () => {
    cut = await startWithWires(url!)
    app = cut.app
    lost = await cut.makeTenant(true)
    reachable = await cut.makeTenant(false)
    expect(await sendEvent(lost.key, 'before')).toBe(202)
    await cut.away.cut()
  }, 300_000)
  afterAll(() => cut?.close())

  it('people can sign in and out, and the first requests of the console succeed', async () => {
    for (const { owner, workspaceId } of [reachable, lost]) {
      const { data } = await app.as()(signIn, { body: { email: owner.email, password: PASSWORD } })
      const call = app.as(sessionOf(data).token)
      expect((await call(getMe)).data.email).toBe(owner.email)
      expect((await call(listWorkspaces)).data.map((row) => row.id)).toContain(workspaceId)
      expect((await call(listProfiles)).data.length).toBeGreaterThan(0)
      expect((await call(listMembers, { params: { workspaceId } })).data.length).toBe(1)
      await call(signOut)
      expect(await refusalOf(call(getMe))).toMatchObject({ status: 401 })
    }
    const { profileId } = reachable
    const query = { profile_id: profileId, date_from: '2026-01-01', date_to: '2026-01-31' }
    expect((await reachable.owner.call(getOverview, { query })).data).toBeDefined()
    expect(
      (await reachable.owner.call(getReadiness, { params: { profileId } })).data.steps.length,
    ).toBeGreaterThan(0)
  })

  it('a key can be created, works on its node, and is refused there once revoked', async () => {
    const { workspaceId, profileId, owner } = reachable
    const { data } = await owner.call(createApiKey, {
      params: { workspaceId },
      body: { profile_id: profileId, name: 'Made meanwhile', scopes: ['events:write'] },
    })
    for (const id of ['first', 'second', 'third']) {
      forgetCredentials(app.service)
      expect(await sendEvent(data.key, id)).toBe(202)
    }
    expect((await owner.call(listApiKeys, { params: { workspaceId } })).data.map((key) => key.id)).toContain(
      data.id,
    )
    await owner.call(revokeApiKey, { params: { workspaceId, id: data.id } })
    expect(await sendEvent(data.key, 'fourth')).toBe(401)
  })

  it('so can a tracking key', async () => {
    const call = app.as(reachable.key)
    const { data } = await call(issueTrackingKey)
    await call(revokeTrackingKey, { params: { id: data.id } })
    expect((await call(issueTrackingKey)).data.id).not.toBe(data.id)
  })

  it('events of known keys are accepted without the coordinator', async () => {
    for (const id of ['fifth', 'sixth', 'seventh']) {
      forgetCredentials(app.service)
      expect(await sendEvent(reachable.key, id)).toBe(202)
    }
    await cut.coordinator.cut()
    forgetCredentials(app.service)
    expect(await sendEvent(reachable.key, 'eighth')).toBe(202)
    await cut.coordinator.up()
  })

  it('its own profiles get Retry-After, and writes to reference tables are refused until all nodes are back', async () => {
    expect(await sendEvent(lost.key, 'away')).toBe(503)
    const { owner, workspaceId } = reachable
    expect(
      await refusalOf(
        owner.call(createProfile, { body: { workspace_id: workspaceId, name: 'Later', timezone: 'UTC' } }),
      ),
    ).toMatchObject({ status: 503, code: 'database_unavailable' })
  })

  it('only the listed writes need every node', { timeout: 300_000 }, async () => {
    const failed: string[] = []
    const unavailable: string[] = []
    for (const { entry } of routes) {
      if (entry.method === 'GET') continue
      const credential = await fittingCredential(app, reachable, entry)
      const sample = aimedAt(reachable, sampleOf(entry))
      const { status, code, headers } = await send(app, entry, credential, sample)
      if (status === 500) failed.push(entry.name)
      if (code !== 'database_unavailable') continue
      unavailable.push(entry.name)
      expect([entry.name, Number(headers.get('retry-after')) > 0]).toEqual([entry.name, true])
    }
    expect(failed).toEqual([])
    expect(unavailable.sort()).toEqual(needEveryNode)
  })
})
