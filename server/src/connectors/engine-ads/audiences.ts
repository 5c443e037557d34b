/** Customer lists of the platform, created and changed through the Data Manager API. */
import { z } from 'zod'
import type { CustomerListBatch, CustomerListReply, Session } from '../connector.ts'
import { id, text } from '../reply-fields.ts'
import { callDataManager, indexOf } from './data-manager.ts'
import { loginAccountOf, toAudienceMember, toDestination, toUpload } from './ingest-event.ts'

const UserList = z.looseObject({ id: id.nullish(), name: text })
const Ingested = z.looseObject({ requestId: text })

/** The longest membership that the platform allows. */
const membershipDuration = `${540 * 86_400}s`

const accountName = (accountId: string) => `accountTypes/GOOGLE_ADS/accounts/${encodeURIComponent(accountId)}`

export async function createCustomerList(
  session: Session,
  list: { name: string; description: string | null },
): Promise<{ id: string }> {
  const login = loginAccountOf(session)
  const answer = await callDataManager(session, {
    path: `/${accountName(session.accountId)}/userLists`,
    ...(login === undefined ? {} : { headers: { 'login-account': accountName(login) } }),
    json: {
      displayName: list.name,
      ...(list.description === null ? {} : { description: list.description }),
      membershipDuration,
      ingestedUserListInfo: {
        uploadKeyTypes: ['CONTACT_ID'],
        contactIdInfo: { dataSourceType: 'DATA_SOURCE_TYPE_FIRST_PARTY' },
      },
    },
    schema: UserList.transform((list) => ({ id: list.id ?? list.name?.split('/').at(-1) ?? '' })).refine(
      (list) => list.id !== '',
    ),
  })
  if ('error' in answer) throw answer.error
  return answer.reply
}

export const uploadCustomerList = (session: Session, listId: string, batch: CustomerListBatch) =>
  change(session, listId, batch, 'ingest')

export const removeFromCustomerList = (session: Session, listId: string, batch: CustomerListBatch) =>
  change(session, listId, batch, 'remove')

const maxRounds = 20

/** Members that the platform reports as invalid are dropped and the others are sent again. */
async function change(
  session: Session,
  listId: string,
  batch: CustomerListBatch,
  verb: 'ingest' | 'remove',
): Promise<CustomerListReply> {
  let members = batch.members.map(toAudienceMember).filter((member) => member !== null)
  const toReply = (requestId: string | null): CustomerListReply => ({
    requestId,
    providerStatus: requestId === null ? 'success' : 'processing',
    received: members.length,
    invalid: batch.members.length - members.length,
  })
  for (let round = 0; members.length > 0; round++) {
    const { consent, termsOfService, ...upload } = toUpload(toDestination(session, listId), members, batch)
    const answer = await callDataManager(session, {
      path: `/audienceMembers:${verb}`,
      json:
        verb === 'remove'
          ? upload
          : { ...upload, ...(consent ? { consent } : {}), ...(termsOfService ? { termsOfService } : {}) },
      schema: Ingested,
    })
    if ('reply' in answer) return toReply(answer.reply.requestId)
    const bad = new Set(answer.violations.map((violation) => indexOf(violation, 'audience_members')))
    bad.delete(null)
    if (answer.error.reason !== 'rejected' || bad.size === 0 || round >= maxRounds) throw answer.error
    members = members.filter((_, index) => !bad.has(index))
  }
  return toReply(null)
}
