import { useNavigate, useSearch } from '@tanstack/react-router'
import {
  type DataOf,
  type ListTopPerformersMeta,
  listTopPerformers,
  listWorkspaceTopPerformers,
  type ModelBacktest,
} from '@whence/sdk'
import { useProfileContext, useProfileRead } from '../../api/profile.ts'
import { useRead } from '../../api/queries.ts'
import type { CreativeSearch } from '../../search.ts'

export type Creative = DataOf<typeof listWorkspaceTopPerformers>[number]
export type Window = Creative['score_window']
export type Backtest = ModelBacktest
type Meta = Pick<ListTopPerformersMeta, 'as_of'> & Partial<Pick<ListTopPerformersMeta, 'model' | 'progress'>>

export const MAX_ADS = 50

export const keyOf = (ad: Pick<Creative, 'profile_id' | 'ad_external_id'>) =>
  `${ad.profile_id} ${ad.ad_external_id}`

/** The page's search parameters and a function to change them. */
export function useCreativeSearch() {
  const search = useSearch({ from: '/p/$profileId/creatives' })
  const navigate = useNavigate({ from: '/p/$profileId/creatives' })
  const change = (next: Partial<CreativeSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true })
  return { search, window: search.window ?? ('28d' as const), change }
}

const queryOf = (search: CreativeSearch, window: Window) => ({
  window,
  limit: MAX_ADS,
  min_spend: search.least,
  objectives: search.objective,
  truth_grades: search.grade,
  outcome_kinds: search.outcome,
  formats: search.format,
  has_video: search.video,
})

/** The leaderboard of the profile or of the whole workspace, as rows of the same type. */
export function useBoard(search: CreativeSearch, window: Window) {
  const { profile, workspace } = useProfileContext()
  const isWide = search.adsOf === 'workspace'
  const query = queryOf(search, window)
  const profileQuery = useProfileRead(listTopPerformers, { query }, { keep: true, enabled: !isWide })
  const workspaceQuery = useRead(
    listWorkspaceTopPerformers,
    { params: { workspaceId: workspace.id }, query },
    { keep: true, enabled: isWide },
  )
  const active = isWide ? workspaceQuery : profileQuery
  const profileFields = { profile_id: profile.id, profile_name: profile.name, currency: profile.currency }
  const meta: Meta = active.data?.meta ?? { as_of: null }
  const ads = isWide
    ? workspaceQuery.data?.data
    : profileQuery.data?.data.map((row) => ({ ...row, ...profileFields }))
  return {
    query: {
      data: ads && { ads: ads as Creative[], meta },
      isError: active.isError,
      error: active.error as unknown,
      refetch: () => active.refetch(),
    },
    isWide,
  }
}
