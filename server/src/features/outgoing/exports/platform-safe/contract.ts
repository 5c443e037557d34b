import { z } from 'zod'
import { endpoint } from '../../../../platform/contract/endpoint.ts'
import { Instant } from '../../../../platform/contract/fields.ts'
import { exportWrites, platformWriteErrors } from '../destinations/contract.ts'

export const AdSetSwap = z.object({ id: z.string(), replaced_by: z.string() })
export const LiveAdSet = z.object({ id: z.string(), name: z.string(), campaign_id: z.string().nullable() })

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
    target: z.enum(['clean_dataset', 'existing']),
    connection_id: z.uuid().optional(),
    confirm_live_ad_sets: z.boolean().default(false),
    move_ad_sets: z.enum(['none', 'duplicate_and_swap']).default('none'),
    consent: z
      .strictObject({
        version: z.string().max(50),
        text_hash: z.string().max(128),
        accepted_by: z.string().trim().min(1).max(200),
        accepted_at: Instant,
      })
      .optional(),
  }),
  reply: z.object({
    target: z.enum(['clean_dataset', 'existing']),
    dataset_id: z.string().nullable(),
    created: z.boolean(),
    previous_dataset_id: z.string().nullable(),
    live_ad_sets: z.array(LiveAdSet).describe('Ad sets that deliver on the previous dataset'),
    swapped: z.array(AdSetSwap),
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
