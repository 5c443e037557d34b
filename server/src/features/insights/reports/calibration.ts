/** Credited revenue next to the incremental revenue that a study of the same campaign measured. */
import { models } from '@whence/engine'
import type { z } from 'zod'
import { localDay } from '../../../platform/contract/zones.ts'
import { unpackCredit } from '../../attribution/crediting/credits/packed.ts'
import {
  addCredit,
  type Credit,
  fractionalModels,
  knownMinor,
  toMoney,
} from '../../figures/definitions/definitions.ts'
import type { Calibration as Entry } from '../../figures/definitions/fields.ts'
import { coverBySubtraction } from '../../figures/definitions/rules.ts'
import { creditByEntity } from '../../figures/rollups/credit-by-entity.ts'
import { pathsOfEntity } from '../../figures/rollups/credited-conversions.ts'
import type { EntityDetail } from '../../figures/rollups/entities.ts'
import { readSums } from '../../figures/rollups/sums.ts'
import type { Snapshot } from '../../figures/snapshot/snapshot.ts'
import { calibrationFactor, type Factor, incrementalBuyers } from './calibration-rules.ts'
import { findStudy, listPossiblyCredited, listStudyEntities, type StudyRow } from './queries/studies.ts'

type Calibration = z.input<typeof Entry>

export async function calibrationOf(
  snapshot: Snapshot,
  timezone: string,
  entity: EntityDetail,
  credit: Credit,
): Promise<Calibration | null> {
  const { tx, profileId, currency } = snapshot
  if (entity.level === 'ad') return null
  const study = await findStudy(tx, { profileId, level: entity.level, externalId: entity.external_id })
  const factor = study && (await findFactor(snapshot, timezone, study))
  const buyers = study && (await findBuyers(snapshot, timezone, study))
  if (!study || (!factor && !buyers)) return null
  const minor = knownMinor(credit.cashMinor, credit.cashUnrated)
  const incremental = (by: number | undefined) =>
    toMoney(minor === null || by === undefined ? null : Math.round(minor * by), currency)
  const rounded = (value: number | undefined) => (value === undefined ? null : Math.round(value * 1e4) / 1e4)
  const [low, high] = [incremental(factor?.low), incremental(factor?.high)]
  return {
    experiment_id: study.id,
    kind: study.kind,
    name: study.name,
    ends_at: study.ends_at,
    level: study.reading.level,
    factor: rounded(factor?.factor),
    factor_low: rounded(factor?.low),
    factor_high: rounded(factor?.high),
    incremental_value: incremental(factor?.factor),
    // Refunds can make the credit negative, which swaps the bounds.
    incremental_low: low !== null && high !== null ? Math.min(low, high) : null,
    incremental_high: low !== null && high !== null ? Math.max(low, high) : null,
    buyers: buyers ?? null,
  }
}

async function findFactor(
  { tx, profileId, scope: { model } }: Snapshot,
  timezone: string,
  { kind, reading, cells, starts_at, ends_at }: StudyRow,
): Promise<Factor | null> {
  // Buyers are people, not conversions; a fractional model counts a conversion in every row with a part of it.
  if (kind === 'lift' && (reading.metric !== 'conversions' || fractionalModels.has(model))) return null
  const range = rangeOf({ starts_at, ends_at }, timezone)
  const testCells = cells.filter(({ isControl }) => !isControl)
  const studied = await listStudyEntities(tx, { profileId, ...entitiesInCells(testCells) })
  let credited = 0
  for (const { id, level } of studied) {
    const cover = coverBySubtraction(range)
    const credit = addCredit(await creditByEntity(tx, { profileId, level, entityId: id, model, cover }))
    credited += credit.count
  }
  const [sold] = await readSums(tx, { profileId, ...range, measures: ['conversions'], by: [] })
  return calibrationFactor(reading, {
    kind,
    tested: testCells[0]?.outcomes ?? null,
    credited,
    sold: sold!.conversions,
  })
}

/** The end is exclusive. */
const rangeOf = ({ starts_at, ends_at }: Pick<StudyRow, 'starts_at' | 'ends_at'>, timezone: string) => ({
  from: localDay(starts_at, timezone),
  to: localDay(new Date(ends_at.getTime() - 1), timezone),
})

const entitiesInCells = (cells: StudyRow['cells']) => ({
  campaigns: cells.flatMap(({ campaigns }) => campaigns),
  adSets: cells.flatMap(({ adSets }) => adSets),
})

/** Credits are unpacked one by one; a study with more payments than this shows no buyers. */
const MAX_PAYMENTS = 50_000

async function findBuyers(
  { tx, profileId, scope: { model } }: Snapshot,
  timezone: string,
  { kind, reading, cells, starts_at, ends_at }: StudyRow,
) {
  const testCells = cells.filter(({ isControl }) => !isControl)
  if (kind !== 'lift') return null
  const range = rangeOf({ starts_at, ends_at }, timezone)
  const [sold] = await readSums(tx, { profileId, ...range, measures: ['payments'], by: [] })
  const caused = incrementalBuyers(reading, testCells[0]?.outcomes ?? null, sold!.payments)
  if (caused === null) return null
  const studied = await listStudyEntities(tx, { profileId, ...entitiesInCells(testCells) })
  const lists = await Promise.all(studied.map(({ id }) => pathsOfEntity(tx, { profileId, entityId: id })))
  const paths = new Set(lists.flat())
  const payers = await listPossiblyCredited(tx, {
    profileId,
    paths: [...paths],
    ...range,
    most: MAX_PAYMENTS,
  })
  if (payers === undefined) return null
  const bit = 1 << models.indexOf(model)
  const credited = payers.filter(({ packed }) =>
    unpackCredit(packed).touches.some((touch) => (touch.models & bit) !== 0 && paths.has(touch.path)),
  )
  return { ...caused, credited: new Set(credited.map((row) => row.customer_id)).size }
}
