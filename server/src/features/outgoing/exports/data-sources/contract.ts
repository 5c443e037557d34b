import { z } from 'zod'
import { endpoint } from '../../../../platform/contract/endpoint.ts'
import { exportReads } from '../destinations/contract.ts'

export const ConversionDataSource = z.object({
  kind: z
    .enum(['website', 'crm', 'chatapp', 'photoapp', 'clean_dataset'])
    .describe('Where its conversions come from'),
  available: z.boolean().describe('Whether it is available'),
  dataset_id: z
    .string()
    .nullable()
    .describe('The platform’s id of the dataset that receives its conversions; null if there is none'),
  is_target: z.boolean().describe('True if its conversions are sent to a destination'),
  reason_code: z
    .enum(['chatapp_not_connected', 'photoapp_not_connected', 'photoapp_facebook_login_required'])
    .nullable()
    .describe('Why it cannot be used; null if it can'),
})
export type ConversionDataSource = z.infer<typeof ConversionDataSource>

export const listConversionDataSources = endpoint({
  name: 'listConversionDataSources',
  method: 'GET',
  path: '/conversion-sync/data-sources',
  summary: 'Sources whose conversions can be sent',
  description: 'Each source with its dataset, or the reason why it cannot be used.',
  tag: 'exports',
  access: exportReads,
  reply: z.array(ConversionDataSource),
})
