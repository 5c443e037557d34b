/** Recommendations are applied and undone through the same audited operations as manual changes. */
import type { ProfileContext, WorkspaceContext } from '../../../context.ts'
import { listOpenProfiles, type OpenProfile, onProfile } from '../../../platform/access/open-profiles.ts'
import { recordChange } from '../../../platform/audit/record.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { toDecimalNumber } from '../../../platform/contract/money.ts'
import { boundedProbability } from '../../../platform/statistics/distributions.ts'
import {
  getCampaignStatus,
  pauseCampaign,
  resumeCampaign,
  setCampaignBudget,
} from '../../sources/campaigns/operations.ts'
import * as queries from './queries.ts'
import type { Step } from './rules.ts'

const STALE_CLAIM_MS = 5 * 60_000

export async function listRecommendations(
  context: WorkspaceContext,
  query: { profile_ids?: string[] | undefined; status: string },
) {
  const profiles = await listOpenProfiles(context, {
    scope: 'campaigns:read',
    profileIds: query.profile_ids,
  })
  const predictions = { scored: 0, held: 0 }
  const rows = []
  for (const profile of profiles) {
    const recommendations = await queries.listRecommendationRows(context.db, {
      profileId: profile.id,
      status: query.status,
    })
    const records = await queries.listTrackRecords(context.db, { profileId: profile.id })
    rows.push(...recommendations.map((row) => toRecommendation(row, profile, records)))
    predictions.scored += records.reduce((sum, { scored }) => sum + scored, 0)
    predictions.held += records.reduce((sum, { held }) => sum + held, 0)
  }
  return { rows, predictions }
}

export function toRecommendation(
  row: queries.RecommendationRow,
  { currency }: Pick<OpenProfile, 'currency'>,
  records: readonly queries.TrackRecord[],
) {
  const record = records.find(({ kind }) => kind === row.kind)
  const steps = row.action.steps.map((step) => toStep(step, currency))
  // Costs are stored in minor units.
  const money = (metric: string, value: number) =>
    metric === 'cost_per_outcome'
      ? toDecimalNumber(Math.round(value), currency)
      : Math.round(value * 100) / 100
  const { expected_effect: expected, prediction } = row
  return {
    id: row.id,
    profile_id: row.profile_id,
    currency,
    kind: row.kind as 'scale_winner',
    subject: {
      level: row.subject.level,
      id: row.subject.id,
      platform_id: row.subject.platformId,
      name: row.subject.name,
    },
    evidence: row.evidence,
    action: { steps },
    expected_effect: expected && {
      metric: expected.metric,
      low: money(expected.metric, expected.low),
      high: money(expected.metric, expected.high),
      basis: expected.basis,
    },
    confidence: Number(boundedProbability(row.confidence).toFixed(3)),
    track_record: {
      applied: { scored: record?.scored ?? 0, as_predicted: record?.held ?? 0 },
      not_applied: { scored: record?.not_applied ?? 0, turned_out_right: record?.right ?? 0 },
    },
    reverts_with: steps.toReversed().map((step) => ({ ...step, from: step.to, to: step.from })),
    created_at: row.created_at,
    expires_at: row.expires_at,
    applied_at: row.applied_at,
    status: row.status as 'open',
    prediction: prediction && {
      metric: prediction.metric,
      low: money(prediction.metric, prediction.low),
      high: money(prediction.metric, prediction.high),
      observed: prediction.observed === null ? null : money(prediction.metric, prediction.observed),
      held: prediction.held,
    },
  }
}

const toStep = (step: Step, currency: string) => ({
  write: step.write,
  platform_id: step.platformId,
  name: step.name,
  from: step.write === 'pause' ? null : toDecimalNumber(step.fromMinor, currency),
  to: step.write === 'pause' ? null : toDecimalNumber(step.toMinor, currency),
})

type Target = { row: queries.RecommendationRow; profile: OpenProfile; on: ProfileContext }

async function findForWrite(context: WorkspaceContext, id: string): Promise<Target> {
  const profiles = await listOpenProfiles(context, { scope: 'campaigns:read' })
  const profileIds = profiles.map((profile) => profile.id)
  const row = await queries.findRecommendation(context.db, { profileIds, id })
  const profile = profiles.find((candidate) => candidate.id === row?.profile_id)
  if (row === undefined || profile === undefined) throw new ApiError('not_found', 'No such recommendation.')
  if (!profile.scopes.includes('campaigns:apply'))
    throw new ApiError(
      'forbidden',
      'Applying, undoing and dismissing need campaigns:apply on the profile; ask a workspace admin for it.',
    )
  return { row, profile, on: onProfile(context, profile) }
}

function requireStatus(row: queries.RecommendationRow, status: 'open' | 'applied', now: Date): void {
  if (row.status !== status)
    throw new ApiError(
      'invalid_state',
      `The recommendation is ${row.status}; it must be ${status} for this action.`,
    )
  if (status === 'open' && row.expires_at <= now)
    throw new ApiError(
      'invalid_state',
      'The recommendation has expired; a new one is created if it still applies.',
    )
}

/** Runs the platform writes while holding a claim (lease), so that two people do not apply the same change twice. */
async function withClaim(
  context: WorkspaceContext,
  target: Target,
  change: { from: 'open' | 'applied'; to: 'applied' | 'undone' },
  work: () => Promise<void>,
) {
  const { row, profile } = target
  const { now } = context
  const { db } = context.service
  const at = { profileId: profile.id, id: row.id }
  requireStatus(row, change.from, now)
  const staleBefore = new Date(now.getTime() - STALE_CLAIM_MS)
  if (!(await queries.claim(db, { ...at, status: change.from, now, staleBefore })))
    throw new ApiError('invalid_state', 'Someone else is applying or undoing this recommendation right now.')
  try {
    await work()
  } catch (error) {
    await queries.settle(db, { ...at, status: change.from, now, isApplied: false })
    throw error
  }
  await queries.settle(db, { ...at, status: change.to, now, isApplied: change.to === 'applied' })
  return finish(context, target, change.to)
}

async function finish(context: WorkspaceContext, { row, profile }: Target, status: string) {
  const { db } = context.service
  await recordChange(db, context, {
    workspaceId: context.workspaceId,
    profileId: profile.id,
    action: `recommendation.${status}`,
    subject: row.id,
    detail: { kind: row.kind, subject: row.subject.platformId, steps: row.action.steps },
  })
  const after = await queries.findRecommendation(db, { profileIds: [profile.id], id: row.id })
  const records = await queries.listTrackRecords(db, { profileId: profile.id })
  return toRecommendation(after!, profile, records)
}

export async function applyRecommendation(context: WorkspaceContext, id: string) {
  const target = await findForWrite(context, id)
  const { steps } = target.row.action
  return withClaim(context, target, { from: 'open', to: 'applied' }, async () => {
    if (steps.length === 0)
      throw new ApiError(
        'invalid_state',
        'This recommendation cannot be applied automatically: create a new creative, then dismiss it.',
      )
    for (const step of steps) await checkLive(target, step, 'before')
    await writeAll(target, steps.map(forward), steps.map(backward))
  })
}

export async function undoRecommendation(context: WorkspaceContext, id: string) {
  const target = await findForWrite(context, id)
  const steps = target.row.action.steps.toReversed()
  return withClaim(context, target, { from: 'applied', to: 'undone' }, async () => {
    for (const step of steps) await checkLive(target, step, 'after')
    await writeAll(target, steps.map(backward), steps.map(forward))
  })
}

export async function dismissRecommendation(context: WorkspaceContext, id: string) {
  const target = await findForWrite(context, id)
  const { row, profile } = target
  requireStatus(row, 'open', context.now)
  const at = { profileId: profile.id, id: row.id }
  await queries.settle(context.db, { ...at, status: 'dismissed', now: context.now, isApplied: false })
  return finish(context, target, 'dismissed')
}

const RUNNING = ['ACTIVE', 'ENABLED']

/** Fails if the platform's current value is not the one expected, because somebody changed it in the meantime. */
async function checkLive({ on, profile }: Target, step: Step, phase: 'before' | 'after'): Promise<void> {
  const live = await getCampaignStatus(on, step.platformId)
  if (step.write === 'pause') {
    const isExpected = phase === 'before' ? RUNNING.includes(live.status) : live.status === 'PAUSED'
    if (!isExpected)
      throw new ApiError(
        'invalid_state',
        `${step.name} is ${live.status} at the platform now; nothing was changed.`,
      )
    return
  }
  const expected = toDecimalNumber(phase === 'before' ? step.fromMinor : step.toMinor, profile.currency)
  if (live.daily_budget !== expected)
    throw new ApiError(
      'invalid_state',
      `The daily budget of ${step.name} is ${live.daily_budget} at the platform now, not ${expected}; nothing was changed.`,
    )
}

type Write = (target: Target) => Promise<unknown>

const forward = (step: Step): Write => {
  if (step.write === 'pause') return ({ on }) => pauseCampaign(on, step.platformId)
  return (target) => writeBudget(target, step.platformId, step.toMinor)
}
const backward = (step: Step): Write => {
  if (step.write === 'pause') return ({ on }) => resumeCampaign(on, step.platformId)
  return (target) => writeBudget(target, step.platformId, step.fromMinor)
}
const writeBudget = ({ on, profile }: Target, platformId: string, minor: number) =>
  setCampaignBudget(on, platformId, { daily_budget: toDecimalNumber(minor, profile.currency) })

/** All or nothing: if a write fails, the previous ones are rolled back. */
async function writeAll(
  target: Target,
  writes: readonly Write[],
  rollbacks: readonly Write[],
): Promise<void> {
  for (const [index, write] of writes.entries()) {
    try {
      await write(target)
    } catch (error) {
      for (const rollback of rollbacks.slice(0, index).toReversed()) await rollback(target)
      throw error
    }
  }
}
