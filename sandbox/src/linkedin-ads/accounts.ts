/** Ad accounts of the sandbox with their campaign groups, campaigns, creatives and posts, in LinkedIn's format. */

import { type WorldAccount, type WorldAd, type WorldCampaign, worldAccounts, worldCampaigns } from '../ads.ts'
import { worldCreative } from '../creatives.ts'
import type { SandboxOptions } from '../sandbox.ts'
import { seededDigits } from '../seeded-random.ts'

type Json = Record<string, unknown>
export type Accounts = ReturnType<typeof createAccounts>

const statuses = { ACTIVE: 'ACTIVE', PAUSED: 'PAUSED', ARCHIVED: 'ARCHIVED' } as const
const objectives: Record<string, string> = {
  leads: 'LEAD_GENERATION',
  traffic: 'WEBSITE_VISIT',
  awareness: 'BRAND_AWARENESS',
}
const formats = { video: 'SINGLE_VIDEO', static: 'STANDARD_UPDATE', carousel: 'CAROUSEL' } as const

export const urn = (kind: string, id: string): string => `urn:li:${kind}:${id}`
export const numberIn = (text: unknown): string => /:(\d+)$/.exec(String(text))?.[1] ?? ''

const money = (account: WorldAccount, minor: number): Json => ({
  amount: (minor / account.minorPerUnit).toFixed(account.minorPerUnit === 1 ? 0 : 2),
  currencyCode: account.currency,
})

/** Finds an entity by id or URN. */
export const entityIn = (list: readonly Json[], key: string): Json | null =>
  list.find(({ id }) => String(id) === key) ?? null

export function createAccounts({ seed, now }: SandboxOptions) {
  /** Partial updates, by list and id. */
  const changes = new Map<string, Json>()
  const changed = (list: string, entity: Json): Json => ({
    ...entity,
    ...changes.get(`${list} ${entity.id}`),
  })
  const accounts = worldAccounts(seed, 'linkedin')
  const startedOn = now().toISOString().slice(0, 10)
  const groups = new Map<string, WorldCampaign[]>(
    accounts.map((account) => [account.id, worldCampaigns(seed, 'linkedin', account, startedOn)]),
  )
  const shareOf = (ad: WorldAd) =>
    urn(ad.format === 'video' ? 'ugcPost' : 'share', seededDigits(19, 'post', ad.id))
  const adsOf = (group: WorldCampaign) => group.adSets.flatMap(({ ads }) => ads)
  const allAds = [...groups.values()].flat().flatMap(adsOf)
  /** A creative without content, and one whose post was deleted. */
  const broken = allAds[1]!.id
  const orphan = allAds[2]!.id

  function creative(account: WorldAccount, ad: WorldAd, status: string): Json {
    const isText = ad.name.includes('| v2') && ad.format === 'static'
    const content = isText
      ? {
          textAd: {
            headline: ad.title,
            description: ad.body,
            landingPage: 'https://harborandpine.example/trade',
          },
        }
      : { reference: shareOf(ad) }
    return {
      id: urn('sponsoredCreative', ad.id),
      ...(isText ? { name: ad.name } : {}),
      account: urn('sponsoredAccount', account.id),
      campaign: urn('sponsoredCampaign', ad.adSetId),
      intendedStatus: status,
      isServing: status === 'ACTIVE',
      createdAt: 1_767_225_600_000,
      lastModifiedAt: 1_767_225_600_000,
      review: { status: 'APPROVED' },
      ...(ad.id === broken ? {} : { content }),
      ...(ad.ctaType === 'SIGN_UP'
        ? { leadgenCallToAction: { label: 'SIGN_UP', destination: urn('adForm', '7234246') } }
        : {}),
    }
  }

  function post(ad: WorldAd): Json {
    const { landingUrl, cards } = worldCreative(ad, 'traffic')
    const media = (kind: string) => ({ id: urn(kind, seededDigits(12, 'media', ad.id)), title: ad.title })
    const content = {
      video: () => ({ media: media('video') }),
      static: () => ({
        article: { title: ad.title, description: ad.body, source: landingUrl, thumbnail: media('image').id },
      }),
      carousel: () => ({
        carousel: {
          cards: Array.from({ length: cards ?? 2 }, () => ({
            landingPage: landingUrl,
            media: media('image'),
          })),
        },
      }),
    }[ad.format]()
    return {
      id: shareOf(ad),
      author: urn('organization', '2414183'),
      commentary: ad.body,
      content,
      contentLandingPage: landingUrl,
      contentCallToActionLabel: 'LEARN_MORE',
      lifecycleState: 'PUBLISHED',
      visibility: 'PUBLIC',
    }
  }

  return {
    accounts,
    groupsOf: (accountId: string) => groups.get(accountId) ?? [],
    account: (account: WorldAccount): Json => ({
      id: Number(account.id),
      name: account.name,
      currency: account.currency,
      status: 'ACTIVE',
      type: 'BUSINESS',
      test: false,
      reference: urn('organization', '2414183'),
      servingStatuses: ['RUNNABLE'],
      version: { versionTag: '3' },
      sandboxNovelty: 'in no schema',
    }),
    campaignGroups: (account: WorldAccount): Json[] =>
      groups.get(account.id)!.map((group) =>
        changed('adCampaignGroups', {
          id: Number(group.id),
          name: group.name,
          account: urn('sponsoredAccount', account.id),
          status: statuses[group.status],
          runSchedule: { start: 1_767_225_600_000 },
          servingStatuses: [],
          ...(group.lifetimeBudgetMinor === null
            ? {}
            : { totalBudget: money(account, group.lifetimeBudgetMinor) }),
          sandboxNovelty: 'in no schema',
        }),
      ),
    campaigns: (account: WorldAccount): Json[] =>
      groups.get(account.id)!.flatMap((group) =>
        group.adSets.map((campaign) =>
          changed('adCampaigns', {
            id: Number(campaign.id),
            name: campaign.name,
            account: urn('sponsoredAccount', account.id),
            campaignGroup: urn('sponsoredCampaignGroup', group.id),
            status: statuses[group.status],
            type: 'SPONSORED_UPDATES',
            format: formats[campaign.ads[0]!.format],
            objectiveType: objectives[group.objective] ?? 'ENGAGEMENT',
            costType: 'CPM',
            unitCost: money(account, 900),
            ...(campaign.dailyBudgetMinor === null
              ? {}
              : { dailyBudget: money(account, campaign.dailyBudgetMinor) }),
          }),
        ),
      ),
    creatives: (account: WorldAccount): Json[] =>
      groups
        .get(account.id)!
        .flatMap((group) =>
          adsOf(group).map((ad) => changed('creatives', creative(account, ad, statuses[group.status]))),
        ),
    change(list: string, id: unknown, fields: Json): void {
      const key = `${list} ${id}`
      changes.set(key, { ...changes.get(key), ...fields })
    },
    broken,
    orphan,
    findPost(reference: string): Json | null {
      const ad = allAds.find((candidate) => shareOf(candidate) === reference)
      return ad === undefined || ad.id === orphan ? null : post(ad)
    },
    /** Image of a post, from the Images API. */
    findImage(reference: string, baseUrl: string): Json | null {
      const ad = allAds.find(
        (candidate) => urn('image', seededDigits(12, 'media', candidate.id)) === reference,
      )
      if (ad === undefined) return null
      const downloadUrl = `${baseUrl}/creative/${ad.id}.png`
      const size = { aspectRatioWidth: 1.91, aspectRatioHeight: 1 }
      return {
        id: reference,
        owner: urn('organization', '2414183'),
        status: 'AVAILABLE',
        downloadUrl,
        ...size,
      }
    },
    /** From the Videos API. The cover is a URL for some videos, the URN of an image for others. */
    findVideo(reference: string, baseUrl: string): Json | null {
      const ad = allAds.find(
        (candidate) => urn('video', seededDigits(12, 'media', candidate.id)) === reference,
      )
      if (ad === undefined) return null
      const isOdd = Number(ad.id.at(-1)) % 2 === 1
      return {
        id: reference,
        owner: urn('organization', '2414183'),
        status: 'AVAILABLE',
        duration: 30_000,
        aspectRatioWidth: 16,
        aspectRatioHeight: 9,
        thumbnail: isOdd
          ? urn('image', seededDigits(12, 'media', ad.id))
          : `${baseUrl}/creative/${ad.id}.png`,
        downloadUrl: `${baseUrl}/video/${ad.id}.mp4`,
      }
    },
    findAd: (id: string) => allAds.find((ad) => ad.id === id),
    firstAd: (accountId: string) => adsOf(groups.get(accountId)![0]!)[0]!,
  }
}
