import { z } from 'zod'
import { endpoint } from '../../../../platform/contract/endpoint.ts'
import { ModelParam, rangeQuery, refusesAsOf, reportMeta } from '../../../figures/definitions/fields.ts'

const share = z.number().nullable()
const interval = {
  share,
  share_low: share.describe('Lower bound of the 95 % interval (Wilson)'),
  share_high: share,
}

export const AnswerShare = z.object({
  answer_key: z.string(),
  credit: z.number().describe('Customers with this answer; fractional under models that divide credit'),
  ...interval,
})

const split = { credit: z.number(), answers: z.array(AnswerShare).describe('Most frequent first') }

export const DeclaredReport = z.object({
  customers: z.int().describe('Customers who paid in the range'),
  answered: z.int().describe('Those of them who answered'),
  response_rate: share,
  response_rate_low: share,
  response_rate_high: share,
  answers: z.array(
    z.object({
      answer_key: z.string(),
      label_en: z.string().nullable().describe('Null for a key that was removed from the vocabulary'),
      label_es: z.string().nullable(),
      count: z.int(),
      ...interval,
      credited_share: share.describe(
        'Share of the same customers credited to the channels of the answer; null for an answer without channels',
      ),
    }),
  ),
  channels: z.array(z.object({ channel: z.string(), ...split })),
  campaigns: z.array(
    z.object({
      campaign_id: z.uuid(),
      platform_id: z.string().nullable(),
      campaign_name: z.string().nullable(),
      ...split,
    }),
  ),
  texts: z
    .array(z.object({ text: z.string(), count: z.int() }))
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
