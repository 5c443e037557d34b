import { z } from 'zod'
import { endpoint } from '../../../../platform/contract/endpoint.ts'
import { Pagination, pageQuery } from '../../../../platform/contract/page.ts'
import { unattributedReasons } from '../../../attribution/crediting/credits/unattributed-reasons.ts'
import {
  asOfQuery,
  creditMeasures,
  ModelParam,
  rangeQuery,
  refusesAsOf,
  reportMeta,
} from '../../../figures/definitions/fields.ts'
import { CreditedConversion } from '../fields.ts'

const tag = 'reports'

export const UnattributedReason = z
  .enum(unattributedReasons)
  .describe(
    'The kind of visit that was credited; a paid click without an ad; an ad without a known campaign; a payment without a person; a goal excluded from attribution; or no visit within the lookback',
  )

export const listUnattributedReasons = endpoint({
  name: 'listUnattributedReasons',
  mcp: {
    description: 'Conversions credited to no campaign, with count and value per reason.',
    concise: 'reason outcome_count outcome_value',
  },
  method: 'GET',
  path: '/reports/unattributed',
  summary: 'Why conversions are credited to no campaign',
  description:
    'Splits GET /campaigns/unattributed by reason; outcome_value and outcome_credit of all rows add up to it. A reason counts a payment once; under `linear` and `time_decay` several reasons may each have a part of it.',
  tag,
  access: { kind: 'profile', scopes: ['campaigns:read'] },
  revalidates: true,
  query: z.object({ ...rangeQuery, model: ModelParam, ...asOfQuery }),
  reply: z.array(z.object({ reason: UnattributedReason, ...creditMeasures })),
  meta: reportMeta,
  errors: ['invalid_date_range'],
})

export const listUnattributedConversions = endpoint({
  name: 'listUnattributedConversions',
  method: 'GET',
  path: '/reports/unattributed/conversions',
  summary: 'The conversions behind one reason',
  description: 'Newest first; pages and refunds as in GET /campaigns/{id}/conversions.',
  tag,
  access: { kind: 'profile', scopes: ['conversions:read'] },
  revalidates: true,
  query: z.object({ reason: UnattributedReason, ...rangeQuery, model: ModelParam, ...pageQuery }),
  refused: refusesAsOf,
  reply: z.array(
    CreditedConversion.extend({
      source: z.string().nullable().describe('Source of the visit; null if unknown'),
    }),
  ),
  extra: { pagination: Pagination },
  meta: reportMeta,
  errors: ['invalid_date_range'],
  example: { query: { date_from: '2026-01-01', date_to: '2026-01-31', reason: 'no_touch' } },
})
