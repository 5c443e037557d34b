/** All revenue by channel and source, paid and unpaid. */
import type { z } from 'zod'
import { paidChannelOf } from '../../../../platform/contract/paid-channels.ts'
import {
  ANY_LEVEL,
  CHANNEL_LEVEL,
  EVERY_PLATFORM,
} from '../../../attribution/crediting/credits/platform-counts.ts'
import { NIL_ENTITY } from '../../../attribution/crediting/credits/rollups.ts'
import { readSource } from '../../../attribution/crediting/credits/source-name.ts'
import { isPaid } from '../../../attribution/crediting/credits/unattributed-reasons.ts'
import {
  addCredit,
  type Credit,
  fractionalModels,
  isEmptyCredit,
  toMeasures,
  toNewCustomers,
  withDistinctCounts,
} from '../../../figures/definitions/definitions.ts'
import { coverBySubtraction } from '../../../figures/definitions/rules.ts'
import { type CreditSum, creditByEntity } from '../../../figures/rollups/credit-by-entity.ts'
import { heldCredit } from '../../../figures/rollups/unassigned-credit.ts'
import {
  type ReportContext,
  type Reported,
  type ReportScope,
  report,
  type Snapshot,
} from '../../../figures/snapshot/snapshot.ts'
import { addDelivery, spendOf } from '../campaigns.ts'
import { type Delivery, distinctByPlatform, platformRows, withoutLevel } from '../platform-totals.ts'
import type * as contract from './contract.ts'
import { readChannelDays } from './days.ts'

const UNKNOWN = 'unknown'

type Sums = Omit<CreditSum, 'entity_id'>
type Row = z.input<typeof contract.ChannelRow>
type Source = {
  channel: string
  source: string | null
  kind: Row['sources'][number]['kind']
  rows: Sums[]
  credit: Credit
  delivery: Delivery[]
}
type Measures = ReturnType<typeof toMeasures> & ReturnType<typeof toNewCustomers>
type Channels = Reported<Row[]> & { total: Measures }

export async function getChannels(
  context: ReportContext,
  scope: Omit<ReportScope, 'level'>,
  byDay = false,
): Promise<Channels> {
  let total: Channels['total'] | undefined
  const reported = await report(context, { ...scope, level: 'campaign' }, async (snapshot) => {
    const { currency } = snapshot
    const measures = (credit: Credit, delivery: readonly Delivery[]): Measures => {
      const spend = spendOf(addDelivery(delivery))
      return {
        ...toMeasures(credit, spend, scope.model, currency),
        ...toNewCustomers(credit, spend, currency),
      }
    }
    const sources = await listSources(snapshot)
    const distinct = await distinctByPlatform(snapshot, CHANNEL_LEVEL)
    const all = await totalCredit(snapshot)
    const unknown = await creditWithoutTouch(snapshot, all, distinct?.get(EVERY_PLATFORM))
    const daysOf = byDay ? await readChannelDays(snapshot, UNKNOWN) : undefined
    const delivery = sources.flatMap((source) => source.delivery)
    total = measures(all, delivery)
    const channels = [...Map.groupBy(sources, (source) => source.channel)].map(([channel, members]) => {
      const credit = addCredit(members.flatMap((source) => source.rows))
      return {
        channel,
        ...measures(
          distinct === undefined ? credit : withDistinctCounts(credit, distinct.get(channel) ?? []),
          members.flatMap((source) => source.delivery),
        ),
        sources: members
          .map(({ source, kind, credit, delivery }) => ({ source, kind, ...measures(credit, delivery) }))
          .sort(byValue),
      }
    })
    const unknownRow = isEmptyCredit(unknown)
      ? []
      : [{ channel: UNKNOWN, ...measures(unknown, []), sources: [] }]
    return {
      data: [...channels.sort(byValue), ...unknownRow].map((row) =>
        daysOf === undefined ? row : { ...row, days: daysOf(row.channel) },
      ),
      fxMissing: delivery.reduce((sum, row) => sum + row.fx_missing, 0),
    }
  })
  return { ...reported, total: total! }
}

type Valued = {
  outcome_value: number | null
  attributed_outcome_count: number
  channel?: string
  source?: string | null
}

function byValue(a: Valued, b: Valued): number {
  const nameOf = (row: Valued) => row.channel ?? row.source ?? ''
  return (
    (b.outcome_value ?? 0) - (a.outcome_value ?? 0) ||
    b.attributed_outcome_count - a.attributed_outcome_count ||
    (nameOf(a) < nameOf(b) ? -1 : 1)
  )
}

async function listSources(snapshot: Snapshot): Promise<Source[]> {
  const { tx, profileId, scope } = snapshot
  const { creditRows, deliveryRows } = await platformRows(snapshot)
  // Campaigns of one platform may share a conversion; every other source is one row of the rollup.
  const distinct = await distinctByPlatform(snapshot, ANY_LEVEL)
  const ads = [...new Set([...creditRows.keys(), ...deliveryRows.keys()])].map((platform) => {
    const rows = creditRows.get(platform) ?? []
    const credit = addCredit(rows)
    return {
      channel: paidChannelOf(platform),
      source: platform,
      kind: 'ads' as const,
      rows,
      credit: distinct === undefined ? credit : withDistinctCounts(credit, distinct.get(platform) ?? []),
      delivery: deliveryRows.get(platform) ?? [],
    }
  })
  const heldSums = await heldCredit(tx, { profileId, level: 'ad_set', ...withoutLevel(scope) })
  const otherSources = [...Map.groupBy(heldSums, (row) => row.holder)].map(([holder, rows]) => {
    const { channel, name } = readSource(holder)
    const kind = isPaid(channel) ? ('clicks_without_ad' as const) : ('visits' as const)
    return { channel, source: name, kind, rows, credit: addCredit(rows), delivery: [] }
  })
  return [...ads, ...otherSources]
}

/** Credit of the whole profile: every conversion once, with all of its money. */
export async function totalCredit({ tx, profileId, scope, credits }: Snapshot): Promise<Credit> {
  const credit = addCredit(await credits())
  if (!fractionalModels.has(scope.model)) return credit
  // Under a single-touch model each conversion has exactly one row.
  const cover = coverBySubtraction(scope.range, scope.asOf)
  const { asOf } = scope
  const entityRows = await creditByEntity(tx, {
    profileId,
    asOf,
    level: 'campaign',
    model: 'last_touch',
    cover,
  })
  return withDistinctCounts(credit, entityRows)
}

/** Credit without a touch: credit without a campaign, less that of ads without a campaign and of visits without an ad. */
export async function creditWithoutTouch(
  { tx, profileId, scope, credits }: Snapshot,
  all: Credit,
  withTouches: Parameters<typeof withDistinctCounts>[1] | undefined,
): Promise<Credit> {
  const rows: Sums[] = (await credits()).filter((row) => row.entity_id === NIL_ENTITY)
  for (const level of ['ad_set', 'campaign'] as const)
    for (const row of await heldCredit(tx, { profileId, level, ...withoutLevel(scope) }))
      rows.push({
        ...row,
        conversions: -row.conversions,
        value_minor: -row.value_minor,
        share_high: -row.share_high,
        share_low: -row.share_low,
        unrated: -row.unrated,
        new_customers: -row.new_customers,
        new_value_minor: -row.new_value_minor,
        new_unrated: -row.new_unrated,
      })
  const credit = addCredit(rows)
  const remainder = fractionalModels.has(scope.model)
    ? subtractCounts(credit, all, distinctCredit(withTouches ?? []))
    : credit
  return {
    ...remainder,
    byType: Object.fromEntries(Object.entries(remainder.byType).filter(([, count]) => count !== 0)),
  }
}

function distinctCredit(counts: Parameters<typeof withDistinctCounts>[1]): Credit {
  return withDistinctCounts(addCredit([]), counts)
}

function subtractCounts(credit: Credit, all: Credit, part: Credit): Credit {
  const byType = { ...all.byType }
  for (const [type, count] of Object.entries(part.byType)) byType[type] = (byType[type] ?? 0) - count
  return {
    ...credit,
    cashCount: all.cashCount - part.cashCount,
    cashUnrated: all.cashUnrated - part.cashUnrated,
    newCustomers: all.newCustomers - part.newCustomers,
    newUnrated: all.newUnrated - part.newUnrated,
    count: all.count - part.count,
    byType,
  }
}
