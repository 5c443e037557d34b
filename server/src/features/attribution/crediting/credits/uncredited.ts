/** Conversions that no touch can be credited for under any model, by day and reason. */
import { sql } from 'kysely'
import { applyDeltas } from '../../../../platform/db/bulk/counters.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import type { Restatements, RowChange } from '../../../facts/restatements/save-restatements.ts'
import type { ReasonDeltas } from './rollups.ts'
import { type CountedCredit, type TotalDelta, Totals } from './totals.ts'
import type { WholeReason } from './unattributed-reasons.ts'

export type UncreditedDelta = TotalDelta & { reason: WholeReason }

/** Sums changes of many conversions by reason, day and kind. */
export class Uncredited {
  private readonly byReason = new Map<WholeReason, Totals>()

  addCredit(reason: WholeReason | null, credit: CountedCredit, sign: 1 | -1): void {
    if (reason !== null) this.at(reason).addCredit(credit, sign)
  }

  addDeltas(deltas: readonly UncreditedDelta[]): this {
    for (const delta of deltas) this.at(delta.reason).add(delta.day, delta, delta)
    return this
  }

  deltas(): UncreditedDelta[] {
    return [...this.byReason].flatMap(([reason, totals]) =>
      totals.deltas().map((delta) => ({ reason, ...delta })),
    )
  }

  private at(reason: WholeReason): Totals {
    const totals = this.byReason.get(reason) ?? new Totals()
    this.byReason.set(reason, totals)
    return totals
  }
}

function toChange({ reason: entity, day, outcomeType, revenueType, ...delta }: UncreditedDelta): RowChange {
  const measures = [delta.conversions, delta.valueMinor, delta.fxMissing]
  return { rollup: 'uncredited', level: '', entity, day, outcomeType, revenueType, measures }
}

export async function applyUncredited(
  tx: Tx,
  profileId: string,
  parts: readonly ReasonDeltas<UncreditedDelta>[],
  restatements: Restatements,
): Promise<void> {
  const sums = new Uncredited()
  for (const { reason, deltas } of parts) {
    restatements.add(reason, deltas.map(toChange))
    sums.addDeltas(deltas)
  }
  await addRows(tx, profileId, sums.deltas())
}

/** Replaces the stored sums. */
export async function replaceUncredited(
  tx: Tx,
  profileId: string,
  { reason, deltas }: ReasonDeltas<UncreditedDelta>,
  restatements: Restatements,
): Promise<void> {
  const { rows } = await sql<UncreditedDelta>`
    delete from uncredited_daily where profile_id = ${profileId}
    returning reason, day, outcome_type as "outcomeType", revenue_type as "revenueType", -conversions as conversions,
      -value_minor as "valueMinor", -fx_missing as "fxMissing"`.execute(tx)
  await addRows(tx, profileId, deltas)
  restatements.add(reason, new Uncredited().addDeltas(rows).addDeltas(deltas).deltas().map(toChange))
}

/** Expects each row at most once. */
async function addRows(tx: Tx, profileId: string, deltas: readonly UncreditedDelta[]): Promise<void> {
  await applyDeltas(
    tx,
    { into: 'uncredited_daily', profileId, rows: deltas },
    {
      keys: ['reason', 'day', 'outcome_type', 'revenue_type'],
      measures: ['conversions', 'value_minor', 'fx_missing'],
      // Money may have been negative (the day of a refund), so only a count that grew excludes a row.
      mayVanish: (delta) => delta.conversions <= 0,
    },
  )
}
