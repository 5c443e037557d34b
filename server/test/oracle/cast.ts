/** People, identifiers and ads of a random world. */
import { DAY, inCurrency } from './decimal.ts'
import type { AdNames, SpendRow } from './history.ts'
import type { Random } from './random.ts'

export const currencies = ['EUR', 'USD', 'JPY', 'BHD', 'CHF'] as const

export type Person = {
  anonymousIds: string[]
  emails: string[]
  phones: string[]
  externalIds: string[]
}

type Entity = { id: string; name: string }
export type Structure = {
  campaigns: Entity[]
  adSets: (Entity & { campaign: number })[]
  ads: (Entity & { adSet: number })[]
}

export function makePeople(random: Random): Person[] {
  const people = Array.from({ length: random.int(1, 4) }, (_, index) => ({
    anonymousIds: Array.from({ length: random.int(1, 3) }, (_, n) => `anon-${index}-${n}`),
    emails: random.chance(0.8) ? [`person${index}@example.com`] : [],
    phones: random.chance(0.6) ? [`+3460000${String(1000 + index)}`] : [],
    externalIds: random.chance(0.4) ? [`crm-${index}`] : [],
  }))
  if (people.length > 1 && random.chance(0.4)) {
    const field = random.pick(['anonymousIds', 'emails', 'phones'] as const)
    const shared = people[0]![field][0]
    if (shared !== undefined) people[1]![field].push(shared)
  }
  if (random.chance(0.2)) people[0]!.emails.push('second@example.com')
  return people
}

export function makeStructure(random: Random): Structure {
  const campaigns = Array.from({ length: random.int(1, 3) }, (_, n) => ({
    id: `C${n}`,
    name: `Campaign ${n}`,
  }))
  const adSets = Array.from({ length: random.int(1, 3) }, (_, n) => ({
    id: `S${n}`,
    name: `Set ${n}`,
    campaign: random.int(0, campaigns.length - 1),
  }))
  const ads = Array.from({ length: random.int(1, 4) }, (_, n) => ({
    id: `A${n}`,
    name: `Ad ${n}`,
    adSet: random.int(0, adSets.length - 1),
  }))
  return { campaigns, adSets, ads }
}

export function spellEmail(random: Random, email: string): string {
  return random.pick([email, email, email.toUpperCase(), ` ${email} `])
}

export function spellPhone(random: Random, phone: string): string {
  const digits = phone.slice(1)
  return random.pick([phone, phone, `00${digits}`, `p:${phone}`, `+34 ${digits.slice(2)}`])
}

export function nameAd(random: Random, structure: Structure): AdNames {
  const ad = random.pick(structure.ads)
  const adSet = random.chance(0.9) ? structure.adSets[ad.adSet]! : random.pick(structure.adSets)
  const campaign = random.chance(0.9)
    ? structure.campaigns[adSet.campaign]!
    : random.pick(structure.campaigns)
  const roll = random.next()
  if (roll < 0.35) return { ad_id: ad.id, ad_set_id: adSet.id, campaign_id: campaign.id }
  if (roll < 0.6) return { ad_id: ad.id }
  if (roll < 0.7) return { ad_set_id: adSet.id }
  if (roll < 0.8) return { campaign_id: campaign.id }
  if (roll < 0.9) return { ad_id: ad.id, campaign_id: campaign.id }
  return { ad_set_id: adSet.id, campaign_id: campaign.id }
}

export function makeSpendRow(
  random: Random,
  structure: Structure,
  source: string,
  anchor: number,
  ownCurrency: string,
): SpendRow {
  const level = random.pick(['campaign', 'ad_set', 'ad', 'ad'] as const)
  const ad = random.pick(structure.ads)
  // Occasionally an ad or an ad set has a new parent.
  const adSet = random.chance(0.9) ? structure.adSets[ad.adSet]! : random.pick(structure.adSets)
  const campaign = random.chance(0.9)
    ? structure.campaigns[adSet.campaign]!
    : random.pick(structure.campaigns)
  const names = random.chance(0.5)
  const withSet = level === 'ad_set' || (level === 'ad' && random.chance(0.7))
  const withCampaign = level === 'campaign' || random.chance(0.7)
  const count = () => random.int(0, 5000)
  const currency = random.chance(0.25) ? random.pick(currencies) : undefined
  const amount = (least: number) => inCurrency(random.int(least, 99_999), currency ?? ownCurrency)
  return {
    source,
    level,
    ...(withCampaign ? { campaign_id: campaign.id, ...(names ? { campaign_name: campaign.name } : {}) } : {}),
    ...(withSet ? { ad_set_id: adSet.id, ...(names ? { ad_set_name: adSet.name } : {}) } : {}),
    ...(level === 'ad' ? { ad_id: ad.id, ...(names ? { ad_name: ad.name } : {}) } : {}),
    date: new Date(anchor + random.int(-12, 8) * DAY).toISOString().slice(0, 10),
    spend: random.chance(0.1) ? '0' : amount(1),
    ...(currency === undefined ? {} : { currency }),
    ...(random.chance(0.8) ? { impressions: count() } : {}),
    ...(random.chance(0.8) ? { clicks: random.chance(0.2) ? 0 : count() } : {}),
    ...(random.chance(0.5) ? { reach: count() } : {}),
    ...(random.chance(0.5) ? { platform_conversions: (random.int(0, 9000) / 1000).toFixed(3) } : {}),
    ...(random.chance(0.4) ? { platform_conversion_value: amount(0) } : {}),
  }
}
