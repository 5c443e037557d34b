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
 * Reasons of a whole conversion, under every model. Stored credits name them by their places: only ever add at the end.
 */
export const wholeReasons = [
  'unknown_payer',
  'not_creditable',
] as const satisfies readonly UnattributedReason[]
export type WholeReason = (typeof wholeReasons)[number]

/** `isUnnamed`: the event named no one, and no one is known by now. */
export function wholeReasonOf(conversion: {
  isEligible: boolean
  isUnnamed: boolean
  isCredited: boolean
}): WholeReason | null {
  if (!conversion.isEligible) return 'not_creditable'
  return conversion.isUnnamed && !conversion.isCredited ? 'unknown_payer' : null
}

export const isPaid = (channel: string): boolean => channel.startsWith('paid_') || channel === 'display'

/** By the visit that has the credit (`sourceOf`). */
export function reasonOfSource(source: string): UnattributedReason {
  const { channel } = readSource(source)
  if (isPaid(channel)) return 'click_without_ad'
  if (channel.startsWith('organic_')) return 'organic'
  return channel === 'direct' || channel === 'email' || channel === 'referral' ? channel : 'other_visit'
}

/** Of a touch's path; null where a campaign has the credit. */
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
