/** Customer lists of the platform (custom audiences): made, filled and emptied by hashes. */
import { z } from 'zod'
import type { CustomerListBatch, CustomerListMember, CustomerListReply, Session } from '../connector.ts'
import { hashAll } from '../export-results.ts'
import { id } from '../reply-fields.ts'
import { callGraph } from './calls.ts'
import { normaliseEmail, normalisePhone } from './server-event.ts'

const Made = z.looseObject({ id })
const Changed = z.looseObject({ num_received: z.number(), num_invalid_entries: z.number().nullish() })

const schema = ['EXTERN_ID', 'EMAIL', 'PHONE']

export async function createCustomerList(
  session: Session,
  list: { name: string; description: string | null },
): Promise<{ id: string }> {
  const made = await callGraph(session.http, session.app, session.token.accessToken, {
    method: 'POST',
    path: `/${session.accountId}/customaudiences`,
    json: {
      name: list.name,
      subtype: 'CUSTOM',
      customer_file_source: 'USER_PROVIDED_ONLY',
      ...(list.description === null ? {} : { description: list.description }),
    },
    schema: Made,
  })
  return { id: made.id }
}

export const uploadCustomerList = (session: Session, listId: string, batch: CustomerListBatch) =>
  change(session, listId, batch, 'POST')

export const removeFromCustomerList = (session: Session, listId: string, batch: CustomerListBatch) =>
  change(session, listId, batch, 'DELETE')

/** One row per address or number; the member's id is the platform's to compare, not to be hashed. */
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
  const perMember = batch.members.map(toRows)
  const named = perMember.filter((rows) => rows.length > 0).length
  const unnamed = batch.members.length - named
  if (named === 0) return { requestId: null, providerStatus: 'success', received: 0, invalid: unnamed }
  const reply = await callGraph(session.http, session.app, session.token.accessToken, {
    method,
    path: `/${encodeURIComponent(listId)}/users`,
    json: {
      session: {
        session_id: batch.sessionId,
        batch_seq: batch.sequence,
        last_batch_flag: batch.isLast,
      },
      payload: { schema, data: perMember.flat() },
    },
    schema: Changed,
  })
  const invalid = Math.min(named, reply.num_invalid_entries ?? 0)
  return {
    requestId: null,
    providerStatus: 'success',
    received: named - invalid,
    invalid: unnamed + invalid,
  }
}
