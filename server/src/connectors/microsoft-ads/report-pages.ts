/** A report in pages of ours: `after` names the report and how many of its records were read, so that any page can be read again. */
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

const RECORDS_A_PAGE = 5000

type Place = { reportId: string; offset: number }
type ToRecords = (rows: ReportRow[]) => { records: SyncRecord[]; setAside: SetAside[] }

const readPlace = (after: string | null): Place | null => {
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
  const begun = readPlace(after)
  const { place, state } = await openReport(session, query, begun, options.wait)
  const afterPlace = (offset: number) => `${place.reportId}:${offset}`
  if (state.type === 'pending') {
    if (place.reportId === begun?.reportId) throw reportPending()
    return { records: [], setAside: [], after: afterPlace(place.offset) }
  }
  const { records, setAside } = toRecords(
    state.url === null ? [] : await rowsOf(session, place.reportId, state.url),
  )
  const until = place.offset + (options.recordsAPage ?? RECORDS_A_PAGE)
  return {
    records: records.slice(place.offset, until),
    setAside: place.offset === 0 ? setAside : [],
    after: until < records.length ? afterPlace(until) : null,
  }
}

/** A report that failed or is gone is requested once more, and read from its beginning: its rows may be in another order. */
async function openReport(session: AdSession, query: ReportQuery, begun: Place | null, wait?: Wait) {
  const request = async (): Promise<Place> => ({ reportId: await submitReport(session, query), offset: 0 })
  const first = begun ?? (await request())
  const state = await pollReport(session, first.reportId, wait)
  if (state.type !== 'gone') return { place: first, state }
  const second = await request()
  const again = await pollReport(session, second.reportId, wait)
  if (again.type === 'gone')
    throw new ProviderError('unavailable', 'The platform could not make the report', {
      providerCode: 'report_failed',
    })
  return { place: second, state: again }
}

/** An address that has expired is replaced by the next poll. */
async function rowsOf(session: AdSession, reportId: string, url: string): Promise<ReportRow[]> {
  const rows = await downloadReport(session, url)
  if (rows !== null) return rows
  const again = await pollReport(session, reportId)
  const fresh = again.type === 'ready' && again.url !== null ? await downloadReport(session, again.url) : null
  if (fresh !== null) return fresh
  throw new ProviderError('unavailable', 'The report could not be downloaded', {
    providerCode: 'report_expired',
  })
}
