import { z } from 'zod'
import { endpoint } from '../../../contract/endpoint.ts'
import { exportReads } from '../destinations/contract.ts'

export const ConversionDataSource = z.object({
  kind: z.enum(['website', 'crm', 'chatapp', 'photoapp', 'clean_dataset']),
  available: z.boolean(),
  dataset_id: z.string().nullable().describe('Where its conversions go'),
  is_target: z.boolean().describe('Whether conversions of it are sent somewhere'),
  reason_code: z
    .enum(['chatapp_not_connected', 'photoapp_not_connected', 'photoapp_facebook_login_required'])
    .nullable()
    .describe('Why it cannot be used'),
})
export type ConversionDataSource = z.infer<typeof ConversionDataSource>

export const listConversionDataSources = endpoint({
  name: 'listConversionDataSources',
  method: 'GET',
  path: '/conversion-sync/data-sources',
  summary: 'Where the conversions that are sent come from',
  description:
    'Each source with the dataset that takes it. What cannot be used says why; it is no error here.',
  tag: 'exports',
  access: exportReads,
  reply: z.array(ConversionDataSource),
})
