import { DAY_MS } from '../contract/dates.ts'

export const MIN_PASSWORD_LENGTH = 12
export const SESSION_ABSOLUTE_MS = 30 * DAY_MS

export function isWeakPassword(password: string): boolean {
  return [...password].length < MIN_PASSWORD_LENGTH
}

/** Addresses are compared without case and surrounding space. */
export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase()
}

/** Whether the range reply of a k-anonymity breach corpus lists the rest of this hash. */
export function isListedBreach(rangeReply: string, suffix: string): boolean {
  return rangeReply.split('\n').some((line) => {
    const [listed, count] = line.trim().split(':')
    return listed?.toUpperCase() === suffix && Number(count ?? '1') > 0
  })
}
