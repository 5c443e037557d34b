import type { ProfileContext } from '../../../context.ts'
import { knownMinor, toMoney } from '../../figures/definitions/definitions.ts'
import { deliveryTrend, type TrendSum } from '../../figures/rollups/delivery-trend.ts'
import { type Reported, type ReportScope, report } from '../../figures/snapshot/snapshot.ts'

export function campaignTrend(context: ProfileContext, scope: ReportScope, entityIds: readonly string[]) {
  return readDays(context, scope, entityIds, toDay)
}

export function adTrend(
  context: ProfileContext,
  scope: Omit<ReportScope, 'level'>,
  adIds: readonly string[],
) {
  return readDays(context, { ...scope, level: 'ad' }, adIds, (row, currency) => ({
    ...toDay(row, currency),
    messaging_conversations_started_7d: row.messaging_started,
  }))
}

/** The caller shapes the rows, so that result_hash covers exactly what is shown. */
function readDays<T>(
  context: ProfileContext,
  scope: ReportScope,
  entityIds: readonly string[],
  toRow: (row: TrendSum, currency: string) => T,
): Promise<Reported<T[]>> {
  return report(context, scope, async ({ tx, profileId, currency }) => {
    const { level, range, asOf } = scope
    const rows = await deliveryTrend(tx, { profileId, asOf, level, range, entityIds })
    return {
      data: rows.map((row) => toRow(row, currency)),
      fxMissing: rows.reduce((total, row) => total + row.spend_unrated, 0),
    }
  })
}

function toDay(row: TrendSum, currency: string) {
  return {
    entity_id: row.entity_id,
    date: row.day,
    spend: toMoney(knownMinor(row.spend_minor, row.spend_unrated), currency),
    impressions: row.impressions,
    clicks: row.clicks,
  }
}
