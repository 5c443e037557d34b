import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Instant } from '../../../platform/contract/fields.ts'

const tag = 'saved-views'
const params = z.object({ id: z.uuid() })
const name = z.string().trim().min(1).max(60)
const Page = z.enum(['campaigns'])

const values = z
  .record(z.string().max(40), z.union([z.string().max(2000), z.boolean()]))
  .refine((all) => Object.keys(all).length <= 30, 'has more than 30 members')

export const SavedView = z.object({
  id: z.uuid(),
  page: Page,
  name: z.string(),
  values: z
    .record(z.string(), z.union([z.string(), z.boolean()]))
    .describe('What the page’s address carries'),
  shared: z.boolean().describe('True if everyone with access to the profile sees it'),
  own: z.boolean().describe('Whether the caller saved it'),
  removable: z.boolean().describe('Whether the caller may remove it'),
  updated_at: Instant,
})
export type SavedView = z.output<typeof SavedView>

export const listSavedViews = endpoint({
  name: 'listSavedViews',
  method: 'GET',
  path: '/saved-views',
  summary: 'Views of a report that a person saved, and those shared with them',
  description: 'By name: the caller’s own and those that others shared.',
  tag,
  access: { kind: 'profile', scopes: ['analytics:read'] },
  query: z.object({ page: Page.default('campaigns') }),
  reply: z.array(SavedView),
})

export const saveView = endpoint({
  name: 'saveView',
  method: 'POST',
  path: '/saved-views',
  summary: 'Save a view under a name',
  description:
    'A view of the same person, page and name is replaced. At most 100 per person and profile. Sharing takes a role or key with `tracking:write`; at most 200 views of a profile are shared.',
  tag,
  access: { kind: 'profile', scopes: ['analytics:read'], writes: 'own' },
  entitlement: 'none',
  body: z.strictObject({ page: Page.default('campaigns'), name, values, shared: z.boolean().default(false) }),
  reply: SavedView,
  statuses: [201],
  errors: ['invalid_state'],
})

export const deleteView = endpoint({
  name: 'deleteView',
  method: 'DELETE',
  path: '/saved-views/{id}',
  summary: 'Remove a view',
  description:
    'One that you saved; an owner or admin of the workspace also removes views that others shared.',
  tag,
  access: { kind: 'profile', scopes: ['analytics:read'], writes: 'own' },
  entitlement: 'none',
  params,
  reply: z.null(),
  statuses: [204],
  errors: ['not_found'],
})
