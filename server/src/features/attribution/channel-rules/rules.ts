/** Which rule decides where a visit came from: pure. */
import { clickIdPlatforms } from '../../../platform/contract/click-ids.ts'
import { findHostList, type HostList } from '../../facts/events/channel-hosts.ts'
import { type Arrival, toTouch } from '../../facts/events/touch.ts'
import { findOverride } from '../crediting/credits/channel-overrides.ts'
import { readSource, sourceOf } from '../crediting/credits/source-name.ts'
import type { ChannelOverride } from './contract.ts'

const utmNames = ['source', 'medium', 'campaign', 'term', 'content']
const adNames = ['ad_id', 'ad_set_id', 'campaign_id']

/** What the tracker would read from the address; the first of several parameters of one name counts. */
export function readArrival(url: string, referrer: string | undefined): Arrival {
  const found: Record<string, string> = {}
  for (const [name, value] of new URL(url).searchParams) found[name.toLowerCase()] ??= value
  found.ad_set_id ??= found.adset_id ?? ''
  const pick = (names: readonly string[], prefix = '') =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value = found[`${prefix}${name}`.toLowerCase()]
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
  const holder = sourceOf({
    ...touch,
    campaign_external_id: null,
    ad_set_external_id: null,
    ad_external_id: null,
  })!
  const { channel, name: source } = readSource(holder)
  const made = { channel, source, platform: touch.platform, list: null }
  if (touch.click_id_kind !== null) return { ...made, rule: 'click_id', decided_by: touch.click_id_kind }
  const named = adNames.find((name) => arrival.ad[name as keyof Arrival['ad']])
  if (named !== undefined) return { ...made, rule: 'named_ad', decided_by: named }
  const override = findOverride(holder, overrides)
  if (override !== undefined)
    return { ...made, channel: override.channel, rule: 'override', decided_by: override.value }
  const tagged = utmNames.find((name) => arrival.utm[name])
  if (tagged !== undefined)
    return { ...made, rule: 'utm', decided_by: arrival.utm.medium ? 'utm_medium' : `utm_${tagged}` }
  if (touch.referrer_host === null) return { ...made, rule: 'direct', decided_by: null }
  const list = findHostList(touch.referrer_host)?.list ?? null
  return { ...made, rule: list === null ? 'other_site' : 'site_list', decided_by: touch.referrer_host, list }
}

const noChannel = { channel: null, source: null, platform: null, list: null }
