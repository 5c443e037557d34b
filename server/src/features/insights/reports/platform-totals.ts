/** Totals per ad platform: credit and delivery of its entities. */
import { platformOf } from '../../../platform/contract/ad-providers.ts'
import { pipelineReads } from '../../../platform/db/pipelining.ts'
import { NIL_ENTITY } from '../../attribution/crediting/credits/rollups.ts'
import type { AdLevel } from '../../facts/ads/entities.ts'
import { type Credit, fractionalModels } from '../../figures/definitions/definitions.ts'
import { coverBySubtraction } from '../../figures/definitions/rules.ts'
import { type CreditSum, creditByEntity } from '../../figures/rollups/credit-by-entity.ts'
import { type DeliverySum, deliveryByEntity } from '../../figures/rollups/delivery-by-entity.ts'
import { distinctCounts } from '../../figures/rollups/distinct-counts.ts'
import { type EntityName, entityNames, orphanEntities } from '../../figures/rollups/entities.ts'
import { type HeldSum, heldCredit } from '../../figures/rollups/unassigned-credit.ts'
import type { ReportScope, Snapshot } from '../../figures/snapshot/snapshot.ts'

export type Delivery = Omit<DeliverySum, 'entity_id'>
export type Sides = { credit: Credit; delivery: Delivery }

type PlatformRows = {
  creditRows: Map<string, CreditSum[]>
  deliveryRows: Map<string, DeliverySum[]>
}

/** Rows that add up to the platform totals, the same for every level of the report. */
type RowsInTotals = { credits: CreditSum[]; delivery: DeliverySum[] }

export async function platformRows(snapshot: Snapshot): Promise<PlatformRows> {
  const { tx, profileId, scope } = snapshot
  const { level, asOf } = scope
  const delivery = deliveryByEntity(tx, { profileId, asOf, level, cover: snapshot.cover })
  const readingHeld = heldCredit(tx, { profileId, level: 'campaign', ...withoutLevel(scope) })
  const rows = await readTotals(snapshot, delivery, readingHeld)
  return groupByPlatform(rows, await entityNames(tx, { profileId, asOf, ids: idsOf(rows) }))
}

export function idsOf({ credits, delivery }: RowsInTotals): string[] {
  return [...new Set([...credits, ...delivery].map((row) => row.entity_id))]
}

export function groupByPlatform(
  { credits, delivery }: RowsInTotals,
  entities: ReadonlyMap<string, Pick<EntityName, 'source'>>,
): PlatformRows {
  const platformOfRow = (row: { entity_id: string }) =>
    platformOf(entities.get(row.entity_id)?.source ?? null)
  return {
    creditRows: Map.groupBy(credits, platformOfRow),
    deliveryRows: Map.groupBy(delivery, platformOfRow),
  }
}

/**
 * Campaigns, and ad sets and ads without a campaign. Both promises are queries already running: `readingLevel` the
 * delivery at the report's level, `readingHeld` the credit in `held_daily` at campaign level.
 */
export async function readTotals(
  snapshot: Snapshot,
  readingLevel: Promise<readonly DeliverySum[]>,
  readingHeld: Promise<readonly HeldSum[]>,
): Promise<RowsInTotals> {
  const { tx, profileId, scope, cover } = snapshot
  const { asOf } = scope
  const deliveryOf = async (level: AdLevel, entityIds?: readonly string[]) => {
    if (level !== scope.level)
      return deliveryByEntity(tx, { profileId, asOf, level, cover, ...(entityIds && { entityIds }) })
    const ids = entityIds === undefined ? undefined : new Set(entityIds)
    return (await readingLevel).filter((row) => ids?.has(row.entity_id) ?? true)
  }
  const [heldSums, credits, orphans, campaignDelivery] = await pipelineReads(
    readingHeld,
    creditOfCampaigns(snapshot),
    orphanEntities(tx, { profileId, asOf }),
    deliveryOf('campaign'),
    readingLevel,
  )
  const orphanIds = (level: AdLevel) => orphans.filter((entity) => entity.level === level).map(({ id }) => id)
  const [adSetDelivery, adDelivery] = await pipelineReads(
    ...(['ad_set', 'ad'] as const).map(async (level) => {
      const entityIds = orphanIds(level)
      return entityIds.length === 0 ? [] : deliveryOf(level, entityIds)
    }),
  )
  return {
    credits: [
      ...credits.filter((row) => row.entity_id !== NIL_ENTITY),
      ...heldSums.map(({ holder, ...row }) => ({ ...row, entity_id: holder })),
    ],
    delivery: [...campaignDelivery, ...(adSetDelivery ?? []), ...(adDelivery ?? [])],
  }
}

export const withoutLevel = ({ model, range, asOf }: ReportScope) => ({ model, range, asOf })

async function creditOfCampaigns({ tx, profileId, scope, credits }: Snapshot): Promise<CreditSum[]> {
  const level = 'campaign'
  if (scope.level === level) return credits()
  const { model, range, asOf } = scope
  return creditByEntity(tx, { profileId, level, model, asOf, cover: coverBySubtraction(range, asOf) })
}

/** Undefined under a single-touch model: no conversion is shared, so the rows add up to their total. */
export async function distinctByPlatform(snapshot: Snapshot, level: string) {
  return (await distinctByLevel(snapshot, [level]))?.(level)
}

/** The same for several levels in one query. */
export async function distinctByLevel({ tx, profileId, scope }: Snapshot, levels: readonly string[]) {
  if (!fractionalModels.has(scope.model)) return undefined
  const { asOf, range } = scope
  const rows = await distinctCounts(tx, { profileId, asOf, levels, range })
  return (level: string) =>
    Map.groupBy(
      rows.filter((row) => row.level === level),
      (row) => row.platform,
    )
}
