import { channelName, providerName, sentence } from '../../names/providers.ts'

type NamedEntity = { id: string; platform_id: string; name: string | null } | null

export type SeenTouch = {
  channel: string
  origin: string
  platform: string | null
  campaign: NamedEntity
  ad_set: NamedEntity
  ad: NamedEntity
}

export type Touch = SeenTouch & {
  touch_id: string
  occurred_at: string
  is_direct: boolean
  status: 'credited' | 'excluded'
  weight: number | null
  credited_value: number | null
  reason: string | null
}

const entityName = (entity: { platform_id: string; name: string | null } | null) =>
  entity ? (entity.name ?? entity.platform_id) : null

/** Display name of a touch: its ad, else its ad set or campaign, else its channel. */
export function touchName(touch: SeenTouch): string {
  return (
    entityName(touch.ad) ??
    entityName(touch.ad_set) ??
    entityName(touch.campaign) ??
    `${channelName(touch.channel)} visit`
  )
}

export function touchPath(touch: SeenTouch): string {
  const path = [entityName(touch.campaign), touch.ad ? entityName(touch.ad_set) : null].filter(
    (part) => part !== null,
  )
  const way = [touch.platform ? providerName(touch.platform) : null, channelName(touch.channel)].filter(
    (part) => part !== null,
  )
  return [...new Set([...path, ...way, ...(origins[touch.origin] ?? [])])].join(' · ')
}

/** How the touch was reported, if not by a visit. */
const origins: Record<string, string[]> = {
  conversation_referral: ['Started a conversation'],
  partner_ad_referral: ['Reported by a partner'],
  other: ['Reported by the CRM, store or payment provider'],
}

const reasons: Record<string, string> = {
  after_conversion: 'Came after the conversion',
  outside_lookback: 'Too long before the conversion',
  direct_skipped_by_model: 'Direct visit, skipped by this model',
  not_first: 'Not the first touch',
  not_last: 'Not the last touch',
  superseded_by_merge: 'Belongs to a customer who was merged into another',
  erased: 'Erased at the person’s request',
  privacy_mode: 'Hidden by the profile’s privacy mode',
}

export function reasonText(reason: string | null): string {
  return reason ? (reasons[reason] ?? sentence(reason)) : 'Not credited'
}
