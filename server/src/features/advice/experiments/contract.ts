import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import { Instant, ProfileIds, WorkspaceParams } from '../../../platform/contract/fields.ts'

const share = z.number()
export const ExperimentReading = z.object({
  metric: z.string(),
  effect: share.describe('Relative to the control: 0.1 is ten percent more'),
  low: share,
  high: share,
  level: share.describe('Confidence level of the interval, such as 0.95'),
})

export const Experiment = z.object({
  id: z.uuid(),
  profile_id: z.uuid(),
  provider: z.string(),
  kind: z.enum(['lift', 'split', 'geo']),
  name: z.string(),
  status: z
    .enum(['planned', 'running', 'observing', 'complete', 'canceled'])
    .describe('observing: ended, but conversions are still arriving'),
  starts_at: Instant.nullable(),
  ends_at: Instant.nullable(),
  readable_from: Instant.nullable().describe('Earliest time of a verdict'),
  cells: z.array(
    z.object({
      name: z.string(),
      is_control: z.boolean(),
      percentage: z.number().nullable(),
      population: z.int().nullable(),
      campaigns: z.array(z.string()).describe('Platform ids'),
      ad_sets: z.array(z.string()).describe('Platform ids'),
      regions: z.array(z.string()).describe('Only for studies created through POST /experiments'),
    }),
  ),
  design: z
    .object({
      metric: z.string(),
      days: z.int(),
      detectable_effect: share,
      power: share,
      by_lot: z.boolean(),
    })
    .nullable()
    .describe('The design of a study created through POST /experiments; null for studies of the platforms'),
  platform_reading: ExperimentReading.nullable(),
  own_reading: ExperimentReading.nullable().describe(
    'Computed by us from the spend and credited conversions of the cells',
  ),
  checks: z.object({
    sample_ratio_p: z
      .number()
      .nullable()
      .describe('p-value of the sample ratio test; below 0.001 the split is broken'),
    pre_period_ok: z.boolean().nullable(),
    divergent_delivery: z
      .boolean()
      .nullable()
      .describe('True if the platform’s delivery to the cells differs far from the planned shares'),
    placebo_ratio: z
      .number()
      .nullable()
      .describe(
        'For a geo study: the change at its start relative to the changes at earlier placebo starts. Above 1 it exceeds 95 % of the changes without an experiment; null with too few earlier days',
      ),
    region_placebo_ratio: z
      .number()
      .nullable()
      .describe(
        'For a geo study: the same change relative to the changes of its control regions at the same time. Above 1 it exceeds 97 % of them; null with fewer than 4 control campaigns or ad sets that ran throughout',
      ),
  }),
  verdict: z.enum(['positive', 'negative', 'inconclusive', 'invalid']).nullable(),
  truth_grade: z
    .enum(['lift'])
    .nullable()
    .describe(
      'For a lift study whose interval excludes zero, and a geo study with both placebo ratios above 1; a split test does not prove causality',
    ),
  decided_at: Instant.nullable().describe('When the verdict was reached or last changed'),
  reason: z
    .string()
    .describe('Reason for the verdict, or what it is waiting for; after a change also the previous verdict'),
})

export const listExperiments = endpoint({
  name: 'listExperiments',
  method: 'GET',
  path: '/workspaces/{workspaceId}/experiments',
  summary: 'Lift, split and geo studies, with our reading and a verdict',
  description:
    'Read from the ad platforms once a day. A verdict is reached only after the end plus the conversion lag, and for our own reading only after the account was synced after that. It changes only if the platform moves the end or the figures are restated; `reason` then contains the previous verdict. Intervals are 95 %. That of a geo study has the effects that its placebo tests do not reject; a small effect that a study finds reads too large on average. That of a split test is too narrow if the levels of its cells drift apart over weeks: in simulated tests with an autocorrelation of 0.8 to 0.9 it contained the effect in 77 to 92 % instead of 95 %. A geo study is positive or negative only if its regions diverged further than in the preceding weeks (up to 182 days), and, with at least 4 control regions, further than those regions. Newest first.',
  tag: 'insights',
  access: { kind: 'workspace', role: 'viewer', tokens: 'any' },
  params: WorkspaceParams,
  query: z.object({ profile_ids: ProfileIds }),
  reply: z.array(Experiment),
  errors: ['not_found'],
})

/** Possible study lengths in days. */
export const DURATIONS = [14, 21, 28, 42] as const
export const designRefusals = ['no_regions', 'regions_unknown', 'too_few_regions', 'past_too_short'] as const

export const MAX_LOT = 99

const Metric = z.enum(['payments', 'conversions'])
const Region = z.string().trim().min(1).max(240)
const regions = z.array(
  z.object({ region: z.string(), outcomes: z.int().describe('Outcomes in the `past` range') }),
)
const detectable_effect = share
  .nullable()
  .describe('The smallest increase detected in 19 of 20 earlier windows into which it was simulated')

export const GeoDesign = z.object({
  supported: z.boolean(),
  reason: z
    .enum([...designRefusals, 'nothing_detectable'])
    .nullable()
    .describe('Why the historical data does not support a study'),
  metric: Metric,
  past: z.object({
    date_from: z.string(),
    date_to: z.string(),
    outcomes: z.int(),
    with_region: z.int(),
    regions: z.int().describe('Regions with enough outcomes'),
  }),
  by_lot: z.boolean(),
  treated: regions,
  control: regions,
  power: share.describe('Planned probability of detecting an increase of `detectable_effect`'),
  options: z.array(
    z.object({
      days: z.int(),
      detectable_effect,
      windows: z.int().describe('Number of earlier windows simulated'),
      false_verdicts: share.describe('Share of these windows with a verdict without a simulated effect'),
    }),
  ),
  recommended_days: z.int().nullable(),
})

export const designGeoExperiment = endpoint({
  name: 'designGeoExperiment',
  method: 'GET',
  path: '/experiments/geo-design',
  summary: 'Propose a geo study from the history of the profile’s regions',
  description:
    'A region is the state or province of the customer’s latest address (`user_traits.region`). One of every three regions of similar size is treated at random; the same history and `lot` produce the same design. Power is estimated by simulating effects in earlier weeks and evaluating them like the study. A history of more than 50,000 outcomes is read once a day.',
  tag: 'insights',
  access: { kind: 'profile', scopes: ['campaigns:read'] },
  query: z.object({
    metric: Metric.default('payments'),
    effect: z.coerce
      .number()
      .min(0.01)
      .max(1)
      .optional()
      .describe('The increase to detect; 0.1 is ten percent'),
    treated: z
      .string()
      .max(4000)
      .transform((text) =>
        text
          .split(',')
          .map((name) => name.trim())
          .filter(Boolean),
      )
      .optional()
      .describe('Regions to treat, comma-separated, instead of a random assignment'),
    lot: z.coerce
      .number()
      .int()
      .min(0)
      .max(MAX_LOT)
      .default(0)
      .describe('Number of the random draw; another number draws other regions'),
  }),
  reply: GeoDesign,
})

export const createGeoExperiment = endpoint({
  name: 'createGeoExperiment',
  method: 'POST',
  path: '/experiments',
  summary: 'Create a geo study from a design',
  description:
    'Change the advertising in the treated regions from `starts_on` on. The study is evaluated once a day from all outcomes of its regions; the verdict follows a week after the end. Returns `invalid_state` if the history of these regions does not support a study of this length.',
  tag: 'insights',
  access: { kind: 'profile', scopes: ['tracking:write'] },
  body: z.strictObject({
    name: z.string().trim().min(1).max(120),
    metric: Metric,
    days: z.union(DURATIONS.map((days) => z.literal(days))),
    starts_on: z.iso.date(),
    treated: z.array(Region).min(1).max(60),
    control: z.array(Region).min(4).max(60),
  }),
  reply: z.object({
    id: z.uuid(),
    name: z.string(),
    starts_on: z.string(),
    ends_on: z.string().describe('Last day of the study'),
    metric: Metric,
    detectable_effect: share,
    power: share,
    by_lot: z.boolean(),
  }),
  statuses: [201],
  errors: ['invalid_state'],
  example: {
    body: {
      name: 'Spring in six regions',
      metric: 'payments',
      days: 28,
      starts_on: '2026-05-04',
      treated: ['ES-MADRID', 'ES-SEVILLA'],
      control: ['ES-BARCELONA', 'ES-VALENCIA', 'ES-MURCIA', 'ES-BIZKAIA'],
    },
  },
})

export const cancelGeoExperiment = endpoint({
  name: 'cancelGeoExperiment',
  method: 'DELETE',
  path: '/experiments/{id}',
  summary: 'Cancel a geo study created through POST /experiments',
  description: 'It stays in the list without a verdict. Returns `invalid_state` once it has one.',
  tag: 'insights',
  access: { kind: 'profile', scopes: ['tracking:write'] },
  params: z.object({ id: z.uuid() }),
  reply: z.null(),
  statuses: [204],
  errors: ['not_found', 'invalid_state'],
})
