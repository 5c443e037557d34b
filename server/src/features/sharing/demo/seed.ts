/** Seeds the demo: visits through the ingest, everything else through the first sync of its connections. */

import type { Provider } from '../../../connectors/connector.ts'
import type { JobContext, ProfileRef, Service } from '../../../context.ts'
import { findProfileRef } from '../../../platform/access/queries.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'
import { receiveMessages } from '../../facts/conversations/receive.ts'
import { identityScope } from '../../facts/identity/scope.ts'
import { callbackUrl } from '../../sources/connect/consent.ts'
import { announceConnection, connectAccount } from '../../sources/connections/store.ts'
import { startFirstSync } from '../../sources/connections/sync-state.ts'
import { toTrackedEvent } from '../../sources/tracking/to-event.ts'
import { consentTo } from './consent.ts'
import { buildConversations } from './conversations.ts'
import { buildLiveVisits, buildVisits } from './visits.ts'

const SHOP = 'harbor-and-pine.myshopify.com'
const INGEST_BATCH_SIZE = 500
export const demoProviders: readonly Provider[] = [
  'social_ads',
  'engine_ads',
  'crmsuite',
  'cardpay',
  'regionalpay',
  'storefront',
]

/** Idempotent: existing data is kept. */
export async function seed(context: JobContext, profileId: string): Promise<void> {
  const { service } = context
  const profile = await findProfileRef(context.db, { profileId })
  if (profile === undefined) return
  await sendVisits(service, profile)
  for (const provider of demoProviders) {
    context.signal.throwIfAborted()
    await connect(service, { profileId, workspaceId: profile.workspaceId, provider })
  }
  await sendMessages(service, profile)
}

/** Idempotent: messages are identified by their external id. */
async function sendMessages(service: Service, profile: ProfileRef): Promise<void> {
  const connection = await findConnection(service, { profileId: profile.id, provider: 'social_ads' })
  if (service.sandbox === undefined || connection === undefined) return
  const now = service.clock.now()
  const messages = buildConversations(service.sandbox.people(now), now)
  const setting = { ...identityScope(service, profile), connectionId: connection.id, now }
  await service.db.transaction().execute((tx) => receiveMessages(tx, setting, messages))
  service.processor.wake(profile.id)
}

/** Visits of the current moment, sent last, so that the live page is not empty when the demo is opened. */
export async function sendLiveVisits(service: Service, profile: ProfileRef): Promise<void> {
  await sendVisits(service, profile, buildLiveVisits)
}

async function sendVisits(service: Service, profile: ProfileRef, toVisits: typeof buildVisits = buildVisits) {
  // The sandbox may have been switched off since the demo was created.
  if (service.sandbox === undefined) return
  const now = service.clock.now()
  const visit = {
    ...identityScope(service, profile),
    currency: profile.currency,
    now,
    isBot: false,
    device: { browser: 'Chrome', os: 'macOS', device: 'desktop', country: 'US' },
    userAgent: '',
    ownDomains: [],
    exportedNames: new Set<string>(),
  }
  const events = toVisits(service.sandbox.people(now), now).map((wire) => {
    const reading = toTrackedEvent(wire, visit)
    if (!reading.ok) throw new Error(reading.message)
    return reading.event
  })
  for (let at = 0; at < events.length; at += INGEST_BATCH_SIZE)
    await service.ingest.add(profile.id, events.slice(at, at + INGEST_BATCH_SIZE))
}

async function connect(
  service: Service,
  request: { profileId: string; workspaceId: string; provider: Provider },
): Promise<void> {
  const { profileId, provider } = request
  const configured = service.providers.get(provider)
  if (configured === undefined || (await findConnection(service, request)) !== undefined) return
  const { token, account } = await consentTo(service, configured, {
    redirectUri: callbackUrl(service, provider),
    shop: provider === 'storefront' ? SHOP : null,
  })
  await service.db.transaction().execute(async (tx) => {
    const now = service.clock.now()
    const connector = configured.connector
    const connectionId = await connectAccount(tx, service, {
      ...request,
      connector,
      account,
      token,
      apps: [],
      connectingApp: null,
      now,
    })
    // Another profile of the workspace already has the account, so the demo skips it.
    if (connectionId === undefined) return
    await startFirstSync(tx, { profileId, connectionId, now })
    await announceConnection(
      tx,
      'connection.connected',
      { profileId, connectionId, provider, status: 'connected', reason: null },
      now,
    )
  })
}

async function findConnection(service: Service, request: { profileId: string; provider: Provider }) {
  return rowsWhere(service.db, 'connections', {
    profile_id: request.profileId,
    provider: request.provider,
  }).find(['id'])
}
