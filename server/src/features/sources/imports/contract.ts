import { z } from 'zod'
import { isDay } from '../../../platform/contract/dates.ts'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Currency } from '../../../platform/contract/fields.ts'

export const MAX_IMPORT_ROWS = 1000

const externalId = z.string().trim().min(1).max(128)
const name = z.string().trim().max(500)
const amount = z.union([z.number(), z.string().max(40)])
const count = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,15}$/, 'must be a whole number')
      .transform(Number),
  ])
  .pipe(z.int('must be a whole number').min(0, 'must not be negative'))

/** CSV has no null, so an empty field counts as absent. */
const optionalField = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' || value === null ? undefined : value), schema.optional())

export const SpendRow = z.strictObject({
  source: z
    .string()
    .trim()
    .regex(/^[a-z][a-z0-9_]{0,39}$/, 'must be lower-case letters, digits and _, starting with a letter')
    .describe('Source of the data'),
  level: z.enum(['campaign', 'ad_set', 'ad']).describe('Level of the ad structure'),
  campaign_id: optionalField(externalId).describe('Id of the campaign'),
  campaign_name: optionalField(name).describe('Name of the campaign'),
  ad_set_id: optionalField(externalId).describe('Id of the ad set'),
  ad_set_name: optionalField(name).describe('Name of the ad set'),
  ad_id: optionalField(externalId).describe('Id of the ad'),
  ad_name: optionalField(name).describe('Name of the ad'),
  date: z
    .string()
    .refine(isDay, 'must be a date of the form YYYY-MM-DD')
    .describe('Day, YYYY-MM-DD, in the time zone of the profile'),
  spend: amount.describe('Ad spend of the day, in `currency`'),
  currency: optionalField(Currency).describe('ISO 4217 code of the currency'),
  impressions: optionalField(count).describe('Number of impressions on the day'),
  clicks: optionalField(count).describe('Number of clicks on the day'),
  reach: optionalField(count).describe('Number of people reached on the day'),
  platform_conversions: optionalField(amount).describe('Conversions that the platform reports'),
  platform_conversion_value: optionalField(amount).describe(
    'Value of the conversions that the platform reports',
  ),
})
export type SpendRow = z.output<typeof SpendRow>

export const importSpend = endpoint({
  name: 'importSpend',
  method: 'POST',
  path: '/imports/spend',
  summary: 'Import daily spend of a platform without a connector',
  description:
    'Accepts JSON, or text/csv with the same column names. Rows are upserted by source, entity and date: sending a row again with other figures restates it.',
  tag: 'reports',
  access: { kind: 'profile', scopes: ['campaigns:apply'] },
  body: z.strictObject({
    rows: z.array(SpendRow).min(1).max(MAX_IMPORT_ROWS).describe('Spend per day and campaign'),
  }),
  rawBody: ['text/csv'],
  reply: z.object({
    inserted: z.int().describe('Number of new rows'),
    updated: z.int().describe('Number of existing items that changed'),
    unchanged: z.int().describe('Number of events already stored with the same content'),
  }),
  example: {
    raw: {
      'text/csv':
        'source,level,campaign_id,campaign_name,date,spend,currency\npodcast,campaign,spring,Spring,2026-03-01,120.5,EUR\n',
    },
    body: {
      rows: [
        {
          source: 'podcast',
          level: 'campaign',
          campaign_id: 'spring',
          campaign_name: 'Spring',
          date: '2026-03-01',
          spend: 120.5,
          currency: 'EUR',
        },
      ],
    },
    reply: { inserted: 1, updated: 0, unchanged: 0 },
  },
})
