/** Why a conversion is credited to no campaign. */
import { readSource } from './source-name.ts'

export const unattributedReasons = [
  'direct',
  'organic',
  'email',
  'referral',
  'other_visit',
  'click_without_ad',
  'ad_without_campaign',
  'unknown_payer',
  'not_creditable',
  'no_touch',
] as const
export type UnattributedReason = (typeof unattributedReasons)[number]

/**
 * Reasons that apply to a whole conversion, under every model. Stored credits refer to them by index: only ever append.
 */
export const wholeReasons = [
  'unknown_payer',
  'not_creditable',
] as const satisfies readonly UnattributedReason[]
export type WholeReason = (typeof wholeReasons)[number]

/** `isUnnamed`: the event has no identifier, and no customer was assigned since. */
export function wholeReasonOf(conversion: {
  isEligible: boolean
  isUnnamed: boolean
  isCredited: boolean
}): WholeReason | null {
  if (!conversion.isEligible) return 'not_creditable'
  return conversion.isUnnamed && !conversion.isCredited ? 'unknown_payer' : null
}

export const isPaid = (channel: string): boolean => channel.startsWith('paid_') || channel === 'display'

/** The reason for credit of a visit, by its source key (`sourceOf`). */
export function reasonOfSource(source: string): UnattributedReason {
  const { channel } = readSource(source)
  if (isPaid(channel)) return 'click_without_ad'
  if (channel.startsWith('organic_')) return 'organic'
  return channel === 'direct' || channel === 'email' || channel === 'referral' ? channel : 'other_visit'
}

/** The reason for credit of a path; null if a campaign gets it. */
export function reasonOfPath(path: {
  campaignId: string | null
  adSetId: string | null
  adId: string | null
  source: string | null
}): UnattributedReason | null {
  if (path.campaignId !== null) return null
  if (path.adSetId !== null || path.adId !== null) return 'ad_without_campaign'
  return path.source === null ? null : reasonOfSource(path.source)
}
