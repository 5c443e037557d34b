/** One campaign, ad set or ad: its row, days, parents, credit under every model, and the platform's own count. */
import { models } from '@whence/engine'
import type { z } from 'zod'
import type { ProfileContext } from '../../../context.ts'
import { platformOf } from '../../../platform/contract/ad-providers.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { toDecimalString } from '../../../platform/contract/money.ts'
import { pipelineReads } from '../../../platform/db/pipelining.ts'
import { thumbnailUrl } from '../../facts/ads/thumbnail-rules.ts'
import {
  addCredit,
  type Credit,
  knownMinor,
  type Spend,
  toMeasures,
  toMoney,
} from '../../figures/definitions/definitions.ts'
import { coverBySubtraction } from '../../figures/definitions/rules.ts'
import { creditByEntity } from '../../figures/rollups/credit-by-entity.ts'
import { deliveryByEntity } from '../../figures/rollups/delivery-by-entity.ts'
import { deliveryTrend } from '../../figures/rollups/delivery-trend.ts'
import { allLevels, type EntityDetail, findEntity } from '../../figures/rollups/entities.ts'
import { readSums } from '../../figures/rollups/sums.ts'
import { type Reported, type ReportScope, report, type Snapshot } from '../../figures/snapshot/snapshot.ts'
import { calibrationOf } from './calibration.ts'
import { noDelivery, spendOf, toDetailedRow } from './campaigns.ts'
import type { getCampaign as entry } from './contract.ts'
import { listAdsWithCreative, listCreatives } from './queries/creatives.ts'

const MAX_CREATIVES = 6

type Entity = z.input<(typeof entry)['reply']>

export function getCampaign(
  context: ProfileContext,
  id: string,
  scope: Omit<ReportScope, 'level'>,
): Promise<Reported<Entity>> {
  return report(context, { ...scope, level: 'campaign' }, async (snapshot) => {
    const { tx, profileId, currency, cover } = snapshot
    const { asOf } = scope
    const entity = await findEntity(tx, { profileId, asOf, id, levels: allLevels })
    if (entity === undefined) throw new ApiError('campaign_not_found', 'No such campaign, ad set or ad.')
    const [[delivery = noDelivery], credits, days] = await pipelineReads(
      deliveryByEntity(tx, { profileId, asOf, level: entity.level, cover, entityId: entity.id }),
      creditsByModel(snapshot, entity),
      daysOf(snapshot, entity),
    )
    const spend = spendOf(delivery)
    const figures = {
      ...toDetailedRow(entity, credits.get(scope.model)!, delivery, scope.model, currency),
      platform: platformOf(entity.top_source),
      parents: parentsOf(entity),
      platform_conversions:
        delivery.platform_conversions_milli === null ? null : delivery.platform_conversions_milli / 1000,
      platform_conversion_value:
        delivery.platform_value_minor === null
          ? null
          : toDecimalString(delivery.platform_value_minor, currency),
      by_model: [...credits].map(([model, credit]) => ({
        model,
        ...modelMeasures(credit, spend, model, currency),
      })),
      days,
    }
    const { timezone } = context.profile
    // Earlier creatives and study verdicts are not stored.
    const [creatives, calibration] =
      asOf === undefined
        ? await pipelineReads(
            creativesOf(snapshot, context.service, entity),
            calibrationOf(snapshot, timezone, entity, credits.get(scope.model)!),
          )
        : [[], null]
    return {
      data: { ...figures, creatives, calibration },
      hashed: figures,
      fxMissing: delivery.fx_missing,
    }
  })
}

async function creditsByModel({ tx, profileId, scope }: Snapshot, entity: EntityDetail) {
  const { asOf } = scope
  const cover = coverBySubtraction(scope.range, asOf)
  const params = { profileId, asOf, level: entity.level, entityId: entity.id, cover }
  const credits = await pipelineReads(
    ...models.map(async (model) => addCredit(await creditByEntity(tx, { ...params, model }))),
  )
  return new Map(models.map((model, at) => [model, credits[at]!]))
}

function modelMeasures(credit: Credit, spend: Spend, model: (typeof models)[number], currency: string) {
  const { outcome_count, outcome_credit, outcome_value, roas, cac } = toMeasures(
    credit,
    spend,
    model,
    currency,
  )
  return { outcome_count, outcome_credit, outcome_value, roas, cac }
}

function parentsOf(entity: EntityDetail): Entity['parents'] {
  return [
    ...(entity.campaign_id
      ? [{ entity_level: 'campaign' as const, campaign_id: entity.campaign_id, name: entity.campaign_name }]
      : []),
    ...(entity.ad_set_id
      ? [{ entity_level: 'ad_set' as const, campaign_id: entity.ad_set_id, name: entity.ad_set_name }]
      : []),
  ]
}

/** Of several ads, those with the highest spend in the range. */
async function creativesOf(
  { tx, profileId, cover }: Snapshot,
  service: ProfileContext['service'],
  entity: EntityDetail,
): Promise<Entity['creatives']> {
  const ads = await listAdsWithCreative(tx, { profileId, entityId: entity.id })
  const delivered =
    ads.length < 2 ? [] : await deliveryByEntity(tx, { profileId, level: 'ad', cover, entityIds: ads })
  const spendByAd = new Map(delivered.map((row) => [row.entity_id, row.spend_minor]))
  const topAds = ads
    .toSorted((a, b) => (spendByAd.get(b) ?? 0) - (spendByAd.get(a) ?? 0))
    .slice(0, MAX_CREATIVES)
  const creatives = await listCreatives(tx, { profileId, adIds: topAds })
  return creatives.map(({ ad_id, ...row }) => ({
    ...row,
    campaign_id: ad_id,
    thumbnail_url: thumbnailUrl(service, profileId, { ad_id, thumbnail_url: row.thumbnail_url }),
  }))
}

/** Days with delivery or credit. */
async function daysOf({ tx, profileId, scope, currency }: Snapshot, entity: EntityDetail) {
  const params = { profileId, asOf: scope.asOf, level: entity.level, range: scope.range }
  const [delivered, credited] = await pipelineReads(
    deliveryTrend(tx, { ...params, entityIds: [entity.id] }),
    readSums(tx, {
      profileId,
      asOf: scope.asOf,
      model: scope.model,
      level: entity.level,
      from: scope.range.from,
      to: scope.range.to,
      entities: [entity.id],
      measures: ['credited_payments', 'credited_minor', 'credited_unrated'],
      by: ['day'],
    }),
  )
  const [deliveryOn, creditOn] = [
    new Map(delivered.map((row) => [row.day, row])),
    new Map(credited.map((row) => [row.day, row])),
  ]
  return [...new Set([...deliveryOn.keys(), ...creditOn.keys()])].sort().map((day) => {
    const [delivery, credit] = [deliveryOn.get(day), creditOn.get(day)]
    return {
      date: day,
      spend: toMoney(knownMinor(delivery?.spend_minor ?? 0, delivery?.spend_unrated ?? 0), currency),
      impressions: delivery?.impressions ?? 0,
      clicks: delivery?.clicks ?? 0,
      outcome_count: credit?.credited_payments ?? 0,
      outcome_value: toMoney(
        knownMinor(credit?.credited_minor ?? 0, credit?.credited_unrated ?? 0),
        currency,
      ),
    }
  })
}
