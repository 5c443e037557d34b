/** Creatives, audiences and attention of the sandboxes' ads. */

import type { WorldAccount, WorldAd, WorldAdSet, WorldDelivery, WorldObjective } from './ads.ts'
import { seededDigits, seededHex, seededRandom } from './seeded-random.ts'

export type WorldCreative = {
  width: number
  height: number
  durationMs: number | null
  cards: number | null
  landingUrl: string
  imageHash: string
}

const shapes = [
  [1080, 1920],
  [1080, 1080],
  [1080, 1350],
] as const

export function worldCreative(ad: WorldAd, objective: WorldObjective): WorldCreative {
  const random = seededRandom('creative', ad.id)
  const [width, height] = ad.format === 'static' ? ([1200, 628] as const) : random.pick(shapes)
  return {
    width,
    height,
    durationMs: ad.format === 'video' ? random.int(8, 62) * 1000 : null,
    cards: ad.format === 'carousel' ? random.int(3, 6) : null,
    landingUrl:
      objective === 'sales' ? 'https://shop.harborandpine.example/' : 'https://harborandpine.example/book',
    imageHash: seededHex(32, 'image', ad.id),
  }
}

export type WorldAudience = { id: string; name: string; subtype: 'WEBSITE' | 'LOOKALIKE' }
export type WorldTargeting = { audience: WorldAudience | null; country: string; platforms: string[] | null }

const countries: Record<string, string> = { USD: 'US', EUR: 'DE', JPY: 'JP' }

export function worldAudiences(account: WorldAccount): { buyers: WorldAudience; visitors: WorldAudience } {
  const make = (name: string, subtype: WorldAudience['subtype']): WorldAudience => ({
    id: seededDigits(15, account.id, 'audience', subtype),
    name,
    subtype,
  })
  return {
    buyers: make('Lookalike of buyers 2%', 'LOOKALIKE'),
    visitors: make('Visitors 30 days', 'WEBSITE'),
  }
}

export function worldTargeting(account: WorldAccount, adSet: WorldAdSet): WorldTargeting {
  const { buyers, visitors } = worldAudiences(account)
  const isLookalike = adSet.name.startsWith('Lookalike')
  return {
    audience: isLookalike ? buyers : adSet.name.startsWith('Retargeting') ? visitors : null,
    country: countries[account.currency] ?? 'US',
    platforms: isLookalike ? ['instagram'] : null,
  }
}

export type WorldAttention = {
  linkClicks: number
  views: number | null
  thruplays: number | null
  quartiles: [number, number, number, number] | null
  ranking: string
}

export function worldAttention(ad: WorldAd, day: string, delivery: WorldDelivery): WorldAttention {
  const random = seededRandom('attention', ad.id, day)
  const steady = seededRandom('attention', ad.id)
  const stops = 0.16 + steady.next() * 0.22
  const stays = 0.18 + steady.next() * 0.3
  const ranking = ad.pull > 1.25 ? 'ABOVE_AVERAGE' : ad.pull < 0.7 ? 'BELOW_AVERAGE_35' : 'AVERAGE'
  const linkClicks = Math.round(delivery.clicks * 0.9)
  if (ad.format !== 'video') return { linkClicks, views: null, thruplays: null, quartiles: null, ranking }
  const views = Math.round(delivery.impressions * stops * (0.9 + random.next() * 0.2))
  const thruplays = Math.round(views * stays * (0.9 + random.next() * 0.2))
  const share = (part: number) => Math.round(views * (stays + (1 - stays) * part))
  return {
    linkClicks,
    views,
    thruplays,
    quartiles: [share(0.55), share(0.3), share(0.12), Math.round(thruplays * 0.8)],
    ranking: delivery.impressions < 500 ? 'UNKNOWN' : ranking,
  }
}
