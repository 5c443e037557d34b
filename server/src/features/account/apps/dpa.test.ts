/** Without the data-processing agreement an app cannot read people of profiles that it provisioned, through any route. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createCheckedClient } from '../../../../test/answers.ts'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import {
  makePerson,
  makeProfile,
  makeWorkspace,
  type Person,
  provision,
  refusalOf,
} from '../../../../test/make.ts'
import { type Receiver, startReceiver } from '../../../../test/receiver.ts'
import { recordOutcome } from '../../../../test/record-outcome.ts'
import { until } from '../../../../test/until.ts'
import type { Dispatcher } from '../../../context.ts'
import type { Client } from '../../../platform/contract/client.ts'
import { listCustomers } from '../../insights/customers/contract.ts'
import { listVisitors } from '../../insights/visitors/contract.ts'
import { saveConversionSyncCatalog } from '../../outgoing/exports/catalog/contract.ts'
import {
  createWebhookSubscription,
  listRecordedOutcomes,
  listWebhookDeliveries,
} from '../../outgoing/webhooks/contract.ts'
import { createDispatcher } from '../../outgoing/webhooks/delivery/dispatcher.ts'
import { createProfile, setEntitlement } from '../profiles/contract.ts'
import { getComplianceOverview } from '../workspaces/contract.ts'
import { acceptDpa, createOAuthApp, withdrawDpa } from './contract.ts'

let app: TestApp
let owner: Person
let workspaceId: string
let receiver: Receiver
let dispatcher: Dispatcher
beforeAll(async () => {
  app = await startTestApp({ WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', SANDBOX: 'on' })
  owner = await makePerson(app, 'Owner')
  workspaceId = await makeWorkspace(owner, 'agency')
  receiver = await startReceiver()
  dispatcher = createDispatcher(app.service, { pollMs: 20, lookMs: 20, chance: () => 0.5 })
  dispatcher.start()
})
afterAll(async () => {
  await dispatcher.stop()
  await receiver.close()
  await app.close()
})

const notAccepted = { status: 403, code: 'forbidden', reason: 'dpa_not_accepted' }

type Partner = { id: string; call: Client; accept(): Promise<unknown>; withdraw(): Promise<unknown> }

/** Registers an app through the API, without an agreement. */
async function register(): Promise<Partner> {
  const { data } = await owner.call(createOAuthApp, {
    params: { workspaceId },
    body: {
      name: 'Dealer suite',
      redirect_uris: ['https://suite.example/callback'],
      allowed_scopes: ['attribution', 'analytics_pii'],
    },
  })
  const authorization = `Basic ${Buffer.from(`${data.client_id}:${data.client_secret}`).toString('base64')}`
  const input = { params: { workspaceId, appId: data.id }, body: {} }
  return {
    id: data.id,
    call: createCheckedClient({ baseUrl: app.baseUrl, fetch: app.fetch, headers: { authorization } }),
    accept: () => owner.call(acceptDpa, input),
    withdraw: () => owner.call(withdrawDpa, input),
  }
}

async function provisioned(partner: Partner, scopes: string[]) {
  const { data } = await partner.call(createProfile, {
    body: { workspace_id: workspaceId, name: 'Dealer', scopes: scopes },
  })
  return { profileId: data.profile_id, key: app.as(data.api_key!) }
}

const emailsOf = async (call: Client) => (await call(listCustomers)).data.map((row) => row.contact?.email)

it('person-level scopes have no effect until the agreement is accepted, and none once it is withdrawn', async () => {
  const partner = await register()
  const { profileId, key } = await provisioned(partner, ['analytics_pii'])
  await recordOutcome(app, profileId, 'lead-1')
  for (const read of [listCustomers, listVisitors])
    expect(await refusalOf(key(read as typeof listCustomers))).toMatchObject(notAccepted)
  const appsReadingPeople = async () => {
    const { data } = await owner.call(getComplianceOverview, { params: { workspaceId } })
    return data.profiles.find((row) => row.profile_id === profileId)?.partner_apps_reading_people
  }
  expect(await appsReadingPeople()).toBe(0)
  await partner.accept()
  expect(await emailsOf(key)).toEqual(['ana@example.com'])
  expect((await key(listVisitors)).data).toEqual([])
  expect(await appsReadingPeople()).toBe(1)
  await partner.withdraw()
  for (const read of [listCustomers, listVisitors])
    expect(await refusalOf(key(read as typeof listCustomers))).toMatchObject(notAccepted)
})

it('a missing scope is reported before a missing agreement', async () => {
  const partner = await register()
  const { key } = await provisioned(partner, ['attribution'])
  expect(await refusalOf(key(listCustomers))).toMatchObject({
    code: 'insufficient_scope',
    required_scopes: ['customers:read'],
  })
})

it('profiles that people connected to the app need no agreement', async () => {
  const partner = await register()
  const profileId = await makeProfile(owner, workspaceId)
  await recordOutcome(app, profileId, 'lead-1')
  const { apiKey } = await provision(app, profileId, partner, ['analytics_pii'])
  await app.service.db
    .updateTable('profiles')
    .set({ provisioned_by_app_id: null, governing_authorization_id: null })
    .where('id', '=', profileId)
    .execute()
  expect(await emailsOf(app.as(apiKey))).toEqual(['ana@example.com'])
})

it('without the agreement, webhooks and the replay omit the contact', async () => {
  const partner = await register()
  const { profileId, key } = await provisioned(partner, ['attribution', 'analytics_pii'])
  const url = `${receiver.url}/${crypto.randomUUID()}`
  await key(createWebhookSubscription, {
    body: { url, events: ['outcome.recorded'], providers: ['platform'] },
  })
  const sent = () =>
    receiver.requests
      .filter(({ path }) => url.endsWith(path))
      .map(({ body }) => JSON.parse(body).data as { external_id: string; contact: unknown })
  const contactOf = async (externalId: string) => {
    await recordOutcome(app, profileId, externalId)
    await receiver.until(() => sent().some((data) => data.external_id === externalId))
    return sent().find((data) => data.external_id === externalId)!.contact
  }
  const replayed = async () => (await key(listRecordedOutcomes)).data.map(({ data }) => data.contact?.email)
  expect(await contactOf('before')).toBeNull()
  expect(await replayed()).toEqual([undefined])
  await partner.accept()
  expect(await contactOf('accepted')).toMatchObject({ email: 'ana@example.com' })
  expect(await replayed()).toEqual(['ana@example.com', 'ana@example.com'])
  await partner.withdraw()
  expect(await contactOf('withdrawn')).toBeNull()
  expect(await replayed()).toEqual([undefined, undefined, undefined])
})

it('on a healthcare profile the app receives no person and decides nothing without the agreement', async () => {
  const partner = await register()
  const { profileId, key } = await provisioned(partner, ['attribution'])
  await partner.call(setEntitlement, {
    params: { profileId, feature: 'attribution' },
    body: { enabled: true },
  })
  const url = `${receiver.url}/${crypto.randomUUID()}`
  await key(createWebhookSubscription, {
    body: { url, events: ['outcome.recorded'], providers: ['platform'] },
  })
  await app.pool.query(`update profiles set privacy_mode = 'platform_safe' where id = $1`, [profileId])
  const decide = () => key(saveConversionSyncCatalog, { body: { privacy_mode: 'standard', conversions: [] } })
  await recordOutcome(app, profileId, 'before')
  await until(async () => {
    const { rows } = await app.pool.query(
      `select 1 from outbox_counters c join webhook_fanouts f on f.profile_id = c.profile_id
       where c.profile_id = $1 and f.through_number >= c.last_number`,
      [profileId],
    )
    return rows.length > 0
  })
  expect((await key(listWebhookDeliveries)).data.filter((row) => row.status !== 'failed')).toEqual([])
  expect(await refusalOf(key(listRecordedOutcomes))).toMatchObject(notAccepted)
  expect(await refusalOf(decide())).toMatchObject({ code: 'forbidden', reason: 'owner_decision_required' })
  await partner.accept()
  const { data } = await key(listRecordedOutcomes)
  expect(data.map((event) => event.data.contact?.email)).toEqual(['ana@example.com'])
  await decide()
})
