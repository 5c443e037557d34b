import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Instant, NamedEntity } from '../../../platform/contract/fields.ts'

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
  code: UtmProblem,
  message: z.string(),
  platform: z.string().nullable(),
  ad: NamedEntity.nullable(),
  campaign: NamedEntity.nullable(),
  value: z.string().nullable(),
  visits: z.int().nullable(),
  spend: z.number().nullable().describe('Of the last 30 days'),
  template: z.string().nullable().describe('What to paste'),
  place: z.string().nullable().describe('Where at the platform'),
})
export type UtmFinding = z.output<typeof UtmFinding>

export const UtmHealth = z.object({
  status: z.enum(['never_scanned', 'no_ads', 'healthy', 'problems']),
  scanned_at: Instant.nullable(),
  ads: z.int().describe('Ads that ran in the last 30 days'),
  ads_with_problems: z.int(),
  spend: z.number().describe('Of all ads that ran'),
  spend_with_problems: z.number().describe('Of ads with at least one finding'),
  by_code: z.array(z.object({ code: UtmProblem, findings: z.int() })),
  findings: z.array(UtmFinding).describe('The most spend first, at most 500'),
})
export type UtmHealth = z.output<typeof UtmHealth>

const currency = { currency: z.string() }

export const getUtmHealth = endpoint({
  name: 'getUtmHealth',
  method: 'GET',
  path: '/quality/utm-health',
  summary: 'Whether clicks on ads name their ad: the last check',
  description:
    'From the addresses of the ads at the platforms and the visits of the last 30 days. `shared_utm`: one utm_campaign on several campaigns, without ids. `tags_lost`: tagged and clicked, and no visit names the ad.',
  tag,
  access: { kind: 'profile', scopes: ['tracking:read'] },
  reply: UtmHealth,
  meta: currency,
})

export const scanUtmHealth = endpoint({
  name: 'scanUtmHealth',
  method: 'POST',
  path: '/quality/utm-health/scan',
  summary: 'Check the tags of all ads now',
  description:
    'Answers within 20 seconds (`UTM_SCAN_SECONDS`). A check that takes longer is answered with 504 `audit_timeout` and finished by a job; the last result stays readable until then.',
  tag,
  access: { kind: 'profile', scopes: ['tracking:write'] },
  slow: true,
  body: z.strictObject({}),
  reply: UtmHealth,
  meta: currency,
  errors: ['audit_timeout'],
})
