/** Records responses of administration: accounts, members, apps, client reports, tracking, corrections. */
import { createProfile } from '../../src/features/account/profiles/contract.ts'
import type { TestApp } from '../app.ts'
import { type OwnProfile, PASSWORD, type PartnerApp } from '../make.ts'
import { makeProblem } from '../make-problems.ts'
import type { Ask } from './record.ts'

type World = { workspaceId: string; profileId: string; ownerEmail: string }

export async function recordAccount(ask: Ask, { workspaceId, profileId, ownerEmail }: World): Promise<void> {
  const inWorkspace = { workspaceId }
  const inProfile = { workspaceId, profileId }
  await ask('getAuthOptions')
  await ask('signUp')
  await ask('signIn', { body: { email: ownerEmail, password: PASSWORD } })
  const { workspace_id } = await ask('createWorkspace')
  await ask('updateComplianceOverview', { params: { workspaceId: workspace_id } })
  await ask('updateReportingCurrency', { params: inWorkspace })
  await ask('updateProfile', { params: { profileId }, body: { name: 'Acme Madrid' } })

  const token = await ask('createUserToken')
  await ask('listUserTokens')
  await ask('revokeUserToken', { params: { id: token.id } })

  await ask('inviteMember', { params: inWorkspace })
  await ask('listInvitations', { params: inWorkspace })
  await ask('inviteProfileMember', { params: inProfile })
  await ask('listProfileInvitations', { params: inProfile })

  const app = await ask('createOAuthApp', { params: inWorkspace })
  await ask('listOAuthApps', { params: inWorkspace })
  const ofApp = { workspaceId, appId: app.id }
  await ask('updateOAuthApp', { params: ofApp })
  await ask('rotateOAuthAppSecret', { params: ofApp })
  await ask('acceptDpa', { params: ofApp })
  await ask('withdrawDpa', { params: ofApp })

  const key = await ask('createApiKey', { params: inWorkspace, body: { profile_id: profileId, name: 'Old' } })
  await ask('rotateApiKey', { params: { workspaceId, id: key.id } })
  await ask('revokeApiKey', { params: { workspaceId, id: key.id } })

  await ask('putBranding', { params: inWorkspace })
  await ask('uploadLogo', { params: inWorkspace })
  await ask('removeLogo', { params: inWorkspace })
  await ask('registerSenderDomain', { params: inWorkspace })
  await ask('getSenderDomain', { params: inWorkspace })

  const alert = await ask('createAlert')
  await ask('listAlerts')
  await ask('previewAlert')
  await ask('updateAlert', { params: { id: alert.id } })
  await ask('deleteAlert', { params: { id: alert.id } })

  const ofProfile = (body: Record<string, unknown>) => ({
    params: inWorkspace,
    body: { profile_id: profileId, ...body },
  })
  await ask('putBriefSubscription', ofProfile({ cadence: 'daily' }))
  await ask(
    'createBriefWebhook',
    ofProfile({
      kind: 'slack',
      name: '#marketing',
      url: 'https://hooks.example.com/services/T000/B000/XXXX',
    }),
  )
  await ask('tagClients', { params: inWorkspace, body: { profile_ids: [profileId], add: ['retail'] } })
  await ask('patchSchedules', { params: inWorkspace })
  await ask('generateReports', { params: inWorkspace })
  const link = await ask(
    'createLiveLink',
    ofProfile({ name: 'Acme Madrid', reports: ['summary'], period: 'last_7_days' }),
  )
  await ask('listLiveLinks', { params: inWorkspace })
  await ask('revokeLiveLink', { params: { workspaceId, liveLinkId: link.id } })
  await ask('putMcpSettings', { params: inWorkspace })
  await ask('markTabSeen', { params: { workspaceId, tab: 'recommendations' } })
  await ask('setPacingTarget', ofProfile({ provider: 'social_ads', month: '2026-02', budget: 6000 }))

  const goal = await ask('createGoal', {
    body: {
      display_name: 'Showroom visits',
      conversion_key: 'showroom_visit',
      source_event_names: ['showroom_visited'],
      outcome_type: 'lead_created',
      revenue_type: 'pipeline',
    },
  })
  await ask('updateGoal', { params: { id: goal.id }, body: { display_name: 'Visits to the showroom' } })
  await ask('setGoalTarget', { params: { id: goal.id } })
  await ask('importSpend')
  await ask('saveExchangeRate', { body: { currency: 'GBP', day: '2026-01-12', rate: '1.1512' } })
  await ask('listExchangeRates')
  await ask('saveChannelRules', {
    body: { overrides: [{ kind: 'host', value: 'news.example', channel: 'referral' }] },
  })
  const note = await ask('createAnnotation')
  await ask('listAnnotations')
  await ask('updateAnnotation', { params: { id: note.id } })
  await ask('saveView', {
    body: { page: 'campaigns', name: 'January', values: { model: 'linear' }, shared: false },
  })
  await ask('listSavedViews')
  await ask('updateAttributionSettings')
  await ask('startRecompute')
  await ask('readNotifications')
}

export async function recordTracking(ask: Ask): Promise<void> {
  await ask('issueTrackingKey')
  await ask('listTrackingKeys')
  await ask('getTrackingSnippet')
  await ask('getTagManagerInstaller')
  await ask('getStorefrontPixelInstaller')
  await ask('createTrackingDomain', { body: { domain: 'go.shop.example' } })
  await ask('listTrackingDomains')
  await ask('resolveChatCode')
  const link = (await ask('createShortLink')) as unknown as Row
  await ask('listShortLinks')
  await ask('updateShortLink', { params: { id: link.id! }, body: { title: 'Flyer of spring' } })
  await ask('updateTrackingSettings')
  await ask('getTrackingConsent')
  await ask('createOwnBrowserLink', { body: { url: 'https://shop.example/', is_own: true } })
  await ask('startVerification')
  await ask('getVerification')
  await ask('saveDeclaredVocabulary')
  await ask('scanUtmHealth')
  await ask('runDoctor')
}

type Row = Record<string, string>
const rowsOf = (data: unknown) => data as Row[]

/** Reads that need an id of the business, then corrections, which change it, and finally an erasure. */
export async function recordCorrections(ask: Ask, { workspaceId, profileId }: World): Promise<void> {
  await ask('listUnattributedConversions')
  await ask('explainPlatformGap')
  await ask('listJourneyPayments')
  await ask('whatIf')
  const query = { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' }
  const payments = rowsOf(await ask('listPayments', { query }))
  const params = { payment_id: payments[0]!.payment_id }
  await ask('deleteRefund', { params })
  await ask('setInstallment', { params })
  await ask('setPayer', { params, body: { email: 'bea@example.com' } })
  await ask('reportCardGatewayPayment')
  await ask('sendAdReferral', {
    body: {
      ad_id: '120210000000000003',
      channel: 'chatapp',
      occurred_at: '2026-01-20T10:00:00Z',
      customer: { email: 'ana@example.com' },
    },
  })
  const customers = rowsOf(await ask('listCustomers', { query: { search: 'ana@example.com' } }))
  await ask('createLinkToken', {
    body: { customer_id: customers[0]!.customer_id, url: 'https://shop.example/offer' },
  })
  await ask('getCustomer', { params: { id: customers[0]!.customer_id } })
  await ask('scanMergeProposals')
  await ask('repairIdentity')
  await ask('previewPhoneRepair')
  await ask('startPhoneRepair')
  await ask('listPhoneRepairs')
  await ask('declareSource', {
    body: {
      answer_key: 'friend_or_family',
      customer: { email: 'ana@example.com' },
      asked_at: '2026-01-16T10:00:00Z',
      idempotency_key: 'survey-1041',
    },
  })
  const deliveries = rowsOf(await ask('listWebhookDeliveries'))
  await ask('getWebhookDelivery', { params: { id: deliveries[0]!.id } })
  await ask('replayWebhookDelivery', { params: { id: deliveries[0]!.id } })
  const subscriptions = rowsOf(await ask('listWebhookSubscriptions'))
  await ask('recoverWebhookEvents', {
    params: { id: subscriptions[0]!.id },
    body: { since: '2026-01-31T00:00:00Z' },
  })
  await ask('retractEvent', { body: { idempotency_key: 'lead-77', reason: 'Sent twice by mistake' } })
  const request = await ask('requestWorkspaceCustomerDataExport', {
    params: { workspaceId },
    body: { profile_id: profileId, ...personRequest('ana@example.com') },
  })
  const exportParams = { workspaceId, data_export_id: request.data_export_id }
  await ask('confirmWorkspaceCustomerDataExport', { params: exportParams, body: { method: 'account' } })
  await ask('getWorkspaceCustomerDataExport', { params: exportParams })
  await ask('listWorkspaceCustomerDataExports', { params: { workspaceId } })
  const erasure = await ask('eraseWorkspaceCustomer', {
    params: { workspaceId },
    body: { profile_id: profileId, email: 'cai@example.com' },
  })
  await ask('getWorkspaceErasure', { params: { workspaceId, erasure_id: erasure.erasure_id } })
}

const personRequest = (email: string) => ({
  email,
  law: 'gdpr',
  requested_on: '2026-01-20',
  identity_check: { method: 'mail_code' },
})

/** With the key of an app on a profile of the business, whose customers get mail. */
export async function recordPartnerExport(ofApp: Ask): Promise<void> {
  const body = { ...personRequest('ana@example.com'), law: 'lgpd' }
  const request = await ofApp('requestCustomerDataExport', { body })
  const params = { data_export_id: request.data_export_id }
  await ofApp('confirmCustomerDataExport', { params, body: { method: 'account' } })
  await ofApp('getCustomerDataExport', { params })
}

/** Operations of an app on a profile that it provisioned. */
export async function recordPartner(
  ask: Ask,
  askWith: (key: string) => Ask,
  partner: PartnerApp,
  email: string,
): Promise<void> {
  const { data } = await partner.call(createProfile, { body: { name: 'Acme Porto', user: { email } } })
  const params = { profileId: data.profile_id }
  await ask('setEntitlement', { params: { ...params, feature: 'attribution' } })
  await ask('adoptProfile', { params, body: {} })
  const ofApp = askWith(String((data as { api_key?: string }).api_key))
  await ofApp('sendEvent', {
    body: {
      event_name: 'lead_created',
      idempotency_key: 'lead-1',
      user_traits: { email: 'dora@example.com' },
    },
  })
  const erasure = await ofApp('eraseCustomer', { body: { email: 'dora@example.com' } })
  await ofApp('getErasure', { params: { erasure_id: erasure.erasure_id } })
  await ask('archiveProfile', { params })
}

export async function recordOperator(
  ask: Ask,
  app: TestApp,
  profile: Pick<OwnProfile, 'profileId' | 'call'>,
): Promise<void> {
  const as = 'operator'
  await ask('getOperatorStatus', { as })
  for (const action of ['retryProblem', 'dropProblem']) {
    const id = await makeProblem(app, profile, 'dead-jobs')
    await ask('listProblems', { as, params: { kind: 'dead-jobs' } })
    await ask('getProblem', { as, params: { kind: 'dead-jobs', id } })
    await ask(action, { as, params: { kind: 'dead-jobs', id }, body: { reason: 'Fixed in 0.2.1' } })
  }
  await ask('listOperatorActions', { as })
}
