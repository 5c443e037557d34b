/** Webhook subscriptions and their signing secrets. */

import { authorizationOf, canReadPeople, type ProfileContext, type Service } from '../../../context.ts'
import { requireBelowLimit } from '../../../platform/access/tenant-limits.ts'
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
  body: { url: string; events: string[]; providers: string[] },
): Promise<{ row: SubscriptionRow; secret: string }> {
  const { service, now } = context
  const { profileId, appId } = ownerOf(context)
  const url = checkUrl(context, body.url)
  const id = uuidv7(now)
  const secret = mintWebhookSecret()
  return inTransaction(context.db, async (tx) => {
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
      status: 'active',
      secret: sealSecret(service, profileId, id, secret),
      opens_contact: appId === null && canReadPeople(context),
      after_number: await getFirstNumber(tx, profileId),
      created_at: now,
      updated_at: now,
    })
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
    status?: 'active' | 'paused' | undefined
  },
): Promise<SubscriptionRow> {
  const { now } = context
  const owner = ownerOf(context)
  const { profileId } = owner
  const url = body.url === undefined ? undefined : checkUrl(context, body.url)
  return inTransaction(context.db, async (tx) => {
    const before = await lockSubscription(tx, { ...owner, id })
    if (before === undefined) throw noSubscription()
    const status = body.status ?? before.status
    const resumes = status === 'active' && before.status !== 'active'
    const row = await updateSubscription(tx, {
      profileId,
      id,
      fields: {
        url: url ?? before.url,
        events: body.events ?? before.events,
        providers: body.providers ?? before.providers,
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
        updated_at: now,
      },
    })
    if (resumes) await wakeQueues(tx, profileId, [id], now)
    return row
  })
}

/** The sender cancels pending deliveries of a deleted subscription. */
export async function deleteWebhookSubscription(context: ProfileContext, id: string): Promise<void> {
  const { now } = context
  const owner = ownerOf(context)
  await inTransaction(context.db, async (tx) => {
    if ((await lockSubscription(tx, { ...owner, id })) === undefined) throw noSubscription()
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
