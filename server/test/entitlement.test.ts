/** A profile that an app provisioned without enabling attribution refuses all writes of attribution data. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../src/app.ts'
import { listConnectedApps, revokeConnectedApp } from '../src/features/account/apps/contract.ts'
import { setEntitlement } from '../src/features/account/profiles/contract.ts'
import { createGoal } from '../src/features/corrections/goals/contract.ts'
import { issueTrackingKey } from '../src/features/sources/tracking/contract.ts'
import { scopes } from '../src/platform/contract/access.ts'
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

/** Writes that are not attribution data. Each is a deliberate decision; list new ones here. */
const open = [
  // Connections and webhooks, by their scopes.
  'activateWebPixel',
  'connectBankLink',
  'createManualStore',
  'createWebhookSubscription',
  'deleteConnection',
  'deleteManualStore',
  'deleteWebhookSubscription',
  'disconnectConnection',
  'finalizeConnection',
  'mintHandoff',
  'recoverWebhookEvents',
  'replayWebhookDelivery',
  'rotateWebhookSecret',
  'saveChatbot',
  'setSigningId',
  'startBankLink',
  'startCalendarLink',
  'createCalendar',
  'shareCalendar',
  'startMailboxLink',
  'startSync',
  'syncChatTemplates',
  'connectMessagingAccount',
  'createChatTemplate',
  'registerChatNumber',
  'requestChatCode',
  'testWebhookSubscription',
  'trackPages',
  'updateWebhookSubscription',
  // Changes of the platform only.
  'sendMail',
  'sendMessage',
  'uploadChatMedia',
  'pauseCampaign',
  'resumeCampaign',
  'pauseAdSet',
  'resumeAdSet',
  'pauseAd',
  'resumeAd',
  'setAdSetBudget',
  'setCampaignBudget',
  // Personal notes and views.
  'createAnnotation',
  'deleteAnnotation',
  'deleteView',
  'readNotifications',
  'saveView',
  'updateAnnotation',
  // Rights of people and owners.
  'eraseCustomer',
  'requestCustomerDataExport',
  'confirmCustomerDataExport',
  'deleteCustomerDataExport',
  'revokeTrackingKey',
]

it('every write of a profile needs the feature, except the listed ones', () => {
  const ungated = writes.filter((entry) => entry.entitlement === null).map((entry) => entry.name)
  expect(
    ungated.toSorted(),
    "Set `entitlement: 'attribution'` in the contract of a write of attribution data; add any other to `open`",
  ).toEqual(open.toSorted())
})

describe('without the feature', () => {
  let before: Record<string, string>
  beforeAll(async () => {
    before = await stateOf(app.pool)
  })
  afterAll(async () => {
    expect(await stateOf(app.pool)).toEqual(before)
  })

  it.each(writes.filter((entry) => !open.includes(entry.name)).map((entry) => [entry.name, entry] as const))(
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
