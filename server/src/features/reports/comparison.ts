/** What each ad platform reports beside what the service credits; never added together. */
import type { Model } from '@whence/engine'
import type { z } from 'zod'
import type { ProfileContext } from '../../context.ts'
import { toDecimalNumber, toDecimalString } from '../../contract/money.ts'
import { platformOf } from '../ads/entities.ts'
import { NIL_ENTITY } from '../attribution/credits/rollups.ts'
import { creditOf, noCredit, noDelivery } from './campaigns.ts'
import type { comparePlatforms, getAdIdQuality } from './contract.ts'
import { deliveryByEntity } from './queries/delivery-by-entity.ts'
import { deliveryThrough } from './queries/delivery-through.ts'
import { type EntityDetail, entityDetails } from './queries/entities.ts'
import { paidClicks, unknownAds } from './queries/paid-clicks.ts'
import { type PlatformSum, platformConversions } from './queries/platform-conversions.ts'
import { unassignedCredit } from './queries/unassigned-credit.ts'
import { ratio, reportedBasis } from './rules.ts'
import { type Reported, type ReportScope, report, type Snapshot } from './snapshot.ts'

const UNKNOWN_ADS = 100
const dividing: ReadonlySet<Model> = new Set(['linear', 'time_decay'])

type Sides = {
  spendMinor: number
  /** Thousandths; null where the platform reported nothing. */
  platformMilli: number | null
  platformMinor: number | null
  conversions: number
  cashConversions: number
  cashMinor: number
}

type Compared = z.input<(typeof comparePlatforms)['reply']>

export function comparePlatformReports(
  context: ProfileContext,
  scope: ReportScope,
): Promise<Reported<Compared>> {
  return report(context, scope, async (snapshot) => {
    const { tx, profileId, currency } = snapshot
    const entities = await compareEntities(snapshot)
    const unassigned = await unassignedCredit(tx, { profileId, ...scope })
    const through = await deliveryThrough(tx, { profileId, ...scope })
    const lastDay = new Map<string, string>()
    for (const [source, day] of through) {
      const platform = platformOf(source)
      if (day > (lastDay.get(platform) ?? '')) lastDay.set(platform, day)
    }
    const byPlatform = Map.groupBy(entities, (entity) => entity.platform)
    const once = await countedOnce(snapshot)
    const names = new Set([...byPlatform.keys(), ...unassigned.map((row) => row.platform)])
    const platforms = [...names].map((platform) => {
      const clicks = unassigned.find((row) => row.platform === platform)
      return {
        platform,
        sides: totalOf(byPlatform.get(platform) ?? [], once?.get(platform)),
        reported_basis: reportedBasis(platform),
        has_delivery: lastDay.has(platform),
        delivery_through: lastDay.get(platform) ?? null,
        unassigned_conversions: clicks?.conversions ?? 0,
        unassigned_cash_revenue: toDecimalString(clicks?.cash_minor ?? 0, currency),
      }
    })
    platforms.sort((a, b) => b.sides.spendMinor - a.sides.spendMinor || (a.platform < b.platform ? -1 : 1))
    return {
      data: {
        platforms: platforms.map(({ platform, sides, ...rest }) => ({
          platform,
          ...measures(sides, currency),
          ...rest,
        })),
        rows: entities.map(({ detail, platform, sides }) => ({
          entity_id: detail.id,
          entity_level: detail.level,
          platform,
          platform_id: detail.external_id,
          name: detail.name,
          ...measures(sides, currency),
        })),
      },
      fxMissing: entities.reduce((total, entity) => total + entity.fxMissing, 0),
    }
  })
}

type ComparedEntity = { detail: EntityDetail; platform: string; sides: Sides; fxMissing: number }

async function compareEntities({
  tx,
  profileId,
  scope,
  cover,
  credits,
}: Snapshot): Promise<ComparedEntity[]> {
  const credit = creditOf(credits)
  credit.delete(NIL_ENTITY)
  const sums = await deliveryByEntity(tx, { profileId, level: scope.level, cover })
  const delivery = new Map(sums.map((row) => [row.entity_id, row]))
  const ids = [...new Set([...credit.keys(), ...delivery.keys()])]
  const details = await entityDetails(tx, { profileId, ids })
  const entities = ids.map((id) => {
    const detail = details.get(id)!
    const own = credit.get(id) ?? noCredit
    const delivered = delivery.get(id) ?? noDelivery
    return {
      detail,
      platform: platformOf(detail.source),
      sides: {
        spendMinor: delivered.spend_minor,
        platformMilli: delivered.platform_conversions_milli,
        platformMinor: delivered.platform_value_minor,
        conversions: own.count,
        cashConversions: own.cashCount,
        cashMinor: own.cashMinor,
      },
      fxMissing: delivered.fx_missing,
    }
  })
  return entities.sort(
    (a, b) =>
      b.sides.spendMinor - a.sides.spendMinor ||
      b.sides.cashMinor - a.sides.cashMinor ||
      (a.detail.id < b.detail.id ? -1 : 1),
  )
}

/** Under a model that gives all to one touch nothing is shared, and rows make their total. */
async function countedOnce({
  tx,
  profileId,
  scope,
}: Snapshot): Promise<Map<string, PlatformSum> | undefined> {
  if (!dividing.has(scope.model)) return undefined
  const rows = await platformConversions(tx, { profileId, ...scope })
  return new Map(rows.map((row) => [row.platform, row]))
}

/** A conversion that several rows share counts once in their platform's total; its money is split already. */
function totalOf(entities: readonly ComparedEntity[], once: PlatformSum | undefined): Sides {
  const total = sum(entities.map((entity) => entity.sides))
  if (once === undefined) return total
  return { ...total, conversions: once.conversions, cashConversions: once.cash_conversions }
}

function sum(all: readonly Sides[]): Sides {
  const add = (a: number | null, b: number | null) => (a === null ? b : b === null ? a : a + b)
  return all.reduce(
    (total, sides) => ({
      spendMinor: total.spendMinor + sides.spendMinor,
      platformMilli: add(total.platformMilli, sides.platformMilli),
      platformMinor: add(total.platformMinor, sides.platformMinor),
      conversions: total.conversions + sides.conversions,
      cashConversions: total.cashConversions + sides.cashConversions,
      cashMinor: total.cashMinor + sides.cashMinor,
    }),
    {
      spendMinor: 0,
      platformMilli: null,
      platformMinor: null,
      conversions: 0,
      cashConversions: 0,
      cashMinor: 0,
    },
  )
}

function measures(sides: Sides, currency: string) {
  const { platformMilli, platformMinor } = sides
  const gapMilli = platformMilli === null ? null : sides.conversions * 1000 - platformMilli
  return {
    spend: toDecimalNumber(sides.spendMinor, currency),
    platform_conversions: platformMilli === null ? null : platformMilli / 1000,
    platform_conversion_value: platformMinor === null ? null : toDecimalString(platformMinor, currency),
    atribu_conversions: sides.conversions,
    atribu_cash_conversions: sides.cashConversions,
    atribu_cash_revenue: toDecimalString(sides.cashMinor, currency),
    conversion_gap: gapMilli === null ? null : gapMilli / 1000,
    conversion_gap_pct:
      gapMilli === null || platformMilli === null ? null : ratio(gapMilli * 100, platformMilli),
    value_gap: platformMinor === null ? null : toDecimalString(sides.cashMinor - platformMinor, currency),
    platform_roas: platformMinor === null ? null : ratio(platformMinor, sides.spendMinor),
    atribu_roas: ratio(sides.cashMinor, sides.spendMinor),
  }
}

export function readAdIdQuality(
  context: ProfileContext,
  scope: Omit<ReportScope, 'level'>,
): Promise<Reported<z.input<(typeof getAdIdQuality)['reply']>>> {
  return report(context, { ...scope, level: 'ad' }, async ({ tx, profileId, currency }) => {
    const clicks = await paidClicks(tx, { profileId, range: scope.range })
    const unassigned = await unassignedCredit(tx, { profileId, level: 'ad', ...scope })
    const unknown = await unknownAds(tx, { profileId, range: scope.range, limit: UNKNOWN_ADS })
    const names = new Set([...clicks, ...unassigned].map((row) => row.platform))
    const platforms = [...names].sort().map((platform) => {
      const { named = 0, unnamed = 0 } = clicks.find((row) => row.platform === platform) ?? {}
      const credit = unassigned.find((row) => row.platform === platform)
      return {
        platform,
        paid_clicks: named + unnamed,
        with_ad_id: named,
        without_ad_id: unnamed,
        with_ad_id_pct: ratio(named * 100, named + unnamed),
        unassigned_conversions: credit?.conversions ?? 0,
        unassigned_cash_revenue: toDecimalString(credit?.cash_minor ?? 0, currency),
      }
    })
    return { data: { platforms, unknown_ads: unknown.ads, unknown_ads_total: unknown.total } }
  })
}
