import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { UpdatedAt } from '../../../platform/contract/fields.ts'

const tag = 'saved-views'
const params = z.object({ id: z.uuid().describe('Id of the saved view') })
const name = z.string().trim().min(1).max(60)
const Page = z.enum(['campaigns']).describe('Page of the console')

const values = z
  .record(z.string().max(40), z.union([z.string().max(2000), z.boolean()]))
  .refine((all) => Object.keys(all).length <= 30, 'has more than 30 members')

export const SavedView = z.object({
  id: z.uuid().describe('Id of the saved view'),
  page: Page,
  name: z.string().describe('Name of the saved view'),
  values: z.record(z.string(), z.union([z.string(), z.boolean()])).describe('Query parameters of the page'),
  shared: z.boolean().describe('True if visible to everyone with access to the profile'),
  own: z.boolean().describe('True if the caller saved it'),
  removable: z.boolean().describe('True if the caller may delete it'),
  updated_at: UpdatedAt,
})
export type SavedView = z.output<typeof SavedView>

export const listSavedViews = endpoint({
  name: 'listSavedViews',
  method: 'GET',
  path: '/saved-views',
  summary: 'List saved views of a report',
  description: 'The caller’s own views and views shared by others, by name.',
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
    'Replaces a view of the same person, page and name. At most 100 per person and profile. Sharing needs a role or key with `tracking:write`; at most 200 shared views per profile.',
  tag,
  access: { kind: 'profile', scopes: ['analytics:read'], writes: 'own' },
  entitlement: 'notes',
  body: z.strictObject({
    page: Page.default('campaigns'),
    name: name.describe('Name of the view, unique per person'),
    values: values.describe('Content of the view'),
    shared: z.boolean().default(false).describe('Whether other members of the profile see it'),
  }),
  reply: SavedView,
  statuses: [201],
  errors: ['invalid_state'],
})

export const deleteView = endpoint({
  name: 'deleteView',
  method: 'DELETE',
  path: '/saved-views/{id}',
  summary: 'Delete a saved view',
  description: 'Your own view; owners and admins of the workspace can also delete views shared by others.',
  tag,
  access: { kind: 'profile', scopes: ['analytics:read'], writes: 'own' },
  entitlement: 'notes',
  params,
  reply: z.null(),
  statuses: [204],
  errors: ['not_found'],
})
