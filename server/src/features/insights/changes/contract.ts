import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Instant } from '../../../platform/contract/fields.ts'
import { causes, factTypes } from '../../facts/restatements/causes.ts'
import { AdLevel, ModelParam, rangeQuery } from '../../figures/definitions/fields.ts'

export const RestatementCause = z.enum(causes)

export const ChangedFigures = z.object({
  outcome_count: z.int().describe('Payments'),
  attributed_outcome_count: z.int().describe('All outcomes'),
  outcome_value: z.number().describe('Cash less refunds; amounts without an exchange rate are not included'),
  spend: z.number(),
})

const compared = { before: ChangedFigures, after: ChangedFigures, delta: ChangedFigures }
const ofCause = { cause: RestatementCause, delta: ChangedFigures }

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
    total: z.object(compared),
    by_cause: z.array(
      z.object({
        ...ofCause,
        examples: z
          .array(
            z.object({
              fact_type: z.enum(factTypes),
              fact_id: z.string(),
              occurred_at: Instant.nullable().describe(
                'Null unless it is a conversion or payment that still exists',
              ),
              recorded_at: Instant,
              delta: ChangedFigures,
            }),
          )
          .describe('At most 3'),
      }),
    ),
    rows: z.array(
      z.object({
        kind: z
          .enum(['entity', 'unattributed', 'other'])
          .describe(
            '`unattributed` is the part without an entity of the level; `other` is the sum of the rows beyond `limit`',
          ),
        entity_id: z.uuid().nullable(),
        name: z.string().nullable(),
        ...compared,
        by_cause: z.array(z.object(ofCause)),
      }),
    ),
  }),
  meta: {
    date_from: z.string(),
    date_to: z.string(),
    result_hash: z.string().describe('Hash of the response without examples'),
  },
  errors: ['invalid_date_range'],
})
