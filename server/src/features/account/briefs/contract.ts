import { models } from '@whence/engine'
import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { ModelParam, rangeQuery } from '../../insights/reports/fields.ts'

export const BriefLanguage = z.enum(['en', 'es'])
export const briefPages = [
  'overview',
  'campaigns',
  'unattributed',
  'connections',
  'data-health',
  'pacing',
] as const
export const MAX_SENTENCES = 5

const BriefLink = z.object({
  page: z.enum(briefPages).describe('Of the console'),
  campaign_id: z.uuid().nullable(),
  date_from: z.string().nullable(),
  date_to: z.string().nullable(),
  api: z.string().describe('The request that has the figure'),
})

export const BriefSentence = z.object({
  kind: z.enum(['stale', 'empty', 'revenue', 'mover', 'spend', 'data_problem', 'pacing', 'restated']),
  tone: z.enum(['good', 'bad', 'neutral']),
  text: z.string(),
  parts: z
    .array(z.object({ text: z.string(), link: BriefLink.nullable() }))
    .describe('The same text, cut where a figure links to its report'),
})

export const getBrief = endpoint({
  name: 'getBrief',
  method: 'GET',
  path: '/reports/brief',
  summary: 'What changed, in at most five sentences',
  description:
    'Made by fixed rules from the reports of the range and of as many days before it. `contributions` are campaigns and unattributed revenue; their changes add up to `revenue.change`, and the text names the largest without claiming a cause. Data problems and pacing are those of now, for ranges that end within the last 3 days.',
  tag: 'reports',
  access: { kind: 'profile', scopes: ['campaigns:read'] },
  query: z.object({ ...rangeQuery, model: ModelParam, language: BriefLanguage.default('en') }),
  reply: z.object({
    previous: z.object({ date_from: z.string(), date_to: z.string() }),
    sentences: z.array(BriefSentence).max(MAX_SENTENCES),
    revenue: z.object({
      now: z.number().nullable(),
      before: z.number().nullable(),
      change: z.number().nullable(),
    }),
    contributions: z
      .array(
        z.object({
          kind: z.enum(['campaign', 'unattributed', 'other']),
          campaign_id: z.uuid().nullable(),
          name: z.string().nullable(),
          now: z.number(),
          before: z.number(),
          change: z.number(),
        }),
      )
      .describe(
        'The 10 largest gains and losses, then all others in sum; empty where an exchange rate is missing',
      ),
  }),
  meta: {
    date_from: z.string(),
    date_to: z.string(),
    model: z.enum(models),
    currency: z.string(),
    stale: z.boolean(),
    result_hash: z.string(),
  },
  errors: ['invalid_date_range'],
})
