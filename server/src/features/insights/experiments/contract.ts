import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Instant, ProfileIds, WorkspaceParams } from '../../../platform/contract/fields.ts'

const share = z.number()
export const ExperimentReading = z.object({
  metric: z.string(),
  effect: share.describe('Relative: 0.1 is ten percent more than the control'),
  low: share,
  high: share,
  level: share.describe('The share of such intervals that hold the truth'),
})

export const Experiment = z.object({
  id: z.uuid(),
  profile_id: z.uuid(),
  provider: z.string(),
  kind: z.enum(['lift', 'split', 'geo']),
  name: z.string(),
  status: z
    .enum(['planned', 'running', 'observing', 'complete', 'canceled'])
    .describe('observing: it is over, and its conversions still come in'),
  starts_at: Instant.nullable(),
  ends_at: Instant.nullable(),
  readable_from: Instant.nullable().describe('There is no verdict before'),
  cells: z.array(
    z.object({
      name: z.string(),
      is_control: z.boolean(),
      percentage: z.number().nullable(),
      population: z.int().nullable(),
      campaigns: z.array(z.string()).describe('Platform ids'),
      ad_sets: z.array(z.string()).describe('Platform ids'),
    }),
  ),
  platform_reading: ExperimentReading.nullable(),
  own_reading: ExperimentReading.nullable().describe(
    'From the spend and the credited conversions of the cells',
  ),
  checks: z.object({
    sample_ratio_p: z.number().nullable().describe('Below 0.001 the split is broken'),
    pre_period_ok: z.boolean().nullable(),
    divergent_delivery: z
      .boolean()
      .nullable()
      .describe('The platform showed the cells to shares far from the plan'),
    placebo_ratio: z
      .number()
      .nullable()
      .describe(
        'Of a geo study: the change at its start over the changes at all earlier days taken as a start. Above 1 it is beyond 95 % of what the regions do without an experiment; null where too few earlier days are known',
      ),
    region_placebo_ratio: z
      .number()
      .nullable()
      .describe(
        'Of a geo study: the same change over the changes of its control regions at the same time. Above 1 it is beyond 97 % of them; null with fewer than 4 control campaigns or ad sets that ran all the time',
      ),
  }),
  verdict: z.enum(['positive', 'negative', 'inconclusive', 'invalid']).nullable(),
  truth_grade: z
    .enum(['lift'])
    .nullable()
    .describe(
      'For a lift study whose interval excludes zero, and a geo study with both placebo ratios above 1; a split proves no cause',
    ),
  decided_at: Instant.nullable().describe('When the verdict was given, or last changed'),
  reason: z
    .string()
    .describe('Why this verdict, or what it waits for; after a change also what it was before'),
})

export const listExperiments = endpoint({
  name: 'listExperiments',
  method: 'GET',
  path: '/workspaces/{workspaceId}/experiments',
  summary: 'Lift, split and geo studies, with our reading and a verdict',
  description:
    'Read from the ad platforms once a day. No verdict before the end plus the time in which conversions come in, and for our own reading not before the account is synced after that. A verdict stays: it changes only if the platform moves the end or the figures are restated, and `reason` then says what it was. Intervals are 95 %; a geo study is positive or negative only if its regions moved apart further than in the weeks before (up to 182 days) and further than regions without it, where at least 4 control regions ran. Newest first.',
  tag: 'insights',
  access: { kind: 'workspace', role: 'viewer', tokens: 'any' },
  params: WorkspaceParams,
  query: z.object({ profile_ids: ProfileIds }),
  reply: z.array(Experiment),
  errors: ['not_found'],
})
