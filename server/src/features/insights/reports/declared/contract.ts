import { z } from 'zod'
import { endpoint } from '../../../../platform/contract/endpoint.ts'
import { ModelParam, rangeQuery, reportMeta, withoutPast } from '../fields.ts'

const share = z.number().nullable()
const interval = {
  share,
  share_low: share.describe('Of the 95 % interval (Wilson)'),
  share_high: share,
}

export const AnswerShare = z.object({
  answer_key: z.string(),
  credit: z.number().describe('Customers with this answer; in parts where the model divides'),
  ...interval,
})

const split = { credit: z.number(), answers: z.array(AnswerShare).describe('The most frequent first') }

export const DeclaredReport = z.object({
  customers: z.int().describe('Who paid in the range'),
  answered: z.int().describe('How many of them answered'),
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
        'What the channels of the answer were credited with, of the same customers; null where no visit can show the answer',
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
    .describe('In the customers’ own words, lower case; only what at least three customers wrote'),
})
export type DeclaredReport = z.output<typeof DeclaredReport>

export const getDeclaredReport = endpoint({
  name: 'getDeclaredReport',
  method: 'GET',
  path: '/reports/declared',
  summary: 'What customers say brought them, next to what was credited',
  description:
    'Each paying customer counts once, with the first payment of the range and the latest answer. Channels and campaigns list what the customers that they were credited with answered. Answers never change credit.',
  tag: 'reports',
  access: { kind: 'profile', scopes: ['campaigns:read'] },
  revalidates: true,
  slow: true,
  query: z.object({ ...rangeQuery, model: ModelParam }),
  refused: withoutPast,
  reply: DeclaredReport,
  meta: reportMeta,
  errors: ['invalid_date_range'],
})
