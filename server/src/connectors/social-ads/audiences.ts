/** Customer lists of the platform (custom audiences): creating them, adding and removing members by hash. */
import { z } from 'zod'
import type { CustomerListBatch, CustomerListMember, CustomerListReply, Session } from '../connector.ts'
import { hashAll } from '../export-results.ts'
import { id } from '../reply-fields.ts'
import { callGraph } from './calls.ts'
import { normaliseEmail, normalisePhone } from './server-event.ts'

const CreatedList = z.looseObject({ id })
const ListChange = z.looseObject({ num_received: z.number(), num_invalid_entries: z.number().nullish() })

const schema = ['EXTERN_ID', 'EMAIL', 'PHONE']

export async function createCustomerList(
  session: Session,
  list: { name: string; description: string | null },
): Promise<{ id: string }> {
  const created = await callGraph(session.http, session.app, session.token.accessToken, {
    method: 'POST',
    path: `/${session.accountId}/customaudiences`,
    json: {
      name: list.name,
      subtype: 'CUSTOM',
      customer_file_source: 'USER_PROVIDED_ONLY',
      ...(list.description === null ? {} : { description: list.description }),
    },
    schema: CreatedList,
  })
  return { id: created.id }
}

export const uploadCustomerList = (session: Session, listId: string, batch: CustomerListBatch) =>
  change(session, listId, batch, 'POST')

export const removeFromCustomerList = (session: Session, listId: string, batch: CustomerListBatch) =>
  change(session, listId, batch, 'DELETE')

/** One row per email address or phone number. The external id is sent unhashed. */
function toRows(member: CustomerListMember): string[][] {
  const emails = hashAll(member.emails, normaliseEmail)
  const phones = hashAll(member.phones, normalisePhone)
  const external = member.externalIds.map((value) => value.trim()).filter((value) => value !== '')
  const count = Math.max(emails.length, phones.length, external.length)
  return Array.from({ length: count }, (_, index) => [
    external[index] ?? external[0] ?? '',
    emails[index] ?? '',
    phones[index] ?? '',
  ])
}

async function change(
  session: Session,
  listId: string,
  batch: CustomerListBatch,
  method: 'POST' | 'DELETE',
): Promise<CustomerListReply> {
  const rowsPerMember = batch.members.map(toRows)
  const matchable = rowsPerMember.filter((rows) => rows.length > 0).length
  const unmatchable = batch.members.length - matchable
  if (matchable === 0)
    return { requestId: null, providerStatus: 'success', received: 0, invalid: unmatchable }
  const reply = await callGraph(session.http, session.app, session.token.accessToken, {
    method,
    path: `/${encodeURIComponent(listId)}/users`,
    json: {
      session: {
        session_id: batch.sessionId,
        batch_seq: batch.sequence,
        last_batch_flag: batch.isLast,
      },
      payload: { schema, data: rowsPerMember.flat() },
    },
    schema: ListChange,
  })
  const invalid = Math.min(matchable, reply.num_invalid_entries ?? 0)
  return {
    requestId: null,
    providerStatus: 'success',
    received: matchable - invalid,
    invalid: unmatchable + invalid,
  }
}
