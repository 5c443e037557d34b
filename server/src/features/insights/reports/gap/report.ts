/** The gap between a platform's figures and ours, computed in one database snapshot. */
import { models } from '@whence/engine'
import type { ProfileContext } from '../../../../context.ts'
import { platformOf } from '../../../../platform/contract/ad-providers.ts'
import { addDays } from '../../../../platform/contract/dates.ts'
import { ApiError } from '../../../../platform/contract/errors.ts'
import { toDecimalNumber } from '../../../../platform/contract/money.ts'
import { localDay } from '../../../../platform/contract/zones.ts'
import { pipelineReads } from '../../../../platform/db/pipelining.ts'
import { listTouchesOfCustomers } from '../../../attribution/crediting/candidate-touches.ts'
import { shareOf, unpackCredit } from '../../../attribution/crediting/credits/packed.ts'
import { resolvePaths } from '../../../attribution/crediting/credits/paths.ts'
import { loadSettings } from '../../../attribution/crediting/settings.ts'
import { noCredit } from '../../../figures/definitions/definitions.ts'
import { reportedBasis } from '../../../figures/definitions/rules.ts'
import { type DeliverySum, deliveryByEntity } from '../../../figures/rollups/delivery-by-entity.ts'
import { entityDetails, findEntity } from '../../../figures/rollups/entities.ts'
import { deliveryThrough } from '../../../figures/snapshot/queries/sources.ts'
import { type ReportScope, report, type Snapshot } from '../../../figures/snapshot/snapshot.ts'
import { addDelivery, groupCreditByEntity } from '../campaigns.ts'
import { listGapSales, pathsOfEntities } from './queries.ts'
import { explainGap, type GapSale, type GapTouch, windowDaysOf } from './rules.ts'

const MAX_SALES = 20_000
const CUSTOMER_BATCH = 2000

type Target = { entityId?: string | undefined; platform?: string | undefined; examples: number }

export function explainPlatformGap(context: ProfileContext, scope: ReportScope, target: Target) {
  return report(context, scope, async (snapshot) => {
    const { currency } = snapshot
    const [credited, { platform, delivered }] = await pipelineReads(
      snapshot.credits(),
      comparedEntities(snapshot, target),
    )
    const valued = delivered.filter((row) => row.platform_value_minor !== null)
    const counted = { platform, entityIds: delivered.map((row) => row.entity_id) }
    // As in the comparison: without any reported value, our money is that of all compared entities.
    const valuedIds = (valued.length === 0 ? delivered : valued).map((row) => row.entity_id)
    const delivery = addDelivery(delivered)
    const credits = groupCreditByEntity(credited)
    const oursMinor = valuedIds.reduce((sum, id) => sum + (credits.get(id) ?? noCredit).cashMinor, 0)
    const inCurrency = (amountMinor: number | null) =>
      amountMinor === null ? null : toDecimalNumber(amountMinor, currency)
    const read = await readSales(context, snapshot, platform)
    const sales = await read(counted.entityIds)
    const valuedSales = valuedIds.length === delivered.length ? sales : await read(valuedIds)
    const isWithin = ({ day }: GapSale) => day >= scope.range.from && day <= scope.range.to
    const ours = sales.filter((sale) => sale.creditedMinor !== null && isWithin(sale)).length
    const { platform_conversions_milli: milli, platform_value_minor: minor } = delivery
    const through = await deliveryThrough(snapshot.tx, { profileId: snapshot.profileId, to: scope.range.to })
    const steps =
      milli === null
        ? []
        : explainGap(
            { conversionsMilli: milli, valueMinor: minor },
            oursMinor,
            { sales, valuedSales },
            {
              platform,
              isWhole: target.entityId === undefined,
              from: scope.range.from,
              to: scope.range.to,
              lookbackDays: await lookbackOf(snapshot),
              deliveryThrough: through.find(({ source }) => platformOf(source) === platform)?.day ?? null,
            },
          )
    return {
      data: {
        platform,
        reported_basis: reportedBasis(platform),
        click_window_days: windowDaysOf(platform),
        entities: delivered.length,
        valued_entities: valued.length,
        reported: { conversions: milli === null ? null : milli / 1000, value: inCurrency(minor) },
        credited: { conversions: ours, value: inCurrency(oursMinor) },
        gap: {
          conversions: milli === null ? null : (ours * 1000 - milli) / 1000,
          value: minor === null ? null : inCurrency(oursMinor - minor),
        },
        steps: steps.map((step) => ({
          kind: step.kind,
          label: step.label,
          conversions: step.conversionsMilli / 1000,
          value: toDecimalNumber(step.valueMinor, currency),
          sales: step.sales.length,
          examples: step.sales.slice(0, target.examples).map((sale) => ({
            conversion_id: sale.id,
            occurred_at: new Date(sale.at),
            value: inCurrency(sale.valueMinor),
          })),
        })),
      },
      fxMissing: delivery.fx_missing,
    }
  })
}

/** One entity, or those of the platform for which it reports conversions. */
async function comparedEntities(
  { tx, profileId, scope, cover }: Snapshot,
  { entityId, platform }: Target,
): Promise<{ platform: string; delivered: DeliverySum[] }> {
  const { level } = scope
  if (entityId !== undefined) {
    const entity = await findEntity(tx, { profileId, id: entityId, levels: [level] })
    if (entity === undefined) throw new ApiError('campaign_not_found', `No such ${level}.`)
    const delivered = await deliveryByEntity(tx, { profileId, level, cover, entityIds: [entity.id] })
    const empty = { ...addDelivery([]), entity_id: entity.id }
    return {
      platform: platformOf(entity.top_source),
      delivered: delivered.length === 0 ? [empty] : delivered,
    }
  }
  const all = await deliveryByEntity(tx, { profileId, level, cover })
  const reporting = all.filter((row) => row.platform_conversions_milli !== null)
  const details = await entityDetails(tx, { profileId, ids: reporting.map((row) => row.entity_id) })
  const isOfPlatform = (row: DeliverySum) =>
    platformOf(details.get(row.entity_id)?.top_source ?? null) === platform
  return { platform: platform!, delivered: reporting.filter(isOfPlatform) }
}

async function lookbackOf({ tx, profileId, scope }: Snapshot): Promise<number> {
  const settings = await loadSettings(tx, profileId)
  return scope.model === 'first_touch' ? settings.firstTouchLookbackDays : settings.lookbackDays
}

/**
 * Sales of the range and of the platform's click window after it, because a click of the range may lead to them. Returns
 * them as seen by a set of entities.
 */
async function readSales(
  context: ProfileContext,
  { tx, profileId, scope }: Snapshot,
  platform: string,
): Promise<(entityIds: readonly string[]) => Promise<GapSale[]>> {
  const { from, to } = scope.range
  const last = addDays(to, windowDaysOf(platform))
  const rows = await listGapSales(tx, { profileId, from, to: last, limit: MAX_SALES + 1 })
  if (rows.length > MAX_SALES)
    throw new ApiError(
      'invalid_date_range',
      `The range has more than ${MAX_SALES} sales; choose fewer days.`,
      {
        field: 'date_from',
      },
    )
  const customers = [...new Set(rows.map((row) => row.customer_id))]
  const touchesOf = new Map<string, (Omit<GapTouch, 'isOwn'> & { ids: string[] })[]>()
  for (let start = 0; start < customers.length; start += CUSTOMER_BATCH) {
    const customerIds = customers.slice(start, start + CUSTOMER_BATCH)
    const touches = await listTouchesOfCustomers(tx, { profileId, customerIds })
    const resolved = await resolvePaths(tx, profileId, touches)
    for (const touch of touches) {
      const path = resolved.get(touch)!
      const ids = [path.campaignId, path.adSetId, path.adId].filter((id) => id !== null)
      const list = touchesOf.get(touch.customer_id) ?? []
      touchesOf.set(touch.customer_id, list)
      list.push({
        at: touch.occurred_at.getTime(),
        day: localDay(touch.occurred_at, context.profile.timezone),
        platform: ids.length > 0 ? path.entityPlatform : touch.platform,
        ids,
        isNamed: ids.length > 0,
      })
    }
  }
  const model = models.indexOf(scope.model)
  return async (entityIds) => {
    const paths = await pathsOfEntities(tx, { profileId, entityIds })
    const comparedIds = new Set(entityIds)
    return rows.map((row) => {
      const shares =
        row.packed === null
          ? []
          : shareOf(unpackCredit(row.packed), model).filter(({ path }) => paths.has(path))
      return {
        id: row.id,
        at: row.occurred_at.getTime(),
        day: row.day,
        valueMinor: row.is_cash ? row.value_minor : 0,
        touches: (touchesOf.get(row.customer_id) ?? []).map(({ ids, ...touch }) => ({
          ...touch,
          isOwn: ids.some((id) => comparedIds.has(id)),
        })),
        creditedMinor:
          shares.length === 0
            ? null
            : row.is_cash
              ? shares.reduce((sum, share) => sum + share.amountMinor, 0)
              : 0,
      }
    })
  }
}
