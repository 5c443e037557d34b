/** What changed credits make of the rollups and the totals, summed over all of a batch's customers and written once. */
import { Rollups } from '@whence/engine'
import { dayAt, dayNumber } from '../../contract/dates.ts'
import type { Tx } from '../../db/database.ts'
import { together } from '../../db/together.ts'
import type { CreditRow } from './journeys.ts'
import { addPacked, type PackedCredit } from './packed.ts'
import type { PathBook } from './paths.ts'
import { applyPlatforms, PlatformCounts, type PlatformDelta } from './platform-counts.ts'
import { applyRollups, applyUnassigned, KindIndex, rollupDeltas } from './rollups.ts'
import { applyTotals, Totals } from './totals.ts'

export type OldCredit = { row: CreditRow; credit: PackedCredit }
export type NewCredit = {
  conversionId: string
  goalId: string
  day: string
  outcomeType: string
  revenueType: string
  fxMissing: boolean
  credit: PackedCredit
  packed: Buffer
}

export class Difference {
  private readonly kinds = new KindIndex()
  private readonly entities = { before: new Rollups(), after: new Rollups() }
  private readonly unassigned = { before: new Rollups(), after: new Rollups() }
  private readonly platforms: PlatformDelta[] = []
  private readonly totals = new Totals()

  /** The book knows the paths of all of them. */
  add(replaced: readonly OldCredit[], changed: readonly NewCredit[], book: PathBook): void {
    const old = replaced.map(({ row, credit }) => ({
      credit,
      day: dayNumber(row.day),
      outcomeType: this.kinds.of(row.outcome_type, row.revenue_type),
    }))
    const fresh = changed.map((entry) => ({
      credit: entry.credit,
      day: dayNumber(entry.day),
      outcomeType: this.kinds.of(entry.outcomeType, entry.revenueType),
    }))
    addPacked(this.entities.before, old, book.entitiesOf)
    addPacked(this.entities.after, fresh, book.entitiesOf)
    if (book.hasPlatforms()) {
      addPacked(this.unassigned.before, old, book.platformsOf)
      addPacked(this.unassigned.after, fresh, book.platformsOf)
    }
    const counts = new PlatformCounts(book.platforms)
    for (const { credit, day, outcomeType } of old) counts.addPacked(credit, day, outcomeType, -1)
    for (const { credit, day, outcomeType } of fresh) counts.addPacked(credit, day, outcomeType, 1)
    this.platforms.push(...counts.deltas(this.kinds.list))
    for (const { row, credit } of replaced)
      addTotals(
        this.totals,
        {
          day: row.day,
          outcomeType: row.outcome_type,
          revenueType: row.revenue_type,
          fxMissing: row.fx_missing,
        },
        credit,
        -1,
      )
    for (const entry of changed) addTotals(this.totals, entry, entry.credit, 1)
  }

  async save(tx: Tx, profileId: string, book: PathBook): Promise<void> {
    const deltas = (
      { before, after }: { before: Rollups; after: Rollups },
      nameAt: (index: number) => string,
    ) => rollupDeltas(before.rows(), after.rows(), this.kinds.list, nameAt)
    await together(
      () => applyRollups(tx, profileId, deltas(this.entities, book.entityIdAt)),
      () => applyUnassigned(tx, profileId, deltas(this.unassigned, book.platformAt)),
      () => applyPlatforms(tx, profileId, this.platforms),
      () => applyTotals(tx, profileId, this.totals.deltas()),
    )
  }
}

function addTotals(
  totals: Totals,
  entry: { day: string; outcomeType: string; revenueType: string; fxMissing: boolean },
  credit: PackedCredit,
  sign: 1 | -1,
): void {
  const own = {
    conversions: sign,
    valueMinor: sign * credit.amountMinor,
    fxMissing: entry.fxMissing ? sign : 0,
  }
  totals.add(entry.day, entry, own)
  for (const refund of credit.refunds)
    totals.add(dayAt(refund.day), entry, { valueMinor: -sign * refund.amountMinor })
}
