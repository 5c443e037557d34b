import { z } from 'zod'
import { endpoint } from '../../../../platform/contract/endpoint.ts'
import { Instant, Name } from '../../../../platform/contract/fields.ts'
import { exportReads, exportWrites } from '../destinations/contract.ts'

const tag = 'exports'
const key = z.string().min(1).max(64)

export const PrivacyMode = z
  .enum(['standard', 'platform_safe', 'hipaa'])
  .describe(
    'standard: all mapped conversions. platform_safe: only to the clean dataset, with neutral event names and without URL paths. hipaa: only goals of the allow-list, once the agreement is signed, without address, browser and external ids',
  )

export const CatalogConversion = z.object({
  conversion_key: key.describe('Key of the goal, unique in the profile'),
  enabled: z.boolean().describe('Whether it is enabled'),
  send_value: z.boolean().describe('Whether the amount is sent to the platform'),
  consent_default: z
    .enum(['granted', 'denied', 'unspecified'])
    .describe('Consent of events without `properties.consent`'),
})

export const HipaaAgreement = z.object({
  signed_by: Name.describe('Name of the person who signed'),
  signed_at: Instant.describe('When it was signed'),
})

export const ConversionSyncCatalog = z.object({
  privacy_mode: PrivacyMode,
  conversions: z.array(CatalogConversion).describe('Goals to send, with their settings'),
  healthcare_export_allowlist: z.array(key).describe('Goals that may be sent in the mode hipaa'),
  hipaa_agreement: HipaaAgreement.nullable().describe(
    'Acceptance of the agreement for health data, without which nothing is sent in the mode hipaa; null if it is not accepted',
  ),
  partner_customer_list: z.boolean().describe('True if customer lists may be sent in the mode platform_safe'),
  updated_at: Instant.nullable().describe('When it was last changed; null if it never was'),
})
export type ConversionSyncCatalog = z.infer<typeof ConversionSyncCatalog>

export const getConversionSyncCatalog = endpoint({
  name: 'getConversionSyncCatalog',
  method: 'GET',
  path: '/conversion-sync/catalog',
  summary: 'Settings of data sharing with the ad platforms',
  description:
    'The privacy mode and, for every goal, what is sent. Until the first change everything is enabled.',
  tag,
  access: exportReads,
  reply: ConversionSyncCatalog,
})

export const saveConversionSyncCatalog = endpoint({
  name: 'saveConversionSyncCatalog',
  method: 'PUT',
  path: '/conversion-sync/catalog',
  summary: 'Set data sharing with the ad platforms, and the privacy mode',
  description:
    'Replaces all settings: a goal that is not listed is not sent. Queued conversions are checked against the new settings when they are sent. The agreement, the allow-list, a less strict mode and, on a healthcare profile, any other extension require an owner or admin of the workspace (by user token: with `workspaces:write`), or the app that provisioned the profile in its own workspace. All owners are notified by mail.',
  tag,
  access: exportWrites,
  body: z.strictObject({
    privacy_mode: PrivacyMode,
    conversions: z
      .array(z.strictObject(CatalogConversion.shape))
      .max(500)
      .describe('Goals to send, with their settings'),
    healthcare_export_allowlist: z
      .array(key)
      .max(500)
      .default([])
      .describe('Outcomes that the healthcare profile exports'),
    hipaa_agreement: z
      .strictObject(HipaaAgreement.shape)
      .nullable()
      .default(null)
      .describe(
        'Acceptance of the agreement for health data, without which nothing is sent in the mode hipaa; null if it is not accepted',
      ),
    partner_customer_list: z.boolean().default(false).describe('Whether a partner may send customer lists'),
  }),
  reply: ConversionSyncCatalog,
  errors: ['validation_error', 'forbidden'],
  example: { body: { privacy_mode: 'standard', conversions: [] } },
})
