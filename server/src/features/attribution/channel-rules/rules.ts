/** Decides the channel of a visit and which rule decided it. Pure. */
import { clickIdPlatforms } from '../../../platform/contract/click-ids.ts'
import { findHostList, type HostList } from '../../facts/events/channel-hosts.ts'
import { type Arrival, toTouch } from '../../facts/events/touch.ts'
import { findOverride } from '../crediting/credits/channel-overrides.ts'
import { readSource, sourceOf } from '../crediting/credits/source-name.ts'
import type { ChannelOverride } from './contract.ts'

const utmNames = ['source', 'medium', 'campaign', 'term', 'content']
const adNames = ['ad_id', 'ad_set_id', 'campaign_id']

/** Parses a landing URL like the tracker does. If a parameter is repeated, its first value is used. */
export function readArrival(url: string, referrer: string | undefined): Arrival {
  const params: Record<string, string> = {}
  for (const [name, value] of new URL(url).searchParams) params[name.toLowerCase()] ??= value
  params.ad_set_id ??= params.adset_id ?? ''
  const pick = (names: readonly string[], prefix = '') =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value = params[`${prefix}${name}`.toLowerCase()]
        return value ? [[name, value]] : []
      }),
    )
  return {
    utm: pick(utmNames, 'utm_'),
    clickIds: pick(Object.keys(clickIdPlatforms)),
    ad: pick(adNames),
    referrer: referrer ?? null,
    url,
    sessionStart: true,
  }
}

export type Decision = {
  channel: string | null
  source: string | null
  platform: string | null
  rule:
    | 'click_id'
    | 'named_ad'
    | 'utm'
    | 'override'
    | 'site_list'
    | 'other_site'
    | 'payment_or_login_page'
    | 'direct'
  decided_by: string | null
  list: HostList | null
}

export function decideChannel(arrival: Arrival, overrides: readonly ChannelOverride[]): Decision {
  const touch = toTouch(arrival)
  const host = arrival.referrer === null ? null : new URL(arrival.referrer).hostname.replace(/^www\./, '')
  if (touch === null) return { ...noChannel, rule: 'payment_or_login_page', decided_by: host }
  const sourceKey = sourceOf({
    ...touch,
    campaign_external_id: null,
    ad_set_external_id: null,
    ad_external_id: null,
  })!
  const { channel, name: source } = readSource(sourceKey)
  const base = { channel, source, platform: touch.platform, list: null }
  if (touch.click_id_kind !== null) return { ...base, rule: 'click_id', decided_by: touch.click_id_kind }
  const adParam = adNames.find((name) => arrival.ad[name as keyof Arrival['ad']])
  if (adParam !== undefined) return { ...base, rule: 'named_ad', decided_by: adParam }
  const override = findOverride(sourceKey, overrides)
  if (override !== undefined)
    return { ...base, channel: override.channel, rule: 'override', decided_by: override.value }
  const utmParam = utmNames.find((name) => arrival.utm[name])
  if (utmParam !== undefined)
    return { ...base, rule: 'utm', decided_by: arrival.utm.medium ? 'utm_medium' : `utm_${utmParam}` }
  if (touch.referrer_host === null) return { ...base, rule: 'direct', decided_by: null }
  const list = findHostList(touch.referrer_host)?.list ?? null
  return { ...base, rule: list === null ? 'other_site' : 'site_list', decided_by: touch.referrer_host, list }
}

const noChannel = { channel: null, source: null, platform: null, list: null }
