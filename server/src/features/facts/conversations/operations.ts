import type { z } from 'zod'
import type { ProfileContext } from '../../../context.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { readTimeCursor, toPage } from '../../../platform/contract/page.ts'
import { Refusal, toError } from '../../../platform/contract/refusal.ts'
import { showContacts } from '../identity/show-contacts.ts'
import type { Conversation, getConversation as getConversationEntry } from './contract.ts'
import * as queries from './queries.ts'

const MAX_MESSAGES = 200

export async function listConversations(
  context: ProfileContext,
  query: {
    channel?: string | undefined
    customer_id?: string | undefined
    cursor?: string | undefined
    limit: number
  },
) {
  const after = readTimeCursor(query.cursor)
  if (after instanceof Refusal) throw toError(after)
  const found = await queries.listConversations(context.db, {
    profileId: context.profile.id,
    channel: query.channel,
    customerId: query.customer_id,
    after,
    limit: query.limit + 1,
  })
  const { rows, pagination } = toPage(found, query.limit, (row) => [
    row.last_message_at!.toISOString(),
    row.id,
  ])
  return { data: await describe(context, rows), pagination }
}

export async function getConversation(
  context: ProfileContext,
  id: string,
): Promise<z.input<(typeof getConversationEntry)['reply']>> {
  const { db, profile } = context
  const row = await queries.findConversation(db, { profileId: profile.id, id })
  const [described] = row === undefined ? [] : await describe(context, [row])
  if (described === undefined) throw new ApiError('not_found', 'No such conversation.')
  const messages = await queries.listMessages(db, {
    profileId: profile.id,
    conversationId: id,
    limit: MAX_MESSAGES,
  })
  return {
    conversation: described,
    messages: messages.map((message) => ({
      ...message,
      occurred_at: message.occurred_at.toISOString(),
    })),
  }
}

async function describe(
  context: ProfileContext,
  rows: readonly queries.ConversationRow[],
): Promise<z.input<typeof Conversation>[]> {
  const contacts = await showContacts(context, [...new Set(rows.flatMap((row) => row.customer_id ?? []))])
  return rows.map(({ referral, ...row }) => ({
    ...row,
    contact: row.customer_id === null ? null : (contacts.get(row.customer_id) ?? null),
    started_at: row.started_at.toISOString(),
    last_message_at: row.last_message_at?.toISOString() ?? null,
    first_reply_at: row.first_reply_at?.toISOString() ?? null,
    referral: referral === null ? null : { source: referral.source, ad_id: referral.adId },
  }))
}
