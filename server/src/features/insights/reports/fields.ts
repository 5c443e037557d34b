/** Rows of the reports of campaigns. */
import { z } from 'zod'
import {
  CampaignId,
  ConversionId,
  OccurredAt,
  OutcomeType,
  RevenueType,
} from '../../../platform/contract/fields.ts'
import {
  AdLevel,
  cac,
  figureMeasures,
  newCustomerFigures,
  traffic,
} from '../../figures/definitions/fields.ts'

const text = z.string().nullable()
const number = z.number().nullable()

export const CampaignRow = z.object({
  campaign_id: CampaignId,
  platform_id: z.string().describe('The platform’s id'),
  campaign_name: text.describe('Name of the campaign; null if the platform has not reported it'),
  ...figureMeasures,
})

export const DetailedRow = CampaignRow.extend({
  ...traffic,
  entity_level: AdLevel.describe('campaign, ad_set or ad'),
  parent_name: text.describe('Name of the parent campaign or ad set; null for campaigns'),
  cac,
  ...newCustomerFigures,
  status: text.describe(
    'Status of the campaign, ad set or ad at the platform; null if it does not report one',
  ),
  objective: text.describe('Goal of the campaign, as the platform names it; null if it does not report one'),
  daily_budget: number.describe('Budget per day in the currency of the account; null if there is none'),
  platform_actions: z
    .array(z.enum(['pause', 'resume', 'budget']))
    .describe('Changes that the connected platform currently accepts; empty for imported entities'),
  campaign_external_id: text.describe('The platform’s id of the campaign; null if it is not known'),
  ad_set_external_id: text.describe('The platform’s id of the ad set; null if it is not known'),
})

export const CampaignTotal = z
  .object({
    ...figureMeasures,
    cac,
    ...newCustomerFigures,
    ...traffic,
    ratios_over: z
      .literal('credited')
      .describe('roas and cac use credited money and payments, not all of the profile’s'),
  })
  .describe(
    'Total of all rows, on all pages; a payment shared by several rows counts once. With parent_id, the figures of the parent.',
  )
export type CampaignTotal = z.output<typeof CampaignTotal>

export const TrendRow = z.object({
  entity_id: z.uuid().describe('Id of the campaign, ad set or ad'),
  date: z.string().describe('Day, YYYY-MM-DD, in the time zone of the profile'),
  spend: number.describe('Ad spend; null if the exchange rate is missing'),
  impressions: z.int().describe('Impressions, as the platform reports them'),
  clicks: z.int().describe('Clicks, as the platform reports them'),
})

export const CreditedConversion = z.object({
  kind: z.enum(['conversion', 'refund']).describe('Whether the row is a conversion or a refund'),
  conversion_id: ConversionId,
  refund_id: z
    .uuid()
    .nullable()
    .describe('Set on a refund; conversion_id is the refunded conversion; null otherwise'),
  outcome_event_id: z.uuid().describe('Id of the event of the conversion'),
  outcome_type: OutcomeType,
  revenue_type: RevenueType,
  occurred_at: OccurredAt,
  value: number.describe('Value of the conversion in `currency`; null if it has none'),
  currency: text.describe('ISO 4217 code of the currency; null if there is no amount'),
  credit: z.number().describe('The share of the conversion that was credited, from 0 to 1, exact to 1e-9'),
  credited_value: number.describe(
    'Value of the credit, less refunds; null if it is excluded or the exchange rate is missing',
  ),
})
