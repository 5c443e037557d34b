/** The conversions that each ad platform reports next to our credit; the two are never added. */
import type { z } from 'zod'
import type { ProfileContext } from '../../../context.ts'
import { platformOf } from '../../../platform/contract/ad-providers.ts'
import { toDecimalString } from '../../../platform/contract/money.ts'
import { pipelineReads } from '../../../platform/db/pipelining.ts'
import { ANY_LEVEL, unnamedLevel } from '../../attribution/crediting/credits/platform-counts.ts'
import { NIL_ENTITY } from '../../attribution/crediting/credits/rollups.ts'
import {
  addCredit,
  type Credit,
  fractionalModels,
  knownMinor,
  noCredit,
  ratioOrNull,
  toMoney,
  withDistinctCounts,
} from '../../figures/definitions/definitions.ts'
import { ratio, reportedBasis } from '../../figures/definitions/rules.ts'
import type { CreditSum } from '../../figures/rollups/credit-by-entity.ts'
import { type DeliverySum, deliveryByEntity } from '../../figures/rollups/delivery-by-entity.ts'
import type { DistinctCounts } from '../../figures/rollups/distinct-counts.ts'
import { type EntityName, entityNames } from '../../figures/rollups/entities.ts'
import { paidClicks, unknownAds } from '../../figures/rollups/paid-clicks.ts'
import { type HeldSum, heldCredit, heldCreditAt } from '../../figures/rollups/unassigned-credit.ts'
import { deliveryThrough } from '../../figures/snapshot/queries/sources.ts'
import { type Reported, type ReportScope, report } from '../../figures/snapshot/snapshot.ts'
import { addDelivery, groupCreditByEntity, noDelivery, spendOf } from './campaigns.ts'
import type * as contract from './contract.ts'
import {
  type Delivery,
  distinctByLevel,
  groupByPlatform,
  idsOf,
  readTotals,
  type Sides,
  withoutLevel,
} from './platform-totals.ts'

const MAX_UNKNOWN_ADS = 100

type Compared = z.input<(typeof contract.comparePlatforms)['reply']>

export function comparePlatforms(context: ProfileContext, scope: ReportScope): Promise<Reported<Compared>> {
  return report(context, scope, async (snapshot) => {
    const { tx, profileId, currency } = snapshot
    const { asOf, range, level } = scope
    const readingCredits = snapshot.credits()
    const readingDelivery = deliveryByEntity(tx, { profileId, asOf, level, cover: snapshot.cover })
    const readingHeld = heldCreditAt(tx, { profileId, levels: ['campaign', 'ad'], ...withoutLevel(scope) })
    const readingHeldOfCampaigns = readingHeld.then((heldSums) =>
      heldSums.filter((row) => row.level === 'campaign'),
    )
    const [credits, delivery, heldSums, rows, distinct, through] = await pipelineReads(
      readingCredits,
      readingDelivery,
      readingHeld,
      readTotals(snapshot, readingDelivery, readingHeldOfCampaigns),
      distinctByLevel(snapshot, [ANY_LEVEL, unnamedLevel(level)]),
      deliveryThrough(tx, { profileId, asOf, to: range.to }),
    )
    const sides = groupSides(credits, delivery)
    const ids = [...new Set([...sides.keys(), ...idsOf(rows)])]
    const details = await entityNames(tx, { profileId, asOf, ids })
    const totals = totalsOf(groupByPlatform(rows, details), distinct?.(ANY_LEVEL))
    const entities = compareEntities(sides, details)
    const remainders = notAssigned(totals, entities, distinct?.(unnamedLevel(level)))
    const unassigned = unassignedByPlatform(heldSums.filter((row) => row.level === 'ad'))
    const lastDay = new Map<string, string>()
    for (const { source, day } of through) {
      const platform = platformOf(source)
      if (day > (lastDay.get(platform) ?? '')) lastDay.set(platform, day)
    }
    const names = new Set([...totals.keys(), ...unassigned.keys(), ...lastDay.keys()])
    const platforms = [...names].map((platform) => {
      const through = lastDay.get(platform) ?? null
      const clicks = unassigned.get(platform) ?? noCredit
      return {
        platform,
        sides: totals.get(platform) ?? { credit: noCredit, delivery: noDelivery },
        reported_basis: reportedBasis(platform),
        has_delivery: through !== null && through >= scope.range.from,
        delivery_through: through,
        unassigned_conversions: clicks.count,
        unassigned_cash_revenue: cashText(clicks, currency),
      }
    })
    platforms.sort((a, b) => bySpend(a.sides, b.sides) || (a.platform < b.platform ? -1 : 1))
    return {
      data: {
        platforms: platforms.map(({ platform, sides, ...fields }) => ({
          platform,
          ...measures(sides, currency),
          compared: fractionalModels.has(scope.model)
            ? null
            : comparedOf(
                entities.filter((entity) => entity.platform === platform),
                currency,
              ),
          ...fields,
        })),
        rows: [
          ...entities.map(({ detail, platform, sides }) => ({
            kind: 'entity' as const,
            entity_id: detail.id,
            entity_level: detail.level,
            platform,
            platform_id: detail.external_id,
            name: detail.name,
            ...measures(sides, currency),
          })),
          ...remainders.map(({ platform, sides }) => ({
            kind: 'not_assigned' as const,
            entity_id: null,
            entity_level: scope.level,
            platform,
            platform_id: null,
            name: null,
            ...measures(sides, currency),
          })),
        ],
      },
      fxMissing: [...totals.values()].reduce((total, { delivery }) => total + delivery.fx_missing, 0),
    }
  })
}

/**
 * Totals of the entities for which the platform reports conversions; null without any. Money is compared over those for
 * which it also reports a value.
 */
function comparedOf(entities: readonly ComparedEntity[], currency: string) {
  const counted = entities
    .map(({ sides }) => sides)
    .filter(({ delivery }) => delivery.platform_conversions_milli !== null)
  if (counted.length === 0) return null
  const valued = counted.filter(({ delivery }) => delivery.platform_value_minor !== null)
  const { atribu_cash_revenue, atribu_roas } = measures(
    sumSides(valued.length === 0 ? counted : valued),
    currency,
  )
  return {
    entities: counted.length,
    valued_entities: valued.length,
    ...measures(sumSides(counted), currency),
    ...platformValueMeasures(valued, currency),
    atribu_cash_revenue,
    atribu_roas,
  }
}

/** Only entities for which the platform reports a value: spend of the others would lower its ROAS. */
function platformValueMeasures(valued: readonly Sides[], currency: string) {
  const { platform_roas, value_gap } = measures(sumSides(valued), currency)
  return { platform_roas, value_gap }
}

function sumSides(rows: readonly Sides[]): Sides {
  const sum = (amountOf: (credit: Credit) => number) =>
    rows.reduce((total, { credit }) => total + amountOf(credit), 0)
  const credit = {
    ...noCredit,
    count: sum(({ count }) => count),
    cashCount: sum(({ cashCount }) => cashCount),
    cashMinor: sum(({ cashMinor }) => cashMinor),
    cashUnrated: sum(({ cashUnrated }) => cashUnrated),
  }
  return { credit, delivery: addDelivery(rows.map((sides) => sides.delivery)) }
}

function bySpend(a: Sides, b: Sides): number {
  return b.delivery.spend_minor - a.delivery.spend_minor
}

type ComparedEntity = { detail: EntityName; platform: string; sides: Sides }
type DistinctByPlatform = ReadonlyMap<string, DistinctCounts[]> | undefined

/** Credit and delivery of each entity of the level. */
function groupSides(credits: readonly CreditSum[], sums: readonly DeliverySum[]): Map<string, Sides> {
  const credit = groupCreditByEntity(credits)
  credit.delete(NIL_ENTITY)
  const sides = new Map(
    [...credit].map(([id, entityCredit]) => [id, { credit: entityCredit, delivery: noDelivery as Delivery }]),
  )
  for (const row of sums)
    sides.set(row.entity_id, { credit: credit.get(row.entity_id) ?? noCredit, delivery: row })
  return sides
}

function compareEntities(
  sides: ReadonlyMap<string, Sides>,
  details: ReadonlyMap<string, EntityName>,
): ComparedEntity[] {
  return [...sides]
    .map(([id, entitySides]) => {
      const detail = details.get(id)!
      return { detail, platform: platformOf(detail.top_source), sides: entitySides }
    })
    .sort(
      (a, b) =>
        bySpend(a.sides, b.sides) ||
        b.sides.credit.cashMinor - a.sides.credit.cashMinor ||
        (a.detail.id < b.detail.id ? -1 : 1),
    )
}

function totalsOf(
  { creditRows, deliveryRows }: ReturnType<typeof groupByPlatform>,
  distinct: DistinctByPlatform,
): Map<string, Sides> {
  return new Map(
    [...new Set([...creditRows.keys(), ...deliveryRows.keys()])].map((platform) => {
      const credit = addCredit(creditRows.get(platform) ?? [])
      return [
        platform,
        {
          credit: distinct === undefined ? credit : withDistinctCounts(credit, distinct.get(platform) ?? []),
          delivery: addDelivery(deliveryRows.get(platform) ?? []),
        },
      ]
    }),
  )
}

/** What a platform has in addition to its entities of the level; platforms without a remainder have no row. */
function notAssigned(
  totals: ReadonlyMap<string, Sides>,
  entities: readonly ComparedEntity[],
  distinct: DistinctByPlatform,
): { platform: string; sides: Sides }[] {
  const byPlatform = Map.groupBy(entities, (entity) => entity.platform)
  return [...new Set([...totals.keys(), ...byPlatform.keys()])].sort().flatMap((platform) => {
    const total = totals.get(platform) ?? { credit: noCredit, delivery: noDelivery }
    const rows = (byPlatform.get(platform) ?? []).map(({ sides }) => sides)
    const credit = subtractCredit(
      total.credit,
      rows.map((row) => row.credit),
    )
    const sides = {
      credit: distinct === undefined ? credit : withDistinctCounts(credit, distinct.get(platform) ?? []),
      delivery: subtractDelivery(
        total.delivery,
        rows.map((row) => row.delivery),
      ),
    }
    return hasFigures(sides) ? [{ platform, sides }] : []
  })
}

function subtractCredit(total: Credit, rows: readonly Credit[]): Credit {
  const difference = (amountOf: (credit: Credit) => number) =>
    rows.reduce((remainder, row) => remainder - amountOf(row), amountOf(total))
  return {
    ...noCredit,
    cashCount: difference((credit) => credit.cashCount),
    cashMinor: difference((credit) => credit.cashMinor),
    cashUnrated: difference((credit) => credit.cashUnrated),
    count: difference((credit) => credit.count),
  }
}

/** Null if the platform reported nothing in addition to its entities. */
function subtractDelivery(total: Delivery, rows: readonly Delivery[]): Delivery {
  const sum = addDelivery(rows)
  const difference = (amountOf: (delivery: Delivery) => number | null) => {
    const remainder = (amountOf(total) ?? 0) - (amountOf(sum) ?? 0)
    return remainder === 0 ? null : remainder
  }
  return {
    ...noDelivery,
    spend_minor: total.spend_minor - sum.spend_minor,
    platform_conversions_milli: difference((delivery) => delivery.platform_conversions_milli),
    platform_value_minor: difference((delivery) => delivery.platform_value_minor),
    fx_missing: Math.max(0, total.fx_missing - sum.fx_missing),
  }
}

function hasFigures({ credit, delivery }: Sides): boolean {
  return (
    credit.count !== 0 ||
    credit.cashMinor !== 0 ||
    delivery.spend_minor !== 0 ||
    delivery.platform_conversions_milli !== null ||
    delivery.platform_value_minor !== null
  )
}

function measures({ credit, delivery }: Sides, currency: string) {
  const { platform_conversions_milli: platformMilli, platform_value_minor: platformMinor } = delivery
  const { spendMinor, unrated } = spendOf(delivery)
  const spend = knownMinor(spendMinor, unrated)
  const cash = knownMinor(credit.cashMinor, credit.cashUnrated)
  const gapMilli = platformMilli === null ? null : credit.count * 1000 - platformMilli
  const text = (amountMinor: number | null) =>
    amountMinor === null ? null : toDecimalString(amountMinor, currency)
  return {
    spend: toMoney(spend, currency),
    platform_conversions: platformMilli === null ? null : platformMilli / 1000,
    platform_conversion_value: text(platformMinor),
    atribu_conversions: credit.count,
    atribu_cash_conversions: credit.cashCount,
    atribu_cash_revenue: text(cash),
    conversion_gap: gapMilli === null ? null : gapMilli / 1000,
    conversion_gap_pct:
      gapMilli === null || platformMilli === null ? null : ratio(gapMilli * 100, platformMilli),
    value_gap: platformMinor === null || cash === null ? null : text(cash - platformMinor),
    platform_roas: ratioOrNull(platformMinor, spend),
    atribu_roas: ratioOrNull(cash, spend),
  }
}

function cashText(credit: Credit, currency: string): string | null {
  const cash = knownMinor(credit.cashMinor, credit.cashUnrated)
  return cash === null ? null : toDecimalString(cash, currency)
}

/** Credit of paid clicks without an ad. */
function unassignedByPlatform(rows: readonly HeldSum[]): Map<string, Credit> {
  const byPlatform = Map.groupBy(rows, (row) => row.holder)
  return new Map([...byPlatform].map(([platform, heldSums]) => [platform, addCredit(heldSums)]))
}

export function getAdIdQuality(
  context: ProfileContext,
  scope: Omit<ReportScope, 'level'>,
): Promise<Reported<z.input<(typeof contract.getAdIdQuality)['reply']>>> {
  return report(context, { ...scope, level: 'ad' }, async (snapshot) => {
    const { tx, profileId, currency } = snapshot
    const clicks = await paidClicks(tx, { profileId, range: scope.range, asOf: scope.asOf })
    const heldSums = await heldCredit(tx, { profileId, level: 'ad', ...withoutLevel(snapshot.scope) })
    const unassigned = unassignedByPlatform(heldSums)
    const unknown = await unknownAds(tx, { profileId, range: scope.range, limit: MAX_UNKNOWN_ADS })
    const names = new Set([...clicks.map((row) => row.platform), ...unassigned.keys()])
    const platforms = [...names].sort().map((platform) => {
      const { named = 0, unnamed = 0 } = clicks.find((row) => row.platform === platform) ?? {}
      const credit = unassigned.get(platform) ?? noCredit
      return {
        platform,
        paid_clicks: named + unnamed,
        with_ad_id: named,
        without_ad_id: unnamed,
        with_ad_id_pct: ratio(named * 100, named + unnamed),
        unassigned_conversions: credit.count,
        unassigned_cash_revenue: cashText(credit, currency),
      }
    })
    return {
      data: { platforms, unknown_ads: unknown.ads, unknown_ads_total: unknown.total },
      hashed: { platforms },
    }
  })
}
