import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Instant } from '../../../platform/contract/fields.ts'

const tag = 'notifications'

export const Notification = z.object({
  id: z.string().describe('Id of the notification'),
  kind: z
    .enum([
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
    ])
    .describe('What the notification is about'),
  at: Instant.describe('When it happened'),
  subject: z
    .string()
    .nullable()
    .describe(
      'The provider, the subject of the recommendation, or the name of the alert; null if there is none',
    ),
  subject_id: z.string().nullable().describe('Id of what the notification is about; null if there is none'),
  detail: z
    .string()
    .nullable()
    .describe('The reason, or the number of failed exports, conversions or problems; null if there is none'),
  is_unread: z.boolean().describe('Whether it is unread'),
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
  extra: { unread_count: z.int().describe('Number of unread notifications') },
})

export const readNotifications = endpoint({
  name: 'readNotifications',
  method: 'POST',
  path: '/notifications/read',
  summary: 'Mark notifications up to a time as read',
  description: 'For the caller only. A time before the current read marker has no effect.',
  tag,
  access: { kind: 'profile', scopes: ['analytics:read'], writes: 'own' },
  entitlement: 'notes',
  body: z.strictObject({
    through: z.iso.datetime().describe('Everything up to this time is marked as read'),
  }),
  reply: z.object({ read_through: Instant.describe('Everything up to this time is marked as read') }),
})
