/**
 * Handles a lead that the person deleted at the platform. A customer with no other events than leads of this platform is
 * erased. Otherwise only the lead's event, conversion and answers are deleted. If the event cannot be retracted because
 * it was exported or belongs to a conversation, the customer is erased after all.
 */
import type { JobContext } from '../../../context.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { listEventsOfIdentifiers, loadStoredEvents, ownerOf } from '../../facts/events/erase.ts'
import { outcomeEventIdOf } from '../../facts/events/integrations.ts'
import { findLiveCustomer, loadMembers } from '../../facts/identity/members.ts'
import { requestErasure } from '../erasures/operations.ts'
import { eraseRows } from '../person-data/rows.ts'
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
    // The lead's row remains, so that it is neither announced nor stored again.
    await eraseRows(tx, profileId, { lead: [leadId] })
    const [event] = await loadStoredEvents(tx, profileId, [eventId])
    if (event === undefined || event.body.erased_as !== undefined) return null
    const customerId = await findLiveCustomer(tx, { profileId, identifierId: ownerOf(event) })
    if (customerId === undefined) return null
    const members = [...(await loadMembers(tx, profileId, [customerId])).keys()]
    const events = await loadStoredEvents(
      tx,
      profileId,
      await listEventsOfIdentifiers(tx, profileId, members),
    )
    const hasOnlyLeads = events.every(({ provider: source, name }) => source === provider && name === LEAD)
    return { customerId, hasOnlyLeads }
  })
  const parts = { db, service, now }
  const erase = async (customerId: string) => {
    await requestErasure(parts, { profileId, workspaceId, selector: { customer_id: customerId } })
  }
  if (person?.hasOnlyLeads) return erase(person.customerId)
  try {
    await retractStored(parts, { id: profileId, workspaceId }, eventId, 'The person deleted the lead')
  } catch (error) {
    const code = error instanceof ApiError ? error.code : null
    // The lead was never recorded.
    if (code === 'event_not_found') return
    if (code !== 'event_already_exported' && code !== 'event_linked_to_conversation') throw error
    if (person !== null) await erase(person.customerId)
  }
}
