import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { FirstDay, Instant, LastDay } from '../../../platform/contract/fields.ts'
import { causes, factTypes } from '../../facts/restatements/causes.ts'
import { AdLevel, ModelParam, rangeQuery } from '../../figures/definitions/fields.ts'

export const RestatementCause = z.enum(causes)

export const ChangedFigures = z.object({
  outcome_count: z.int().describe('Number of payments that have credit'),
  attributed_outcome_count: z.int().describe('Conversions of all types that have credit'),
  outcome_value: z.number().describe('Cash less refunds; amounts without an exchange rate are not included'),
  spend: z.number().describe('Ad spend in the reporting currency'),
})

const compared = {
  before: ChangedFigures.describe('The figures before the change'),
  after: ChangedFigures.describe('The figures after the change'),
  delta: ChangedFigures.describe('`after` minus `before`'),
}
const ofCause = {
  cause: RestatementCause.describe('Cause of the change'),
  delta: ChangedFigures.describe('`after` minus `before`'),
}

export const getChanges = endpoint({
  name: 'getChanges',
  method: 'GET',
  path: '/reports/changes',
  summary: 'Why figures of past days changed',
  description:
    'Changes to a report of closed days after `since` and up to `until`, by cause and by row. Deltas of rows and of causes add up to the total; under `linear` and `time_decay` an outcome counts in each row that has a part of it. A day is closed once it is over in the profile’s time zone and the grace period for late events has passed.',
  tag: 'reports',
  access: { kind: 'profile', scopes: ['campaigns:read'] },
  query: z.object({
    ...rangeQuery,
    since: z.iso
      .datetime({ offset: true })
      .optional()
      .describe('Default: when the last day of the range was closed'),
    until: z.iso.datetime({ offset: true }).optional().describe('Default: `as_of`, or now'),
    as_of: z.iso
      .datetime({ offset: true })
      .optional()
      .describe('Returns the changes as of this time, except for the examples; implies `until`'),
    level: AdLevel.default('campaign'),
    model: ModelParam,
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(500)
      .default(100)
      .describe('Number of rows, largest change first'),
  }),
  reply: z.object({
    since: Instant.nullable().describe('Null, without changes, while a day of the range is open'),
    total: z.object(compared).describe('Figures of the whole profile'),
    by_cause: z
      .array(
        z.object({
          ...ofCause,
          examples: z
            .array(
              z.object({
                fact_type: z.enum(factTypes).describe('Kind of the fact that changed'),
                fact_id: z.string().describe('Id of the fact that changed'),
                occurred_at: Instant.nullable().describe(
                  'Null unless it is a conversion or payment that still exists',
                ),
                recorded_at: Instant.describe('When the service recorded it'),
                delta: ChangedFigures.describe('`after` minus `before`'),
              }),
            )
            .describe('At most 3'),
        }),
      )
      .describe('The change by cause'),
    rows: z
      .array(
        z.object({
          kind: z
            .enum(['entity', 'unattributed', 'other'])
            .describe(
              '`unattributed` is the part without an entity of the level; `other` is the sum of the rows beyond `limit`',
            ),
          entity_id: z
            .uuid()
            .nullable()
            .describe('Id of the campaign, ad set or ad; null for the part without one'),
          name: z
            .string()
            .nullable()
            .describe('Name of the campaign, ad set or ad; null if the platform has not reported it'),
          ...compared,
          by_cause: z.array(z.object(ofCause)).describe('The change by cause'),
        }),
      )
      .describe('Changes by campaign, ad set or ad, largest first'),
  }),
  meta: {
    date_from: FirstDay,
    date_to: LastDay,
    result_hash: z.string().describe('Hash of the response without examples'),
  },
  errors: ['invalid_date_range'],
})
