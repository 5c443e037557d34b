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
