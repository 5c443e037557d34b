import { z } from 'zod'
import { endpoint } from '../../../../platform/contract/endpoint.ts'
import { ConnectionId, Instant } from '../../../../platform/contract/fields.ts'
import { exportWrites, platformWriteErrors } from '../destinations/contract.ts'

export const AdSetSwap = z.object({
  id: z.string().describe('The platform’s id of the ad set'),
  replaced_by: z.string().describe('Id of the ad set that replaced it'),
})
export const LiveAdSet = z.object({
  id: z.string().describe('The platform’s id of the ad set'),
  name: z.string().describe('Name of the ad set'),
  campaign_id: z.string().nullable().describe('Id of the campaign; null if it is not known'),
})

export const setPlatformSafeTarget = endpoint({
  name: 'setPlatformSafeTarget',
  method: 'POST',
  path: '/conversion-sync/platform-safe/target',
  summary: 'Send conversions to a clean dataset, or back to the existing one',
  description:
    'A clean dataset has never received data of the website’s pages. It is created once; later calls return it with `created: false`. Delivering ad sets keep their dataset. With `duplicate_and_swap` each is copied to the new dataset, which requires a person’s consent.',
  tag: 'exports',
  access: exportWrites,
  body: z.strictObject({
    target: z
      .enum(['clean_dataset', 'existing'])
      .describe('Where the conversions of the platform-safe mode are sent'),
    connection_id: ConnectionId.optional(),
    confirm_live_ad_sets: z
      .boolean()
      .default(false)
      .describe('True confirms that ad sets that are delivering lose their dataset'),
    move_ad_sets: z
      .enum(['none', 'duplicate_and_swap'])
      .default('none')
      .describe('duplicate_and_swap copies ad sets and switches the copies to the new dataset'),
    consent: z
      .strictObject({
        version: z.string().max(50).describe('Version of the text that the person accepted'),
        text_hash: z.string().max(128).describe('Hash of the accepted text'),
        accepted_by: z.string().trim().min(1).max(200).describe('Who accepted the text'),
        accepted_at: Instant.describe('When it was accepted'),
      })
      .optional()
      .describe('Proof that a person accepted the text'),
  }),
  reply: z.object({
    target: z
      .enum(['clean_dataset', 'existing'])
      .describe('Where the conversions of the platform-safe mode are sent'),
    dataset_id: z.string().nullable().describe('The platform’s id of the dataset; null if there is none'),
    created: z.boolean().describe('Whether it is new'),
    previous_dataset_id: z.string().nullable().describe('Id of the previous dataset; null if there was none'),
    live_ad_sets: z.array(LiveAdSet).describe('Ad sets that deliver on the previous dataset'),
    swapped: z.array(AdSetSwap).describe('Number of ad sets switched'),
  }),
  example: { body: { target: 'existing', confirm_live_ad_sets: true } },
  errors: [
    'platform_safe_required',
    'clean_dataset_has_live_ad_sets',
    'consent_required',
    'social_connection_required',
    ...platformWriteErrors,
  ],
})
