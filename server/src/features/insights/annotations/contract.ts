import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { CreatedAt, FirstDay, LastDay, UpdatedAt } from '../../../platform/contract/fields.ts'
import { rangeQuery } from '../../figures/definitions/fields.ts'

const tag = 'annotations'
const day = z.iso.date()
const text = z.string().trim().min(1).max(280)
const params = z.object({ id: z.uuid().describe('Id of the note') })

export const Annotation = z.object({
  id: z.uuid().describe('Id of the annotation'),
  day: z.string().describe('Day, YYYY-MM-DD, in the time zone of the profile'),
  text: z.string().describe('Text of the note'),
  created_at: CreatedAt,
  updated_at: UpdatedAt,
})

export const listAnnotations = endpoint({
  name: 'listAnnotations',
  method: 'GET',
  path: '/annotations',
  summary: 'Notes on days, for example a sale or an outage',
  description: 'Notes of the range, earliest day first. Shown in the charts of the console.',
  tag,
  access: { kind: 'profile', scopes: ['analytics:read'] },
  query: z.object(rangeQuery),
  reply: z.array(Annotation),
  meta: { date_from: FirstDay, date_to: LastDay },
  errors: ['invalid_date_range'],
})

export const createAnnotation = endpoint({
  name: 'createAnnotation',
  method: 'POST',
  path: '/annotations',
  summary: 'Add a note to a day',
  description: 'Visible to everyone with access to the profile. At most 2,000 per profile.',
  tag,
  access: { kind: 'profile', scopes: ['tracking:write'] },
  entitlement: 'notes',
  body: z.strictObject({
    day: day.describe('Day, YYYY-MM-DD, in the time zone of the profile'),
    text: text.describe('Text of the note'),
  }),
  reply: Annotation,
  statuses: [201],
  errors: ['invalid_state'],
})

export const updateAnnotation = endpoint({
  name: 'updateAnnotation',
  method: 'PATCH',
  path: '/annotations/{id}',
  summary: 'Change a note or its day',
  description: 'Omitted fields keep their values.',
  tag,
  access: { kind: 'profile', scopes: ['tracking:write'] },
  entitlement: 'notes',
  params,
  body: z.strictObject({
    day: day.optional().describe('Day, YYYY-MM-DD, in the time zone of the profile'),
    text: text.optional().describe('Text of the note'),
  }),
  reply: Annotation,
  errors: ['not_found'],
})

export const deleteAnnotation = endpoint({
  name: 'deleteAnnotation',
  method: 'DELETE',
  path: '/annotations/{id}',
  summary: 'Delete a note',
  description: 'Returns `not_found` if the note was already deleted.',
  tag,
  access: { kind: 'profile', scopes: ['tracking:write'] },
  entitlement: 'notes',
  params,
  reply: z.null(),
  statuses: [204],
  errors: ['not_found'],
})
