/** Reads the leaderboard of the latest finished scoring, and starts scorings that are due. */
import type { z } from 'zod'
import type { JobContext, ProfileContext } from '../../../context.ts'
import { toMinor } from '../../../platform/contract/money.ts'
import { enqueueForAll } from '../../../platform/jobs/all-profiles.ts'
import type { JobRef } from '../../../platform/jobs/enqueue.ts'
import { thumbnailUrl } from '../../facts/ads/thumbnail-rules.ts'
import type * as contract from './contract.ts'
import { findRuns, listScorable } from './queries/runs.ts'
import { listScores, type ScoreFilter } from './queries/scores.ts'
import { type ScoreFacts, toRow } from './row-rules.ts'
import { scoredDay } from './score-profile.ts'

export type LeaderboardQuery = Omit<
  z.output<(typeof contract.listTopPerformers)['query']>,
  'limit' | 'window'
>

/** A minimum with more decimals than the currency is rounded up, so that no ad below it passes. */
export function toFilter(query: LeaderboardQuery, currency: string): ScoreFilter {
  return {
    minSpendMinor: query.min_spend === undefined ? undefined : toMinor(query.min_spend, currency),
    objectives: query.objectives,
    truthGrades: query.truth_grades,
    outcomeKinds: query.outcome_kinds,
    formats: query.formats,
    hasVideo: query.has_video,
  }
}

export async function listTopPerformers(
  context: ProfileContext,
  query: z.output<(typeof contract.listTopPerformers)['query']>,
) {
  const { id: profileId, currency } = context.profile
  const { done, running } = await findRuns(context.db, profileId)
  const progress = running
    ? { day: running.day, steps_done: running.steps_done, steps_total: running.steps_total }
    : null
  if (done === undefined) return { data: [], meta: { as_of: null, model: null, progress } }
  const at = { profileId, day: done.day }
  const rows = await listScores(context.db, at, query.window, toFilter(query, currency), query.limit)
  const data = rows.map((row) =>
    toRow(
      row.facts as ScoreFacts,
      { ...row, thumbnail: thumbnailUrl(context.service, profileId, row) },
      query.window,
      { currency, convert: (amountMinor) => amountMinor },
    ),
  )
  return { data, meta: { as_of: done.day, model: done.model as ModelMeta, progress } }
}

type ModelMeta = z.input<NonNullable<(typeof contract.listTopPerformers)['meta']>['model']>

/** Queues a scoring for each profile whose yesterday is not scored yet, unless one is queued or running. */
export function startDueScorings(context: JobContext, job: JobRef<{ profile_id: string }>): Promise<void> {
  return enqueueForAll(context, job, async (shard) => {
    const dueProfiles = (await listScorable(shard)).filter(
      ({ timezone, scoredDay: newest }) => newest === null || newest < scoredDay(context.now, timezone),
    )
    return dueProfiles.map(({ profileId }) => ({
      payload: { profile_id: profileId },
      profileId,
      dedupeKey: 'top-performers',
      priority: 'bulk',
    }))
  })
}
