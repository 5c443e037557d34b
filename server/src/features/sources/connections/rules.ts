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

/** What a first sync reads. */
export const HISTORY_DAYS = 365
/** Platforms restate recent days, so each later sync reads them again. */
export const RESTATED_DAYS = 7
export const RESYNC_AFTER_MS = 6 * 3_600_000

export function syncWindow(args: {
  asked: string | null
  lastSuccessAt: Date | null
  /** The account's own, where the provider said it. */
  timezone: string | null
  now: Date
}): SyncWindow {
  const zone = args.timezone !== null && isTimeZone(args.timezone) ? args.timezone : 'UTC'
  const untilDay = localDay(args.now, zone)
  const sinceDay =
    args.asked ??
    (args.lastSuccessAt === null
      ? addDays(untilDay, -HISTORY_DAYS)
      : addDays(localDay(args.lastSuccessAt, zone), -RESTATED_DAYS))
  return { sinceDay: sinceDay < untilDay ? sinceDay : untilDay, untilDay }
}

/** Renewed when a third of its life is left, so that a provider may be away for weeks before a token of months is lost. */
const SHARE_LEFT_AT_REFRESH = 1 / 3
/** Never later than this before the end. */
export const REFRESH_MARGIN_MS = 120_000
/** A short token that no one uses is renewed once a day: its refresh token may have an end of its own. */
export const IDLE_REFRESH_MS = DAY_MS
/** A renewal that failed for a passing reason is tried again after a twelfth of what is left, within these bounds. */
const RETRY_SHARE = 1 / 12
const RETRY_MIN_MS = 60_000
const RETRY_MAX_MS = 6 * 3_600_000

/** When a token is to be renewed; null where it has no end. */
export function refreshAtOf(issuedAt: Date, expiresAt: Date | null): Date | null {
  if (expiresAt === null) return null
  const lifetimeMs = expiresAt.getTime() - issuedAt.getTime()
  const left = Math.max(REFRESH_MARGIN_MS, lifetimeMs * SHARE_LEFT_AT_REFRESH)
  return new Date(Math.max(issuedAt.getTime(), expiresAt.getTime() - left))
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

/** Records that the database takes, and those that it would refuse, which would lose the page with them. */
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
  if (text.includes('\\u0000')) return 'It holds a NUL character'
  if (/\\ud[89a-f]/i.test(text)) return 'It holds half of a character'
  if ('day' in record && !isDay(record.day)) return 'Its day is not a day'
  if ('occurredAt' in record && Number.isNaN(Date.parse(record.occurredAt))) return 'Its time is not a time'
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

/** Of connections in order of age: one that a call can use before one that waits for a person, then the newest. */
export function mostUsable<T extends { status: string; token: unknown }>(rows: readonly T[]): T | undefined {
  const rank = (row: T) => byUse.indexOf(row.status) * 2 + (row.token === null ? 1 : 0)
  return rows.reduce<T | undefined>(
    (best, row) => (best === undefined || rank(row) <= rank(best) ? row : best),
    undefined,
  )
}

/** An instant-form lead is also an outcome of the person who filled it in, who came by the ad it names. */
export function toLeadOutcome(lead: LeadRecord): OutcomeRecord {
  const answer = (pattern: RegExp) =>
    lead.fieldData.find(({ name }) => pattern.test(name))?.values.find((value) => value.trim() !== '') ?? null
  const [first, ...rest] =
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
      firstName: answer(/^first_?name$/i) ?? first ?? null,
      lastName: answer(/^last_?name$/i) ?? (rest.length === 0 ? null : rest.join(' ')),
      ad: { adId: lead.adId, adSetId: lead.adSetId ?? null, campaignId: lead.campaignId },
    },
  }
}

/** Stores give whole seconds: an order of the second in which the store was connected counts as placed since. */
export const isSinceConnected = (placedAt: Date, connection: { authorized_at: Date }): boolean =>
  placedAt.getTime() >= Math.floor(connection.authorized_at.getTime() / 1000) * 1000
