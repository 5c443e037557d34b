/** A day is closed once it is over in the profile's time zone and the grace for late events has passed. */
import { addDays } from '../../../platform/contract/dates.ts'
import { localDay } from '../../../platform/contract/zones.ts'

export const DEFAULT_GRACE_HOURS = 48
export const HOUR_MS = 3_600_000

/** The last closed day; all days before it are closed too. */
export function closedThrough(now: Date, timezone: string, graceHours: number): string {
  return addDays(localDay(now.getTime() - graceHours * HOUR_MS, timezone), -1)
}

/** Context for recording changes of closed days. */
export type Ledger = { profileId: string; now: Date; closedThrough: string }

export function openLedger(
  profile: { profileId: string; timezone: string; graceHours: number },
  now: Date,
): Ledger {
  const { profileId, timezone, graceHours } = profile
  return { profileId, now, closedThrough: closedThrough(now, timezone, graceHours) }
}
