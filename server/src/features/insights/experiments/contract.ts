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
      regions: z.array(z.string()).describe('Of a study that was designed here'),
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
    .describe('What a study of the profile’s own was planned with'),
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

/** Days that a study can take. */
export const DURATIONS = [14, 21, 28, 42] as const
export const designRefusals = ['no_regions', 'regions_unknown', 'too_few_regions', 'past_too_short'] as const

export const MAX_LOT = 99

const Metric = z.enum(['payments', 'conversions'])
const Region = z.string().trim().min(1).max(240)
const regions = z.array(z.object({ region: z.string(), outcomes: z.int().describe('In the past') }))
const detectable_effect = share
  .nullable()
  .describe('The smallest increase that was found in 19 of 20 earlier windows it was planted into')

export const GeoDesign = z.object({
  supported: z.boolean(),
  reason: z
    .enum([...designRefusals, 'nothing_detectable'])
    .nullable()
    .describe('Why the past supports no study'),
  metric: Metric,
  past: z.object({
    date_from: z.string(),
    date_to: z.string(),
    outcomes: z.int(),
    with_region: z.int(),
    regions: z.int().describe('With enough outcomes'),
  }),
  by_lot: z.boolean(),
  treated: regions,
  control: regions,
  power: share.describe('Planned share of such studies that find an increase by `detectable_effect`'),
  options: z.array(
    z.object({
      days: z.int(),
      detectable_effect,
      windows: z.int().describe('Earlier windows that were read'),
      false_verdicts: share.describe('Share of these windows with a verdict although nothing was planted'),
    }),
  ),
  recommended_days: z.int().nullable(),
})

export const designGeoExperiment = endpoint({
  name: 'designGeoExperiment',
  method: 'GET',
  path: '/experiments/geo-design',
  summary: 'Propose a geo study from the past of the profile’s regions',
  description:
    'A region is the state or province of the customer’s latest address (`user_traits.region`). One of three regions of like size is drawn by lot; the same past and `lot` give the same design. Power comes from effects planted into earlier weeks and read as the study will be. A past of more than 50,000 outcomes is read once a day.',
  tag: 'insights',
  access: { kind: 'profile', scopes: ['campaigns:read'] },
  query: z.object({
    metric: Metric.default('payments'),
    effect: z.coerce
      .number()
      .min(0.01)
      .max(1)
      .optional()
      .describe('The increase to find; 0.1 is ten percent'),
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
      .describe('Regions to treat, separated by commas, instead of a lot'),
    lot: z.coerce
      .number()
      .int()
      .min(0)
      .max(MAX_LOT)
      .default(0)
      .describe('Another number draws other regions'),
  }),
  reply: GeoDesign,
})

export const createGeoExperiment = endpoint({
  name: 'createGeoExperiment',
  method: 'POST',
  path: '/experiments',
  summary: 'Create a geo study from a design',
  description:
    'Advertise differently in the treated regions from `starts_on` on. The study is read once a day from all outcomes of its regions; its verdict comes a week after the end. Refused where the past of these regions supports none of this length.',
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
    ends_on: z.string().describe('The last day'),
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
  summary: 'Cancel a geo study that was created here',
  description: 'It stays in the list without a verdict. Refused once it has one.',
  tag: 'insights',
  access: { kind: 'profile', scopes: ['tracking:write'] },
  params: z.object({ id: z.uuid() }),
  reply: z.null(),
  statuses: [204],
  errors: ['not_found', 'invalid_state'],
})
