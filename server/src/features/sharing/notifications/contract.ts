import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Instant } from '../../../platform/contract/fields.ts'

const tag = 'notifications'

export const Notification = z.object({
  id: z.string(),
  kind: z.enum([
    'connection_broken',
    'connection_revoked',
    'connection_connected',
    'first_sync_done',
    'export_failed',
    'recompute_done',
    'recommendation_opened',
    'data_problem',
    'alert_fired',
    'alert_recovered',
  ]),
  at: Instant,
  subject: z
    .string()
    .nullable()
    .describe('The provider, the subject of the recommendation, or the name of the alert'),
  subject_id: z.string().nullable(),
  detail: z
    .string()
    .nullable()
    .describe('The reason, or the number of failed exports, conversions or problems'),
  is_unread: z.boolean(),
})
export type Notification = z.input<typeof Notification>

export const listNotifications = endpoint({
  name: 'listNotifications',
  method: 'GET',
  path: '/notifications',
  summary: 'Notifications of a profile',
  description: 'The last 30 days, newest first, at most 50. The read state is per caller.',
  tag,
  access: { kind: 'profile', scopes: ['analytics:read'] },
  reply: z.array(Notification),
  extra: { unread_count: z.int() },
})

export const readNotifications = endpoint({
  name: 'readNotifications',
  method: 'POST',
  path: '/notifications/read',
  summary: 'Mark notifications up to a time as read',
  description: 'For the caller only. A time before the current read marker has no effect.',
  tag,
  access: { kind: 'profile', scopes: ['analytics:read'], writes: 'own' },
  entitlement: 'none',
  body: z.strictObject({ through: z.iso.datetime() }),
  reply: z.object({ read_through: Instant }),
})
