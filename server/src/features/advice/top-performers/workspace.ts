/** The combined leaderboard of a workspace's profiles. */
import { z } from 'zod'
import type { WorkspaceContext } from '../../../context.ts'
import { listOpenProfiles, type OpenProfile } from '../../../platform/access/open-profiles.ts'
import { toMinor } from '../../../platform/contract/money.ts'
import { thumbnailUrl } from '../../facts/ads/thumbnail-rules.ts'
import { convertOrNull, loadRates } from '../../facts/fx/rates.ts'
import { listCreativeDimensions } from '../creative-patterns/operations.ts'
import { type BundledAd, toBundle } from './bundle-rules.ts'
import * as contract from './contract.ts'
import { countScores } from './queries/brief.ts'
import { loadTexts } from './queries/creatives.ts'
import { findRuns } from './queries/runs.ts'
import { listScores, type ScoreFilter } from './queries/scores.ts'
import { findWorkspace } from './queries/workspace.ts'
import { type ScoreFacts, toRow } from './row-rules.ts'
import type { ScoreWindow } from './score/counts.ts'
import { zip } from './zip.ts'

type Row = contract.WorkspaceTopPerformerRow
export type LeaderboardRequest = {
  window: ScoreWindow
  filter: Omit<ScoreFilter, 'minSpendMinor'>
  minSpend?: number | undefined
  /** Null for the whole leaderboard. */
  limit: number | null
  profileIds?: readonly string[] | undefined
}
export type Leaderboard = { rows: (Row & { ad_id: string })[]; asOf: string | null; notScored: number }

const noFilter = {
  objectives: undefined,
  truthGrades: undefined,
  outcomeKinds: undefined,
  formats: undefined,
  hasVideo: undefined,
}

export async function leaderboardOf(
  context: WorkspaceContext,
  request: LeaderboardRequest,
): Promise<Leaderboard> {
  const profiles = await listOpenProfiles(context, {
    scope: 'campaigns:read',
    profileIds: request.profileIds,
  })
  const { reporting_currency: reporting } = await findWorkspace(context.db, context.workspaceId)
  const leaderboards = await Promise.all(
    profiles.map((profile) => rowsOf(context, profile, request, reporting)),
  )
  const scored = leaderboards.filter((leaderboard) => leaderboard !== null)
  const days = scored.map(({ day }) => day).sort()
  return {
    rows: ranked(
      scored.flatMap(({ rows }) => rows),
      reporting === null ? 'per currency' : 'all',
      request.limit,
    ),
    // The combined leaderboard is only as current as its oldest part.
    asOf: days[0] ?? null,
    notScored: leaderboards.length - scored.length,
  }
}

async function rowsOf(
  context: WorkspaceContext,
  profile: OpenProfile,
  request: LeaderboardRequest,
  reporting: string | null,
) {
  const { done } = await findRuns(context.db, profile.id)
  if (done === undefined) return null
  const target = reporting ?? profile.currency
  const rates = await loadRates(context.db, [{ currency: profile.currency, day: done.day }], target)
  const money = { currency: profile.currency, day: done.day }
  const isKnown = convertOrNull(rates, { ...money, amountMinor: 100 }, target) !== null
  const currency = isKnown ? target : profile.currency
  const convert = (amountMinor: number) => convertOrNull(rates, { ...money, amountMinor }, currency) ?? 0
  const least = request.minSpend === undefined ? undefined : toMinor(request.minSpend, currency)
  const at = { profileId: profile.id, day: done.day }
  // A minimum in another currency is compared after conversion, so nothing may be cut off before it.
  const limit = least === undefined ? request.limit : null
  const scores = await listScores(
    context.db,
    at,
    request.window,
    { ...request.filter, minSpendMinor: undefined },
    limit,
  )
  const rows = scores
    .filter(({ spend_minor: spend }) => least === undefined || convert(spend) >= least)
    .map((row) => ({
      ...toRow(
        row.facts as ScoreFacts,
        { ...row, thumbnail: thumbnailUrl(context.service, profile.id, row) },
        request.window,
        { currency, convert },
      ),
      profile_id: profile.id,
      profile_name: profile.name,
      currency,
      ad_id: row.ad_id,
    }))
  return { day: done.day, rows }
}

/** Ads of one profile with equal scores keep the order of that profile's leaderboard: the sort is stable. */
function ranked<T extends Row>(
  rows: readonly T[],
  across: 'all' | 'per currency',
  limit: number | null,
): T[] {
  const byScore = rows.toSorted(
    (a, b) =>
      (b.composite_score ?? -1) - (a.composite_score ?? -1) ||
      Number(a.profile_id > b.profile_id) - Number(a.profile_id < b.profile_id),
  )
  if (across === 'all') return limit === null ? byScore : byScore.slice(0, limit)
  const currencies = Map.groupBy(byScore, (row) => row.currency)
  return [...currencies.keys()]
    .sort()
    .flatMap((currency) => currencies.get(currency)!.slice(0, limit ?? undefined))
}

export async function listWorkspaceTopPerformers(
  context: WorkspaceContext,
  query: z.output<(typeof contract.listWorkspaceTopPerformers)['query']>,
) {
  const { rows, asOf, notScored } = await leaderboardOf(context, {
    window: query.window,
    filter: {
      objectives: query.objectives,
      truthGrades: query.truth_grades,
      outcomeKinds: query.outcome_kinds,
      formats: query.formats,
      hasVideo: query.has_video,
    },
    minSpend: query.min_spend,
    limit: query.limit,
    profileIds: query.profile_ids,
  })
  return {
    data: rows.map(({ ad_id: _, ...row }) => row),
    meta: { as_of: asOf, profiles_not_scored: notScored },
  }
}

export async function getTopPerformersBrief(
  context: WorkspaceContext,
  query: { window: ScoreWindow; profile_ids?: readonly string[] | undefined },
) {
  const profiles = await listOpenProfiles(context, { scope: 'campaigns:read', profileIds: query.profile_ids })
  const totals = { ads_scored: 0, winners: 0, rising: 0, fatiguing: 0, cold: 0, profiles_not_scored: 0 }
  const days: string[] = []
  for (const { id: profileId } of profiles) {
    const { done } = await findRuns(context.db, profileId)
    if (done === undefined) {
      totals.profiles_not_scored++
      continue
    }
    days.push(done.day)
    const counts = await countScores(context.db, { profileId, day: done.day }, query.window)
    for (const name of ['ads_scored', 'winners', 'rising', 'fatiguing', 'cold'] as const)
      totals[name] += counts[name]
  }
  return { ...totals, as_of: days.sort()[0] ?? null }
}

const MAX_EXPORTED = 50

export async function exportTopPerformers(
  context: WorkspaceContext,
  body: z.output<typeof contract.TopPerformersExport>,
): Promise<Buffer> {
  const { rows, asOf } = await leaderboardOf(context, {
    window: body.window,
    filter: { ...noFilter, adExternalIds: body.ad_external_ids },
    limit: MAX_EXPORTED,
    profileIds: body.profile_ids,
  })
  const { as_of: _, ...counters } = await getTopPerformersBrief(context, {
    window: body.window,
    profile_ids: body.profile_ids,
  })
  const ads = await withTexts(context, rows.slice(0, MAX_EXPORTED))
  const { name } = await findWorkspace(context.db, context.workspaceId)
  const schema = z.toJSONSchema(z.array(contract.WorkspaceTopPerformerRow), { io: 'output' })
  const patterns = await listCreativeDimensions(context, { profile_ids: body.profile_ids })
  const files = toBundle({ workspace: name, window: body.window, asOf, counters, ads, patterns, schema })
  return zip(files, context.now)
}

async function withTexts(
  context: WorkspaceContext,
  rows: readonly Leaderboard['rows'][number][],
): Promise<BundledAd[]> {
  const texts = new Map(
    await Promise.all(
      [...Map.groupBy(rows, (row) => row.profile_id)].map(async ([profileId, profileRows]) => {
        const adIds = profileRows.map((row) => row.ad_id)
        return [profileId, await loadTexts(context.db, profileId, adIds)] as const
      }),
    ),
  )
  return rows.map(({ ad_id: adId, ...row }) => {
    const text = texts.get(row.profile_id)?.get(adId)
    return { ...row, creative_title: text?.title ?? null, creative_body: text?.body ?? null }
  })
}
