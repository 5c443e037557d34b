/** Campaigns, ad sets and ads in a range: one row each, and their total. */
import type { Model } from '@whence/engine'
import type { z } from 'zod'
import type { ProfileContext } from '../../../context.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { isUuid } from '../../../platform/contract/ids.ts'
import { toDecimalNumber } from '../../../platform/contract/money.ts'
import {
  decodeCursor,
  encodeCursor,
  invalidCursor,
  type Pagination,
} from '../../../platform/contract/page.ts'
import { toError } from '../../../platform/contract/refusal.ts'
import { pipelineReads } from '../../../platform/db/pipelining.ts'
import { NIL_ENTITY } from '../../attribution/crediting/credits/rollups.ts'
import { platformActions } from '../../facts/ads/platform-actions-rules.ts'
import {
  addCredit,
  addCreditRow,
  type Credit,
  emptyCredit,
  knownMinor,
  moneyPerOrNull,
  noCredit,
  type Spend,
  toCreditMeasures,
  toMeasures,
  toNewCustomers,
} from '../../figures/definitions/definitions.ts'
import { coverBySubtraction, ratio } from '../../figures/definitions/rules.ts'
import { type CreditSum, creditByEntity } from '../../figures/rollups/credit-by-entity.ts'
import { type DeliverySum, deliveryByEntity } from '../../figures/rollups/delivery-by-entity.ts'
import {
  allLevels,
  descendantIds,
  type EntityDetail,
  entityDetails,
  findEntity,
} from '../../figures/rollups/entities.ts'
import {
  type ReportContext,
  type Reported,
  type ReportScope,
  report,
  type Snapshot,
} from '../../figures/snapshot/snapshot.ts'
import type * as contract from './contract.ts'
import type { CampaignRow, CampaignTotal, DetailedRow } from './fields.ts'
import { totalEntityCredit } from './total-entity-credit.ts'

type Row = z.input<typeof CampaignRow>
type Detailed = z.input<typeof DetailedRow>
type Total = z.input<typeof CampaignTotal>
type Delivery = Omit<DeliverySum, 'entity_id'>

export function groupCreditByEntity(rows: readonly CreditSum[]): Map<string, Credit> {
  const byEntity = new Map<string, Credit>()
  for (const row of rows) {
    const credit = byEntity.get(row.entity_id) ?? emptyCredit()
    byEntity.set(row.entity_id, credit)
    addCreditRow(credit, row)
  }
  return byEntity
}

export const noDelivery: Delivery = {
  spend_minor: 0,
  impressions: null,
  clicks: null,
  reach: null,
  platform_conversions_milli: null,
  platform_value_minor: null,
  messaging_started_7d: null,
  fx_missing: 0,
}

export function spendOf(delivery: Delivery): Spend {
  return { spendMinor: delivery.spend_minor, unrated: delivery.fx_missing }
}

/** Sort key of a row: value, spend, conversions, id. */
type Rank = readonly [value: number, spend: number, count: number, id: string]
type Ranked = { id: string; credit: Credit; delivery: Delivery; rank: Rank }

function toRanked(id: string, credit: Credit, delivery: Delivery): Ranked {
  return { id, credit, delivery, rank: [credit.cashMinor, delivery.spend_minor, credit.count, id] }
}

function byRank(a: Rank, b: Rank): number {
  return b[0] - a[0] || b[1] - a[1] || b[2] - a[2] || (a[3] === b[3] ? 0 : a[3] < b[3] ? -1 : 1)
}

function readCursor(cursor: string | undefined): Rank | undefined {
  if (cursor === undefined) return undefined
  const [value, spend, count, id] = decodeCursor(cursor) ?? []
  if (
    typeof value !== 'number' ||
    typeof spend !== 'number' ||
    typeof count !== 'number' ||
    typeof id !== 'string' ||
    !isUuid(id)
  )
    throw toError(invalidCursor())
  return [value, spend, count, id]
}

type Page = {
  limit: number
  cursor?: string | undefined
  detailed: boolean
  parentId?: string | undefined
}
type Listed = Reported<(Row | Detailed)[]> & { total: Total; pagination: Pagination; totalRows: number }

export async function listCampaigns(context: ReportContext, scope: ReportScope, page: Page): Promise<Listed> {
  const after = readCursor(page.cursor)
  let extra: Pick<Listed, 'total' | 'pagination' | 'totalRows'> | undefined
  const reported = await report(context, scope, async (snapshot) => {
    const { tx, profileId, currency } = snapshot
    const [{ rows: ranked, sums }, totalOf] = await pipelineReads(
      rankEntities(snapshot, page.parentId),
      readTotal(snapshot, page.parentId),
    )
    const remaining = after === undefined ? ranked : ranked.filter((row) => byRank(after, row.rank) < 0)
    const pageRows = remaining.slice(0, page.limit)
    const last = pageRows.at(-1)
    const hasNext = remaining.length > pageRows.length && last !== undefined
    extra = {
      total: totalOf(ranked),
      pagination: { has_next: hasNext, cursor: hasNext ? encodeCursor(last.rank) : null },
      totalRows: ranked.length,
    }
    const details = await entityDetails(tx, {
      profileId,
      asOf: scope.asOf,
      ids: pageRows.map((row) => row.id),
    })
    const toRow = page.detailed ? toDetailedRow : toCampaignRow
    return {
      data: pageRows.map((row) =>
        toRow(details.get(row.id)!, row.credit, row.delivery, scope.model, currency),
      ),
      fxMissing: sums.reduce((total, row) => total + row.fx_missing, 0),
    }
  })
  return { ...reported, ...extra! }
}

async function rankEntities(
  { tx, profileId, scope, cover, credits }: Snapshot,
  parentId: string | undefined,
): Promise<{ rows: Ranked[]; sums: DeliverySum[] }> {
  const { asOf, level } = scope
  const [credited, sums, inside] = await pipelineReads(
    credits(),
    deliveryByEntity(tx, { profileId, asOf, level, cover }),
    parentId === undefined ? Promise.resolve(undefined) : descendantIds(tx, { profileId, asOf, parentId }),
  )
  const credit = groupCreditByEntity(credited)
  credit.delete(NIL_ENTITY)
  const delivery = new Map(sums.map((row) => [row.entity_id, row]))
  const rows = [...new Set([...credit.keys(), ...delivery.keys()])]
    .filter((id) => inside?.has(id) ?? true)
    .map((id) => toRanked(id, credit.get(id) ?? noCredit, delivery.get(id) ?? noDelivery))
    .sort((a, b) => byRank(a.rank, b.rank))
  return { rows, sums }
}

/** Total of all rows, on all pages; with a parent, the parent's own figures. */
async function readTotal(
  snapshot: Snapshot,
  parentId: string | undefined,
): Promise<(rows: readonly Ranked[]) => Total> {
  const { scope, currency } = snapshot
  const parent = parentId === undefined ? undefined : await readEntity(snapshot, parentId)
  const credit = parent?.credit ?? (await totalEntityCredit(snapshot))
  return (rows) => {
    const delivery = parent?.delivery ?? addDelivery(rows.map((row) => row.delivery))
    return {
      ...toMeasures(credit, spendOf(delivery), scope.model, currency),
      ...toNewCustomers(credit, spendOf(delivery), currency),
      ...toTraffic(delivery, currency),
      ratios_over: 'credited',
    }
  }
}

async function readEntity(
  { tx, profileId, scope, cover }: Snapshot,
  id: string,
): Promise<{ credit: Credit; delivery: Delivery }> {
  const entity = await findEntity(tx, { profileId, asOf: scope.asOf, id, levels: allLevels })
  if (entity === undefined) return { credit: noCredit, delivery: noDelivery }
  const params = { profileId, asOf: scope.asOf, level: entity.level, entityId: entity.id }
  const credits = await creditByEntity(tx, {
    ...params,
    model: scope.model,
    cover: coverBySubtraction(scope.range, scope.asOf),
  })
  const [delivery = noDelivery] = await deliveryByEntity(tx, { ...params, cover })
  return { credit: addCredit(credits), delivery }
}

const addNullable = (a: number | null, b: number | null) => (a === null ? b : b === null ? a : a + b)

/** The sum has no reach: reach counts unique accounts, so it cannot be added. */
export function addDelivery(rows: readonly Delivery[]): Delivery {
  return rows.reduce(
    (sum, row) => ({
      spend_minor: sum.spend_minor + row.spend_minor,
      impressions: addNullable(sum.impressions, row.impressions),
      clicks: addNullable(sum.clicks, row.clicks),
      reach: null,
      platform_conversions_milli: addNullable(sum.platform_conversions_milli, row.platform_conversions_milli),
      platform_value_minor: addNullable(sum.platform_value_minor, row.platform_value_minor),
      messaging_started_7d: addNullable(sum.messaging_started_7d, row.messaging_started_7d),
      fx_missing: sum.fx_missing + row.fx_missing,
    }),
    noDelivery,
  )
}

export function getAd(
  context: ProfileContext,
  id: string,
  scope: Omit<ReportScope, 'level'>,
): Promise<Reported<Detailed>> {
  return report(context, { ...scope, level: 'ad' }, async ({ tx, profileId, currency, cover, credits }) => {
    const { asOf } = scope
    const [credited, entity] = await pipelineReads(
      credits(),
      findEntity(tx, { profileId, asOf, id, levels: ['ad'] }),
    )
    if (entity === undefined) throw new ApiError('not_found', 'No such ad.')
    const credit = addCredit(credited.filter((row) => row.entity_id === entity.id))
    const [delivery = noDelivery] = await deliveryByEntity(tx, {
      profileId,
      asOf,
      level: 'ad',
      cover,
      entityId: entity.id,
    })
    return {
      data: toDetailedRow(entity, credit, delivery, scope.model, currency),
      fxMissing: delivery.fx_missing,
    }
  })
}

export function getUnattributed(
  context: ProfileContext,
  scope: ReportScope,
): Promise<Reported<z.input<(typeof contract.getUnattributed)['reply']>>> {
  return report(context, scope, async ({ currency, credits }) => {
    const credit = addCredit((await credits()).filter((row) => row.entity_id === NIL_ENTITY))
    const { new_customer_count, new_customer_value } = toNewCustomers(credit, spendOf(noDelivery), currency)
    return {
      data: { ...toCreditMeasures(credit, scope.model, currency), new_customer_count, new_customer_value },
    }
  })
}

function toCampaignRow(
  entity: EntityDetail,
  credit: Credit,
  delivery: Delivery,
  model: Model,
  currency: string,
): Row {
  const { cac: _, ...measures } = toMeasures(credit, spendOf(delivery), model, currency)
  return { ...namesOf(entity), ...measures }
}

function namesOf({ id, external_id, name }: EntityDetail) {
  return { campaign_id: id, platform_id: external_id, campaign_name: name }
}

function toTraffic(delivery: Delivery, currency: string) {
  const impressions = delivery.impressions ?? 0
  const clicks = delivery.clicks ?? 0
  const spend = knownMinor(delivery.spend_minor, delivery.fx_missing)
  return {
    impressions,
    clicks,
    reach: delivery.reach,
    ctr: ratio(clicks * 100, impressions),
    avg_cpm: moneyPerOrNull(spend === null ? null : spend * 1000, impressions, currency),
    avg_cpc: moneyPerOrNull(spend, clicks, currency),
    messaging_conversations_started_7d: delivery.messaging_started_7d,
  }
}

export function toDetailedRow(
  entity: EntityDetail,
  credit: Credit,
  delivery: Delivery,
  model: Model,
  currency: string,
): Detailed {
  const { cac, ...measures } = toMeasures(credit, spendOf(delivery), model, currency)
  return {
    ...namesOf(entity),
    ...measures,
    ...toTraffic(delivery, currency),
    cac,
    ...toNewCustomers(credit, spendOf(delivery), currency),
    entity_level: entity.level,
    parent_name: entity.level === 'ad' ? (entity.ad_set_name ?? entity.campaign_name) : entity.campaign_name,
    status: entity.status,
    objective: entity.objective ?? entity.campaign_objective,
    daily_budget:
      entity.daily_budget_minor === null
        ? null
        : toDecimalNumber(entity.daily_budget_minor, entity.currency ?? currency),
    platform_actions: entity.is_connected
      ? platformActions({ ...entity, hasDailyBudget: entity.daily_budget_minor !== null })
      : [],
    campaign_external_id: entity.campaign_external_id,
    ad_set_external_id: entity.ad_set_external_id,
  }
}
