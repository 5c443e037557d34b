/** Sums the changes of rollups and totals over all customers of a batch and writes them once. */
import { Rollups } from '@whence/engine'
import { dayNumber } from '../../../../platform/contract/dates.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { pipelineWrites } from '../../../../platform/db/pipelining.ts'
import type { Reason } from '../../../facts/restatements/causes.ts'
import type { Restatements } from '../../../facts/restatements/save-restatements.ts'
import { addPacked, type PackedCredit } from '../credits/packed.ts'
import type { PathBook } from '../credits/paths.ts'
import { applyPlatforms, PlatformCounts, type PlatformDelta } from '../credits/platform-counts.ts'
import {
  applyRollups,
  applyUnassigned,
  KindIndex,
  type ReasonDeltas,
  rollupDeltas,
} from '../credits/rollups.ts'
import { applyTotals, Totals } from '../credits/totals.ts'
import { applyUncredited, Uncredited } from '../credits/uncredited.ts'
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

/** The conversion whose credit changed, to look up the reason. If it is not stored any more, only its id is set. */
export type ChangedConversion = { conversionId: string; eventId: string | null; customerId: string | null }
/** Why credit of a closed day changes. */
export type ReasonOf = (changed: ChangedConversion) => Reason

/** Facts per cause that get ledger rows of their own, as examples; the other facts of a batch share rows. */
const MAX_SEPARATE_FACTS = 5
/** Key of credit on open days only, which the ledger does not record. */
const OPEN = ''
const openReason: Reason = { cause: 'late_event', fact: null }

export class RollupDifference {
  private readonly kinds = new KindIndex()
  private readonly parts = new Map<string, Part>()
  private readonly factCounts = new Map<string, number>()
  private readonly reasonOf: ReasonOf
  private readonly lastClosed: number
  constructor(closedThrough: string, reasonOf: ReasonOf) {
    this.lastClosed = dayNumber(closedThrough)
    this.reasonOf = reasonOf
  }

  /** The book must contain the paths of all these credits. */
  add(
    replaced: readonly OldCredit[],
    changed: readonly NewCredit[],
    book: PathBook,
    find: (conversionId: string) => ChangedConversion,
  ): void {
    const closedKeyById = new Map<string, string>()
    const note = (id: string, credit: PackedCredit) => {
      if (!closedKeyById.has(id) && this.isClosed(credit))
        closedKeyById.set(id, this.keyOf(this.reasonOf(find(id))))
    }
    for (const { row, credit } of replaced) note(row.conversion_id, credit)
    for (const { conversionId, credit } of changed) note(conversionId, credit)
    if (closedKeyById.size === 0) {
      this.partAt(OPEN, openReason).add(replaced.map(toCredit), changed.map(toCredit), book, this.kinds)
      return
    }
    const old = Map.groupBy(replaced, ({ row }) => closedKeyById.get(row.conversion_id) ?? OPEN)
    const fresh = Map.groupBy(changed, ({ conversionId }) => closedKeyById.get(conversionId) ?? OPEN)
    for (const key of new Set([...old.keys(), ...fresh.keys()])) {
      const [before, after] = [old.get(key) ?? [], fresh.get(key) ?? []]
      this.partAt(key, openReason).add(before.map(toCredit), after.map(toCredit), book, this.kinds)
    }
  }

  private isClosed({ day, refunds }: PackedCredit): boolean {
    return day <= this.lastClosed || refunds.some((refund) => refund.day <= this.lastClosed)
  }

  private keyOf({ cause, fact }: Reason): string {
    const factKey = `${cause} ${fact?.type} ${fact?.id}`
    if (this.parts.has(factKey)) return factKey
    const factCount = this.factCounts.get(cause) ?? 0
    const isShared = fact !== null && factCount >= MAX_SEPARATE_FACTS
    if (!isShared) this.factCounts.set(cause, factCount + 1)
    const key = isShared ? cause : factKey
    this.partAt(key, isShared ? { cause, fact: null } : { cause, fact })
    return key
  }

  private partAt(key: string, reason: Reason): Part {
    let part = this.parts.get(key)
    if (part === undefined) {
      part = new Part(reason)
      this.parts.set(key, part)
    }
    return part
  }

  /** Returns the days whose money exceeds `MAX_DAY_MINOR`. */
  async save(tx: Tx, profileId: string, book: PathBook, restatements: Restatements): Promise<string[]> {
    let overfullDays: string[] = []
    const parts = [...this.parts.values()]
    const kinds = this.kinds.list
    const byReason = <Delta>(deltasOf: (part: Part) => Delta[]): ReasonDeltas<Delta>[] =>
      parts.map((part) => ({ reason: part.reason, deltas: deltasOf(part) }))
    const deltas = ({ before, after }: Sides, nameAt: (index: number) => string) =>
      rollupDeltas(before.rows(), after.rows(), kinds, nameAt)
    const credits = () => byReason((part) => deltas(part.entities, book.entityIdAt))
    const unassigned = () => byReason((part) => deltas(part.unassigned, book.unassignedKeyAt))
    await pipelineWrites(
      () => applyRollups(tx, profileId, credits(), restatements),
      () => applyUnassigned(tx, profileId, unassigned(), restatements),
      () =>
        applyPlatforms(
          tx,
          profileId,
          byReason((part) => part.platforms),
          restatements,
        ),
      () =>
        applyUncredited(
          tx,
          profileId,
          byReason((part) => part.uncredited.deltas()),
          restatements,
        ),
      async () => {
        const totals = byReason((part) => part.totals.deltas())
        overfullDays = await applyTotals(tx, profileId, totals, restatements)
      },
    )
    return overfullDays
  }
}

const toCredit = ({ credit }: { credit: PackedCredit }) => credit

type Sides = { before: Rollups; after: Rollups }

/** The changes of one reason. */
class Part {
  readonly reason: Reason
  readonly entities: Sides = { before: new Rollups(), after: new Rollups() }
  readonly unassigned: Sides = { before: new Rollups(), after: new Rollups() }
  readonly platforms: PlatformDelta[] = []
  readonly totals = new Totals()
  readonly uncredited = new Uncredited()
  constructor(reason: Reason) {
    this.reason = reason
  }

  add(old: readonly PackedCredit[], fresh: readonly PackedCredit[], book: PathBook, kinds: KindIndex): void {
    addPacked(this.entities.before, old, kinds, book.entitiesOf)
    addPacked(this.entities.after, fresh, kinds, book.entitiesOf)
    if (book.hasUnassigned()) {
      addPacked(this.unassigned.before, old, kinds, book.unassignedKeysOf)
      addPacked(this.unassigned.after, fresh, kinds, book.unassignedKeysOf)
    }
    const counts = new PlatformCounts(book.platforms)
    for (const credit of old) counts.addPacked(credit, kinds, -1)
    for (const credit of fresh) counts.addPacked(credit, kinds, 1)
    this.platforms.push(...counts.deltas(kinds.list))
    const count = (credit: PackedCredit, sign: 1 | -1) => {
      this.totals.addCredit(credit, sign)
      this.uncredited.addCredit(credit.uncredited, credit, sign)
    }
    for (const credit of old) count(credit, -1)
    for (const credit of fresh) count(credit, 1)
  }
}
