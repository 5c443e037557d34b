/**
 * Asynchronous reports: submitted, polled by the same user, and downloaded as a zipped CSV from a URL that is valid for
 * five minutes. A report is stored for a day; an expired one is requested again.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { parseCsv } from '../../platform/csv.ts'
import { OutboundError } from '../../platform/outbound/outbound.ts'
import { unzipFirst } from '../../platform/zip.ts'
import { ProviderError } from '../connector.ts'
import { refusalByStatus, retryAfterSeconds } from '../provider-http.ts'
import { id, text } from '../reply-fields.ts'
import { type AdSession, callAds } from './calls.ts'
import { reportZoneOf } from './time-zones.ts'

export type ReportQuery = { type: string; columns: readonly string[]; since: string; until: string }
export type ReportRow = Record<string, string>
export type Wait = (ms: number) => Promise<unknown>

const Submitted = z.looseObject({ ReportRequestId: id })
const Polled = z.looseObject({
  ReportRequestStatus: z.looseObject({ Status: text, ReportDownloadUrl: text }),
})

/** A small report is ready immediately, a typical one within a minute. */
const pollDelaysMs = [2000, 3000, 5000, 10_000, 15_000]
const RESCHEDULE_SECONDS = 60
const MAX_ZIP_BYTES = 64 * 1024 * 1024
const MAX_CSV_BYTES = 96 * 1024 * 1024

const dateOf = (day: string) => {
  const [year, month, date] = day.split('-').map(Number)
  return { Day: date, Month: month, Year: year }
}

/** Without header and footer, and with numbers that have no thousands separator (format 2.0). */
export const reportRequest = (session: AdSession, query: ReportQuery) => ({
  ReportRequest: {
    Type: `${query.type}ReportRequest`,
    ReportName: query.type,
    Format: 'Csv',
    FormatVersion: '2.0',
    ExcludeColumnHeaders: false,
    ExcludeReportHeader: true,
    ExcludeReportFooter: true,
    ReturnOnlyCompleteData: false,
    Aggregation: 'Daily',
    Columns: query.columns,
    Scope: { AccountIds: [session.accountId] },
    Time: {
      CustomDateRangeStart: dateOf(query.since),
      CustomDateRangeEnd: dateOf(query.until),
      ReportTimeZone: reportZoneOf(session.account.timeZone),
    },
  },
})

export async function submitReport(session: AdSession, query: ReportQuery): Promise<string> {
  const { ReportRequestId } = await callAds(session, session.account, {
    service: 'Reporting',
    path: 'GenerateReport/Submit',
    json: reportRequest(session, query),
    schema: Submitted,
  })
  return ReportRequestId
}

type ReportState =
  | { type: 'pending' }
  /** Failed or expired. */
  | { type: 'gone' }
  /** Null if there are no rows. */
  | { type: 'ready'; url: string | null }

async function pollOnce(session: AdSession, reportId: string): Promise<ReportState> {
  try {
    const { ReportRequestStatus: status } = await callAds(session, session.account, {
      service: 'Reporting',
      path: 'GenerateReport/Poll',
      json: { ReportRequestId: reportId },
      schema: Polled,
    })
    if (status.Status === 'Success') return { type: 'ready', url: status.ReportDownloadUrl }
    return { type: status.Status === 'Error' ? 'gone' : 'pending' }
  } catch (error) {
    if (error instanceof ProviderError && error.reason === 'not_found') return { type: 'gone' }
    throw error
  }
}

export async function pollReport(
  session: AdSession,
  reportId: string,
  wait: Wait = delay,
): Promise<ReportState> {
  for (const waitMs of pollDelaysMs) {
    const state = await pollOnce(session, reportId)
    if (state.type !== 'pending') return state
    await wait(waitMs)
  }
  return pollOnce(session, reportId)
}

export const reportPending = () =>
  new ProviderError('rate_limited', 'The platform is still generating the report', {
    providerCode: 'report_pending',
    retryAfterSeconds: RESCHEDULE_SECONDS,
  })

/** Null if the URL has expired; the next poll returns a new one. */
export async function downloadReport(session: AdSession, url: string): Promise<ReportRow[] | null> {
  assertSafe(session, url)
  // The URL is presigned; our token is sent only to the API.
  const reply = await session.http
    .send({ method: 'GET', url, maxBytes: MAX_ZIP_BYTES, timeoutMs: 60_000 })
    .catch((error: unknown) => {
      if (!(error instanceof OutboundError)) throw error
      const reason = error.kind === 'too_large' ? 'malformed' : 'unavailable'
      throw new ProviderError(reason, `The report could not be downloaded (${error.kind})`, {
        cause: error,
        providerCode: error.kind,
      })
    })
  if ([401, 403, 404, 410].includes(reply.status)) return null
  if (reply.status !== 200)
    throw refusalByStatus(reply.status, null, retryAfterSeconds(reply.headers, Date.now()))
  const csv = unzipFirst(reply.bytes, MAX_CSV_BYTES)
  if (csv === undefined) throw new ProviderError('malformed', 'The report is not a readable zip archive')
  return readRows(new TextDecoder().decode(csv))
}

/**
 * Reports are at download.api.bingads.microsoft.com or bingadsappsstorageprod.blob.core.windows.net (recorded answers of
 * the live API in public clients, read on 2026-11-17).
 */
const reportHosts = ['.bingads.microsoft.com', '.ads.microsoft.com', '.blob.core.windows.net']

/** Only Microsoft's hosts over HTTPS, and the origin of the API itself. */
function assertSafe(session: AdSession, url: string): void {
  const target = URL.parse(url)
  const isSafe =
    target !== null &&
    (target.origin === URL.parse(session.app.apiBaseUrl)?.origin ||
      (target.protocol === 'https:' && reportHosts.some((host) => target.hostname.endsWith(host))))
  if (!isSafe) throw new ProviderError('malformed', 'The report has an unsafe download URL')
}

/** The first row contains the column names. */
export function readRows(csv: string): ReportRow[] {
  const [head, ...rows] = parseCsv(csv) ?? []
  if (head === undefined) throw new ProviderError('malformed', 'The report has no columns')
  return rows.map((row) => Object.fromEntries(head.map((name, index) => [name, row[index] ?? ''])))
}
