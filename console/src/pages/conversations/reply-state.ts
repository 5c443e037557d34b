import type { DataOf, listConversations } from '@whence/sdk'

export type Shown = DataOf<typeof listConversations>[number]
type ReplyContext = Pick<Shown, 'account_status' | 'channel' | 'reply_window'>

/** How the user can reply to a conversation now. */
export type ReplyState = 'text' | 'human_agent' | 'template' | 'closed' | 'connect' | 'reconnect'

export function replyState({ account_status, channel, reply_window }: ReplyContext, now: Date): ReplyState {
  if (account_status === null) return 'connect'
  if (account_status === 'revoked' || account_status === 'reconnect_required') return 'reconnect'
  const isBefore = (instant: string | null | undefined) => instant != null && now < new Date(instant)
  if (isBefore(reply_window?.closes_at)) return 'text'
  if (channel === 'chatapp') return 'template'
  return isBefore(reply_window?.human_agent_closes_at) ? 'human_agent' : 'closed'
}

/** Minutes from the first message to the first reply; null if no reply was sent or reported. */
export function replyMinutes({ started_at, first_reply_at }: Pick<Shown, 'started_at' | 'first_reply_at'>) {
  if (first_reply_at === null) return null
  return Math.max(0, Math.round((Date.parse(first_reply_at) - Date.parse(started_at)) / 60_000))
}
