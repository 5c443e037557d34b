import type {
  LeadRecord,
  OutcomeRecord,
  SetAside,
  SyncRecord,
  SyncWindow,
} from '../../../connectors/connector.ts'
import { emptyPerson } from '../../../connectors/person.ts'
import { addDays, DAY_MS, isDay } from '../../../platform/contract/dates.ts'
import { isAmount } from '../../../platform/contract/money.ts'
import { isTimeZone, localDay } from '../../../platform/contract/zones.ts'

/** How far back the first sync reads. */
export const HISTORY_DAYS = 365
/** Platforms restate recent days, so each later sync reads them again. */
export const RESTATED_DAYS = 7
export const RESYNC_AFTER_MS = 6 * 3_600_000

export function syncWindow(args: {
  requestedSince: string | null
  lastSuccessAt: Date | null
  /** Time zone of the account, if the provider reports one. */
  timezone: string | null
  now: Date
}): SyncWindow {
  const zone = args.timezone !== null && isTimeZone(args.timezone) ? args.timezone : 'UTC'
  const untilDay = localDay(args.now, zone)
  const sinceDay =
    args.requestedSince ??
    (args.lastSuccessAt === null
      ? addDays(untilDay, -HISTORY_DAYS)
      : addDays(localDay(args.lastSuccessAt, zone), -RESTATED_DAYS))
  return { sinceDay: sinceDay < untilDay ? sinceDay : untilDay, untilDay }
}

/** Refreshed when a third of the lifetime is left: a token of months survives weeks of provider downtime. */
const SHARE_LEFT_AT_REFRESH = 1 / 3
/** Refreshed at the latest this long before expiry. */
export const REFRESH_MARGIN_MS = 120_000
/** An unused short-lived token is refreshed once a day, because its refresh token may expire too. */
export const IDLE_REFRESH_MS = DAY_MS
/** After a transient failure the refresh is retried after a twelfth of the remaining lifetime, within these bounds. */
const RETRY_SHARE = 1 / 12
const RETRY_MIN_MS = 60_000
const RETRY_MAX_MS = 6 * 3_600_000

/** When to refresh a token; null if it never expires. */
export function refreshAtOf(issuedAt: Date, expiresAt: Date | null): Date | null {
  if (expiresAt === null) return null
  const lifetimeMs = expiresAt.getTime() - issuedAt.getTime()
  const marginMs = Math.max(REFRESH_MARGIN_MS, lifetimeMs * SHARE_LEFT_AT_REFRESH)
  return new Date(Math.max(issuedAt.getTime(), expiresAt.getTime() - marginMs))
}

export function retryRefreshAt(now: Date, expiresAt: Date): Date {
  const share = (expiresAt.getTime() - now.getTime()) * RETRY_SHARE
  return new Date(now.getTime() + Math.min(RETRY_MAX_MS, Math.max(RETRY_MIN_MS, share)))
}

export function isRefreshDue(token: { refreshAt: Date | null; expiresAt: Date | null }, now: Date): boolean {
  if (token.expiresAt === null) return false
  return (
    now.getTime() >=
    Math.min(
      token.refreshAt?.getTime() ?? Number.POSITIVE_INFINITY,
      token.expiresAt.getTime() - REFRESH_MARGIN_MS,
    )
  )
}

/** Separates records that the database would reject, because one of them would fail the whole page. */
export function splitStorable(records: readonly SyncRecord[]): { good: SyncRecord[]; bad: SetAside[] } {
  const good: SyncRecord[] = []
  const bad: SetAside[] = []
  for (const record of records) {
    const reason = problemOf(record)
    if (reason === null) good.push(record)
    else bad.push({ kind: record.type, externalId: idOfRecord(record), reason })
  }
  return { good, bad }
}

function problemOf(record: SyncRecord): string | null {
  const text = JSON.stringify(record)
  if (text.includes('\\u0000')) return 'It contains a NUL character'
  if (/\\ud[89a-f]/i.test(text)) return 'It contains an unpaired surrogate'
  if ('day' in record && !isDay(record.day)) return 'Its day is not a valid date'
  if ('occurredAt' in record && Number.isNaN(Date.parse(record.occurredAt)))
    return 'Its time is not a valid time'
  const money = 'amount' in record ? record.amount : 'value' in record ? record.value : null
  if (money !== null && !isAmount(money.amountMinor)) return 'Its amount is too large'
  return null
}

export function idOfRecord(record: SyncRecord): string {
  if (record.type === 'lead') return record.leadgenId
  if (record.type === 'search_query') return `${record.day} ${record.query.length}`
  return record.externalId
}

const byUse = ['connected', 'error', 'needs_action', 'reconnect_required', 'revoked']

/** Expects connections in order of age. Usable ones come before those that need a person; among equals the newest wins. */
export function mostUsable<T extends { status: string; token: unknown }>(rows: readonly T[]): T | undefined {
  const rank = (row: T) => byUse.indexOf(row.status) * 2 + (row.token === null ? 1 : 0)
  return rows.reduce<T | undefined>(
    (best, row) => (best === undefined || rank(row) <= rank(best) ? row : best),
    undefined,
  )
}

/** An instant-form lead is also an outcome of the person who filled in the form, credited to the ad that it names. */
export function toLeadOutcome(lead: LeadRecord): OutcomeRecord {
  const answer = (pattern: RegExp) =>
    lead.fieldData.find(({ name }) => pattern.test(name))?.values.find((value) => value.trim() !== '') ?? null
  const [firstWord, ...otherWords] =
    answer(/^full_?name$/i)
      ?.trim()
      .split(/\s+/) ?? []
  return {
    type: 'outcome',
    externalId: lead.leadgenId,
    outcomeType: 'lead_created',
    occurredAt: lead.occurredAt,
    value: null,
    stageId: null,
    retracted: false,
    person: {
      ...emptyPerson(),
      email: answer(/e-?mail/i),
      phone: answer(/phone|whatsapp/i)?.replace(/^p:/, '') ?? null,
      firstName: answer(/^first_?name$/i) ?? firstWord ?? null,
      lastName: answer(/^last_?name$/i) ?? (otherWords.length === 0 ? null : otherWords.join(' ')),
      ad: { adId: lead.adId, adSetId: lead.adSetId ?? null, campaignId: lead.campaignId },
    },
  }
}

/** Stores report whole seconds, so an order of the second of the connect counts as placed afterwards. */
export const isSinceConnected = (placedAt: Date, connection: { authorized_at: Date }): boolean =>
  placedAt.getTime() >= Math.floor(connection.authorized_at.getTime() / 1000) * 1000
