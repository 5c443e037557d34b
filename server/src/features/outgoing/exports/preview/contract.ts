import { z } from 'zod'
import { endpoint } from '../../../../platform/contract/endpoint.ts'
import { ConversionId } from '../../../../platform/contract/fields.ts'

export const ExportPreview = z.object({
  bodies: z
    .array(z.record(z.string(), z.unknown()))
    .describe('The JSON that would be sent now; people are hashed as the platform requires'),
  withheld: z
    .array(
      z.object({
        conversion_id: ConversionId,
        reason: z.string().describe('Why it would not be sent'),
      }),
    )
    .describe('What was withheld, and why'),
})
export type ExportPreview = z.infer<typeof ExportPreview>

export const previewExportDestination = endpoint({
  name: 'previewExportDestination',
  method: 'GET',
  path: '/exports/destinations/{id}/preview',
  summary: 'Preview the exact payload for the platform',
  description:
    'Shows the newest conversions in the ledger of the destination, or one conversion, with the current privacy mode, catalogue and consent. Nothing is sent.',
  tag: 'exports',
  access: { kind: 'profile', scopes: ['exports:read', 'customers:read'] },
  params: z.object({ id: z.uuid().describe('Id of the export destination') }),
  query: z.object({
    conversion_id: ConversionId.optional(),
    limit: z.coerce.number().int().min(1).max(20).default(3).describe('Rows per page'),
  }),
  reply: ExportPreview,
  errors: ['not_found', 'connection_not_ready'],
})
