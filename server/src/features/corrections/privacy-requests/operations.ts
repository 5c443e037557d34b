/**
 * What platforms ask under privacy law, for a buyer or for a shop that left: carried out in every profile that the
 * account is or was connected to. Redaction goes through the erasure of customers (a withdrawn lead: `leads.ts`); a request for data is handed to the
 * workspace's owners, whose answer it is.
 */

import type { PrivacyRequest } from '../../../connectors/connector.ts'
import type { JobContext } from '../../../context.ts'
import { listOwnerAddresses } from '../../../platform/access/user-queries.ts'
import { recordChange } from '../../../platform/audit/record.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { mailEach } from '../../../platform/mail/mail-each.ts'
import { isCrm } from '../../facts/identity/crms.ts'
import { findLiveCustomer } from '../../facts/identity/members.ts'
import { loadIdentityScope } from '../../facts/identity/scope.ts'
import { requestErasure } from '../erasures/operations.ts'
import { identifierOf, type Selector } from '../erasures/rules.ts'
import { redactLead } from './leads.ts'
import { type Holder, listHolders, listPeople } from './queries.ts'

/** Each list reads all events of the profile: so many ids are a few hundred kilobytes, and twenty lists for 100,000 people. */
const PEOPLE_AT_ONCE = 5000

export async function carryOut(
  context: JobContext,
  provider: string,
  request: PrivacyRequest,
  peopleAtOnce = PEOPLE_AT_ONCE,
): Promise<void> {
  for (const holder of await listHolders(context.db, { provider, externalId: request.accountId })) {
    if (request.type === 'shop_redact') await eraseEverybody(context, holder, peopleAtOnce)
    else if (request.type === 'lead_redact') await redactLead(context, provider, holder, request.leadId ?? '')
    else if (request.type === 'customer_redact')
      for (const selector of selectorsOf(provider, request)) await erase(context, holder, selector)
    else await notifyOwners(context, holder, selectorsOf(provider, request), request.accountId)
  }
}

/** The ways in which the request names the person; they may lead to several customers who were never linked. */
function selectorsOf(provider: string, { person }: PrivacyRequest): Selector[] {
  const { contactId = null, email = null, phone = null } = person ?? {}
  const ownId = `${provider}:${contactId}`
  return [
    ...(contactId === null
      ? []
      : [isCrm(provider) ? { crm_contact_id: ownId } : { provider_customer_id: ownId }]),
    ...(email === null ? [] : [{ email }]),
    ...(phone === null ? [] : [{ phone }]),
  ]
}

/** Somebody who is not known, or was erased by another of their names, needs nothing more. */
async function erase(
  context: JobContext,
  { profileId, workspaceId }: Holder,
  selector: Selector,
): Promise<void> {
  const { db, service, now } = context
  try {
    await requestErasure({ db, service, now }, { profileId, workspaceId, selector })
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'customer_not_found') throw error
  }
}

/** A repetition after a crash passes over those who were erased before it. */
async function eraseEverybody(context: JobContext, holder: Holder, peopleAtOnce: number): Promise<void> {
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const people = await listPeople(context.db, { ...holder, after, limit: peopleAtOnce })
    for (const id of people) {
      context.signal.throwIfAborted()
      await erase(context, holder, { customer_id: id })
    }
    if (people.length < peopleAtOnce) return
    after = people.at(-1)!
  }
}

/** The mail names no one: who it is shows only to those who may open the customer. */
async function notifyOwners(
  context: JobContext,
  holder: Holder,
  selectors: readonly Selector[],
  shop: string,
): Promise<void> {
  const { db, service, now, jobId } = context
  const { profileId, workspaceId } = holder
  const customers = new Set<string>()
  const scope = await loadIdentityScope(db, service, profileId)
  for (const selector of selectors) {
    const identifierId = identifierOf(selector, scope)
    const customer =
      identifierId === undefined ? undefined : await findLiveCustomer(db, { profileId, identifierId })
    if (customer !== undefined) customers.add(customer)
  }
  const known = [...customers]
  await recordChange(
    db,
    { now },
    { workspaceId, profileId, action: 'customer.data_requested', subject: known[0] ?? null },
  )
  const base = `${service.config.BASE_URL}/api/v1/customers`
  const text = [
    `A customer of your store ${shop} asked for the data that is kept of them. You have 30 days to answer.`,
    known.length === 0
      ? 'Whence keeps nothing under the id, the address and the number that the store gave.'
      : `What Whence keeps of them, to be opened with a key or a session that may see people:\n${known
          .map((id) => `${base}/${id}?profile_id=${profileId}`)
          .join('\n')}`,
  ].join('\n\n')
  await mailEach(service, await listOwnerAddresses(db, { workspaceId }), {
    subject: 'A customer asks for their data',
    text,
    messageId: `${jobId}.${profileId}`,
  })
}
