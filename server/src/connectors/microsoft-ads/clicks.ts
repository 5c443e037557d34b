/** Resolves clicks to ads through the click id report. */
import { addDays, isDay } from '../../platform/contract/dates.ts'
import type { StepPage } from '../ad-account-steps.ts'
import { type AdClickRecord, ProviderError, type SyncWindow } from '../connector.ts'
import { mapItems } from '../set-aside.ts'
import type { AdSession } from './calls.ts'
import { asItem } from './delivery.ts'
import { isLongId } from './mapping.ts'
import { readReportPage } from './report-pages.ts'
import type { ReportRow, Wait } from './reports.ts'

/** The report's history is not documented; visits wait this long for their click to be resolved. */
const CLICK_DAYS = 90
const DAYS_PER_REPORT = 7

export const clickReport = {
  type: 'MSClickIdPerformance',
  columns: ['TimePeriod', 'MSClickId', 'CampaignId', 'AdGroupId', 'AssetGroupId', 'AdId', 'Clicks'],
}

export type ClickStep = { kind: 'clicks'; since: string; until: string }

export function clickSteps({ sinceDay, untilDay }: SyncWindow): ClickStep[] {
  const oldest = addDays(untilDay, 1 - CLICK_DAYS)
  const steps: ClickStep[] = []
  for (
    let since = sinceDay > oldest ? sinceDay : oldest;
    since <= untilDay;
    since = addDays(since, DAYS_PER_REPORT)
  ) {
    const last = addDays(since, DAYS_PER_REPORT - 1)
    steps.push({ kind: 'clicks', since, until: last < untilDay ? last : untilDay })
  }
  return steps
}

export async function readClicks(
  session: AdSession,
  { since, until }: ClickStep,
  after: string | null,
  wait?: Wait,
): Promise<StepPage> {
  try {
    const page = await readReportPage(
      session,
      { ...clickReport, since, until },
      after,
      (rows) => {
        const { records, setAside } = mapItems('click', rows.map(asItem), toClicks)
        const byId = new Map((records as AdClickRecord[]).map((record) => [record.externalId, record]))
        return { records: [...byId.values()], setAside }
      },
      wait === undefined ? {} : { wait },
    )
    return { ...page, cleared: [session.accountId] }
  } catch (error) {
    // Not every account has this report; spend and structure do not depend on it.
    if (!(error instanceof ProviderError && error.reason === 'rejected')) throw error
    const reason = `The report of clicks cannot be read: ${error.providerMessage ?? error.message}`
    return {
      records: [],
      setAside: [{ kind: 'click', externalId: session.accountId, reason }],
      after: null,
    }
  }
}

const withoutHyphens = /^[0-9a-f]{32}$/

/** A click id is a UUID; landing URLs may contain it without hyphens, so both spellings are resolved. */
export function spellingsOf(clickId: string): string[] {
  const plain = clickId.trim().toLowerCase().replaceAll('-', '')
  if (!withoutHyphens.test(plain)) return [clickId.trim()]
  return [plain, toUuid(plain)]
}

const toUuid = (plain: string): string => plain.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

export function toClicks(row: ReportRow): AdClickRecord[] {
  const clickId = row.MSClickId ?? ''
  if (clickId.trim() === '') return []
  const ids = [row.CampaignId, row.AdGroupId, row.AssetGroupId, row.AdId]
  const [campaignId, adGroupId, assetGroupId, adId] = ids.map((id) => (isLongId(id) ? id : null))
  if (campaignId == null) throw new ProviderError('malformed', 'A click has no campaign')
  const day = row.TimePeriod ?? ''
  // An invalid day would make the database reject the whole page.
  if (!isDay(day)) throw new ProviderError('malformed', 'A click has no valid day')
  return spellingsOf(clickId).map((externalId) => ({
    type: 'ad_click',
    externalId,
    clickIdKind: 'msclkid',
    day,
    campaignExternalId: campaignId,
    // Performance Max has asset groups, which its URLs also contain as {AdGroupId}.
    adSetExternalId: adGroupId ?? assetGroupId ?? null,
    adExternalId: adId ?? null,
  }))
}
