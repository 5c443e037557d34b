/**
 * Privacy requests of platforms, about a buyer or about a shop that uninstalled the app. They apply to every profile that
 * the account is or was connected to. Redaction requests erase customers (deleted leads: `leads.ts`). Data requests are
 * mailed to the workspace's owners, who must answer them.
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
import { recordPlatformRequest } from '../customer-data-exports/operations.ts'
import { requestErasure } from '../erasures/operations.ts'
import { identifierOf, type Selector } from '../erasures/rules.ts'
import { redactLead } from './leads.ts'
import { type Holder, listHolders, listPeople } from './queries.ts'

/** Each page scans all events of the profile: 100,000 people take 20 scans, and a page is a few hundred kilobytes. */
const PEOPLE_PER_PAGE = 5000

export async function runPrivacyRequest(
  context: JobContext,
  provider: string,
  request: PrivacyRequest,
  pageSize = PEOPLE_PER_PAGE,
): Promise<void> {
  for (const holder of await listHolders(context.db, { provider, externalId: request.accountId })) {
    if (request.type === 'shop_redact') await eraseAllPeople(context, holder, pageSize)
    else if (request.type === 'lead_redact') await redactLead(context, provider, holder, request.leadId ?? '')
    else if (request.type === 'customer_redact')
      for (const selector of selectorsOf(provider, request)) await erase(context, holder, selector)
    else await notifyOwners(context, holder, selectorsOf(provider, request), request.accountId)
  }
}

/** All identifiers of the request; they may belong to several customers that were never linked. */
function selectorsOf(provider: string, { person }: PrivacyRequest): Selector[] {
  const { contactId = null, email = null, phone = null } = person ?? {}
  const providerContactId = `${provider}:${contactId}`
  return [
    ...(contactId === null
      ? []
      : [
          isCrm(provider)
            ? { crm_contact_id: providerContactId }
            : { provider_customer_id: providerContactId },
        ]),
    ...(email === null ? [] : [{ email }]),
    ...(phone === null ? [] : [{ phone }]),
  ]
}

/** Does nothing if no customer matches, for example because another selector already erased them. */
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

/** A retry after a crash skips people who are already erased. */
async function eraseAllPeople(context: JobContext, holder: Holder, pageSize: number): Promise<void> {
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const people = await listPeople(context.db, { ...holder, after, limit: pageSize })
    for (const id of people) {
      context.signal.throwIfAborted()
      await erase(context, holder, { customer_id: id })
    }
    if (people.length < pageSize) return
    after = people.at(-1)!
  }
}

/** The mail contains no personal data: it links to the customers, which only permitted people can open. */
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
  const customerIds = [...customers]
  for (const customerId of customerIds)
    await recordPlatformRequest({ db, service, now }, { profileId, customerId })
  await recordChange(
    db,
    { now },
    { workspaceId, profileId, action: 'customer.data_requested', subject: customerIds[0] ?? null },
  )
  const link = `${service.config.BASE_URL}/p/${profileId}/settings?tab=privacy`
  const text = [
    `A customer of your store ${shop} requested a copy of their personal data. You have 30 days to answer.`,
    customerIds.length === 0
      ? 'Whence has no data for the customer id, email and phone number that the store sent.'
      : `Whence has data about them. State how you identified the person, then download the file:\n${link}`,
  ].join('\n\n')
  await mailEach(service, await listOwnerAddresses(db, { workspaceId }), {
    subject: 'A customer requested their personal data',
    text,
    messageId: `${jobId}.${profileId}`,
  })
}
