/** Rows of the database as rows of the exported tables. Pure. */
import { models } from '@whence/engine'
import { platformOf } from '../../../platform/contract/ad-providers.ts'
import { paidChannelOf } from '../../../platform/contract/paid-channels.ts'
import { type PackedCredit, shareOf, unpackCredit } from '../../attribution/crediting/credits/packed.ts'
import { type AdPath, placeOn } from '../../attribution/crediting/credits/paths.ts'
import { readSource } from '../../attribution/crediting/credits/source-name.ts'
import type { TableName } from './tables.ts'

type Row = Record<string, unknown>

/** Gives the exported rows of a row of the database one after another; the next may be the same object with other values. */
export function forEachExportRow(table: TableName, row: Row, give: (row: Row) => void): void {
  if (table === 'credits')
    forEachCredit(row.conversion_id as string, unpackCredit(row.packed as Buffer), give)
  else if (table === 'paths') give(pathRow(row))
  else give(entityTables.has(table) ? entityRow(row) : row)
}

const entityTables: ReadonlySet<TableName> = new Set(['campaigns', 'ad_sets', 'ads'])

/** The conversion and each of its refunds under every model; what no touch led to is one row without a touch. */
function forEachCredit(conversionId: string, credit: PackedCredit, give: (row: Row) => void): void {
  const { outcomeType, revenueType, first } = credit
  const row: Row = {
    day: null,
    conversion_id: conversionId,
    part: 'conversion',
    refund_number: null,
    model: null,
    touch_number: null,
    path_id: null,
    weight: null,
    total_weight: null,
    value_minor: null,
    outcome_type: outcomeType,
    revenue_type: revenueType,
    first_payment: first,
    has_rate: true,
  }
  const givePart = (day: number, amountMinor: number | null, sign: 1 | -1) => {
    row.day = day
    row.has_rate = amountMinor !== null
    for (let index = 0; index < models.length; index++) {
      row.model = models[index]
      const shares = shareOf(credit, index, amountMinor ?? 0)
      for (let touch = 0; touch < Math.max(1, shares.length); touch++) {
        const share = shares[touch]
        row.touch_number = share === undefined ? null : touch + 1
        row.path_id = share?.path ?? null
        row.weight = share?.weight ?? null
        row.total_weight = share?.total ?? null
        row.value_minor = amountMinor === null ? null : sign * (share?.amountMinor ?? amountMinor)
        give(row)
      }
    }
  }
  givePart(credit.day, credit.fxMissing ? null : credit.amountMinor, 1)
  credit.refunds.forEach((refund, index) => {
    row.part = 'refund'
    row.refund_number = index + 1
    givePart(refund.day, refund.amountMinor, -1)
  })
}

function pathRow(row: Row): Row {
  const path: AdPath = {
    campaignId: row.campaign_id as string | null,
    adSetId: row.ad_set_id as string | null,
    adId: row.ad_id as string | null,
    platform: row.platform as string | null,
    source: row.source as string | null,
  }
  const { entityPlatform, channel } = placeOn(path, () => platformOf(row.top_source as string | null))
  return {
    ...row,
    platform: entityPlatform ?? path.platform,
    channel: channel ?? 'unknown',
    source: entityPlatform ?? (path.source === null ? null : readSource(path.source).name),
  }
}

function entityRow(row: Row): Row {
  const platform = platformOf(row.top_source as string | null)
  return { ...row, platform, channel: paidChannelOf(platform) }
}
