/**
 * Sends briefs. A due time becomes a delivery and its job in one transaction, so none is lost in a crash; a mail that goes
 * out twice has the same Message-ID.
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
import type { ReportContext } from '../../insights/reports/snapshot.ts'
import { brandOf } from '../client-reports/brand.ts'
import { requireMailing } from '../client-reports/operations.ts'
import { unsubscribeToken } from '../client-reports/unsubscribe-rules.ts'
import type { Language } from '../client-reports/words.ts'
import { senderOf } from '../sender-domain/operations.ts'
import { composeBrief } from './compose.ts'
import { DELIVERY_ATTEMPTS, deliverRef } from './job-names.ts'
import { type Message, toMail, toSlack, toTeams } from './messages.ts'
import * as queries from './queries.ts'
import { nextBriefAt, urlPlace } from './receivers.ts'
import { isTemporary, refusalOf } from './webhook-rules.ts'

const AT_ONCE = 200
const KEPT_MS = 90 * DAY_MS
const WEBHOOK_TIMEOUT_MS = 10_000

/** Queues the briefs that are due. What was missed while the service was down is sent once. */
export function startDueBriefs({ service, log, now }: JobContext): Promise<void> {
  return forAllProfiles({ service, log }, async (shard) => {
    for (const { profile_id, id } of await queries.listDueReceivers(shard, { now, limit: AT_ONCE })) {
      try {
        await startDueBrief(service, { profileId: profile_id, id }, now)
      } catch (error) {
        log.error('brief not queued', { profile_id, error })
      }
    }
  })
}

async function startDueBrief(service: Service, place: { profileId: string; id: string }, now: Date) {
  const profile = await findProfileRef(service.db, { profileId: place.profileId })
  await inTransaction(service.db, async (tx) => {
    const row = await queries.lockReceiver(tx, place)
    // Another worker was first, or somebody changed it meanwhile.
    if (row === undefined || row.next_run_at === null || row.next_run_at > now) return
    const due = row.next_run_at
    // An archived profile has no reference any more.
    const next = profile === undefined ? null : nextBriefAt(row, profile.timezone, now)
    await queries.updateReceiver(tx, { ...place, fields: { next_run_at: next } })
    if (profile === undefined) return
    await queries.deleteDeliveriesBefore(tx, {
      profileId: place.profileId,
      before: new Date(now.getTime() - KEPT_MS),
    })
    // The days are those of the due time, however late the job runs.
    const today = localDay(due, profile.timezone)
    const [id] = await queries.insertDeliveries(tx, [
      {
        profile_id: place.profileId,
        id: uuidv7(now),
        receiver_id: place.id,
        occasion: `brief ${due.toISOString()}`,
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
      { profile_id: place.profileId, delivery_id: id },
      { profileId: place.profileId },
    )
  })
}

type Verdict = { status: 'sent' | 'skipped' | 'failed'; reason: string | null; ends?: true }
const failed = (reason: string): Verdict => ({ status: 'failed', reason })
const skipped = (reason: string): Verdict => ({ status: 'skipped', reason })

/** The text of a delivery; null where there is nothing to say. */
type Compose = (
  context: ReportContext,
  delivery: queries.DeliveryRow,
  language: Language,
) => Promise<Message | null>

/** Also sends what other features compose for the receivers of briefs. */
export async function deliver(
  context: JobContext,
  place: { profileId: string; id: string },
  compose: Compose = composeBrief,
): Promise<void> {
  const { service, now } = context
  const delivery = await queries.findDelivery(service.db, place)
  if (delivery?.status !== 'queued') return
  const profile = await findProfileRef(service.db, { profileId: place.profileId })
  const target = { profileId: place.profileId, id: delivery.receiver_id }
  const receiver = await queries.findReceiver(service.db, target)
  const verdict =
    profile === undefined || receiver === undefined
      ? skipped('It was switched off meanwhile.')
      : await trySend(context, profile, receiver, delivery, compose)
  await inTransaction(service.db, async (tx) => {
    const sentAt = verdict.status === 'sent' ? now : null
    await queries.settleDelivery(tx, { ...place, status: verdict.status, reason: verdict.reason, sentAt })
    if (verdict.ends === true) await queries.deleteReceiver(tx, target)
    else if (verdict.status === 'sent')
      await queries.updateReceiver(tx, { ...target, fields: { last_sent_at: now, last_error: null } })
    else if (verdict.status === 'failed')
      await queries.updateReceiver(tx, { ...target, fields: { last_error: verdict.reason } })
  })
}

/** A refusal that no further try can change is a verdict; anything else is thrown until the last attempt. */
async function trySend(
  { service, now, attempt }: JobContext,
  profile: ProfileRef,
  receiver: queries.ReceiverRow,
  delivery: queries.DeliveryRow,
  compose: Compose,
): Promise<Verdict> {
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
  if (message === null) return skipped('There was no ad spend and no payment in these days.')
  try {
    if (receiver.kind === 'mail') return await mailTo(context, receiver, delivery, message)
    return await postTo(service, receiver, message, isLast)
  } catch (error) {
    if (error instanceof ApiError) return failed(error.message)
    const { responseCode } = error as { responseCode?: number }
    if (responseCode !== undefined && responseCode >= 500)
      return failed('The mail server refused the address.')
    if (!isLast) throw error
    service.log.error('brief not delivered', { profile_id: profile.id, error })
    return failed(
      receiver.kind === 'mail' ? 'The mail server did not accept it.' : 'The webhook was not reached.',
    )
  }
}

async function mailTo(
  { service, profile, now }: { service: Service; profile: ProfileRef; now: Date },
  receiver: queries.ReceiverRow,
  delivery: queries.DeliveryRow,
  message: Message,
): Promise<Verdict> {
  const userId = receiver.user_id!
  const [user, member] = await Promise.all([
    findUserById(service.db, { userId }),
    findMembership(service.db, { profile, userId }),
  ])
  // Whose access ended meanwhile gets no more mail, also after it is given again.
  if (user === undefined || member === undefined || !scopesOfMember(member).includes('campaigns:read'))
    return { ...skipped('The member can no longer open the profile.'), ends: true }
  if (user.email_verified_at === null) return skipped('The address of the member is not verified.')
  await inTransaction(service.db, (tx) => requireMailing(tx, { workspaceId: profile.workspaceId, now }, 1))
  const token = unsubscribeToken(service.identityPepper, { profileId: profile.id, mailId: delivery.id })
  const unsubscribeUrl = `${service.config.BASE_URL}/briefs/unsubscribe/${token}`
  const openUrl = `${service.config.BASE_URL}/p/${profile.id}/overview`
  const brand = await brandOf(service.db, profile.workspaceId)
  await service.mailer.send({
    ...toMail(message, receiver.language as Language, { unsubscribeUrl, openUrl }, brand),
    to: user.email,
    messageId: delivery.id,
    unsubscribeUrl,
    sender: await senderOf(service, profile.workspaceId),
  })
  return { status: 'sent', reason: null }
}

async function postTo(
  service: Service,
  receiver: queries.ReceiverRow,
  message: Message,
  isLast: boolean,
): Promise<Verdict> {
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
