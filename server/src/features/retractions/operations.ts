import type { ProfileContext } from '../../context.ts'
import { ApiError } from '../../contract/errors.ts'
import { inTransaction } from '../../db/database.ts'
import { lockProfile } from '../../db/profile-lock.ts'
import { recordRecompute } from '../attribution/record-recompute.ts'
import { loadAttributionProfile } from '../attribution/settings.ts'
import { recordChange } from '../audit/record.ts'
import { forgetMarks } from '../conversions/queries.ts'
import { forgetAgents } from '../events/agents.ts'
import { liftQuarantine } from '../events/quarantine.ts'
import { countDerived, deleteEvent, findExports, lockEventKey, markRetracted } from '../events/queries.ts'
import { rereadWaiting } from '../events/queue.ts'
import { eventIdOf } from '../events/rules.ts'
import { processEvents } from '../pipeline/process.ts'

/** One transaction: the event, what it made and its credit go, and the customer's other flags are recomputed. */
export async function retractEvent(
  context: ProfileContext,
  body: { idempotency_key: string; reason?: string | undefined },
) {
  const profileId = context.profile.id
  const eventId = eventIdOf(profileId, body.idempotency_key)
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
        'A conversion of this event was handed to an ad platform; it stays.',
      )
    if (blocked === 'conversation')
      throw new ApiError(
        'event_linked_to_conversation',
        'A conversation recorded this event as its lead; it stays.',
      )
    const counts = await countDerived(tx, { profileId, eventId })
    await forgetMarks(tx, profileId, eventId)
    await markRetracted(tx, { profileId, eventId, now: context.now })
    const profile = await loadAttributionProfile(tx, profileId)
    // What it made is found by its stored event, which goes last.
    await processEvents(tx, profile, [{ eventId, isUpdate: true, event: null }], context.now)
    await deleteEvent(tx, { profileId, eventId, occurredAt: key.occurred_at })
    await forgetAgents(tx, { profileId, eventIds: [eventId] })
    await rereadWaiting(tx, { profileId, eventIds: [eventId] })
    await liftQuarantine(tx, { profileId, eventIds: [eventId] })
    await recordRecompute(tx, {
      profileId,
      scope: 'retraction',
      conversions: counts.conversions,
      startedAt: context.now,
      finishedAt: context.service.clock.now(),
    })
    await recordChange(tx, context, {
      workspaceId: context.profile.workspaceId,
      profileId,
      action: 'event.retracted',
      subject: eventId,
      detail: { reason: body.reason ?? null, ...counts },
    })
    return { status: 'retracted' as const, events: 1, ...counts }
  })
}
