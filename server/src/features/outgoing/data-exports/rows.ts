/** Rows of the database as rows of the exported tables. Pure. */
import { models } from '@whence/engine'
import { platformOf } from '../../../platform/contract/ad-providers.ts'
import { dayAt } from '../../../platform/contract/dates.ts'
import { paidChannelOf } from '../../../platform/contract/paid-channels.ts'
import { type PackedCredit, shareOf, unpackCredit } from '../../attribution/crediting/credits/packed.ts'
import { type AdPath, placeOn } from '../../attribution/crediting/credits/paths.ts'
import { readSource } from '../../attribution/crediting/credits/source-name.ts'
import type { TableName } from './tables.ts'

type Row = Record<string, unknown>

export function toExportRows(table: TableName, row: Row): Row[] {
  switch (table) {
    case 'credits':
      return creditRows(row.conversion_id as string, unpackCredit(row.packed as Buffer))
    case 'paths':
      return [pathRow(row)]
    case 'campaigns':
    case 'ad_sets':
    case 'ads':
      return [entityRow(row)]
    default:
      return [row]
  }
}

/** The conversion and each of its refunds under every model; what no touch led to is one row without a touch. */
function creditRows(conversionId: string, credit: PackedCredit): Row[] {
  const { outcomeType, revenueType, first } = credit
  const shared = {
    conversion_id: conversionId,
    outcome_type: outcomeType,
    revenue_type: revenueType,
    first_payment: first,
  }
  const parts = [
    {
      part: 'conversion',
      refund_number: null,
      day: credit.day,
      sign: 1,
      amountMinor: credit.fxMissing ? null : credit.amountMinor,
    },
    ...credit.refunds.map((refund, index) => ({
      part: 'refund',
      refund_number: index + 1,
      day: refund.day,
      sign: -1,
      amountMinor: refund.amountMinor,
    })),
  ]
  return parts.flatMap(({ amountMinor, sign, day, ...part }) =>
    models.flatMap((model, index): Row[] => {
      const all = { ...shared, ...part, day: dayAt(day), model, has_rate: amountMinor !== null }
      const shares = shareOf(credit, index, amountMinor ?? 0)
      if (shares.length === 0)
        return [
          {
            ...all,
            touch_number: null,
            path_id: null,
            weight: null,
            total_weight: null,
            value_minor: amountMinor === null ? null : sign * amountMinor,
          },
        ]
      return shares.map((share, touch) => ({
        ...all,
        touch_number: touch + 1,
        path_id: share.path,
        weight: share.weight,
        total_weight: share.total,
        value_minor: amountMinor === null ? null : sign * share.amountMinor,
      }))
    }),
  )
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
