/** Computed on request from the latest scores; deterministic for the same scores. */
import type { WorkspaceContext } from '../../../context.ts'
import { listOpenProfiles } from '../../../platform/access/open-profiles.ts'
import { toDecimalNumber } from '../../../platform/contract/money.ts'
import { boundedPValue } from '../../../platform/statistics/distributions.ts'
import { type Lift, weightOf } from './lift-rules.ts'
import {
  findArchetypes,
  findDimensions,
  findPatterns,
  mostSpentFirst,
  type TraitedAd,
} from './patterns-rules.ts'
import { listScoredCreatives, type ScoredCreativeRow } from './queries.ts'
import { aspectName, traitsOf } from './traits-rules.ts'

type Query = { profile_ids?: string[] | undefined }
const WINNER = 0.9

async function loadAds(context: WorkspaceContext, query: Query) {
  const profiles = await listOpenProfiles(context, { scope: 'campaigns:read', profileIds: query.profile_ids })
  const lists = await Promise.all(
    profiles.map(async (profile) =>
      (await listScoredCreatives(context.db, { profileId: profile.id })).map((row) => toAd(row, profile)),
    ),
  )
  const ads = lists.flat()
  const currencies = new Set(ads.map(({ currency }) => currency))
  return { ads, currency: currencies.size === 1 ? [...currencies][0]! : null }
}

const toAd = (row: ScoredCreativeRow, profile: { id: string; currency: string }): TraitedAd => ({
  id: row.ad_id,
  profileId: profile.id,
  currency: profile.currency,
  campaignId: row.campaign_id,
  logRate: Math.log(row.posterior_shape / row.posterior_rate),
  weight: weightOf(row.posterior_shape),
  spendMinor: row.spend_minor,
  isWinner: row.above_median >= WINNER,
  traits: traitsOf({
    format: row.format,
    aspectRatio: row.aspect_ratio_milli === null ? null : aspectName(row.aspect_ratio_milli / 1000),
    durationSeconds: row.duration_ms === null ? null : row.duration_ms / 1000,
    cardCount: row.card_count,
    ctaType: row.cta_type,
    title: row.title,
    body: row.body,
    landingHost: row.landing_host,
  }),
})

const MAX_AD_IDS = 100

function orderOf(ads: readonly TraitedAd[]): (adIds: readonly string[]) => string[] {
  const byId = new Map(ads.map((ad) => [ad.id, ad]))
  return (adIds) => mostSpentFirst(adIds.map((id) => byId.get(id)!)).slice(0, MAX_AD_IDS)
}

const round = (value: number, digits = 4) => Number(value.toFixed(digits))

function toLift<Key>(
  row: Lift<Key> & { spendMinor: number; confoundedWith: string[] },
  currency: string | null,
  ordered: ReturnType<typeof orderOf>,
) {
  return {
    ad_ids: ordered(row.adIds),
    ads: row.adIds.length,
    profiles: row.profiles,
    // Amounts of different currencies cannot be added.
    spend: currency === null ? null : toDecimalNumber(row.spendMinor, currency),
    currency,
    lift: round(row.lift),
    lift_low: round(row.liftLow),
    lift_high: round(row.liftHigh),
    p_value: boundedPValue(row.pValue),
    q_value: boundedPValue(row.qValue),
    verdict: row.verdict,
    confounded_with: row.confoundedWith,
  }
}

const bestFirst = <T extends { q_value: number; lift: number }>(rows: T[]) =>
  rows.toSorted((a, b) => a.q_value - b.q_value || b.lift - a.lift)

export async function listCreativeDimensions(context: WorkspaceContext, query: Query) {
  const { ads, currency } = await loadAds(context, query)
  const ordered = orderOf(ads)
  return bestFirst(findDimensions(ads).map((row) => ({ ...row.key, ...toLift(row, currency, ordered) })))
}

export async function listCreativePatterns(context: WorkspaceContext, query: Query) {
  const { ads, currency } = await loadAds(context, query)
  const ordered = orderOf(ads)
  return bestFirst(
    findPatterns(ads).map((row) => ({
      traits: [...row.key],
      ...toLift(row, currency, ordered),
      profiles_agreeing: row.profilesAgreeing,
    })),
  )
}

export async function listCreativeArchetypes(context: WorkspaceContext, query: Query) {
  const { ads } = await loadAds(context, query)
  return findArchetypes(ads).map((row) => ({
    archetype: row.archetype,
    definition: row.definition,
    ads: row.ads,
    ad_ids: row.adIds.slice(0, MAX_AD_IDS),
    win_rate: round(row.winRate),
    win_rate_low: round(row.winRateLow),
    win_rate_high: round(row.winRateHigh),
    sample_ad_ids: row.sampleAdIds,
  }))
}
