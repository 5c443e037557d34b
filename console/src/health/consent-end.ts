import type { Connection } from '@whence/sdk'
import { DAY_MS } from '@whence/server/platform/contract/dates.ts'
import { dayText } from '../format/times.ts'

/** Days before a consent's end from which on it is reported. */
const WARN_DAYS = 30

/** The day by which the consent must be renewed, if that is soon. */
export function consentEnd(
  { status, consent_ends_at: endsAt }: Pick<Connection, 'status' | 'consent_ends_at'>,
  now = Date.now(),
): string | null {
  if (status !== 'connected' || endsAt === null) return null
  return Date.parse(endsAt) - now > WARN_DAYS * DAY_MS ? null : dayText(endsAt.slice(0, 10), true)
}
