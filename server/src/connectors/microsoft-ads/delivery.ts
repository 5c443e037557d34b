/** Delivery by day, one report per level. A test checks the names of reports and columns against the platform's client. */
import type { DeliveryStep, StepPage } from '../ad-account-steps.ts'
import { deliverySteps } from '../ad-account-steps.ts'
import type { DeliveryRecord, SyncWindow } from '../connector.ts'
import { mapItems } from '../set-aside.ts'
import type { AdSession } from './calls.ts'
import { type DeliveryColumns, mergeDelivery, toDelivery } from './mapping.ts'
import { readReportPage } from './report-pages.ts'
import type { ReportRow, Wait } from './reports.ts'

/** Performance Max campaigns have asset groups instead of ad groups. */
export type ReportStep = {
  kind: 'report'
  report: keyof typeof deliveryReports
  since: string
  until: string
}

/** Days per report, depending on the number of rows per day. */
const days = { campaign: 90, ad_set: 30, ad: 14 } as const

const figures = ['Spend', 'Impressions', 'Clicks', 'Revenue']
const qualified = [...figures, 'ConversionsQualified', 'CurrencyCode']
const day = 'TimePeriod'

export const deliveryReports = {
  CampaignPerformance: {
    level: 'campaign',
    idColumn: 'CampaignId',
    nameColumn: 'CampaignName',
    columns: [day, 'CampaignId', 'CampaignName', ...qualified],
  },
  AdGroupPerformance: {
    level: 'ad_set',
    idColumn: 'AdGroupId',
    nameColumn: 'AdGroupName',
    columns: [day, 'CampaignId', 'AdGroupId', 'AdGroupName', ...qualified],
  },
  AssetGroupPerformance: {
    level: 'ad_set',
    idColumn: 'AssetGroupId',
    nameColumn: 'AssetGroupName',
    // This report has neither a currency nor qualified conversions.
    columns: [day, 'CampaignId', 'AssetGroupId', 'AssetGroupName', ...figures, 'Conversions'],
  },
  AdPerformance: {
    level: 'ad',
    idColumn: 'AdId',
    nameColumn: null,
    columns: [day, 'CampaignId', 'AdGroupId', 'AdId', ...qualified],
  },
} as const satisfies Record<string, DeliveryColumns & { columns: readonly string[] }>

const reportsOf: Record<DeliveryStep['level'], readonly ReportStep['report'][]> = {
  campaign: ['CampaignPerformance'],
  ad_set: ['AdGroupPerformance', 'AssetGroupPerformance'],
  ad: ['AdPerformance'],
}

export const reportSteps = (window: SyncWindow): ReportStep[] =>
  deliverySteps(window, days).flatMap(({ level, since, until }) =>
    reportsOf[level].map((report) => ({ kind: 'report' as const, report, since, until })),
  )

export const asItem = (item: ReportRow) => ({ item, setAside: null })

export function readDelivery(
  session: AdSession,
  { report, since, until }: ReportStep,
  at: { currency: string; after: string | null },
  wait?: Wait,
): Promise<StepPage> {
  const spec = deliveryReports[report]
  return readReportPage(
    session,
    { type: report, columns: spec.columns, since, until },
    at.after,
    (rows) => {
      const { records, setAside } = mapItems('delivery', rows.map(asItem), (row) =>
        toDelivery(row, spec, at.currency),
      )
      return { records: mergeDelivery(records as DeliveryRecord[]), setAside }
    },
    wait === undefined ? {} : { wait },
  )
}
