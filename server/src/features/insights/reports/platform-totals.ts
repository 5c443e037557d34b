/** What each ad platform comes to: credit of its entities, and what they delivered. */

import { platformOf } from '../../../platform/contract/ad-providers.ts'
import { ANY_LEVEL } from '../../attribution/crediting/credits/platform-counts.ts'
import { NIL_ENTITY } from '../../attribution/crediting/credits/rollups.ts'
import { addDelivery } from './campaigns.ts'
import { addCredit, type Credit, countOnce, dividing } from './definitions.ts'
import { type CreditSum, creditByEntity } from './queries/credit-by-entity.ts'
import { creditedOnce } from './queries/credited-once.ts'
import { type DeliverySum, deliveryByEntity } from './queries/delivery-by-entity.ts'
import { entitiesOutside, entityDetails } from './queries/entities.ts'
import { heldCredit } from './queries/unassigned-credit.ts'
import { coverBySubtraction } from './rules.ts'
import type { ReportScope, Snapshot } from './snapshot.ts'

export type Delivery = Omit<DeliverySum, 'entity_id'>
export type Sides = { credit: Credit; delivery: Delivery }

/**
 * All that a platform's entities have, whatever the level asked for: its campaigns, and the ad sets and ads that stand
 * in none.
 */
export async function platformTotals(snapshot: Snapshot): Promise<Map<string, Sides>> {
  const { creditRows, deliveryRows } = await platformRows(snapshot)
  const once = await onceByPlatform(snapshot, ANY_LEVEL)
  return new Map(
    [...new Set([...creditRows.keys(), ...deliveryRows.keys()])].map((platform) => {
      const credit = addCredit(creditRows.get(platform) ?? [])
      return [
        platform,
        {
          credit: once === undefined ? credit : countOnce(credit, once.get(platform) ?? []),
          delivery: addDelivery(deliveryRows.get(platform) ?? []),
        },
      ]
    }),
  )
}

type PlatformRows = {
  creditRows: Map<string, CreditSum[]>
  deliveryRows: Map<string, DeliverySum[]>
}

export async function platformRows(snapshot: Snapshot): Promise<PlatformRows> {
  const { tx, profileId, scope, cover } = snapshot
  const { credits, delivery } = await readCampaigns(snapshot)
  const held = await heldCredit(tx, { profileId, level: 'campaign', ...pick(scope) })
  const outside = await entitiesOutside(tx, { profileId, asOf: scope.asOf })
  const heldRows = held.map(({ holder, ...row }) => ({ ...row, entity_id: holder }))
  const rows = [...credits.filter((row) => row.entity_id !== NIL_ENTITY), ...heldRows]
  const outsideDelivery: DeliverySum[] = []
  for (const level of ['ad_set', 'ad'] as const) {
    const entityIds = outside.filter((entity) => entity.level === level).map(({ id }) => id)
    if (entityIds.length > 0)
      outsideDelivery.push(
        ...(await deliveryByEntity(tx, { profileId, asOf: scope.asOf, level, cover, entityIds })),
      )
  }
  const delivered = [...delivery, ...outsideDelivery]
  const ids = [...new Set([...rows, ...delivered].map((row) => row.entity_id))]
  const details = await entityDetails(tx, { profileId, asOf: scope.asOf, ids })
  const platformOfRow = (row: { entity_id: string }) => platformOf(details.get(row.entity_id)?.source ?? null)
  const creditRows = Map.groupBy(rows, platformOfRow)
  const deliveryRows = Map.groupBy(delivered, platformOfRow)
  return { creditRows, deliveryRows }
}

export const pick = ({ model, range, asOf }: ReportScope) => ({ model, range, asOf })

async function readCampaigns({
  tx,
  profileId,
  scope,
  cover,
  credits,
}: Snapshot): Promise<{ credits: CreditSum[]; delivery: DeliverySum[] }> {
  const level = 'campaign'
  return {
    credits:
      scope.level === level
        ? credits
        : await creditByEntity(tx, {
            profileId,
            level,
            model: scope.model,
            asOf: scope.asOf,
            cover: coverBySubtraction(scope.range, scope.asOf),
          }),
    delivery: await deliveryByEntity(tx, { profileId, asOf: scope.asOf, level, cover }),
  }
}

/** Under a model that gives all to one touch nothing is shared, and rows make their total. */
export async function onceByPlatform({ tx, profileId, scope }: Snapshot, level: string) {
  if (!dividing.has(scope.model)) return undefined
  const rows = await creditedOnce(tx, { profileId, asOf: scope.asOf, level, range: scope.range })
  return Map.groupBy(rows, (row) => row.platform)
}
