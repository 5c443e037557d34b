/** Recomputes the credits of some customers from their journeys; rollups and totals change by the difference. */
import { BulkAttribution } from '@whence/engine'
import { type RawBuilder, sql } from 'kysely'
import { dayNumber } from '../../../../platform/contract/dates.ts'
import { byteas, uuidList, uuids } from '../../../../platform/db/bulk/columns.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { inParts, pipelineWrites } from '../../../../platform/db/pipelining.ts'
import { anchoredProfileId, fromAnchor } from '../../../../platform/db/shard-anchor.ts'
import { loadMembers, type Members } from '../../../facts/identity/members.ts'
import { openLedger } from '../../../facts/restatements/closed-days.ts'
import { withRestatements } from '../../../facts/restatements/save-restatements.ts'
import { announceCredited, newlyCredited } from '../announce-credited.ts'
import { type PackedCredit, packCredit, unpackCredit } from '../credits/packed.ts'
import { openPathBook, type PathBook } from '../credits/paths.ts'
import { wholeReasonOf } from '../credits/unattributed-reasons.ts'
import { applyReach, loadReach, saveReached } from '../reach/refresh.ts'
import { type AdTouch, ReachSums } from '../reach/rules.ts'
import type { AttributionProfile } from '../settings.ts'
import { stampFirstAttributed } from '../stamp-goals.ts'
import {
  type ChangedConversion,
  type NewCredit,
  type OldCredit,
  type ReasonOf,
  RollupDifference,
} from './difference.ts'
import { type FirstPayments, flagFirstPayments } from './first-payments.ts'
import {
  type ConversionRow,
  type CreditRow,
  isCounted,
  type JourneyTouch,
  type LoadedTouch,
  loadConversions,
  loadCredits,
  loadRefunds,
  loadTouches,
  type RefundRow,
} from './journeys.ts'
import { type NewCustomers, type NewJourneys, noNewCustomers } from './new-customers.ts'

/** The caller holds the profile's lock. `overfullDays`: days whose money exceeds `MAX_DAY_MINOR`. */
export async function recomputeCustomers(
  tx: Tx,
  profile: AttributionProfile,
  customerIds: readonly string[],
  now: Date,
  options: {
    reasonOf: ReasonOf
    /** Customers whose ad touches may have changed; default: all. */
    reachIds?: readonly string[]
    newCustomers?: NewCustomers
    /** Customers that are known to exist under their own identifier; saves a lookup. */
    ownIds?: ReadonlySet<string>
    /** Deleted conversions, whose credits must be removed. */
    deletedIds?: readonly string[]
    partSize?: number
  },
): Promise<{ overfullDays: string[] }> {
  const { profileId } = profile
  const ledger = openLedger(profile, now)
  const { reachIds = customerIds, newCustomers = noNewCustomers, deletedIds = [] } = options
  const batch: Batch = {
    newCustomers,
    ownIds: options.ownIds,
    reached: new Set(reachIds),
    book: openPathBook(tx, profile, now),
    difference: new RollupDifference(ledger.closedThrough, options.reasonOf),
    reach: new ReachSums(),
    firstOfGoal: new Map(),
    newlyCredited: [],
  }
  if (deletedIds.length > 0) await removeCredits(tx, profileId, deletedIds, batch)
  await inParts(
    [...new Set([...customerIds, ...reachIds])],
    (part) => recomputePart(tx, profile, part, batch),
    options.partSize,
  )
  let overfullDays: string[] = []
  await pipelineWrites(
    () => applyReach(tx, profileId, batch.reach),
    async () => {
      overfullDays = await withRestatements(tx, ledger, (restatements) =>
        batch.difference.save(tx, profileId, batch.book, restatements),
      )
    },
  )
  const first = [...batch.firstOfGoal].map(([goalId, conversionId]) => ({ goalId, conversionId }))
  await stampFirstAttributed(tx, profileId, first, now)
  await announceCredited(tx, profile, batch.newlyCredited, now)
  return { overfullDays }
}

/** State that the parts of a batch share. */
type Batch = {
  newCustomers: NewCustomers
  ownIds: ReadonlySet<string> | undefined
  reached: ReadonlySet<string>
  book: PathBook
  difference: RollupDifference
  reach: ReachSums
  /** Per goal: the first conversion that was credited. */
  firstOfGoal: Map<string, string>
  newlyCredited: NewCredit[]
}

/** A customer's identifiers, conversions and payments are all in one part. */
async function recomputePart(
  tx: Tx,
  profile: AttributionProfile,
  customerIds: readonly string[],
  batch: Batch,
): Promise<void> {
  const { profileId } = profile
  const { book } = batch
  const existingIds = customerIds.filter((id) => !batch.newCustomers.has(id))
  const fresh = batch.newCustomers.journeysOf(customerIds)
  const members = await loadMembers(tx, profileId, existingIds, batch.ownIds)
  const reachedIds = existingIds.filter((id) => batch.reached.has(id))
  const journeys = await loadJourneys(tx, profileId, members, fresh, reachedIds)
  const reach = await loadReach(tx, profile, reachedIds, {
    touches: journeys.adTouches,
    newCustomers: fresh.adTouches,
  })
  batch.reach.add(reach)
  const cash = journeys.conversions.filter((row) => row.revenue_type === 'cash')
  const refunds = await loadRefunds(tx, profileId, [...new Set(cash.map((row) => row.event_id))])
  const old = journeys.old.map(toOldCredit)
  await book.add(journeys.touches, pathsOf(old))
  const payers = new Map([...members, ...fresh.payers.map((id) => [id, id] as const)])
  const first = await flagFirstPayments(tx, profileId, payers)
  await pipelineWrites(
    () => saveReached(tx, profileId, reach),
    () => {
      const credits = attributeJourneys(profile, { ...journeys, refunds, first }, book)
      for (const { goalId, conversionId, credit } of credits)
        if (credit.touches.length > 0 && !batch.firstOfGoal.has(goalId))
          batch.firstOfGoal.set(goalId, conversionId)
      return saveDifference(tx, profileId, old, credits, batch, conversionFinder(journeys))
    },
  )
}

function toOldCredit(row: CreditRow): OldCredit {
  return { row, credit: unpackCredit(row.packed) }
}

function pathsOf(old: readonly OldCredit[]): number[] {
  return old.flatMap(({ credit }) => credit.touches.map((touch) => touch.path))
}

async function removeCredits(
  tx: Tx,
  profileId: string,
  deletedIds: readonly string[],
  batch: Batch,
): Promise<void> {
  const old = (await loadCredits(tx, profileId, deletedIds)).map(toOldCredit)
  await batch.book.add([], pathsOf(old))
  await saveDifference(tx, profileId, old, [], batch, (conversionId) => ({
    conversionId,
    eventId: null,
    customerId: null,
  }))
}

/** Builds the index on first use: few conversions are on closed days. */
function conversionFinder({ stored, conversions }: Journeys): (conversionId: string) => ChangedConversion {
  let byId: Map<string, ConversionRow> | undefined
  return (conversionId) => {
    byId ??= new Map([...stored, ...conversions].map((row) => [row.id, row]))
    const row = byId.get(conversionId)
    return { conversionId, eventId: row?.event_id ?? null, customerId: row?.customer_id ?? null }
  }
}

type Journeys = {
  /** All stored conversions, including uncounted ones. */
  stored: ConversionRow[]
  conversions: ConversionRow[]
  touches: JourneyTouch[]
  old: CreditRow[]
  /** Ad touches of the customers whose reach is refreshed. */
  adTouches: Map<string, AdTouch[]>
}

/** Stored journeys with their current credits, and journeys of new customers, which have none. */
async function loadJourneys(
  tx: Tx,
  profileId: string,
  members: Members,
  fresh: NewJourneys,
  reachedIds: readonly string[],
): Promise<Journeys> {
  const stored = await loadConversions(tx, profileId, members)
  // Includes conversions that may no longer be credited: they may have credit to remove.
  const old = await loadCredits(
    tx,
    profileId,
    stored.map((row) => row.id),
  )
  const counted = stored.filter(isCounted)
  const converted = new Set(counted.map((row) => row.customer_id))
  const reached = new Set(reachedIds)
  const touches = await loadTouches(tx, profileId, members, converted.union(reached))
  return {
    stored,
    conversions: [...counted, ...fresh.conversions].sort(byCustomer),
    touches: [...touches.filter((touch) => converted.has(touch.customer_id)), ...fresh.touches],
    old,
    adTouches: Map.groupBy(
      touches.filter(
        (touch): touch is LoadedTouch & AdTouch =>
          touch.ad_external_id !== null && reached.has(touch.customer_id),
      ),
      (touch) => touch.customer_id,
    ),
  }
}

function byCustomer(a: ConversionRow, b: ConversionRow): number {
  if (a.customer_id !== b.customer_id) return a.customer_id < b.customer_id ? -1 : 1
  return a.id < b.id ? -1 : 1
}

/** Runs the bulk engine over these customers. Pure. */
function attributeJourneys(
  profile: AttributionProfile,
  journeys: {
    conversions: readonly ConversionRow[]
    touches: readonly JourneyTouch[]
    refunds: readonly RefundRow[]
    first: FirstPayments
  },
  book: PathBook,
): NewCredit[] {
  const bulk = new BulkAttribution(profile.settings)
  const { chunk, credits } = bulk
  const touchesOf = Map.groupBy(journeys.touches, (touch) => touch.customer_id)
  const refundsOf = Map.groupBy(journeys.refunds, (refund) => refund.event_id)
  const touchPath: number[] = []
  const rows: ConversionRow[] = []
  const journeyOf = (row: ConversionRow) => (row.attribution_eligible ? row.customer_id : null)
  for (const [customerId, conversions] of Map.groupBy(journeys.conversions, journeyOf)) {
    chunk.beginCustomer()
    for (const touch of customerId === null ? [] : (touchesOf.get(customerId) ?? [])) {
      const path = book.numberOf(touch)
      const { campaign, adSet, ad } = book.entitiesOf(path)
      touchPath[chunk.addTouch(touch.occurred_at.getTime(), touch.is_direct, campaign, adSet, ad)] = path
    }
    for (const row of conversions) {
      rows.push(row)
      chunk.addConversion(row.occurred_at.getTime(), row.report_value_minor ?? 0, dayNumber(row.day), 0)
    }
  }
  bulk.attributeChunk()
  return rows.map((row, conversion) => {
    const touches = []
    for (let at = credits.start[conversion]!; at < credits.start[conversion + 1]!; at++) {
      touches.push({
        path: touchPath[credits.touch[at]!]!,
        models: credits.models[at]!,
        decayWeight: credits.timeDecayWeight[at]!,
      })
    }
    const refunds = row.revenue_type === 'cash' ? (refundsOf.get(row.event_id) ?? []) : []
    const credit: PackedCredit = {
      outcomeType: row.outcome_type,
      revenueType: row.revenue_type,
      day: dayNumber(row.day),
      fxMissing: row.value_minor !== null && row.report_value_minor === null,
      first: row.revenue_type === 'cash' ? (journeys.first.get(row.event_id) ?? null) : null,
      amountMinor: row.report_value_minor ?? 0,
      uncredited: wholeReasonOf({
        isEligible: row.attribution_eligible,
        isUnnamed: row.is_unnamed,
        isCredited: touches.length > 0,
      }),
      refunds: refunds.map((refund) => ({
        day: dayNumber(refund.day),
        amountMinor: refund.report_amount_minor,
      })),
      touches,
    }
    return {
      conversionId: row.id,
      goalId: row.goal_id,
      occurredAt: row.occurred_at,
      hasAmount: row.report_value_minor !== null,
      credit,
      packed: packCredit(credit),
    }
  })
}

async function saveDifference(
  tx: Tx,
  profileId: string,
  old: readonly OldCredit[],
  fresh: readonly NewCredit[],
  batch: Batch,
  find: (conversionId: string) => ChangedConversion,
): Promise<void> {
  const oldById = new Map(old.map((entry) => [entry.row.conversion_id, entry]))
  const changed = fresh.filter(
    (entry) => oldById.get(entry.conversionId)?.row.packed.equals(entry.packed) !== true,
  )
  batch.newlyCredited.push(...newlyCredited(oldById, changed))
  const freshIds = new Set(fresh.map((entry) => entry.conversionId))
  const removed = old.filter((entry) => !freshIds.has(entry.row.conversion_id))
  const replaced = [...removed, ...changed.flatMap((entry) => oldById.get(entry.conversionId) ?? [])]
  const { added = [], updated = [] } = Object.groupBy(changed, (entry) =>
    oldById.has(entry.conversionId) ? 'updated' : 'added',
  )
  const removedIds = removed.map((entry) => entry.row.conversion_id)
  await pipelineWrites(
    () => saveCredits(tx, profileId, added, sql``),
    () => saveCredits(tx, profileId, updated, replaceStored),
    () => deleteCredits(tx, profileId, removedIds),
    async () => batch.difference.add(replaced, changed, batch.book, find),
  )
}

async function deleteCredits(tx: Tx, profileId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`delete from credits where profile_id = ${profileId} and conversion_id = any(${uuidList(ids)}::uuid[])`.execute(
    tx,
  )
}

const replaceStored = sql`
  on conflict (profile_id, conversion_id) do update set packed = excluded.packed`

async function saveCredits(
  tx: Tx,
  profileId: string,
  entries: readonly NewCredit[],
  onConflict: RawBuilder<unknown>,
): Promise<void> {
  if (entries.length === 0) return
  await sql`
    insert into credits (profile_id, conversion_id, packed)
    select ${anchoredProfileId(tx, profileId)}, unnest(${uuids(entries, (entry) => entry.conversionId)}::uuid[]),
      unnest(${byteas(entries, (entry) => entry.packed)}::bytea[])
    ${fromAnchor(tx, profileId)}
    ${onConflict}`.execute(tx)
}
