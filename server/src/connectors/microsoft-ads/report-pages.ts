/** Splits a report into pages: `after` contains the report id and the number of records read, so that any page can be read again. */
import type { StepPage } from '../ad-account-steps.ts'
import { ProviderError, type SetAside, type SyncRecord } from '../connector.ts'
import type { AdSession } from './calls.ts'
import {
  downloadReport,
  pollReport,
  type ReportQuery,
  type ReportRow,
  reportPending,
  submitReport,
  type Wait,
} from './reports.ts'

const RECORDS_PER_PAGE = 5000

type ReportPosition = { reportId: string; offset: number }
type ToRecords = (rows: ReportRow[]) => { records: SyncRecord[]; setAside: SetAside[] }

const parsePosition = (after: string | null): ReportPosition | null => {
  if (after === null) return null
  const colon = after.lastIndexOf(':')
  return { reportId: after.slice(0, colon), offset: Number(after.slice(colon + 1)) }
}

export async function readReportPage(
  session: AdSession,
  query: ReportQuery,
  after: string | null,
  toRecords: ToRecords,
  options: { wait?: Wait; recordsAPage?: number } = {},
): Promise<StepPage> {
  const savedPosition = parsePosition(after)
  const { position, state } = await openReport(session, query, savedPosition, options.wait)
  const afterOffset = (offset: number) => `${position.reportId}:${offset}`
  if (state.type === 'pending') {
    if (position.reportId === savedPosition?.reportId) throw reportPending()
    return { records: [], setAside: [], after: afterOffset(position.offset) }
  }
  const { records, setAside } = toRecords(
    state.url === null ? [] : await rowsOf(session, position.reportId, state.url),
  )
  const until = position.offset + (options.recordsAPage ?? RECORDS_PER_PAGE)
  return {
    records: records.slice(position.offset, until),
    setAside: position.offset === 0 ? setAside : [],
    after: until < records.length ? afterOffset(until) : null,
  }
}

/** A failed or expired report is requested once again and read from the start, because its rows may be in another order. */
async function openReport(
  session: AdSession,
  query: ReportQuery,
  savedPosition: ReportPosition | null,
  wait?: Wait,
) {
  const request = async (): Promise<ReportPosition> => ({
    reportId: await submitReport(session, query),
    offset: 0,
  })
  const first = savedPosition ?? (await request())
  const state = await pollReport(session, first.reportId, wait)
  if (state.type !== 'gone') return { position: first, state }
  const second = await request()
  const secondState = await pollReport(session, second.reportId, wait)
  if (secondState.type === 'gone')
    throw new ProviderError('unavailable', 'The platform could not generate the report', {
      providerCode: 'report_failed',
    })
  return { position: second, state: secondState }
}

/** An expired download URL is replaced by polling again. */
async function rowsOf(session: AdSession, reportId: string, url: string): Promise<ReportRow[]> {
  const rows = await downloadReport(session, url)
  if (rows !== null) return rows
  const newState = await pollReport(session, reportId)
  const fresh =
    newState.type === 'ready' && newState.url !== null ? await downloadReport(session, newState.url) : null
  if (fresh !== null) return fresh
  throw new ProviderError('unavailable', 'The report could not be downloaded', {
    providerCode: 'report_expired',
  })
}
