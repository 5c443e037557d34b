import type { z } from 'zod'
import type { ProfileContext } from '../../../context.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { readTimeCursor, toPage } from '../../../platform/contract/page.ts'
import { Refusal, toError } from '../../../platform/contract/refusal.ts'
import { showContacts } from '../identity/show-contacts.ts'
import type { Conversation, getConversation as getConversationEntry } from './contract.ts'
import * as queries from './queries.ts'
import { listReplies } from './reply-queries.ts'
import { replyWindow } from './windows.ts'

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
  const conversations = await queries.listConversations(context.db, {
    profileId: context.profile.id,
    channel: query.channel,
    customerId: query.customer_id,
    after,
    limit: query.limit + 1,
  })
  const { rows, pagination } = toPage(conversations, query.limit, (row) => [
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
  const params = { profileId: profile.id, conversationId: id, limit: MAX_MESSAGES }
  const [received, replies] = [await queries.listMessages(db, params), await listReplies(db, params)]
  const messages = [
    ...received.map(({ occurred_at, ...message }) => ({
      ...message,
      at: occurred_at,
      direction: 'in' as const,
      template: null,
      status: null,
    })),
    ...replies.map(({ created_at, template_name, ...reply }) => ({
      ...reply,
      at: created_at,
      direction: 'out' as const,
      template: template_name,
      ad_id: null,
    })),
  ].toSorted((a, b) => b.at.getTime() - a.at.getTime())
  return {
    conversation: described,
    messages: messages.map(({ at, ...message }) => ({ ...message, occurred_at: at })),
  }
}

async function describe(
  context: ProfileContext,
  rows: readonly queries.ConversationRow[],
): Promise<z.input<typeof Conversation>[]> {
  const contacts = await showContacts(context, [...new Set(rows.flatMap((row) => row.customer_id ?? []))])
  return rows.map(({ referral, account_status, ad_name, ...row }) => ({
    ...row,
    account_status,
    reply_window: windowOf(row, context.now),
    contact: row.customer_id === null ? null : (contacts.get(row.customer_id) ?? null),
    referral: referral === null ? null : { source: referral.source, ad_id: referral.adId, ad_name },
  }))
}

function windowOf(
  row: Pick<queries.ConversationRow, 'channel' | 'last_message_at'>,
  now: Date,
): z.input<typeof Conversation>['reply_window'] {
  const window = replyWindow(row.channel, row.last_message_at)
  return (
    window && {
      open: now < window.closesAt,
      closes_at: window.closesAt,
      human_agent_closes_at: window.humanAgentClosesAt,
    }
  )
}
