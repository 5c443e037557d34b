/** Decides whether a report is built, held or skipped, and its status after mailing. Pure. */
import { DAY_MS } from '../../../platform/contract/dates.ts'
import type { Format } from './contract.ts'

export const HOLD_MS = DAY_MS
export const RETRY_HELD_MS = 30 * 60_000

/** A mailed report waits up to a day for complete data; a downloaded one shows the data available. */
export function decideBuild(
  report: { sends: boolean; due: Date },
  data: { isStale: boolean },
  now: Date,
): 'build' | 'hold' | 'skip' {
  if (!report.sends || !data.isStale) return 'build'
  return now.getTime() - report.due.getTime() < HOLD_MS ? 'hold' : 'skip'
}

/** The report's final status; null while mails are queued. */
export function finalStatus(counts: { total: number; sent: number; unsubscribed: number; failed: number }) {
  const { total, sent, unsubscribed, failed } = counts
  if (sent + unsubscribed + failed < total) return null
  if (sent > 0) return { status: 'sent', reason: failed > 0 ? 'some_mails_failed' : null } as const
  if (failed > 0) return { status: 'failed', reason: 'mail_failed' } as const
  return { status: 'skipped', reason: 'all_unsubscribed' } as const
}

export const contentTypes: Record<Format, string> = {
  pdf: 'application/pdf',
  html: 'text/html; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
}

/** The profile's name is reduced to ASCII letters, digits and hyphens. */
export function fileNameOf(
  report: { date_from: string; date_to: string; format: string },
  name: string,
): string {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40)
  return `${['report', slug, report.date_from, report.date_to].filter(Boolean).join('-')}.${report.format}`
}
