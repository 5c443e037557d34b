/** Credit without a campaign, by reason, and the conversions behind each reason. */
import { joinShares, models } from '@whence/engine'
import type { RawBuilder } from 'kysely'
import type { ProfileContext } from '../../../../context.ts'
import { pipelineReads } from '../../../../platform/db/pipelining.ts'
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
import {
  addCredit,
  type Credit,
  isEmptyCredit,
  toCreditMeasures,
  withDistinctCounts,
} from '../../../figures/definitions/definitions.ts'
import {
  AFTER_ALL,
  creditedDays,
  isEligible,
  mayCreditPaths,
  type Position,
} from '../../../figures/rollups/credited-conversions.ts'
import { heldCredit } from '../../../figures/rollups/unassigned-credit.ts'
import {
  conversionsWhere,
  heldDays,
  isNotCreditable,
  mayHaveUnknownPayer,
  type PathWithoutCampaign,
  pathsWithoutCampaign,
  uncreditedSums,
  type WholeSum,
} from '../../../figures/rollups/unattributed.ts'
import { type Reported, type ReportScope, report, type Snapshot } from '../../../figures/snapshot/snapshot.ts'
import { creditWithoutTouch, totalCredit } from '../channels/report.ts'
import { readCursor, toConversion } from '../conversions.ts'
import {
  type Credited,
  type CreditFilter,
  collectCredits,
  MAX_EXAMINED,
  mergePages,
  type Page,
  readRefunds,
  toCredited,
} from '../credited-pages.ts'
import { distinctByPlatform, withoutLevel } from '../platform-totals.ts'

type Scope = Omit<ReportScope, 'level'>
type Reasons = Map<UnattributedReason, Credit>

/** A whole conversion, in the unit in which rollups store shares. */
const WHOLE_SHARE = 1 / joinShares(1, 0)
/** Conversions read per query if nearly all of them match. */
const BATCH = 200

export function listUnattributedReasons(context: ProfileContext, scope: Scope) {
  return report(context, { ...scope, level: 'campaign' }, async (snapshot) => {
    const reasons = await creditByReason(snapshot)
    return {
      data: unattributedReasons.flatMap((reason) => {
        const credit = reasons.get(reason)
        return credit === undefined || isEmptyCredit(credit)
          ? []
          : [{ reason, ...toCreditMeasures(credit, scope.model, snapshot.currency) }]
      }),
    }
  })
}

async function creditByReason(snapshot: Snapshot): Promise<Reasons> {
  const { tx, profileId, scope } = snapshot
  const [all, visits, ads, distinctByReason, distinctByChannel, uncredited] = await pipelineReads(
    totalCredit(snapshot),
    heldCredit(tx, { profileId, level: 'ad_set', ...withoutLevel(scope) }),
    heldCredit(tx, { profileId, level: 'campaign', ...withoutLevel(scope) }),
    distinctByPlatform(snapshot, REASON_LEVEL),
    distinctByPlatform(snapshot, CHANNEL_LEVEL),
    uncreditedSums(tx, { profileId, ...withoutLevel(scope) }),
  )
  const creditFor = (reason: UnattributedReason, rows: Parameters<typeof addCredit>[0]): Credit => {
    const credit = addCredit(rows)
    return distinctByReason === undefined
      ? credit
      : withDistinctCounts(credit, distinctByReason.get(reason) ?? [])
  }
  const reasons: Reasons = new Map(
    [...Map.groupBy(visits, ({ holder }) => reasonOfSource(holder))].map(([reason, rows]) => [
      reason,
      creditFor(reason, rows),
    ]),
  )
  reasons.set('ad_without_campaign', creditFor('ad_without_campaign', ads))
  const withoutTouch = await creditWithoutTouch(snapshot, all, distinctByChannel?.get(EVERY_PLATFORM))
  for (const reason of wholeReasons)
    reasons.set(reason, addCredit(uncredited.filter((row) => row.reason === reason).map(toCreditRow)))
  return reasons.set('no_touch', subtractCredit(withoutTouch, addCredit(uncredited.map(toCreditRow))))
}

/** Reasons do not report new customers. */
const noNewCustomers = { new_customers: 0, new_value_minor: 0, new_unrated: 0 }

/** Each of these conversions is unattributed as a whole. */
function toCreditRow(row: WholeSum) {
  return { ...row, share_high: row.conversions * WHOLE_SHARE, share_low: 0, ...noNewCustomers }
}

function subtractCredit(all: Credit, part: Credit): Credit {
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
      data: collected.entries.map((entry) => ({
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
      return collectByCondition(snapshot, reason, mayHaveUnknownPayer(profileId), after, limit)
    case 'not_creditable':
      return collectByCondition(snapshot, reason, isNotCreditable, after, limit)
    case 'no_touch':
      return collectCredits(snapshot, await noTouchFilter(snapshot, paths), after, limit)
    default:
      return collectCredits(snapshot, await reasonFilter(snapshot, reason, paths), after, limit)
  }
}

/** Reasons with a dedicated index are read by it instead of day by day. */
async function collectByCondition(
  snapshot: Snapshot,
  reason: WholeReason,
  which: RawBuilder<unknown>,
  after: Position | null,
  limit: number,
): Promise<Page> {
  const reader = { ...snapshot, filter: { days: [], paths: new Set<number>(), withoutTouch: reason, which } }
  return mergePages(
    await pipelineReads(
      readByCondition(reader, after, limit),
      readRefunds(reader, after, limit, MAX_EXAMINED),
    ),
    limit,
  )
}

async function readByCondition(
  { tx, profileId, scope, filter }: Snapshot & { filter: CreditFilter },
  after: Position | null,
  limit: number,
): Promise<Page> {
  const model = models.indexOf(scope.model)
  const entries: Credited[] = []
  let below = after ?? { day: scope.range.to, ...AFTER_ALL }
  for (let budget = MAX_EXAMINED; budget > 0; budget -= BATCH) {
    const rows = await conversionsWhere(tx, {
      profileId,
      range: scope.range,
      which: filter.which,
      below,
      limit: BATCH,
    })
    for (const row of rows) {
      const credited = toCredited(row, null, model, filter)
      if (credited === null) continue
      const last = entries.at(-1)
      if (entries.length === limit && last !== undefined) return { entries, next: last.position }
      entries.push(credited)
    }
    const oldest = rows.at(-1)
    if (rows.length < BATCH || oldest === undefined) return { entries, next: null }
    below = { day: oldest.day, at: oldest.occurred_at.toISOString(), id: oldest.conversion_id }
  }
  return { entries, next: below }
}

/** Includes touches of earlier releases without a source; a recompute assigns them one. */
async function noTouchFilter(
  { tx, profileId, scope }: Snapshot,
  paths: readonly PathWithoutCampaign[],
): Promise<CreditFilter> {
  const unnamed = paths.filter(({ source, names_ad }) => source === null && !names_ad)
  return {
    days: await creditedDays(tx, { profileId, entityId: NIL_ENTITY, ...scope }),
    paths: new Set(unnamed.map(({ number }) => number)),
    withoutTouch: 'no_touch',
    which: isEligible,
  }
}

async function reasonFilter(
  { tx, profileId, scope }: Snapshot,
  reason: UnattributedReason,
  paths: readonly PathWithoutCampaign[],
): Promise<CreditFilter> {
  const hasReason = ({ source, names_ad }: PathWithoutCampaign) =>
    reason === 'ad_without_campaign' ? names_ad : source !== null && reasonOfSource(source) === reason
  const numbers = paths.filter(hasReason).map(({ number }) => number)
  const level = reason === 'ad_without_campaign' ? 'campaign' : 'ad_set'
  const heldSums = await heldCredit(tx, { profileId, level, ...withoutLevel(scope) })
  const holders = [...new Set(heldSums.map(({ holder }) => holder))].filter(
    (holder) => level === 'campaign' || reasonOfSource(holder) === reason,
  )
  return {
    days: await heldDays(tx, { profileId, level, holders, ...withoutLevel(scope) }),
    paths: new Set(numbers),
    withoutTouch: null,
    which: mayCreditPaths(numbers),
  }
}
