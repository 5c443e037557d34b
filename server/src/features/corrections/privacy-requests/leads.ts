/**
 * A lead that the person withdrew at the platform. Someone who is known by such leads alone is erased. Of a customer who
 * is known in other ways only the lead goes: its event, its conversion and its answers; where that is impossible because
 * the lead was reported on, the person is erased all the same.
 */
import type { JobContext } from '../../../context.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { listTraced, loadStoredEvents, ownerOf } from '../../facts/events/erase.ts'
import { outcomeEventIdOf } from '../../facts/events/integrations.ts'
import { findLiveCustomer, loadMembers } from '../../facts/identity/members.ts'
import { forgetAnswers } from '../../sources/connections/record-queries.ts'
import { requestErasure } from '../erasures/operations.ts'
import { retractStored } from '../retractions/operations.ts'
import type { Holder } from './queries.ts'

const LEAD = 'lead_created'

export async function redactLead(
  context: JobContext,
  provider: string,
  { profileId, workspaceId }: Holder,
  leadId: string,
): Promise<void> {
  const { db, service, now } = context
  const lead = { externalId: leadId, outcomeType: LEAD, stageId: null }
  const eventId = outcomeEventIdOf(profileId, provider, lead)
  await service.processor.settled(profileId)
  const person = await inTransaction(db, async (tx) => {
    await forgetAnswers(tx, { profileId, leadgenIds: [leadId] })
    const [event] = await loadStoredEvents(tx, profileId, [eventId])
    if (event === undefined || event.body.erased_as !== undefined) return null
    const customerId = await findLiveCustomer(tx, { profileId, identifierId: ownerOf(event) })
    if (customerId === undefined) return null
    const members = [...(await loadMembers(tx, profileId, [customerId])).keys()]
    const events = await loadStoredEvents(tx, profileId, await listTraced(tx, profileId, members))
    const isLead = events.every((one) => one.provider === provider && one.name === LEAD)
    return { customerId, isKnownByLeadsOnly: isLead }
  })
  const parts = { db, service, now }
  const erase = async (customerId: string) => {
    await requestErasure(parts, { profileId, workspaceId, selector: { customer_id: customerId } })
  }
  if (person?.isKnownByLeadsOnly) return erase(person.customerId)
  try {
    await retractStored(parts, { id: profileId, workspaceId }, eventId, 'The person deleted the lead')
  } catch (error) {
    const code = error instanceof ApiError ? error.code : null
    // A lead that was never recorded needs nothing more.
    if (code === 'event_not_found') return
    if (code !== 'event_already_exported' && code !== 'event_linked_to_conversation') throw error
    if (person !== null) await erase(person.customerId)
  }
}
