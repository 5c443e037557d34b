/** Credited revenue next to what a study of the same campaign says would not have come without it. */
import type { z } from 'zod'
import { localDay } from '../../../platform/contract/zones.ts'
import { type Factor, factorOf } from './calibration-rules.ts'
import { addCredit, type Credit, dividing, knownMinor, toMoney } from './definitions.ts'
import type { Calibration as Entry } from './fields.ts'
import { creditByEntity } from './queries/credit-by-entity.ts'
import type { EntityDetail } from './queries/entities.ts'
import { countSold, findStudy, listStudied, type StudyRow } from './queries/studies.ts'
import { coverBySubtraction } from './rules.ts'
import type { Snapshot } from './snapshot.ts'

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
  const found = study && (await findFactor(snapshot, timezone, study))
  if (!study || !found) return null
  const minor = knownMinor(credit.cashMinor, credit.cashUnrated)
  const caused = (factor: number) => toMoney(minor === null ? null : Math.round(minor * factor), currency)
  const rounded = (value: number) => Math.round(value * 1e4) / 1e4
  const [low, high] = [caused(found.low), caused(found.high)]
  return {
    experiment_id: study.id,
    kind: study.kind,
    name: study.name,
    ends_at: study.ends_at.toISOString(),
    level: study.reading.level,
    factor: rounded(found.factor),
    factor_low: rounded(found.low),
    factor_high: rounded(found.high),
    incremental_value: caused(found.factor),
    // Refunds can make the credit negative, and the bounds change places.
    incremental_low: low !== null && high !== null ? Math.min(low, high) : null,
    incremental_high: low !== null && high !== null ? Math.max(low, high) : null,
  }
}

async function findFactor(
  { tx, profileId, scope: { model } }: Snapshot,
  timezone: string,
  { kind, reading, cells, starts_at, ends_at }: StudyRow,
): Promise<Factor | null> {
  // Buyers are people, not conversions; a dividing model counts a conversion in every row with a part of it.
  if (kind === 'lift' && (reading.metric !== 'conversions' || dividing.has(model))) return null
  // The end is exclusive.
  const lastDay = localDay(new Date(ends_at.getTime() - 1), timezone)
  const range = { from: localDay(starts_at, timezone), to: lastDay }
  const shown = cells.filter(({ isControl }) => !isControl)
  const studied = await listStudied(tx, {
    profileId,
    campaigns: shown.flatMap(({ campaigns }) => campaigns),
    adSets: shown.flatMap(({ adSets }) => adSets),
  })
  let credited = 0
  for (const { id, level } of studied) {
    const cover = coverBySubtraction(range)
    const credit = addCredit(await creditByEntity(tx, { profileId, level, entityId: id, model, cover }))
    credited += credit.count
  }
  const sold = await countSold(tx, { profileId, ...range })
  return factorOf(reading, {
    kind,
    tested: shown[0]?.outcomes ?? null,
    credited,
    sold,
  })
}
