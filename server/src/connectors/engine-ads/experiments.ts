/**
 * Experiments of a customer and their arms. The platform compares control and treatment itself: an estimate with its
 * margin of error. Fields: developers.google.com/google-ads/api/fields/v26/experiment and experiment_arm, and
 * /docs/experiments/reporting. Read on 2026-11-16.
 */
import { z } from 'zod'
import { ProviderError, type Session } from '../connector.ts'
import type { ExperimentCell, ExperimentRecord, PlatformReading } from '../experiments.ts'
import { id, text } from '../reply-fields.ts'
import { callAds } from './calls.ts'

const figure = z
  .union([z.number(), z.string()])
  .nullish()
  .transform((value) => (value === null || value === undefined ? null : Number(value)))
const ExperimentRow = z.looseObject({
  experiment: z.looseObject({
    resourceName: text,
    experimentId: id,
    name: text,
    status: text,
    startDate: text,
    endDate: text,
  }),
  metrics: z
    .looseObject({
      controlConversions: figure,
      conversionsAbsoluteChangePointEstimate: figure,
      conversionsAbsoluteChangeMarginOfError: figure,
    })
    .nullish(),
})
const ArmRow = z.looseObject({
  experimentArm: z.looseObject({
    experiment: text,
    name: text,
    control: z.boolean().nullish(),
    trafficSplit: figure,
    campaigns: z.array(z.string()).nullish(),
  }),
})

const experiments =
  'SELECT experiment.resource_name, experiment.experiment_id, experiment.name, experiment.status, experiment.start_date, experiment.end_date, metrics.control_conversions, metrics.conversions_absolute_change_point_estimate, metrics.conversions_absolute_change_margin_of_error FROM experiment'
const arms =
  'SELECT experiment_arm.experiment, experiment_arm.name, experiment_arm.control, experiment_arm.traffic_split, experiment_arm.campaigns FROM experiment_arm'
/** Never ran, or was removed before it ran. */
const withoutRun = new Set(['SETUP', 'REMOVED'])
const LEVEL = 0.95

export async function listExperiments(session: Session): Promise<ExperimentRecord[]> {
  const rows = await readRows(session, experiments, ExperimentRow)
  const cells = (await readRows(session, arms, ArmRow)).map(({ experimentArm }) => experimentArm)
  return rows
    .filter(({ experiment }) => !withoutRun.has(experiment.status ?? ''))
    .map(({ experiment, metrics }) => ({
      externalId: experiment.experimentId,
      kind: 'split' as const,
      name: experiment.name ?? experiment.experimentId,
      startsAt: experiment.startDate === null ? null : `${experiment.startDate.slice(0, 10)}T00:00:00.000Z`,
      endsAt: experiment.endDate === null ? null : `${experiment.endDate.slice(0, 10)}T23:59:59.000Z`,
      observationEndsAt: null,
      canceledAt: experiment.status === 'HALTED' ? `${experiment.endDate?.slice(0, 10)}T23:59:59.000Z` : null,
      cells: cells.filter((arm) => arm.experiment === experiment.resourceName).map(toCell),
      platformReading: metrics ? toReading(metrics) : null,
    }))
}

/** A stream that fails midway reports the error in a separate element. */
async function readRows<T>(session: Session, query: string, row: z.ZodType<T>): Promise<T[]> {
  const path = `/customers/${encodeURIComponent(session.accountId)}/googleAds:searchStream`
  const batch = z.looseObject({ results: z.array(row).nullish(), error: z.unknown().optional() })
  const batches = await callAds(session, path, z.array(batch), { query })
  if (batches.some(({ error }) => error !== undefined && error !== null))
    throw new ProviderError('unavailable', 'The list of experiments is incomplete')
  return batches.flatMap(({ results }) => results ?? [])
}

const toCell = (arm: z.infer<typeof ArmRow>['experimentArm']): ExperimentCell => ({
  name: arm.name ?? 'Arm',
  isControl: arm.control === true,
  percentage: arm.trafficSplit,
  population: null,
  campaigns: arm.campaigns?.map((name) => name.split('/').at(-1)!) ?? [],
  adSets: [],
})

function toReading(metrics: NonNullable<z.infer<typeof ExperimentRow>['metrics']>): PlatformReading | null {
  const { controlConversions: control } = metrics
  const estimate = metrics.conversionsAbsoluteChangePointEstimate
  const margin = metrics.conversionsAbsoluteChangeMarginOfError
  if (control === null || control === 0 || estimate === null || margin === null) return null
  return {
    metric: 'conversions',
    effect: estimate / control,
    low: (estimate - margin) / control,
    high: (estimate + margin) / control,
    level: LEVEL,
  }
}
