import type { ProfileContext, RequestContext } from '../../../context.ts'
import { type Actor, recordChange } from '../../../platform/audit/record.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { lockProfile } from '../../../platform/db/profile-lock.ts'
import { recordRecompute } from '../../attribution/crediting/record-recompute.ts'
import { loadAttributionProfile } from '../../attribution/crediting/settings.ts'
import { processEvents } from '../../attribution/pipeline/process.ts'
import { deletePaymentMarks } from '../../facts/conversions/queries.ts'
import { liftQuarantine } from '../../facts/events/quarantine.ts'
import {
  countDerived,
  deleteEvent,
  findExports,
  lockEventKey,
  markRetracted,
} from '../../facts/events/queries.ts'
import { markForReread } from '../../facts/events/queue.ts'
import { eventIdOf } from '../../facts/events/rules.ts'
import { deleteUserAgents } from '../../facts/events/user-agents.ts'

export const retractEvent = (
  context: ProfileContext,
  body: { idempotency_key: string; reason?: string | undefined },
) => retractStored(context, context.profile, eventIdOf(context.profile.id, body.idempotency_key), body.reason)

/** Deletes the event, its derived rows and their credit, and recomputes the customer, in one transaction. */
export async function retractStored(
  context: Pick<RequestContext, 'db' | 'service' | 'now'> & Pick<Actor, 'caller' | 'requestId'>,
  { id: profileId, workspaceId }: { id: string; workspaceId: string },
  eventId: string,
  reason?: string,
) {
  return inTransaction(context.db, async (tx) => {
    await lockProfile(tx, profileId)
    const key = await lockEventKey(tx, { profileId, eventId })
    if (key === undefined)
      throw new ApiError('event_not_found', 'No event was sent with this idempotency_key.')
    if (key.retracted_at !== null)
      return { status: 'already_retracted' as const, events: 0, conversions: 0, credits: 0 }
    const blocked = await findExports(tx, { profileId, eventId })
    if (blocked === 'exported')
      throw new ApiError(
        'event_already_exported',
        'A conversion of this event was sent to an ad platform, so the event cannot be retracted.',
      )
    if (blocked === 'conversation')
      throw new ApiError(
        'event_linked_to_conversation',
        'This event is the lead of a conversation, so it cannot be retracted.',
      )
    const counts = await countDerived(tx, { profileId, eventId })
    await deletePaymentMarks(tx, profileId, eventId)
    await markRetracted(tx, { profileId, eventId, now: context.now })
    const profile = await loadAttributionProfile(tx, profileId)
    // The derived rows are found through the stored event, so the event is deleted last.
    const run = { now: context.now, identityPepper: context.service.identityPepper }
    await processEvents(tx, profile, [{ eventId, isUpdate: true, event: null }], run, {
      cause: 'retraction',
    })
    await deleteEvent(tx, { profileId, eventId, occurredAt: key.occurred_at })
    await deleteUserAgents(tx, { profileId, eventIds: [eventId] })
    await markForReread(tx, { profileId, eventIds: [eventId] })
    await liftQuarantine(tx, { profileId, eventIds: [eventId] })
    await recordRecompute(tx, {
      profileId,
      scope: 'retraction',
      conversions: counts.conversions,
      startedAt: context.now,
      finishedAt: context.service.clock.now(),
    })
    await recordChange(tx, context, {
      workspaceId,
      profileId,
      action: 'event.retracted',
      subject: eventId,
      detail: { reason: reason ?? null, ...counts },
    })
    return { status: 'retracted' as const, events: 1, ...counts }
  })
}
