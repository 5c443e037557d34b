/**
 * Sends briefs. The delivery and its job are inserted in one transaction, so a crash loses none; if a mail is sent twice,
 * both have the same Message-ID.
 */
import type { JobContext, ProfileRef, Service } from '../../../context.ts'
import { findMembership, findProfileRef } from '../../../platform/access/queries.ts'
import { findUserById } from '../../../platform/access/user-queries.ts'
import { scopesOfMember } from '../../../platform/contract/access.ts'
import { addDays, DAY_MS } from '../../../platform/contract/dates.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { localDay } from '../../../platform/contract/zones.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { forAllProfiles } from '../../../platform/jobs/all-profiles.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import { OutboundError } from '../../../platform/outbound/outbound.ts'
import { openText } from '../../../platform/secrets/seal.ts'
import { loadMailSender } from '../../account/sender-domain/operations.ts'
import type { ReportContext } from '../../figures/snapshot/snapshot.ts'
import { loadBrand } from '../client-reports/brand.ts'
import { requireMailing } from '../client-reports/operations.ts'
import { unsubscribeToken } from '../client-reports/unsubscribe-rules.ts'
import type { Language } from '../client-reports/words.ts'
import { composeBrief } from './compose.ts'
import { DELIVERY_ATTEMPTS, deliverRef } from './job-names.ts'
import { type Message, toMail, toSlack, toTeams } from './messages.ts'
import * as queries from './queries.ts'
import { nextBriefAt, urlPlace } from './receivers.ts'
import { isTemporary, refusalOf } from './webhook-rules.ts'

const BATCH_SIZE = 200
const KEPT_MS = 90 * DAY_MS
const WEBHOOK_TIMEOUT_MS = 10_000

/** Queues due briefs. Due times missed while the service was down produce one brief. */
export function startDueBriefs({ service, log, now }: JobContext): Promise<void> {
  return forAllProfiles({ service, log }, async (shard) => {
    for (const { profile_id, id } of await queries.listDueReceivers(shard, { now, limit: BATCH_SIZE })) {
      try {
        await startDueBrief(service, { profileId: profile_id, id }, now)
      } catch (error) {
        log.error('brief not queued; retried in the next run', { profile_id, error })
      }
    }
  })
}

async function startDueBrief(service: Service, key: { profileId: string; id: string }, now: Date) {
  const profile = await findProfileRef(service.db, { profileId: key.profileId })
  await inTransaction(service.db, async (tx) => {
    const row = await queries.lockReceiver(tx, key)
    // Another worker was faster, or the settings changed.
    if (row === undefined || row.next_run_at === null || row.next_run_at > now) return
    const dueAt = row.next_run_at
    // `findProfileRef` returns no archived profiles.
    const next = profile === undefined ? null : nextBriefAt(row, profile.timezone, now)
    await queries.updateReceiver(tx, { ...key, fields: { next_run_at: next } })
    if (profile === undefined) return
    await queries.deleteDeliveriesBefore(tx, {
      profileId: key.profileId,
      before: new Date(now.getTime() - KEPT_MS),
    })
    // The days depend on the due time, however late the job runs.
    const today = localDay(dueAt, profile.timezone)
    const [id] = await queries.insertDeliveries(tx, [
      {
        profile_id: key.profileId,
        id: uuidv7(now),
        receiver_id: key.id,
        occasion: `brief ${dueAt.toISOString()}`,
        date_from: addDays(today, row.cadence === 'daily' ? -1 : -7),
        date_to: addDays(today, -1),
        status: 'queued',
        created_at: now,
      },
    ])
    if (id === undefined) return
    await enqueue(
      tx,
      deliverRef,
      { profile_id: key.profileId, delivery_id: id },
      { profileId: key.profileId },
    )
  })
}

type DeliveryResult = { status: 'sent' | 'skipped' | 'failed'; reason: string | null; removeReceiver?: true }
const failed = (reason: string): DeliveryResult => ({ status: 'failed', reason })
const skipped = (reason: string): DeliveryResult => ({ status: 'skipped', reason })

/** Composes the text of a delivery; null if there is nothing to report. */
type Compose = (
  context: ReportContext,
  delivery: queries.DeliveryRow,
  language: Language,
) => Promise<Message | null>

/** Other features pass their own `compose` to send messages to brief receivers. */
export async function deliver(
  context: JobContext,
  key: { profileId: string; id: string },
  compose: Compose = composeBrief,
): Promise<void> {
  const { service, now } = context
  const delivery = await queries.findDelivery(service.db, key)
  if (delivery?.status !== 'queued') return
  const profile = await findProfileRef(service.db, { profileId: key.profileId })
  const target = { profileId: key.profileId, id: delivery.receiver_id }
  const receiver = await queries.findReceiver(service.db, target)
  const result =
    profile === undefined || receiver === undefined
      ? skipped('The brief was switched off before it was sent.')
      : await trySend(context, profile, receiver, delivery, compose)
  await inTransaction(service.db, async (tx) => {
    const sentAt = result.status === 'sent' ? now : null
    await queries.saveDeliveryResult(tx, { ...key, status: result.status, reason: result.reason, sentAt })
    if (result.removeReceiver === true) await queries.deleteReceiver(tx, target)
    else if (result.status === 'sent')
      await queries.updateReceiver(tx, { ...target, fields: { last_sent_at: now, last_error: null } })
    else if (result.status === 'failed')
      await queries.updateReceiver(tx, { ...target, fields: { last_error: result.reason } })
  })
}

/** Returns permanent failures as a result. Other errors are thrown for a retry until the last attempt. */
async function trySend(
  { service, now, attempt }: JobContext,
  profile: ProfileRef,
  receiver: queries.ReceiverRow,
  delivery: queries.DeliveryRow,
  compose: Compose,
): Promise<DeliveryResult> {
  const isLast = attempt >= DELIVERY_ATTEMPTS
  const context = { service, profile, now }
  let message: Message | null
  try {
    message = await compose(context, delivery, receiver.language as Language)
  } catch (error) {
    if (!isLast) throw error
    service.log.error('brief not composed', { profile_id: profile.id, error })
    return failed('The brief could not be composed.')
  }
  if (message === null) return skipped('There was no ad spend and no payment on these days.')
  try {
    if (receiver.kind === 'mail') return await mailTo(context, receiver, delivery, message)
    return await postTo(service, receiver, message, isLast)
  } catch (error) {
    if (error instanceof ApiError) return failed(error.message)
    const { responseCode } = error as { responseCode?: number }
    if (responseCode !== undefined && responseCode >= 500)
      return failed('The mail server rejected the address.')
    if (!isLast) throw error
    service.log.error('brief not delivered', { profile_id: profile.id, error })
    return failed(
      receiver.kind === 'mail'
        ? 'The mail server did not accept the mail.'
        : 'The webhook could not be reached.',
    )
  }
}

async function mailTo(
  { service, profile, now }: { service: Service; profile: ProfileRef; now: Date },
  receiver: queries.ReceiverRow,
  delivery: queries.DeliveryRow,
  message: Message,
): Promise<DeliveryResult> {
  const userId = receiver.user_id!
  const [user, member] = await Promise.all([
    findUserById(service.db, { userId }),
    findMembership(service.db, { profile, userId }),
  ])
  // A member who lost access is unsubscribed for good: regaining access does not restart the mails.
  if (user === undefined || member === undefined || !scopesOfMember(member).includes('campaigns:read'))
    return { ...skipped('The member can no longer open the profile.'), removeReceiver: true }
  if (user.email_verified_at === null) return skipped('The address of the member is not verified.')
  await inTransaction(service.db, (tx) => requireMailing(tx, { workspaceId: profile.workspaceId, now }, 1))
  const token = unsubscribeToken(service.identityPepper, { profileId: profile.id, mailId: delivery.id })
  const unsubscribeUrl = `${service.config.BASE_URL}/briefs/unsubscribe/${token}`
  const openUrl = `${service.config.BASE_URL}/p/${profile.id}/overview`
  const brand = await loadBrand(service.db, profile.workspaceId)
  await service.mailer.send({
    ...toMail(message, receiver.language as Language, { unsubscribeUrl, openUrl }, brand),
    to: user.email,
    messageId: delivery.id,
    unsubscribeUrl,
    sender: await loadMailSender(service, profile.workspaceId),
  })
  return { status: 'sent', reason: null }
}

async function postTo(
  service: Service,
  receiver: queries.ReceiverRow,
  message: Message,
  isLast: boolean,
): Promise<DeliveryResult> {
  const url = openText(service.keyring, urlPlace(receiver.profile_id, receiver.id), receiver.url!)
  try {
    const { status } = await service.publicHttp.send({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json' },
      body: receiver.kind === 'slack' ? toSlack(message) : toTeams(message),
      timeoutMs: WEBHOOK_TIMEOUT_MS,
      maxBytes: 4096,
    })
    const refusal = refusalOf(status)
    if (refusal === null) return { status: 'sent', reason: null }
    if (!isTemporary(status) || isLast) return failed(refusal)
    throw new Error(refusal)
  } catch (error) {
    if (error instanceof OutboundError && error.kind === 'blocked') return failed(`${error.message}.`)
    throw error
  }
}
