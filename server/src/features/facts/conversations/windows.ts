/**
 * Messaging windows: when the business may write to a person. Pure. Page messenger and photo app: 24 hours after the
 * person's last message, 7 days for replies of a human agent; chat app: 24 hours, templates at any time. Sources, read
 * on 2026-11-17: Messenger
 * Platform "Send a Message" (updated 2026-05-05), WhatsApp Business Platform error 131047 (updated 2026-05-15).
 */
import type { MessagingChannel } from '../../../connectors/messaging.ts'
import { DAY_MS } from '../../../platform/contract/dates.ts'

export type ReplyWindow = { closesAt: Date; humanAgentClosesAt: Date | null }

/** Null if the person never wrote: then no window is open. */
export function replyWindow(channel: MessagingChannel, lastInboundAt: Date | null): ReplyWindow | null {
  if (lastInboundAt === null) return null
  const after = (days: number) => new Date(lastInboundAt.getTime() + days * DAY_MS)
  return { closesAt: after(1), humanAgentClosesAt: channel === 'chatapp' ? null : after(7) }
}

export type WindowRefusal = 'messaging_window_closed' | 'chatapp_service_window_expired'

/** Why a message may not be sent now; null if it may. */
export function windowRefusal(
  channel: MessagingChannel,
  lastInboundAt: Date | null,
  message: { isTemplate: boolean; humanAgent: boolean },
  now: Date,
): WindowRefusal | null {
  if (channel === 'chatapp' && message.isTemplate) return null
  const window = replyWindow(channel, lastInboundAt)
  const closesAt = (message.humanAgent ? window?.humanAgentClosesAt : null) ?? window?.closesAt
  if (closesAt !== undefined && now < closesAt) return null
  return channel === 'chatapp' ? 'chatapp_service_window_expired' : 'messaging_window_closed'
}
