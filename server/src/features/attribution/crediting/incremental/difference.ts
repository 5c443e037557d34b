/** What changed credits make of the rollups and the totals, summed over all of a batch's customers and written once. */
import { Rollups } from '@whence/engine'
import { dayAt } from '../../../../platform/contract/dates.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { together } from '../../../../platform/db/together.ts'
import { addPacked, type PackedCredit } from '../credits/packed.ts'
import type { PathBook } from '../credits/paths.ts'
import { applyPlatforms, PlatformCounts, type PlatformDelta } from '../credits/platform-counts.ts'
import { applyRollups, applyUnassigned, KindIndex, rollupDeltas } from '../credits/rollups.ts'
import { applyTotals, Totals } from '../credits/totals.ts'
import type { CreditRow } from './journeys.ts'

export type OldCredit = { row: CreditRow; credit: PackedCredit }
export type NewCredit = {
  conversionId: string
  goalId: string
  occurredAt: Date
  hasAmount: boolean
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
    const { kinds } = this
    const old = replaced.map(({ credit }) => credit)
    const fresh = changed.map(({ credit }) => credit)
    addPacked(this.entities.before, old, kinds, book.entitiesOf)
    addPacked(this.entities.after, fresh, kinds, book.entitiesOf)
    if (book.hasHolders()) {
      addPacked(this.unassigned.before, old, kinds, book.holdersOf)
      addPacked(this.unassigned.after, fresh, kinds, book.holdersOf)
    }
    const counts = new PlatformCounts(book.platforms)
    for (const credit of old) counts.addPacked(credit, kinds, -1)
    for (const credit of fresh) counts.addPacked(credit, kinds, 1)
    this.platforms.push(...counts.deltas(kinds.list))
    for (const credit of old) addTotals(this.totals, credit, -1)
    for (const credit of fresh) addTotals(this.totals, credit, 1)
  }

  /** Returns the days whose money is more than can be summed. */
  async save(tx: Tx, profileId: string, book: PathBook): Promise<string[]> {
    let overfullDays: string[] = []
    const deltas = (
      { before, after }: { before: Rollups; after: Rollups },
      nameAt: (index: number) => string,
    ) => rollupDeltas(before.rows(), after.rows(), this.kinds.list, nameAt)
    await together(
      () => applyRollups(tx, profileId, deltas(this.entities, book.entityIdAt)),
      () => applyUnassigned(tx, profileId, deltas(this.unassigned, book.holderAt)),
      () => applyPlatforms(tx, profileId, this.platforms),
      async () => {
        overfullDays = await applyTotals(tx, profileId, this.totals.deltas())
      },
    )
    return overfullDays
  }
}

function addTotals(totals: Totals, credit: PackedCredit, sign: 1 | -1): void {
  totals.add(dayAt(credit.day), credit, {
    conversions: sign,
    valueMinor: sign * credit.amountMinor,
    fxMissing: credit.fxMissing ? sign : 0,
  })
  for (const { day, amountMinor } of credit.refunds)
    totals.add(
      dayAt(day),
      credit,
      amountMinor === null ? { fxMissing: sign } : { valueMinor: -sign * amountMinor },
    )
}
