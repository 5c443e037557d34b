/** UTM, click-id and ad parameters of a page's URL; the same as the tracker reads. Pure. */
import { clickIdPlatforms } from '../../../platform/contract/click-ids.ts'
import { type Json, text } from './members.ts'

const utmNames = ['source', 'medium', 'campaign', 'term', 'content']
const adNames = ['ad_id', 'ad_set_id', 'campaign_id']

export function landingOf(url: string | undefined): { utm: Json; click_ids: Json; ad: Json } {
  const parameters: Record<string, string> = Object.create(null)
  for (const [name, value] of URL.parse(url ?? '')?.searchParams ?? [])
    parameters[name.toLowerCase()] ??= value
  parameters.ad_set_id ??= parameters.adset_id ?? ''
  const pick = (names: readonly string[], prefix: string, max: number): Json =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value = text(parameters[prefix + name.toLowerCase()], max)
        return value === undefined ? [] : [[name, value]]
      }),
    )
  return {
    utm: pick(utmNames, 'utm_', 512),
    click_ids: pick(Object.keys(clickIdPlatforms), '', 512),
    ad: pick(adNames, '', 128),
  }
}
