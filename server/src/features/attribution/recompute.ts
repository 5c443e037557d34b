/** Credits of some customers, made again from their journeys; rollups and totals move by the difference. */
import { BulkAttribution, Rollups } from '@whence/engine'
import { type RawBuilder, sql } from 'kysely'
import { dayAt, dayNumber } from '../../contract/dates.ts'
import { booleans, byteas, days, texts, uuidList, uuids } from '../../db/columns.ts'
import type { Tx } from '../../db/database.ts'
import { together } from '../../db/together.ts'
import { loadReach, saveReach } from '../ad-people/refresh.ts'
import type { AdTouch } from '../ad-people/rules.ts'
import { loadPeople, type Members } from '../identity/members.ts'
import { flagFirstPayments } from '../payments/first-payments.ts'
import {
  type ConversionRow,
  type CreditRow,
  type JourneyTouch,
  type LoadedTouch,
  loadConversions,
  loadCredits,
  loadRefunds,
  loadTouches,
  type RefundRow,
} from './journeys.ts'
import { type Newcomers, nobodyNew } from './newcomers.ts'
import { addPacked, type PackedCredit, packCredit, unpackCredit } from './packed.ts'
import { openPathBook, type PathBook } from './paths.ts'
import { applyPlatforms, PlatformCounts } from './platform-counts.ts'
import { applyRollups, applyUnassigned, KindIndex, rollupDeltas } from './rollups.ts'
import type { AttributionProfile } from './settings.ts'
import { stampGoals } from './stamp-goals.ts'
import { applyTotals, type TotalDelta } from './totals.ts'

type NewCredit = {
  conversionId: string
  goalId: string
  day: string
  outcomeType: string
  revenueType: string
  fxMissing: boolean
  credit: PackedCredit
  packed: Buffer
}

/**
 * The caller holds the profile's lock. `reachIds` are those of the customers whose ad touches may have changed,
 * `deletedIds` conversions that stand no more: nothing else tells that they had credit.
 */
export async function recomputeCustomers(
  tx: Tx,
  profile: AttributionProfile,
  customerIds: readonly string[],
  now: Date,
  reachIds: readonly string[] = customerIds,
  newcomers: Newcomers = nobodyNew,
  deletedIds: readonly string[] = [],
): Promise<void> {
  if (customerIds.length === 0 && deletedIds.length === 0) return
  const { profileId } = profile
  const known = (ids: readonly string[]) => ids.filter((id) => !newcomers.has(id))
  const people = await loadPeople(tx, profileId, known([...new Set([...customerIds, ...reachIds])]))
  const reachedIds = known(reachIds)
  const journeys = await loadJourneys(tx, profileId, people, newcomers, { deletedIds, reachedIds })
  const { conversions, touches, old } = journeys
  const reach = await loadReach(tx, profile, reachedIds, {
    touches: journeys.adTouches,
    newcomers: newcomers.adTouches,
  })
  const payers = new Map([...people.members, ...newcomers.payers.map((id) => [id, id] as const)])
  const flags = [() => saveReach(tx, profileId, reach), () => flagFirstPayments(tx, profileId, payers)]
  if (conversions.length === 0 && old.length === 0) return together(...flags)
  const cash = conversions.filter((row) => row.revenue_type === 'cash')
  const refunds = await loadRefunds(tx, profileId, [...new Set(cash.map((row) => row.event_id))])
  const oldCredits = old.map((row) => ({ row, credit: unpackCredit(row.packed) }))
  const oldPaths = oldCredits.flatMap(({ credit }) => credit.touches.map((touch) => touch.path))
  const book = await openPathBook(tx, profileId, touches, oldPaths, now)
  let fresh: NewCredit[] = []
  await together(...flags, () => {
    fresh = attributeJourneys(profile, { conversions, touches, refunds }, book)
    return saveDifference(tx, profile, oldCredits, fresh, book)
  })
  await stampGoals(tx, profile, fresh, now)
}

type Journeys = {
  conversions: ConversionRow[]
  touches: JourneyTouch[]
  old: CreditRow[]
  /** Of customers whose reach is asked for. */
  adTouches: Map<string, AdTouch[]>
}

/** Stored journeys with their credits so far, and those of newcomers, who have none. */
async function loadJourneys(
  tx: Tx,
  profileId: string,
  { members, erased }: { members: Members; erased: ReadonlySet<string> },
  newcomers: Newcomers,
  { deletedIds, reachedIds }: { deletedIds: readonly string[]; reachedIds: readonly string[] },
): Promise<Journeys> {
  const stored = await loadConversions(tx, profileId, members)
  // One that may not be credited any more may have been before.
  const ids = [...stored, ...newcomers.conversions].map((row) => row.id)
  const old = await loadCredits(tx, profileId, [...ids, ...deletedIds])
  const eligible = stored.filter((row) => row.attribution_eligible)
  const converted = new Set(eligible.map((row) => row.customer_id))
  const reached = new Set(reachedIds)
  const touches = await loadTouches(tx, profileId, members, converted.union(reached))
  // What an erased person did earns no ad any credit, but ads have reached as many people as before.
  const credited = converted.difference(erased)
  return {
    conversions: [...eligible, ...newcomers.conversions].sort(byCustomer),
    touches: [...touches.filter((touch) => credited.has(touch.customer_id)), ...newcomers.touches],
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

/** Pure: the bulk engine over these customers. */
export function attributeJourneys(
  profile: AttributionProfile,
  journeys: {
    conversions: readonly ConversionRow[]
    touches: readonly JourneyTouch[]
    refunds: readonly RefundRow[]
  },
  book: PathBook,
): NewCredit[] {
  const bulk = new BulkAttribution(profile.settings)
  const { chunk, credits } = bulk
  const touchesOf = Map.groupBy(journeys.touches, (touch) => touch.customer_id)
  const refundsOf = Map.groupBy(journeys.refunds, (refund) => refund.event_id)
  const touchPath: number[] = []
  const rows: ConversionRow[] = []
  for (const [customerId, own] of Map.groupBy(journeys.conversions, (row) => row.customer_id)) {
    chunk.beginCustomer()
    for (const touch of touchesOf.get(customerId) ?? []) {
      const path = book.numberOf(touch)
      const { campaign, adSet, ad } = book.entitiesOf(path)
      touchPath[chunk.addTouch(touch.occurred_at.getTime(), touch.is_direct, campaign, adSet, ad)] = path
    }
    for (const row of own) {
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
    const credit = {
      amountMinor: row.report_value_minor ?? 0,
      refunds: refunds.flatMap((refund) =>
        refund.report_amount_minor === null
          ? []
          : [{ day: dayNumber(refund.day), amountMinor: refund.report_amount_minor }],
      ),
      touches,
    }
    return {
      conversionId: row.id,
      goalId: row.goal_id,
      day: row.day,
      outcomeType: row.outcome_type,
      revenueType: row.revenue_type,
      fxMissing:
        (row.value_minor !== null && row.report_value_minor === null) ||
        refunds.some((refund) => refund.report_amount_minor === null),
      credit,
      packed: packCredit(credit),
    }
  })
}

type OldCredit = { row: CreditRow; credit: PackedCredit }

async function saveDifference(
  tx: Tx,
  profile: AttributionProfile,
  old: readonly OldCredit[],
  fresh: readonly NewCredit[],
  book: PathBook,
): Promise<void> {
  const { profileId } = profile
  const oldById = new Map(old.map((entry) => [entry.row.conversion_id, entry]))
  const changed = fresh.filter((entry) => !isSame(oldById.get(entry.conversionId)?.row, entry))
  const kept = new Set(fresh.map((entry) => entry.conversionId))
  const gone = old.filter((entry) => !kept.has(entry.row.conversion_id))
  const replaced = [...gone, ...changed.flatMap((entry) => oldById.get(entry.conversionId) ?? [])]
  const { added = [], updated = [] } = Object.groupBy(changed, (entry) =>
    oldById.has(entry.conversionId) ? 'updated' : 'added',
  )
  const goneIds = gone.map((entry) => entry.row.conversion_id)
  await together(
    () => saveCredits(tx, profileId, added, sql``),
    () => saveCredits(tx, profileId, updated, replaceStored),
    () => deleteCredits(tx, profileId, goneIds),
    () => moveRollups(tx, profileId, replaced, changed, book),
    () => applyTotals(tx, profileId, totalDeltas(replaced, changed)),
  )
}

function totalDeltas(replaced: readonly OldCredit[], changed: readonly NewCredit[]): TotalDelta[] {
  return [
    ...replaced.flatMap(({ row, credit }) =>
      totalsOf(row.day, row.outcome_type, row.revenue_type, row.fx_missing, credit, -1),
    ),
    ...changed.flatMap((entry) =>
      totalsOf(entry.day, entry.outcomeType, entry.revenueType, entry.fxMissing, entry.credit, 1),
    ),
  ]
}

async function moveRollups(
  tx: Tx,
  profileId: string,
  replaced: readonly OldCredit[],
  changed: readonly NewCredit[],
  book: PathBook,
): Promise<void> {
  const kinds = new KindIndex()
  const old = replaced.map(({ row, credit }) => ({
    credit,
    day: dayNumber(row.day),
    outcomeType: kinds.of(row.outcome_type, row.revenue_type),
  }))
  const fresh = changed.map((entry) => ({
    credit: entry.credit,
    day: dayNumber(entry.day),
    outcomeType: kinds.of(entry.outcomeType, entry.revenueType),
  }))
  const deltas = (entitiesOf: PathBook['entitiesOf'], idAt: (index: number) => string) => {
    const before = new Rollups()
    addPacked(before, old, entitiesOf)
    const after = new Rollups()
    addPacked(after, fresh, entitiesOf)
    return rollupDeltas(before.rows(), after.rows(), kinds.list, idAt)
  }
  const platforms = new PlatformCounts(book.platforms)
  for (const { credit, day, outcomeType } of old) platforms.addPacked(credit, day, outcomeType, -1)
  for (const { credit, day, outcomeType } of fresh) platforms.addPacked(credit, day, outcomeType, 1)
  await applyPlatforms(tx, profileId, platforms.deltas(kinds.list))
  await applyRollups(tx, profileId, deltas(book.entitiesOf, book.entityIdAt))
  if (book.hasPlatforms) await applyUnassigned(tx, profileId, deltas(book.platformsOf, book.platformAt))
}

function isSame(row: CreditRow | undefined, entry: NewCredit): boolean {
  return (
    row !== undefined &&
    row.day === entry.day &&
    row.outcome_type === entry.outcomeType &&
    row.revenue_type === entry.revenueType &&
    row.fx_missing === entry.fxMissing &&
    row.packed.equals(entry.packed)
  )
}

export function totalsOf(
  day: string,
  outcomeType: string,
  revenueType: string,
  fxMissing: boolean,
  credit: PackedCredit,
  sign: 1 | -1,
): TotalDelta[] {
  const refunds = credit.refunds.map((refund) => ({
    day: dayAt(refund.day),
    outcomeType,
    revenueType,
    conversions: 0,
    valueMinor: -sign * refund.amountMinor,
    fxMissing: 0,
  }))
  const own = {
    day,
    outcomeType,
    revenueType,
    conversions: sign,
    valueMinor: sign * credit.amountMinor,
    fxMissing: fxMissing ? sign : 0,
  }
  return [own, ...refunds]
}

async function deleteCredits(tx: Tx, profileId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`delete from credits where profile_id = ${profileId} and conversion_id = any(${uuidList(ids)}::uuid[])`.execute(
    tx,
  )
}

const replaceStored = sql`
  on conflict (profile_id, conversion_id) do update set day = excluded.day, outcome_type = excluded.outcome_type,
    revenue_type = excluded.revenue_type, fx_missing = excluded.fx_missing, packed = excluded.packed`

async function saveCredits(
  tx: Tx,
  profileId: string,
  entries: readonly NewCredit[],
  onConflict: RawBuilder<unknown>,
): Promise<void> {
  if (entries.length === 0) return
  await sql`
    insert into credits (profile_id, conversion_id, day, outcome_type, revenue_type, fx_missing, packed)
    select ${profileId}::uuid, unnest(${uuids(entries, (entry) => entry.conversionId)}::uuid[]),
      unnest(${days(entries, (entry) => entry.day)}::date[]),
      unnest(${texts(entries, (entry) => entry.outcomeType)}::text[]),
      unnest(${texts(entries, (entry) => entry.revenueType)}::text[]),
      unnest(${booleans(entries, (entry) => entry.fxMissing)}::boolean[]),
      unnest(${byteas(entries, (entry) => entry.packed)}::bytea[])
    ${onConflict}`.execute(tx)
}
