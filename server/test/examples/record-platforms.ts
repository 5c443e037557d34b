/** Records responses that need accounts at the imitated platforms: campaigns, exports, messages, calendars, stores. */
import { jobs } from '../../src/app.ts'
import type { TestApp } from '../app.ts'
import { drainJobs, runSchedule } from '../jobs.ts'
import { provision } from '../make.ts'
import { triggerSandbox } from '../make-shop.ts'
import { recordOutcome } from '../record-outcome.ts'
import { makeVisitor, walkConsent } from '../visitor.ts'
import type { Ask, World } from './record.ts'

type Row = Record<string, unknown>
const rowsOf = (data: unknown) => (Array.isArray(data) ? data : []) as Row[]

async function connect(app: TestApp, ask: Ask, provider: string, body: Row = {}): Promise<string> {
  const handoff = await ask('mintHandoff', { params: { provider }, body })
  await walkConsent(makeVisitor(), String(handoff.start_url), 'approve-one')
  const settled = await ask('getHandoff', { params: { id: handoff.id } })
  await shortenSyncs(app)
  return String((settled.result as Row).connection_id)
}

export async function recordPlatforms(
  app: TestApp,
  ask: Ask,
  { workspaceId, profileId, ownerEmail }: { workspaceId: string; profileId: string; ownerEmail: string },
): Promise<void> {
  await app.service.db.deleteFrom('jobs').execute()
  const ads = await connect(app, ask, 'social_ads')
  await drainJobs(app.service, jobs)
  await app.service.processor.settled(profileId)
  await askCampaigns(app, ask, profileId)
  await askExports(ask, ads, profileId)
  await askMessages(app, ask, profileId)
  for (const name of ['top_performers.start_due', 'recommendations.queue'])
    await runSchedule(app.service, jobs, name)
  await drainJobs(app.service, jobs)
  await ask('captureSnapshot', { params: { workspaceId } })
  await ask('listSnapshots', { params: { workspaceId } })

  const mailbox = await ask('startMailboxLink')
  await walkConsent(makeVisitor(), String(mailbox.start_url), 'approve-one')
  const sender = (await ask('getHandoff', { params: { id: mailbox.id } })).result as Row | null
  await ask('sendMail', {
    body: {
      connection_id: sender?.connection_id,
      to: [ownerEmail],
      subject: 'Your plan is ready',
      text: 'Thank you for your visit. The plan is ready.',
    },
  })
  const bank = await ask('startBankLink')
  await fetch(String(bank.url))
  await ask('connectBankLink', { body: { link_token: bank.link_token } })
  const store = await ask('createManualStore')
  await ask('setSigningId', {
    params: { connectionId: store.id },
    body: { signing_id: 'from the settings of the store' },
  })
  await ask('listManualStores')
  await ask('saveChatbot')
  await ask('getChatbot')
  const byOwner = { as: 'owner', query: { profile_id: profileId } } as const
  await ask('createDataDestination', byOwner)
  const [destination] = rowsOf(await ask('listDataDestinations', byOwner))
  await ask('updateDataDestination', {
    ...byOwner,
    params: { id: destination?.id },
    body: { name: 'Warehouse, daily' },
  })
  await ask('testDataDestination', { ...byOwner, params: { id: destination?.id } })
  const run = await ask('startDataRun', { ...byOwner, body: { destination_id: destination?.id } })
  await ask('listDataRuns', byOwner)
  await ask('getDataRun', { ...byOwner, params: { id: run.id } })

  const link = await ask('startCalendarLink')
  await walkConsent(makeVisitor(), String(link.start_url), 'approve-one')
  await ask('createCalendar')
  const [calendar] = rowsOf(await ask('listCalendars'))
  await ask('shareCalendar', { params: { id: calendar?.id } })

  await connect(app, ask, 'crmsuite')
  const stages = await ask('listStages', { params: { provider: 'crmsuite' } })
  const [pipeline] = rowsOf(stages.pipelines)
  const [stage] = rowsOf(pipeline?.stages)
  await ask('saveStages', {
    params: { provider: 'crmsuite' },
    body: { mappings: [{ stage_id: stage?.id, outcome_type: 'lead_created' }] },
  })
  await ask('prefillOutcomes')
  await ask('startSync', { body: { connection_id: ads } })
  const choice = await ask('mintHandoff', { params: { provider: 'tiktok_ads' }, body: {} })
  await walkConsent(makeVisitor(), String(choice.start_url), 'approve-several')
  await ask('listPendingChoices')
  const candidates = await ask('listCandidates', { params: { provider: 'tiktok_ads' } })
  const [first] = rowsOf(candidates)
  await ask('finalizeConnection', {
    params: { provider: 'tiktok_ads' },
    body: { candidate_id: first!.id },
  })
  await shortenSyncs(app)
}

/** The imitations have four months of history; ten days are enough. */
async function shortenSyncs(app: TestApp): Promise<void> {
  const since = new Date(app.service.clock.now().getTime() - 10 * 86_400_000)
  await app.pool.query(
    `update connection_syncs set since_day = $1::date where state = 'queued' and since_day is null`,
    [since.toISOString().slice(0, 10)],
  )
}

async function askCampaigns(app: TestApp, ask: Ask, profileId: string): Promise<void> {
  const { rows } = await app.pool.query(
    `select external_id as id, level, daily_budget_minor from ad_entities where profile_id = $1 and status = 'ACTIVE' and (level = 'ad' or daily_budget_minor is not null) order by external_id`,
    [profileId],
  )
  type Live = { id: string; level: string; daily_budget_minor: string }
  const live = (level: string) => (rows as Live[]).find((row) => row.level === level)!
  const params = { id: live('campaign').id }
  const dearer = (level: string) => ({
    daily_budget: Math.round(Number(live(level).daily_budget_minor) * 0.011),
  })
  await ask('getCampaign', { params })
  await ask('getCampaignStatus', { params })
  await ask('pauseCampaign', { params })
  await ask('resumeCampaign', { params })
  await ask('setCampaignBudget', { params, body: dearer('campaign') })
  await ask('pauseAdSet', { params: { id: live('ad_set').id } })
  await ask('resumeAdSet', { params: { id: live('ad_set').id } })
  await ask('setAdSetBudget', { params: { id: live('ad_set').id }, body: dearer('ad_set') })
  await ask('pauseAd', { params: { id: live('ad').id } })
  await ask('resumeAd', { params: { id: live('ad').id } })
}

async function askExports(ask: Ask, connectionId: string, profileId: string): Promise<void> {
  const { pixels } = (await ask('listPixels', { params: { id: connectionId } })) as unknown as {
    pixels?: Row[]
  }
  const destination = await ask('createExportDestination', {
    body: { kind: 'social', connection_id: connectionId, social_pixel_id: pixels?.[0]?.id },
  })
  const params = { id: destination.id }
  await ask('listExportDestinations')
  await ask('updateExportDestination', {
    params,
    body: { display_name: 'Website pixel', test_event_code: 'TEST12345' },
  })
  await ask('previewExportDestination', { params })
  await ask('sendTestEvent', { params })
  await ask('saveConversionSyncCatalog')
  await ask('setPlatformSafeTarget')
  await ask('createAudience', {
    body: {
      connection_id: connectionId,
      name: 'Buyers',
      filter: { date_from: '2026-01-01', date_to: '2026-01-31' },
      consent: { ad_user_data: 'granted', ad_personalization: 'granted' },
      dry_run: true,
    },
  })
  await ask('saveAudienceExclusions', { params: { profileId } })
}

async function askMessages(app: TestApp, ask: Ask, profileId: string): Promise<void> {
  const accounts = rowsOf(await ask('listMessagingAccounts'))
  const account = accounts.find(({ channel }) => channel === 'chatapp')
  await ask('connectMessagingAccount', { body: { channel: 'chatapp', account_id: account?.account_id } })
  await ask('syncChatTemplates')
  await ask('listChatTemplates')
  await ask('createChatTemplate')
  const [number] = rowsOf(await ask('listChatNumbers'))
  await ask('requestChatCode', { params: { id: number!.id } })
  const { code } = await triggerSandbox(app, 'social_ads', 'act', { action: 'otp_code' })
  await ask('registerChatNumber', { params: { id: number!.id }, body: { code, pin: '123456' } })
  await ask('uploadChatMedia')
  await triggerSandbox(app, 'social_ads', 'act', {
    action: 'message',
    args: { channel: 'chatapp', person: '12025550123', at: app.service.clock.now().toISOString() },
  })
  await drainJobs(app.service, jobs)
  await app.service.processor.settled(profileId)
  const [conversation] = rowsOf(await ask('listConversations'))
  await ask('getConversation', { params: { id: conversation?.id } })
  await ask('sendMessage', { params: { id: conversation?.id }, body: { text: 'Your plan is ready.' } })
}

/** Records of the accounts after their jobs have run, and exports to them. */
export async function recordSecondProfile(
  { app, askWith, partner }: World,
  ask: Ask,
  profileId: string,
): Promise<void> {
  const settle = async () => {
    await app.service.processor.settled(profileId)
    await drainJobs(app.service, jobs)
    await app.service.processor.settled(profileId)
  }
  await settle()
  // Outcomes are reported to the app that provisioned the profile.
  const { apiKey } = await provision(app, profileId, partner)
  await ask('setEntitlement', { params: { profileId, feature: 'attribution' } })
  await recordOutcome(app, profileId, 'deal-1042', {
    outcomeType: 'closed_won',
    value: 480_000,
    occurredAt: '2026-01-30T16:00:00.000Z',
  })
  await ask('listRecordedOutcomes')

  const pages = rowsOf(await ask('listAvailablePages'))
  await ask('trackPages', { body: { page_ids: [pages[0]?.id] } })
  await ask('listPages')

  await ask('saveConversionSyncCatalog', {
    body: {
      privacy_mode: 'standard',
      conversions: [
        { conversion_key: 'payment_received', enabled: true, send_value: true, consent_default: 'granted' },
      ],
    },
  })
  await ask('sendEvent', {
    body: {
      event_name: 'payment_received',
      idempotency_key: 'invoice-3001',
      properties: { value: 210, currency: 'USD' },
      user_traits: { email: 'ana@example.com' },
    },
  })
  await settle()
  const runs = rowsOf(await ask('listExportRuns'))
  await ask('getExportRun', { params: { run_id: runs[0]?.run_id } })
  await ask('listExportLedger')

  await triggerSandbox(app, 'engine_calendar', 'act', {
    action: 'book',
    args: {
      email: 'ana@example.com',
      name: 'Ana',
      starts_at: '2026-02-03T16:00:00.000Z',
      title: 'Showroom visit',
    },
  })
  const calendars = rowsOf(await ask('listCalendars'))
  const primary = calendars.find(({ is_primary }) => is_primary)
  await ask('listCalendarEvents', {
    params: { id: primary?.id },
    query: { from: '2026-02-03', to: '2026-02-03' },
  })

  const connections = rowsOf(await ask('listConnections'))
  await askWith(apiKey)('sendCustomerList', {
    body: {
      connection_id: connections.find(({ channel }) => channel === 'social_ads')?.id,
      audience: { name: 'Members' },
      operation: 'add',
      members: [{ email: 'ana@example.com' }],
      consent: { ad_user_data: 'granted', ad_personalization: 'granted' },
      terms_accepted: true,
    },
  })
}
