import { z } from 'zod'
import { endpoint } from '../../../../platform/contract/endpoint.ts'
import { CampaignId } from '../../../../platform/contract/fields.ts'
import { ModelParam, rangeQuery, refusesAsOf, reportMeta } from '../../../figures/definitions/fields.ts'

const share = z.number().nullable()
const interval = {
  share: share.describe('Share of the customers who answered, 0 to 1; null without answers'),
  share_low: share.describe('Lower bound of the 95 % interval (Wilson); null without answers'),
  share_high: share.describe('Upper bound of the 95 % interval; null without answers'),
}

export const AnswerShare = z.object({
  answer_key: z.string().describe('Key of the answer in the vocabulary'),
  credit: z.number().describe('Customers with this answer; fractional under models that divide credit'),
  ...interval,
})

const split = {
  credit: z.number().describe('Share of the conversion, 0 to 1'),
  answers: z.array(AnswerShare).describe('Most frequent first'),
}

export const DeclaredReport = z.object({
  customers: z.int().describe('Customers who paid in the range'),
  answered: z.int().describe('Those of them who answered'),
  response_rate: share.describe(
    'Share of paying customers who answered, 0 to 1; null without paying customers',
  ),
  response_rate_low: share.describe('Lower bound of its 95 % interval; null without paying customers'),
  response_rate_high: share.describe('Upper bound of its 95 % interval; null without paying customers'),
  answers: z
    .array(
      z.object({
        answer_key: z.string().describe('Key of the answer in the vocabulary'),
        label_en: z.string().nullable().describe('Null for a key that was removed from the vocabulary'),
        label_es: z
          .string()
          .nullable()
          .describe('Display label in Spanish; null for a key that was removed from the vocabulary'),
        count: z.int().describe('Number of people who gave the answer'),
        ...interval,
        credited_share: share.describe(
          'Share of the same customers credited to the channels of the answer; null for an answer without channels',
        ),
      }),
    )
    .describe('Answers with their counts'),
  channels: z
    .array(z.object({ channel: z.string().describe('Channel of the answers'), ...split }))
    .describe('Answers by channel, next to the credit of the channel'),
  campaigns: z
    .array(
      z.object({
        campaign_id: CampaignId,
        platform_id: z
          .string()
          .nullable()
          .describe('The platform’s id of the campaign; null if it is not known'),
        campaign_name: z
          .string()
          .nullable()
          .describe('Name of the campaign; null if the platform has not reported it'),
        ...split,
      }),
    )
    .describe('Campaigns with their figures'),
  texts: z
    .array(
      z.object({
        text: z.string().describe('Answer in the customer’s own words'),
        count: z.int().describe('Number of people who gave the answer'),
      }),
    )
    .describe('Free-text answers in lower case; only texts that at least three customers wrote'),
})
export type DeclaredReport = z.output<typeof DeclaredReport>

export const getDeclaredReport = endpoint({
  name: 'getDeclaredReport',
  method: 'GET',
  path: '/reports/declared',
  summary: 'Declared sources of customers next to credited channels',
  description:
    'Each paying customer counts once, with the first payment of the range and the latest answer. Each channel and campaign lists the answers of the customers credited to it. Answers never change credit.',
  tag: 'reports',
  access: { kind: 'profile', scopes: ['campaigns:read'] },
  revalidates: true,
  slow: true,
  query: z.object({ ...rangeQuery, model: ModelParam }),
  refused: refusesAsOf,
  reply: DeclaredReport,
  meta: reportMeta,
  errors: ['invalid_date_range'],
})
