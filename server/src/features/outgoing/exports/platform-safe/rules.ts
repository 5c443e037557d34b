/** Consent of a person to duplicate-and-swap. Pure. */

import { createHash } from 'node:crypto'
import { DAY_MS } from '../../../../platform/contract/dates.ts'

export const consentVersion = '2026-11-16'

export const consentText =
  'Whence copies each delivering ad set onto the new dataset, starts the copy and pauses the original. Copies begin a new learning phase, and their figures begin at zero. This cannot be undone by Whence.'

export const consentTextHash = createHash('sha256').update(consentText).digest('hex')

export type GivenConsent = { version: string; text_hash: string; accepted_by: string; accepted_at: string }

/** True if the consent is for the current text and from the last 24 hours. */
export function isConsented(consent: GivenConsent | undefined, now: Date): boolean {
  if (consent === undefined || consent.version !== consentVersion || consent.text_hash !== consentTextHash)
    return false
  const ageMs = now.getTime() - Date.parse(consent.accepted_at)
  return ageMs >= 0 && ageMs <= DAY_MS
}

/** Does not reveal the profile, and is constant per profile, so that a second attempt finds the dataset. */
export function cleanDatasetName(profileId: string): string {
  return `Dataset ${createHash('sha256').update(profileId).digest('hex').slice(0, 8)}`
}
