import { z } from 'zod'
import { endpoint } from '../../../platform/contract/endpoint.ts'
import {
  FirstDay,
  Instant,
  LastDay,
  ProfileId,
  ProfileIds,
  ProviderName,
  WorkspaceParams,
} from '../../../platform/contract/fields.ts'

const share = z.number()
export const ExperimentReading = z.object({
  metric: z.string().describe('Figure that the study measures'),
  effect: share.describe('Relative to the control: 0.1 is ten percent more'),
  low: share.describe('Lower bound of the interval of `effect`'),
  high: share.describe('Upper bound of the interval of `effect`'),
  level: share.describe('Confidence level of the interval, such as 0.95'),
})

export const Experiment = z.object({
  id: z.uuid().describe('Id of the study'),
  profile_id: ProfileId,
  provider: ProviderName,
  kind: z.enum(['lift', 'split', 'geo']).describe('Kind of study: of lift, of split audiences or of regions'),
  name: z.string().describe('Name of the study'),
  status: z
    .enum(['planned', 'running', 'observing', 'complete', 'canceled'])
    .describe('observing: ended, but conversions are still arriving'),
  starts_at: Instant.nullable().describe('When the study starts; null if the platform does not report it'),
  ends_at: Instant.nullable().describe('When the study ends; null if the platform does not report it'),
  readable_from: Instant.nullable().describe('Earliest time of a verdict; null if the end is not known'),
  cells: z
    .array(
      z.object({
        name: z.string().describe('Name of the group in the study'),
        is_control: z.boolean().describe('Whether it is the control group'),
        percentage: z
          .number()
          .nullable()
          .describe('Share of the group in percent; null if the platform does not report it'),
        population: z
          .int()
          .nullable()
          .describe('People in the group; null if the platform does not report it'),
        campaigns: z.array(z.string()).describe('Ids of its campaigns at the platform'),
        ad_sets: z.array(z.string()).describe('Ids of its ad sets at the platform'),
        regions: z.array(z.string()).describe('Only for studies created through POST /experiments'),
      }),
    )
    .describe('Groups of the experiment'),
  design: z
    .object({
      metric: z.string().describe('Figure that the study measures'),
      days: z.int().describe('Length of the study in days'),
      detectable_effect: share.describe('Minimum detectable effect at this power, as a share'),
      power: share.describe('Share of simulated effects detected in earlier weeks'),
      by_lot: z.boolean().describe('Whether the regions were assigned at random'),
    })
    .nullable()
    .describe('The design of a study created through POST /experiments; null for studies of the platforms'),
  platform_reading: ExperimentReading.nullable().describe(
    'What the platform reports for the experiment; null until it does',
  ),
  own_reading: ExperimentReading.nullable().describe(
    'Computed by us from the spend and credited conversions of the cells; null until it can be computed',
  ),
  checks: z
    .object({
      sample_ratio_p: z
        .number()
        .nullable()
        .describe(
          'p-value of the sample ratio test; below 0.001 the split is broken. Null without enough data for the test',
        ),
      pre_period_ok: z
        .boolean()
        .nullable()
        .describe('Whether the groups behaved alike before the start; null without enough data for the test'),
      divergent_delivery: z
        .boolean()
        .nullable()
        .describe(
          'True if the platform’s delivery to the cells differs far from the planned shares; null without enough data for the test',
        ),
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
    })
    .describe('Tests of whether the study can be trusted'),
  verdict: z
    .enum(['positive', 'negative', 'inconclusive', 'invalid'])
    .nullable()
    .describe('Conclusion from the figures; null until there is one'),
  truth_grade: z
    .enum(['lift'])
    .nullable()
    .describe(
      'For a lift study whose interval excludes zero, and a geo study with both placebo ratios above 1; a split test does not prove causality. Null for all others',
    ),
  decided_at: Instant.nullable().describe(
    'When the verdict was reached or last changed; null without a verdict',
  ),
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

const Metric = z.enum(['payments', 'conversions']).describe('Figure that the study measures')
const Region = z.string().trim().min(1).max(240)
const regions = z.array(
  z.object({
    region: z.string().describe('State or province, such as ES-MADRID'),
    outcomes: z.int().describe('Outcomes in the `past` range'),
  }),
)
const detectable_effect = share
  .nullable()
  .describe('The smallest increase detected in 19 of 20 earlier windows into which it was simulated')

export const GeoDesign = z.object({
  supported: z.boolean().describe('Whether the profile’s history supports a study'),
  reason: z
    .enum([...designRefusals, 'nothing_detectable'])
    .nullable()
    .describe('Why the historical data does not support a study; null if it does'),
  metric: Metric,
  past: z
    .object({
      date_from: FirstDay,
      date_to: LastDay,
      outcomes: z.int().describe('Number of outcomes'),
      with_region: z.int().describe('Outcomes whose region is known'),
      regions: z.int().describe('Regions with enough outcomes'),
    })
    .describe('Historical data behind the design'),
  by_lot: z.boolean().describe('Whether the regions were assigned at random'),
  treated: regions.describe('Regions in which the ads change'),
  control: regions.describe('Regions without a change, which serve as comparison'),
  power: share.describe('Planned probability of detecting an increase of `detectable_effect`'),
  options: z
    .array(
      z.object({
        days: z.int().describe('Length of the study in days'),
        detectable_effect: detectable_effect.describe(
          'The smallest increase detected in 19 of 20 earlier windows into which it was simulated; null if none was',
        ),
        windows: z.int().describe('Number of earlier windows simulated'),
        false_verdicts: share.describe('Share of these windows with a verdict without a simulated effect'),
      }),
    )
    .describe('Evaluated durations with their minimum detectable effect'),
  recommended_days: z
    .int()
    .nullable()
    .describe('Minimum duration in days to detect the effect; null if none is long enough'),
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
    name: z.string().trim().min(1).max(120).describe('Name of the study'),
    metric: Metric,
    days: z.union(DURATIONS.map((days) => z.literal(days))).describe('Length of the study in days'),
    starts_on: z.iso.date().describe('First day of the study, YYYY-MM-DD'),
    treated: z.array(Region).min(1).max(60).describe('Regions in which the ads change'),
    control: z.array(Region).min(4).max(60).describe('Regions without a change, which serve as comparison'),
  }),
  reply: z.object({
    id: z.uuid().describe('Id of the study'),
    name: z.string().describe('Name of the study'),
    starts_on: z.string().describe('First day of the study, YYYY-MM-DD'),
    ends_on: z.string().describe('Last day of the study'),
    metric: Metric,
    detectable_effect: share.describe('Minimum detectable effect at this power, as a share'),
    power: share.describe('Share of simulated effects detected in earlier weeks'),
    by_lot: z.boolean().describe('Whether the regions were assigned at random'),
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
  params: z.object({ id: z.uuid().describe('Id of the study') }),
  reply: z.null(),
  statuses: [204],
  errors: ['not_found', 'invalid_state'],
})
