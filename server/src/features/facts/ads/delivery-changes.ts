/** Ledger rows for the difference of effective delivery of entity-days before and after a write. */
import type { Reason } from '../restatements/causes.ts'
import type { Restatements, RowChange } from '../restatements/save-restatements.ts'
import type { AdLevel } from './entities.ts'

export type DeliveryRow = {
  entity_id: string
  day: string
  source: string
  spend_minor: number
  fx_missing: number
  impressions: number | null
  clicks: number | null
  reach: number | null
  platform_conversions_milli: number | null
  platform_value_minor: number | null
  messaging_started_7d: number | null
}

/** Nullable columns. The ledger has two measures for each, the amount and a null flag, so that both can be summed. */
export const nullableMeasures = [
  'impressions',
  'clicks',
  'reach',
  'platform_conversions_milli',
  'platform_value_minor',
  'messaging_started_7d',
] as const

/** Ledger measures: row count, spend, amounts without an exchange rate, then the nullable columns. */
function measuresOf(row: DeliveryRow): number[] {
  return [
    1,
    row.spend_minor,
    row.fx_missing,
    ...nullableMeasures.flatMap((name) => [row[name] ?? 0, row[name] === null ? 0 : 1]),
  ]
}

export type DeliveryRestatement = {
  reasonOf: (level: AdLevel, pair: { entityId: string; day: string }) => Reason
  restatements: Restatements
}

export function recordDelivery(
  { reasonOf, restatements }: DeliveryRestatement,
  level: AdLevel,
  before: readonly DeliveryRow[],
  after: readonly DeliveryRow[],
): void {
  const changes = new Map<string, RowChange & { measures: number[] }>()
  const add = (row: DeliveryRow, sign: 1 | -1) => {
    if (row.day > restatements.closedThrough) return
    const key = `${row.entity_id} ${row.day} ${row.source}`
    const measures = measuresOf(row)
    const change = changes.get(key)
    if (change === undefined)
      changes.set(key, {
        rollup: 'delivery',
        level,
        entity: row.entity_id,
        day: row.day,
        outcomeType: '',
        revenueType: row.source,
        measures: measures.map((value) => sign * value),
      })
    else for (const [at, value] of measures.entries()) change.measures[at]! += sign * value
  }
  for (const row of before) add(row, -1)
  for (const row of after) add(row, 1)
  for (const change of changes.values())
    restatements.add(reasonOf(level, { entityId: change.entity, day: change.day }), [change])
}
