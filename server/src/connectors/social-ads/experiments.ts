/**
 * Studies of an ad account: split tests, lift and geo lift, with their cells and results.
 * Fields: developers.facebook.com/documentation/ads-commerce/marketing-api/reference/ad-study and the platform's own
 * client (AdStudy, AdStudyCell, AdStudyObjective); results are JSON in strings with dotted names such as `buyers.lift`.
 * Read on 2026-11-16.
 */
import { z } from 'zod'
import { normalQuantile } from '../../platform/statistics/distributions.ts'
import type { Session } from '../connector.ts'
import type { ExperimentCell, ExperimentRecord, PlatformReading } from '../experiments.ts'
import { lookUp } from '../look-up.ts'
import { id, text } from '../reply-fields.ts'
import { toInstant } from '../window.ts'
import { readWholeList } from './calls.ts'

const Study = z.looseObject({
  id,
  name: text,
  type: text,
  start_time: text,
  end_time: text,
  observation_end_time: text,
  canceled_time: text,
})
const IdList = z.looseObject({ data: z.array(z.looseObject({ id })) }).nullish()
const percentage = z
  .number()
  .nullish()
  .transform((value) => value ?? null)
const Cell = z.looseObject({
  id,
  name: text,
  treatment_percentage: percentage,
  control_percentage: percentage,
  campaigns: IdList,
  adsets: IdList,
})
const Objective = z.looseObject({
  id,
  is_primary: z.boolean().nullish(),
  results: z.array(z.string()).nullish(),
})
type Cell = z.infer<typeof Cell>

const kinds: Record<string, ExperimentRecord['kind']> = {
  LIFT: 'lift',
  GEO_LIFT: 'geo',
  SPLIT_TEST: 'split',
  SPLIT_TEST_V2: 'split',
}
const SIGNIFICANCE_LEVEL = 0.95

export async function listExperiments(session: Session): Promise<ExperimentRecord[]> {
  const { http, app, token, accountId } = session
  const list = <T>(path: string, item: z.ZodType<T>, fields: string) =>
    readWholeList(http, app, token, path, item, { fields, limit: 50 })
  const studies = await list(
    `/${accountId}/ad_studies`,
    Study,
    'id,name,type,start_time,end_time,observation_end_time,canceled_time',
  )
  const records: ExperimentRecord[] = []
  for (const study of studies) {
    const kind = lookUp(kinds, study.type)
    if (kind === undefined) continue
    const cells = await list(
      `/${study.id}/cells`,
      Cell,
      'id,name,treatment_percentage,control_percentage,campaigns,adsets',
    )
    const objectives =
      kind === 'split' ? [] : await list(`/${study.id}/objectives`, Objective, 'id,is_primary,results')
    records.push(toExperiment(study, kind, cells, resultsOf(objectives)))
  }
  return records
}

type Results = Record<string, unknown> | null

function resultsOf(objectives: readonly z.infer<typeof Objective>[]): Results {
  const primary = objectives.find(({ is_primary: isPrimary }) => isPrimary === true) ?? objectives[0]
  const first = primary?.results?.[0]
  if (first === undefined) return null
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(first))
  } catch {
    return null
  }
}

function toExperiment(
  study: z.infer<typeof Study>,
  kind: ExperimentRecord['kind'],
  cells: readonly Cell[],
  results: Results,
): ExperimentRecord {
  const instant = (value: string | null) => (value === null ? null : toInstant(value))
  return {
    externalId: study.id,
    kind,
    name: study.name ?? study.id,
    startsAt: instant(study.start_time),
    endsAt: instant(study.end_time),
    observationEndsAt: instant(study.observation_end_time),
    canceledAt: instant(study.canceled_time),
    cells: kind === 'lift' ? liftCells(cells, results) : cells.map((cell, index) => toCell(cell, index > 0)),
    platformReading: readingOf(results),
  }
}

/** The first cell of a split test is its control; the platform marks none. */
const toCell = (cell: Cell, isTreatment: boolean): ExperimentCell => ({
  name: cell.name ?? cell.id,
  isControl: !isTreatment,
  percentage: cell.treatment_percentage,
  population: null,
  campaigns: cell.campaigns?.data.map((campaign) => campaign.id) ?? [],
  adSets: cell.adsets?.data.map((adSet) => adSet.id) ?? [],
})

/** Each cell of a lift study has its own holdout; the platform reports both groups. */
function liftCells(cells: readonly Cell[], results: Results): ExperimentCell[] {
  return cells.flatMap((cell) => [
    {
      ...toCell(cell, true),
      population: numberOf(results, 'population.test'),
      outcomes: numberOf(results, `${readingOf(results)?.metric}.test`),
    },
    {
      ...toCell(cell, false),
      name: `${cell.name ?? cell.id} (held back)`,
      percentage: cell.control_percentage,
      population: numberOf(results, 'population.control'),
      campaigns: [],
      adSets: [],
    },
  ])
}

function numberOf(results: Results, name: string): number | null {
  const value = results?.[name]
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

/** The platform reports lift and p-value; the confidence interval is derived from them. */
function readingOf(results: Results): PlatformReading | null {
  for (const metric of ['buyers', 'conversions'] as const) {
    const [effect, p] = [numberOf(results, `${metric}.lift`), numberOf(results, `${metric}.pValue`)]
    if (effect === null || p === null || p <= 0 || p >= 1) continue
    const margin =
      (Math.abs(effect) / normalQuantile(1 - p / 2)) * normalQuantile((1 + SIGNIFICANCE_LEVEL) / 2)
    return { metric, effect, low: effect - margin, high: effect + margin, level: SIGNIFICANCE_LEVEL }
  }
  return null
}
