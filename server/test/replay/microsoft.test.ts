/** The JSON templates of Microsoft's reference, filled with values, through the mapping of microsoft_ads. */
import { expect, test } from 'vitest'
import * as mapping from '../../src/connectors/microsoft-ads/mapping.ts'
import { published } from './published.ts'

type Template = Record<string, unknown>
const templates = published<{
  campaigns: { Campaigns: Template[] }
  ad_groups: { AdGroups: Template[] }
  ads: { Ads: Template[] }
}>('microsoft/templates.json')

/** "LongValueHere" of the templates becomes an id above 2^53, other placeholders stay text. */
const LONG = '9007199254740993'
function filled(value: unknown): unknown {
  if (value === 'LongValueHere') return LONG
  if (Array.isArray(value)) return value.map(filled)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, filled(member)]))
}
const campaign = mapping.Campaign.parse(filled(templates.campaigns.Campaigns[0]))
const adGroup = mapping.AdGroup.parse(filled(templates.ad_groups.AdGroups[0]))

test('a campaign and an ad group keep their ids; a shared budget is not the campaign’s own', () => {
  expect(mapping.toCampaign(campaign, 'EUR')).toMatchObject({
    level: 'campaign',
    externalId: LONG,
    dailyBudgetMinor: null,
  })
  const unshared = mapping.Campaign.parse({ ...campaign, BudgetId: '0', BudgetType: 'DailyBudgetStandard' })
  expect(mapping.toCampaign(unshared, 'EUR')).toMatchObject({
    dailyBudgetMinor: 1250,
    lifetimeBudgetMinor: null,
  })
  expect(mapping.toAdGroup(adGroup, LONG, 'EUR')).toMatchObject({
    level: 'ad_set',
    externalId: LONG,
    campaignExternalId: LONG,
  })
})

test('an ad has its texts and its first URL', () => {
  const ad = mapping.Ad.parse(filled(templates.ads.Ads[0]))
  const account = { FinalUrlSuffix: null, TrackingUrlTemplate: null }
  const parents = { account, campaign, adGroup } as unknown as Parameters<typeof mapping.toAdRecords>[1]
  const [record, detail] = mapping.toAdRecords(
    { ...ad, FinalUrls: ['https://example.com/a'] },
    parents,
    'EUR',
  )
  expect(record).toMatchObject({ level: 'ad', externalId: LONG, adSetExternalId: LONG })
  expect(detail).toMatchObject({ kind: 'creative', landingHost: 'example.com', title: 'ValueHere' })
})
