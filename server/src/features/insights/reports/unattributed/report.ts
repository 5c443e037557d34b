/** What no campaign was credited with, by why, and the conversions behind each reason. */
import { joinShares, models } from '@whence/engine'
import type { RawBuilder } from 'kysely'
import type { ProfileContext } from '../../../../context.ts'
import { readTogether } from '../../../../platform/db/together.ts'
import {
  CHANNEL_LEVEL,
  EVERY_PLATFORM,
  REASON_LEVEL,
} from '../../../attribution/crediting/credits/platform-counts.ts'
import { NIL_ENTITY } from '../../../attribution/crediting/credits/rollups.ts'
import { readSource } from '../../../attribution/crediting/credits/source-name.ts'
import {
  reasonOfSource,
  type UnattributedReason,
  unattributedReasons,
  type WholeReason,
  wholeReasons,
} from '../../../attribution/crediting/credits/unattributed-reasons.ts'
import { creditInAll, creditOfNothing } from '../channels/report.ts'
import { readCursor, toConversion } from '../conversions.ts'
import {
  type Credited,
  collectWanted,
  MAX_EXAMINED,
  mergePages,
  type Page,
  readRefunds,
  toCredited,
  type Wanted,
} from '../credited-pages.ts'
import { addCredit, type Credit, countOnce, toCreditMeasures } from '../definitions.ts'
import { onceByPlatform, pick } from '../platform-totals.ts'
import {
  AFTER_ALL,
  creditedDays,
  isEligible,
  mayName,
  type Position,
} from '../queries/credited-conversions.ts'
import { heldCredit } from '../queries/unassigned-credit.ts'
import {
  conversionsWhere,
  heldDays,
  isNotCreditable,
  mayHaveUnknownPayer,
  type PathWithoutCampaign,
  pathsWithoutCampaign,
  uncreditedSums,
  type WholeSum,
} from '../queries/unattributed.ts'
import { type Reported, type ReportScope, report, type Snapshot } from '../snapshot.ts'

type Scope = Omit<ReportScope, 'level'>
type Reasons = Map<UnattributedReason, Credit>

/** A whole conversion, as rollups keep shares. */
const WHOLE_SHARE = 1 / joinShares(1, 0)
/** Conversions read at once where nearly all are wanted. */
const FEW_AT_ONCE = 200

export function listUnattributedReasons(context: ProfileContext, scope: Scope) {
  return report(context, { ...scope, level: 'campaign' }, async (snapshot) => {
    const reasons = await creditByReason(snapshot)
    return {
      data: unattributedReasons.flatMap((reason) => {
        const credit = reasons.get(reason)
        const isEmpty = credit === undefined || (credit.count === 0 && credit.cashMinor === 0)
        return isEmpty ? [] : [{ reason, ...toCreditMeasures(credit, scope.model, snapshot.currency) }]
      }),
    }
  })
}

async function creditByReason(snapshot: Snapshot): Promise<Reasons> {
  const { tx, profileId, scope } = snapshot
  const [all, visits, ads, onceByReason, once, whole] = await readTogether(
    creditInAll(snapshot),
    heldCredit(tx, { profileId, level: 'ad_set', ...pick(scope) }),
    heldCredit(tx, { profileId, level: 'campaign', ...pick(scope) }),
    onceByPlatform(snapshot, REASON_LEVEL),
    onceByPlatform(snapshot, CHANNEL_LEVEL),
    uncreditedSums(tx, { profileId, ...pick(scope) }),
  )
  const creditFor = (reason: UnattributedReason, rows: Parameters<typeof addCredit>[0]): Credit => {
    const credit = addCredit(rows)
    return onceByReason === undefined ? credit : countOnce(credit, onceByReason.get(reason) ?? [])
  }
  const reasons: Reasons = new Map(
    [...Map.groupBy(visits, ({ holder }) => reasonOfSource(holder))].map(([reason, rows]) => [
      reason,
      creditFor(reason, rows),
    ]),
  )
  reasons.set('ad_without_campaign', creditFor('ad_without_campaign', ads))
  const nothing = await creditOfNothing(snapshot, all, once?.get(EVERY_PLATFORM))
  for (const reason of wholeReasons)
    reasons.set(reason, addCredit(whole.filter((row) => row.reason === reason).map(toCreditRow)))
  return reasons.set('no_touch', less(nothing, addCredit(whole.map(toCreditRow))))
}

/** The reasons tell new customers from others nowhere. */
const notAsked = { new_customers: 0, new_value_minor: 0, new_unrated: 0 }

/** Each conversion is credited whole to no one. */
function toCreditRow(row: WholeSum) {
  return { ...row, share_high: row.conversions * WHOLE_SHARE, share_low: 0, ...notAsked }
}

function less(all: Credit, part: Credit): Credit {
  const types = Object.entries(all.byType).map(
    ([type, count]) => [type, count - (part.byType[type] ?? 0)] as const,
  )
  return {
    cashCount: all.cashCount - part.cashCount,
    cashShares: {
      high: all.cashShares.high - part.cashShares.high,
      low: all.cashShares.low - part.cashShares.low,
    },
    cashMinor: all.cashMinor - part.cashMinor,
    cashUnrated: all.cashUnrated - part.cashUnrated,
    newCustomers: all.newCustomers - part.newCustomers,
    newMinor: all.newMinor - part.newMinor,
    newUnrated: all.newUnrated - part.newUnrated,
    count: all.count - part.count,
    byType: Object.fromEntries(types.filter(([, count]) => count !== 0)),
  }
}

export async function listUnattributedConversions(
  context: ProfileContext,
  reason: UnattributedReason,
  scope: Scope,
  page: { cursor?: string | undefined; limit: number },
) {
  const after = readCursor(page.cursor)
  let next: Position | null = null
  const result = await report(context, { ...scope, level: 'campaign' }, async (snapshot) => {
    const paths = await pathsWithoutCampaign(snapshot.tx, { profileId: snapshot.profileId })
    const collected = await collect(snapshot, reason, paths, after, page.limit)
    next = collected.next
    const sources = new Map(paths.map(({ number, source }) => [number, source]))
    const sourceAt = (path: number) => {
      const source = sources.get(path)
      return source === null || source === undefined ? null : readSource(source).name
    }
    return {
      data: collected.found.map((entry) => ({
        ...toConversion(entry, snapshot.currency),
        source: sourceAt(entry.path),
      })),
    }
  })
  return { ...result, next: next as Position | null } satisfies Reported<unknown> & { next: Position | null }
}

async function collect(
  snapshot: Snapshot,
  reason: UnattributedReason,
  paths: readonly PathWithoutCampaign[],
  after: Position | null,
  limit: number,
): Promise<Page> {
  const { profileId } = snapshot
  switch (reason) {
    case 'unknown_payer':
      return collectFew(snapshot, reason, mayHaveUnknownPayer(profileId), after, limit)
    case 'not_creditable':
      return collectFew(snapshot, reason, isNotCreditable, after, limit)
    case 'no_touch':
      return collectWanted(snapshot, await wantNothing(snapshot, paths), after, limit)
    default:
      return collectWanted(snapshot, await wantReason(snapshot, reason, paths), after, limit)
  }
}

/** What has an index of its own is read by it, not day by day. */
async function collectFew(
  snapshot: Snapshot,
  reason: WholeReason,
  which: RawBuilder<unknown>,
  after: Position | null,
  limit: number,
): Promise<Page> {
  const reader = { ...snapshot, wanted: { days: [], paths: new Set<number>(), withoutTouch: reason, which } }
  return mergePages(
    await readTogether(readFew(reader, after, limit), readRefunds(reader, after, limit, MAX_EXAMINED)),
    limit,
  )
}

async function readFew(
  { tx, profileId, scope, wanted }: Snapshot & { wanted: Wanted },
  after: Position | null,
  limit: number,
): Promise<Page> {
  const model = models.indexOf(scope.model)
  const found: Credited[] = []
  let below = after ?? { day: scope.range.to, ...AFTER_ALL }
  for (let left = MAX_EXAMINED; left > 0; left -= FEW_AT_ONCE) {
    const rows = await conversionsWhere(tx, {
      profileId,
      range: scope.range,
      which: wanted.which,
      below,
      limit: FEW_AT_ONCE,
    })
    for (const row of rows) {
      const credited = toCredited(row, null, model, wanted)
      if (credited === null) continue
      const last = found.at(-1)
      if (found.length === limit && last !== undefined) return { found, next: last.position }
      found.push(credited)
    }
    const oldest = rows.at(-1)
    if (rows.length < FEW_AT_ONCE || oldest === undefined) return { found, next: null }
    below = { day: oldest.day, at: oldest.occurred_at.toISOString(), id: oldest.conversion_id }
  }
  return { found, next: below }
}

/** Touches of earlier releases that named nothing count here too, until a recompute shows where they came from. */
async function wantNothing(
  { tx, profileId, scope }: Snapshot,
  paths: readonly PathWithoutCampaign[],
): Promise<Wanted> {
  const unnamed = paths.filter(({ source, names_ad }) => source === null && !names_ad)
  return {
    days: await creditedDays(tx, { profileId, entityId: NIL_ENTITY, ...scope }),
    paths: new Set(unnamed.map(({ number }) => number)),
    withoutTouch: 'no_touch',
    which: isEligible,
  }
}

async function wantReason(
  { tx, profileId, scope }: Snapshot,
  reason: UnattributedReason,
  paths: readonly PathWithoutCampaign[],
): Promise<Wanted> {
  const isOwn = ({ source, names_ad }: PathWithoutCampaign) =>
    reason === 'ad_without_campaign' ? names_ad : source !== null && reasonOfSource(source) === reason
  const numbers = paths.filter(isOwn).map(({ number }) => number)
  const level = reason === 'ad_without_campaign' ? 'campaign' : 'ad_set'
  const held = await heldCredit(tx, { profileId, level, ...pick(scope) })
  const holders = [...new Set(held.map(({ holder }) => holder))].filter(
    (holder) => level === 'campaign' || reasonOfSource(holder) === reason,
  )
  return {
    days: await heldDays(tx, { profileId, level, holders, ...pick(scope) }),
    paths: new Set(numbers),
    withoutTouch: null,
    which: mayName(numbers),
  }
}
