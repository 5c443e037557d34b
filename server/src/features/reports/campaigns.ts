/** Campaigns, ad sets and ads: what they cost and what they were credited with. */
import type { z } from 'zod'
import type { ProfileContext } from '../../context.ts'
import { ApiError } from '../../contract/errors.ts'
import { toDecimalNumber } from '../../contract/money.ts'
import { NIL_ENTITY } from '../attribution/credits/rollups.ts'
import type { CampaignRow, DetailedRow, getUnattributed } from './contract.ts'
import type { CreditSum } from './queries/credit-by-entity.ts'
import { type DeliverySum, deliveryByEntity } from './queries/delivery-by-entity.ts'
import { type EntityDetail, entityDetails, findEntity, idsBelow } from './queries/entities.ts'
import { moneyPer, ratio } from './rules.ts'
import { type Reported, type ReportScope, report } from './snapshot.ts'

type Row = z.input<typeof CampaignRow>
type Detailed = z.input<typeof DetailedRow>

export type EntityCredit = {
  cashCount: number
  cashMinor: number
  count: number
  byType: Record<string, number>
}

/** Credit by entity; a type with nothing credited is absent. */
export function creditOf(rows: readonly CreditSum[]): Map<string, EntityCredit> {
  const credits = new Map<string, EntityCredit>()
  for (const row of rows) {
    let credit = credits.get(row.entity_id)
    if (credit === undefined) {
      credit = { cashCount: 0, cashMinor: 0, count: 0, byType: {} }
      credits.set(row.entity_id, credit)
    }
    if (row.revenue_type === 'cash') {
      credit.cashCount += row.conversions
      credit.cashMinor += row.value_minor
    }
    if (row.conversions === 0) continue
    credit.count += row.conversions
    credit.byType[row.outcome_type] = (credit.byType[row.outcome_type] ?? 0) + row.conversions
  }
  return credits
}

export const noCredit: EntityCredit = { cashCount: 0, cashMinor: 0, count: 0, byType: {} }

export const noDelivery: Omit<DeliverySum, 'entity_id'> = {
  spend_minor: 0,
  impressions: null,
  clicks: null,
  reach: null,
  platform_conversions_milli: null,
  platform_value_minor: null,
  messaging_started_7d: null,
  fx_missing: 0,
}

export function listCampaigns(
  context: ProfileContext,
  scope: ReportScope,
  options: { limit: number; detailed: boolean; parentId?: string | undefined },
): Promise<Reported<(Row | Detailed)[]>> {
  return report(context, scope, async ({ tx, profileId, currency, cover, credits }) => {
    const credit = creditOf(credits)
    credit.delete(NIL_ENTITY)
    const sums = await deliveryByEntity(tx, { profileId, level: scope.level, cover })
    const delivery = new Map(sums.map((row) => [row.entity_id, row]))
    const { parentId } = options
    const inside = parentId === undefined ? undefined : await idsBelow(tx, { profileId, parentId })
    const ranked = [...new Set([...credit.keys(), ...delivery.keys()])]
      .filter((id) => inside?.has(id) ?? true)
      .map((id) => ({ id, credit: credit.get(id) ?? noCredit, delivery: delivery.get(id) ?? noDelivery }))
      .sort(
        (a, b) =>
          b.credit.cashMinor - a.credit.cashMinor ||
          b.delivery.spend_minor - a.delivery.spend_minor ||
          b.credit.count - a.credit.count ||
          (a.id < b.id ? -1 : 1),
      )
      .slice(0, options.limit)
    const details = await entityDetails(tx, { profileId, ids: ranked.map((row) => row.id) })
    const toRow = options.detailed ? toDetailedRow : toCampaignRow
    return {
      data: ranked.map((row) => toRow(details.get(row.id)!, row.credit, row.delivery, currency)),
      fxMissing: sums.reduce((total, row) => total + row.fx_missing, 0),
    }
  })
}

export function getAd(
  context: ProfileContext,
  id: string,
  scope: Omit<ReportScope, 'level'>,
): Promise<Reported<Detailed>> {
  return report(context, { ...scope, level: 'ad' }, async ({ tx, profileId, currency, cover, credits }) => {
    const entity = await findEntity(tx, { profileId, id, level: 'ad', anyLevel: false })
    if (entity === undefined) throw new ApiError('not_found', 'No such ad.')
    const credit = creditOf(credits.filter((row) => row.entity_id === entity.id)).get(entity.id)
    const [delivery = noDelivery] = await deliveryByEntity(tx, {
      profileId,
      level: 'ad',
      cover,
      entityId: entity.id,
    })
    return {
      data: toDetailedRow(entity, credit ?? noCredit, delivery, currency),
      fxMissing: delivery.fx_missing,
    }
  })
}

export function readUnattributed(
  context: ProfileContext,
  scope: ReportScope,
): Promise<Reported<z.input<(typeof getUnattributed)['reply']>>> {
  return report(context, scope, async ({ currency, credits }) => {
    const credit = creditOf(credits).get(NIL_ENTITY) ?? noCredit
    return {
      data: {
        outcome_count: credit.cashCount,
        outcome_value: toDecimalNumber(credit.cashMinor, currency),
        attributed_outcome_count: credit.count,
        attributed_outcomes_by_type: credit.byType,
      },
    }
  })
}

function toCampaignRow(
  entity: EntityDetail,
  credit: EntityCredit,
  delivery: Omit<DeliverySum, 'entity_id'>,
  currency: string,
): Row {
  return {
    campaign_id: entity.id,
    platform_id: entity.external_id,
    campaign_name: entity.name,
    spend: toDecimalNumber(delivery.spend_minor, currency),
    outcome_count: credit.cashCount,
    outcome_value: toDecimalNumber(credit.cashMinor, currency),
    roas: ratio(credit.cashMinor, delivery.spend_minor),
    attributed_outcome_count: credit.count,
    attributed_outcomes_by_type: credit.byType,
  }
}

function toDetailedRow(
  entity: EntityDetail,
  credit: EntityCredit,
  delivery: Omit<DeliverySum, 'entity_id'>,
  currency: string,
): Detailed {
  const impressions = delivery.impressions ?? 0
  const clicks = delivery.clicks ?? 0
  return {
    ...toCampaignRow(entity, credit, delivery, currency),
    entity_level: entity.level,
    parent_name: entity.level === 'ad' ? (entity.ad_set_name ?? entity.campaign_name) : entity.campaign_name,
    impressions,
    clicks,
    reach: delivery.reach,
    ctr: ratio(clicks * 100, impressions),
    avg_cpm: moneyPer(delivery.spend_minor * 1000, impressions, currency),
    avg_cpc: moneyPer(delivery.spend_minor, clicks, currency),
    cac: moneyPer(delivery.spend_minor, credit.cashCount, currency),
    status: entity.status,
    objective: entity.objective ?? entity.campaign_objective,
    daily_budget:
      entity.daily_budget_minor === null
        ? null
        : toDecimalNumber(entity.daily_budget_minor, entity.currency ?? currency),
    campaign_external_id: entity.campaign_external_id,
    ad_set_external_id: entity.ad_set_external_id,
    messaging_conversations_started_7d: delivery.messaging_started_7d,
  }
}
