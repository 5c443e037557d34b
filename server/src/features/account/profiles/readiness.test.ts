import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import {
  makeApp,
  makeKey,
  makePerson,
  makeProfile,
  makeWorkspace,
  type Person,
  refusalOf,
} from '../../../../test/make.ts'
import type { Client } from '../../../platform/contract/client.ts'
import { sendEvent } from '../../facts/events/contract.ts'
import { importSpend } from '../../sources/imports/contract.ts'
import { issueTrackingKey } from '../../sources/tracking/contract.ts'
import { createProfile, getReadiness, setEntitlement } from './contract.ts'
import { decideSteps, type Evidence } from './readiness-rules.ts'

let app: TestApp
let owner: Person
let workspaceId: string
beforeAll(async () => {
  app = await startTestApp()
  owner = await makePerson(app, 'Owner')
  workspaceId = await makeWorkspace(owner, 'agency')
})
afterAll(() => app.close())

async function statesOf(call: Client, profileId: string): Promise<Record<string, string>> {
  const { data, meta } = await call(getReadiness, { params: { profileId } })
  expect(meta).toEqual({ profile_id: profileId })
  for (const step of data.steps) expect(step.todo === null).toBe(step.state === 'done')
  expect(data.ready).toBe(data.steps.every((step) => step.state === 'done'))
  return Object.fromEntries(data.steps.map((step) => [step.step, step.state]))
}

it('a new profile lists every step, and an outcome sent with the API counts as a source', async () => {
  const profileId = await makeProfile(owner, workspaceId)
  expect(await statesOf(owner.call, profileId)).toEqual({
    attribution_enabled: 'done',
    tracker_installed: 'todo',
    ad_platform_connected: 'todo',
    crm_or_outcome_source_connected: 'todo',
    touch_recorded: 'todo',
    outcome_recorded: 'todo',
    outcome_attributed: 'todo',
  })
  const key = app.as(
    await makeKey(app, profileId, ['events:write', 'campaigns:apply', 'tracking:write', 'tracking:read']),
  )
  await key(issueTrackingKey)
  const anonymousId = randomUUID()
  await key(sendEvent, {
    body: { event_name: 'visit', anonymous_id: anonymousId, utm: { source: 'news', medium: 'email' } },
  })
  await key(sendEvent, {
    body: { event_name: 'lead_created', anonymous_id: anonymousId, user_traits: { email: 'a@example.com' } },
  })
  await key(importSpend, {
    body: {
      rows: [
        {
          source: 'paper',
          level: 'campaign',
          campaign_id: '1',
          campaign_name: 'Paper',
          date: '2026-01-05',
          spend: 10,
          currency: 'EUR',
        },
      ],
    },
  })
  await app.service.processor.settled(profileId)
  const states = await statesOf(key, profileId)
  expect(states).toMatchObject({
    ad_platform_connected: 'done',
    crm_or_outcome_source_connected: 'done',
    outcome_recorded: 'done',
  })
})

it('an outcome is credited only if its customer visited before', async () => {
  const profileId = await makeProfile(owner, workspaceId)
  const key = app.as(await makeKey(app, profileId, ['events:write', 'campaigns:apply', 'tracking:read']))
  const anonymousId = randomUUID()
  const body = { event_name: 'lead_created', anonymous_id: anonymousId }
  await key(sendEvent, { body: { ...body, timestamp: '2026-05-02T10:00:00Z' } })
  await app.service.processor.settled(profileId)
  const states = await statesOf(key, profileId)
  expect(states).toMatchObject({ outcome_recorded: 'done', outcome_attributed: 'todo' })
  const visit = { event_name: 'visit', anonymous_id: anonymousId, utm: { source: 'news', medium: 'email' } }
  await key(sendEvent, { body: { ...visit, timestamp: '2026-05-01T10:00:00Z' } })
  await app.service.processor.settled(profileId)
  expect((await statesOf(key, profileId)).outcome_attributed).toBe('done')
})

it('requires access to the profile and one of the read scopes', async () => {
  const profileId = await makeProfile(owner, workspaceId)
  const other = await makeProfile(owner, workspaceId)
  const stranger = await makePerson(app, 'Stranger')
  const readinessRefusal = (call: Client) => refusalOf(call(getReadiness, { params: { profileId } }))
  expect(await readinessRefusal(stranger.call)).toMatchObject({ status: 404 })
  expect(await readinessRefusal(app.as(await makeKey(app, other, ['tracking:read'])))).toMatchObject({
    status: 404,
  })
  expect(await readinessRefusal(app.as(await makeKey(app, profileId, ['webhooks:read'])))).toMatchObject({
    status: 403,
    code: 'insufficient_scope',
  })
})

it('a profile provisioned by an app waits for the app to enable attribution', async () => {
  const partner = await makeApp(app, workspaceId)
  const created = await partner.call(createProfile, {
    body: { workspace_id: workspaceId, name: 'Dealer', scopes: ['analytics'] },
  })
  const { profile_id: profileId, api_key: apiKey } = created.data
  expect((await statesOf(app.as(apiKey), profileId)).attribution_enabled).toBe('todo')
  await partner.call(setEntitlement, {
    params: { profileId, feature: 'attribution' },
    body: { enabled: true },
  })
  expect((await statesOf(app.as(apiKey), profileId)).attribution_enabled).toBe('done')
})

it('a broken connection needs attention unless data arrives from another source', () => {
  const evidence: Evidence = {
    attributionEnabled: true,
    trackerKeyIssued: true,
    trackerEventSeen: true,
    connections: [
      { provider: 'crmsuite', status: 'reconnect_required' },
      { provider: 'social_ads', status: 'error' },
      { provider: 'engine_ads', status: 'connected' },
    ],
    spendSeen: false,
    outcomeEventSeen: false,
    touchSeen: true,
    conversionSeen: true,
    creditSeen: true,
  }
  const step = (name: string, facts: Evidence) => decideSteps(facts).find((entry) => entry.step === name)
  expect(step('crm_or_outcome_source_connected', evidence)).toMatchObject({
    state: 'attention',
    todo: expect.stringContaining('Reconnect crmsuite'),
  })
  expect(step('ad_platform_connected', evidence)).toMatchObject({ state: 'done', todo: null })
  expect(step('crm_or_outcome_source_connected', { ...evidence, outcomeEventSeen: true })?.state).toBe('done')
  const revoked = { ...evidence, connections: [{ provider: 'crmsuite', status: 'revoked' }] }
  expect(step('crm_or_outcome_source_connected', revoked)?.state).toBe('todo')
})
