/** Webhook subscriptions and their signing secrets. */

import {
  authorizationOf,
  canReadPeople,
  makerOf,
  type ProfileContext,
  type Service,
} from '../../../context.ts'
import { canDecide } from '../../../platform/access/decisions.ts'
import { requireLiveMaker } from '../../../platform/access/live-maker.ts'
import { requireBelowLimit } from '../../../platform/access/tenant-limits.ts'
import { recordInProfile, recordSetting } from '../../../platform/audit/record.ts'
import { DAY_MS } from '../../../platform/contract/dates.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { inTransaction, type Tx } from '../../../platform/db/database.ts'
import { urlRefusal } from '../../../platform/outbound/client.ts'
import { mintWebhookSecret } from '../../../platform/outbound/standard-webhooks.ts'
import { seal } from '../../../platform/secrets/seal.ts'
import { wakeQueues } from './delivery/queues.ts'
import {
  findSubscription,
  insertSubscription,
  lastNumber,
  listWebhookSubscriptions,
  lockSubscription,
  type Owner,
  type SubscriptionRow,
  startFanout,
  updateSubscription,
} from './queries.ts'

export const noSubscription = () => new ApiError('not_found', 'No such webhook subscription.')

/** An app's key owns the app's subscriptions; other credentials share the subscriptions without an app. */
export function ownerOf(context: ProfileContext): Owner {
  const appId = context.caller.kind === 'key' ? context.caller.appId : null
  return { profileId: context.profile.id, appId }
}

export const secretCell = (profileId: string, id: string) => ({
  table: 'webhook_subscriptions',
  row: id,
  column: 'secret',
  profileId,
})

function sealSecret(service: Service, profileId: string, id: string, secret: string): Buffer {
  return seal(service.keyring, secretCell(profileId, id), secret)
}

const isLocalOrInsecure = ({ protocol, hostname }: URL) =>
  protocol !== 'https:' || /(^|\.)localhost\.?$/.test(hostname)

export function checkUrl({ service }: { service: Service }, url: string): string {
  const problem = urlRefusal(url, service.config.WEBHOOK_ALLOW_CIDRS)
  if (problem !== undefined) throw new ApiError('validation_error', `${problem}.`, { field: 'url' })
  // Sandboxes may deliver to the same machine; elsewhere the first delivery would fail.
  if (!service.config.SANDBOX && isLocalOrInsecure(new URL(url)))
    throw new ApiError('validation_error', 'The URL is not https, or refers to localhost.', { field: 'url' })
  return new URL(url).href
}

export async function createWebhookSubscription(
  context: ProfileContext,
  body: { url: string; events: string[]; providers: string[]; include_history: boolean },
): Promise<{ row: SubscriptionRow; secret: string }> {
  const { service, now } = context
  const { profileId, appId } = ownerOf(context)
  const url = checkUrl(context, body.url)
  const id = uuidv7(now)
  const secret = mintWebhookSecret()
  return inTransaction(context.db, async (tx) => {
    await requireLiveMaker(tx, context)
    await requireBelowLimit(tx, 'webhook_subscriptions', `${profileId} ${appId}`, async () => {
      const existing = await listWebhookSubscriptions(tx, { profileId, appId })
      return existing.length
    })
    const row = await insertSubscription(tx, {
      profile_id: profileId,
      id,
      app_id: appId,
      authorization_id: authorizationOf(context.caller),
      url,
      events: body.events,
      providers: body.providers,
      include_history: body.include_history,
      status: 'active',
      secret: sealSecret(service, profileId, id, secret),
      opens_contact: appId === null && canReadPeople(context),
      ...makerOf(context.caller),
      after_number: await getFirstNumber(tx, profileId),
      created_at: now,
      updated_at: now,
    })
    await recordWebhook(tx, context, 'webhook.created', { before: null, after: row })
    return { row, secret }
  })
}

/** Starts the fan-out if needed. The subscription receives events after the returned number. */
async function getFirstNumber(tx: Tx, profileId: string): Promise<number> {
  const number = await lastNumber(tx, { profileId })
  await startFanout(tx, { profileId, throughNumber: number })
  return number
}

export async function updateWebhookSubscription(
  context: ProfileContext,
  id: string,
  body: {
    url?: string | undefined
    events?: string[] | undefined
    providers?: string[] | undefined
    include_history?: boolean | undefined
    status?: 'active' | 'paused' | undefined
  },
): Promise<SubscriptionRow> {
  const { now } = context
  const owner = ownerOf(context)
  const { profileId } = owner
  const url = body.url === undefined ? undefined : checkUrl(context, body.url)
  return inTransaction(context.db, async (tx) => {
    await requireLiveMaker(tx, context)
    const before = await lockSubscription(tx, { ...owner, id })
    if (before === undefined) throw noSubscription()
    const status = body.status ?? before.status
    const resumes = status === 'active' && before.status !== 'active'
    const change: Change = {
      choosesAddress: url !== undefined,
      extends: resumes || body.events !== undefined || body.providers !== undefined,
    }
    const row = await updateSubscription(tx, {
      profileId,
      id,
      fields: {
        url: url ?? before.url,
        events: body.events ?? before.events,
        providers: body.providers ?? before.providers,
        include_history: body.include_history ?? before.include_history,
        status,
        status_reason:
          status === before.status ? before.status_reason : status === 'paused' ? 'paused' : null,
        ...(resumes
          ? {
              consecutive_failures: 0,
              failing_since: null,
              authorization_id: authorizationOf(context.caller),
            }
          : {}),
        // Who chooses the address, or switches an ended subscription on again, takes it over.
        ...(change.choosesAddress || resumes ? makerOf(context.caller) : {}),
        opens_contact: await opensContactAfter(context, before, change),
        updated_at: now,
      },
    })
    await recordWebhook(tx, context, 'webhook.changed', { before, after: row })
    if (resumes) await wakeQueues(tx, profileId, [id], now)
    return row
  })
}

type Change = { choosesAddress: boolean; extends: boolean }

/**
 * Contacts are sent only if everyone who decides where they go may read people: who created the subscription, and
 * who changes it. Only an owner or admin who states the address gives them back.
 */
async function opensContactAfter(
  context: ProfileContext,
  before: SubscriptionRow,
  change: Change,
): Promise<boolean> {
  // What an app's subscription may carry follows from the app's live grants, at each attempt.
  if (before.app_id !== null || !(change.choosesAddress || change.extends)) return before.opens_contact
  const mayRead = canReadPeople(context)
  return mayRead && (before.opens_contact || (change.choosesAddress && (await canDecide(context))))
}

const toAuditValues = ({ url, events, providers, status, opens_contact }: SubscriptionRow) => ({
  host: new URL(url).host,
  events,
  providers,
  status,
  opens_contact,
})

async function recordWebhook(
  tx: Tx,
  context: ProfileContext,
  action: string,
  { before, after }: { before: SubscriptionRow | null; after: SubscriptionRow | null },
): Promise<void> {
  await recordSetting(tx, context, {
    action,
    subject: (before ?? after)!.id,
    before: before && { ...toAuditValues(before), url_changed: false },
    after: after && { ...toAuditValues(after), url_changed: before !== null && before.url !== after.url },
  })
}

/** The sender cancels pending deliveries of a deleted subscription. */
export async function deleteWebhookSubscription(context: ProfileContext, id: string): Promise<void> {
  const { now } = context
  const owner = ownerOf(context)
  await inTransaction(context.db, async (tx) => {
    const before = await lockSubscription(tx, { ...owner, id })
    if (before === undefined) throw noSubscription()
    await recordWebhook(tx, context, 'webhook.deleted', { before, after: null })
    await updateSubscription(tx, {
      profileId: owner.profileId,
      id,
      fields: { deleted_at: now, updated_at: now, status: 'paused', previous_secret: null },
    })
    await wakeQueues(tx, owner.profileId, [id], now)
  })
}

/** The new secret signs immediately; the previous one also signs until the grace period ends. */
export async function rotateWebhookSecret(
  context: ProfileContext,
  id: string,
  graceDays: number,
): Promise<{ row: SubscriptionRow; secret: string }> {
  const { service, now } = context
  const owner = ownerOf(context)
  const secret = mintWebhookSecret()
  const row = await inTransaction(context.db, async (tx) => {
    const before = await lockSubscription(tx, { ...owner, id })
    if (before === undefined) throw noSubscription()
    const { previous_secret_expires_at: expiresAt } = before
    if (expiresAt !== null && expiresAt > now)
      throw new ApiError(
        'invalid_state',
        'The previous secret is still valid; rotate again when its grace period ends.',
        {
          reason: 'rotation_in_progress',
        },
      )
    await recordInProfile(tx, context, { action: 'webhook.secret_rotated', subject: id })
    const graceEnds = new Date(now.getTime() + graceDays * DAY_MS)
    return updateSubscription(tx, {
      profileId: owner.profileId,
      id,
      fields: {
        secret: sealSecret(service, owner.profileId, id, secret),
        previous_secret: graceDays === 0 ? null : before.secret,
        previous_secret_expires_at: graceDays === 0 ? null : graceEnds,
        updated_at: now,
      },
    })
  })
  return { row, secret }
}

export async function getActiveSubscription(context: ProfileContext, id: string): Promise<SubscriptionRow> {
  const row = await findSubscription(context.db, { ...ownerOf(context), id })
  if (row === undefined) throw noSubscription()
  if (row.status !== 'active')
    throw new ApiError('invalid_state', `The subscription is ${row.status}; make it active first.`, {
      reason: 'subscription_not_active',
    })
  return row
}
