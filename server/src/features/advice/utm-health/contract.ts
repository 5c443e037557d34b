import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { CurrencyCode, Instant, NamedEntity } from '../../../platform/contract/fields.ts'

const tag = 'quality'

export const UtmProblem = z.enum([
  'missing_tags',
  'contradictory_tags',
  'unexpanded_macro',
  'unknown_ad_id',
  'shared_utm',
  'tags_lost',
])
export type UtmProblem = z.output<typeof UtmProblem>

export const UtmFinding = z.object({
  code: UtmProblem.describe('Kind of problem with the ad’s URL parameters'),
  message: z.string().describe('Explanation for people'),
  platform: z.string().nullable().describe('Ad platform, for example social_ads; null if it is none'),
  ad: NamedEntity.nullable().describe('Ad with the problem; null if the finding is not about one ad'),
  campaign: NamedEntity.nullable().describe(
    'Campaign with the problem; null if the finding is not about one campaign',
  ),
  value: z
    .string()
    .nullable()
    .describe(
      'The value in the URL that causes the problem, for example a utm_campaign; null if there is none',
    ),
  visits: z
    .int()
    .nullable()
    .describe('Visits of the last 30 days with the problem; null if it is not about visits'),
  spend: z
    .number()
    .nullable()
    .describe('Spend of the last 30 days; null if the finding is not about one ad or campaign'),
  template: z
    .string()
    .nullable()
    .describe('URL parameters to paste at the platform; null if there is nothing to paste'),
  place: z
    .string()
    .nullable()
    .describe('Where to paste them at the platform; null if there is nothing to paste'),
})
export type UtmFinding = z.output<typeof UtmFinding>

export const UtmHealth = z.object({
  status: z.enum(['never_scanned', 'no_ads', 'healthy', 'problems']).describe('Result of the check'),
  scanned_at: Instant.nullable().describe('When the ads were checked; null before the first check'),
  ads: z.int().describe('Ads that ran in the last 30 days'),
  ads_with_problems: z.int().describe('Ads whose links have a problem'),
  spend: z.number().describe('Spend of all ads that ran'),
  spend_with_problems: z.number().describe('Spend of ads with at least one finding'),
  by_code: z
    .array(
      z.object({
        code: UtmProblem.describe('Kind of problem with the ad’s URL parameters'),
        findings: z.int().describe('Number of findings with the code'),
      }),
    )
    .describe('Findings by code'),
  findings: z.array(UtmFinding).describe('By spend, highest first, at most 500'),
})
export type UtmHealth = z.output<typeof UtmHealth>

const currency = { currency: CurrencyCode }

export const getUtmHealth = endpoint({
  name: 'getUtmHealth',
  method: 'GET',
  path: '/quality/utm-health',
  summary: 'Result of the latest check of the ads’ URL parameters',
  description:
    'Uses the URLs of the ads at the platforms and the visits of the last 30 days. `shared_utm`: several campaigns have the same utm_campaign and no ids. `tags_lost`: the ad has parameters and clicks, but no visit names it.',
  tag,
  access: { kind: 'profile', scopes: ['tracking:read'] },
  reply: UtmHealth,
  meta: currency,
})

export const scanUtmHealth = endpoint({
  name: 'scanUtmHealth',
  method: 'POST',
  path: '/quality/utm-health/scan',
  summary: 'Check the URL parameters of all ads now',
  description:
    'Responds within 20 seconds (`UTM_SCAN_SECONDS`). If the check takes longer, it returns 504 `audit_timeout` and continues as a job; until then, GET returns the previous result.',
  tag,
  access: { kind: 'profile', scopes: ['tracking:write'] },
  slow: true,
  body: z.strictObject({}),
  reply: UtmHealth,
  meta: currency,
  errors: ['audit_timeout'],
})
