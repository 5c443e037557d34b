import type { ProfileContext } from '../../context.ts'
import { toDecimalNumber } from '../../contract/money.ts'
import { deliveryTrend } from './queries/delivery-trend.ts'
import { type Reported, type ReportScope, report } from './snapshot.ts'

type TrendDay = {
  entity_id: string
  date: string
  spend: number
  impressions: number
  clicks: number
  messaging_conversations_started_7d: number | null
}

export function readTrend(
  context: ProfileContext,
  scope: ReportScope,
  entityIds: readonly string[],
): Promise<Reported<TrendDay[]>> {
  return report(context, scope, async ({ tx, profileId, currency }) => {
    const rows = await deliveryTrend(tx, { profileId, level: scope.level, range: scope.range, entityIds })
    return {
      data: rows.map((row) => ({
        entity_id: row.entity_id,
        date: row.day,
        spend: toDecimalNumber(row.spend_minor, currency),
        impressions: row.impressions,
        clicks: row.clicks,
        messaging_conversations_started_7d: row.messaging_started_7d,
      })),
      fxMissing: rows.reduce((total, row) => total + row.fx_missing, 0),
    }
  })
}
