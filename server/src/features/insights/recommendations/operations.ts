/** Recommendations are applied and undone through the same writes as a person's own, which are audited. */
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
    const found = await queries.listRecommendationRows(context.db, {
      profileId: profile.id,
      status: query.status,
    })
    const records = await queries.listTrackRecords(context.db, { profileId: profile.id })
    rows.push(...found.map((row) => toRecommendation(row, profile, records)))
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
  // Costs are kept in minor units, counts as they are.
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
      not_applied: { scored: record?.left_alone ?? 0, turned_out_right: record?.right ?? 0 },
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

type Found = { row: queries.RecommendationRow; profile: OpenProfile; on: ProfileContext }

async function findOpen(context: WorkspaceContext, id: string): Promise<Found> {
  const profiles = await listOpenProfiles(context, { scope: 'campaigns:read' })
  const profileIds = profiles.map((profile) => profile.id)
  const row = await queries.findRecommendation(context.db, { profileIds, id })
  const profile = profiles.find((candidate) => candidate.id === row?.profile_id)
  if (row === undefined || profile === undefined) throw new ApiError('not_found', 'No such recommendation.')
  if (!profile.scopes.includes('campaigns:apply'))
    throw new ApiError(
      'forbidden',
      'This needs campaigns:apply on the profile; ask an admin of the workspace.',
    )
  return { row, profile, on: onProfile(context, profile) }
}

function refuseUnless(row: queries.RecommendationRow, status: 'open' | 'applied', now: Date): void {
  if (row.status !== status)
    throw new ApiError(
      'invalid_state',
      `The recommendation is ${row.status}; only one that is ${status} can be taken.`,
    )
  if (status === 'open' && row.expires_at <= now)
    throw new ApiError(
      'invalid_state',
      'The recommendation has expired; a new one is created if it still applies.',
    )
}

/** Runs the writes between a claim and its release, so that two people do not do the same twice. */
async function claimed(
  context: WorkspaceContext,
  found: Found,
  change: { from: 'open' | 'applied'; to: 'applied' | 'undone' },
  work: () => Promise<void>,
) {
  const { row, profile } = found
  const { now } = context
  const { db } = context.service
  const at = { profileId: profile.id, id: row.id }
  refuseUnless(row, change.from, now)
  const staleBefore = new Date(now.getTime() - STALE_CLAIM_MS)
  if (!(await queries.claim(db, { ...at, status: change.from, now, staleBefore })))
    throw new ApiError('invalid_state', 'Somebody else is taking this recommendation at this moment.')
  try {
    await work()
  } catch (error) {
    await queries.settle(db, { ...at, status: change.from, now, isApplied: false })
    throw error
  }
  await queries.settle(db, { ...at, status: change.to, now, isApplied: change.to === 'applied' })
  return finish(context, found, change.to)
}

async function finish(context: WorkspaceContext, { row, profile }: Found, verb: string) {
  const { db } = context.service
  await recordChange(db, context, {
    workspaceId: context.workspaceId,
    profileId: profile.id,
    action: `recommendation.${verb}`,
    subject: row.id,
    detail: { kind: row.kind, subject: row.subject.platformId, steps: row.action.steps },
  })
  const after = await queries.findRecommendation(db, { profileIds: [profile.id], id: row.id })
  const records = await queries.listTrackRecords(db, { profileId: profile.id })
  return toRecommendation(after!, profile, records)
}

export async function applyRecommendation(context: WorkspaceContext, id: string) {
  const found = await findOpen(context, id)
  const { steps } = found.row.action
  return claimed(context, found, { from: 'open', to: 'applied' }, async () => {
    if (steps.length === 0)
      throw new ApiError(
        'invalid_state',
        'This one is work for people: make a new creative, then dismiss it.',
      )
    for (const step of steps) await checkLive(found, step, 'before')
    await writeAll(found, steps.map(forward), steps.map(backward))
  })
}

export async function undoRecommendation(context: WorkspaceContext, id: string) {
  const found = await findOpen(context, id)
  const steps = found.row.action.steps.toReversed()
  return claimed(context, found, { from: 'applied', to: 'undone' }, async () => {
    for (const step of steps) await checkLive(found, step, 'after')
    await writeAll(found, steps.map(backward), steps.map(forward))
  })
}

export async function dismissRecommendation(context: WorkspaceContext, id: string) {
  const found = await findOpen(context, id)
  const { row, profile } = found
  refuseUnless(row, 'open', context.now)
  const at = { profileId: profile.id, id: row.id }
  await queries.settle(context.db, { ...at, status: 'dismissed', now: context.now, isApplied: false })
  return finish(context, found, 'dismissed')
}

const RUNNING = ['ACTIVE', 'ENABLED']

/** Reads the platform's current value first: a recommendation for another value, or one that is no longer ours, is left alone. */
async function checkLive({ on, profile }: Found, step: Step, when: 'before' | 'after'): Promise<void> {
  const live = await getCampaignStatus(on, step.platformId)
  if (step.write === 'pause') {
    const isOurs = when === 'before' ? RUNNING.includes(live.status) : live.status === 'PAUSED'
    if (!isOurs)
      throw new ApiError(
        'invalid_state',
        `${step.name} is ${live.status} at the platform now; nothing was changed.`,
      )
    return
  }
  const expected = toDecimalNumber(when === 'before' ? step.fromMinor : step.toMinor, profile.currency)
  if (live.daily_budget !== expected)
    throw new ApiError(
      'invalid_state',
      `The daily budget of ${step.name} is ${live.daily_budget} at the platform now, not ${expected}; nothing was changed.`,
    )
}

type Write = (found: Found) => Promise<unknown>

const forward = (step: Step): Write => {
  if (step.write === 'pause') return ({ on }) => pauseCampaign(on, step.platformId)
  return (found) => writeBudget(found, step.platformId, step.toMinor)
}
const backward = (step: Step): Write => {
  if (step.write === 'pause') return ({ on }) => resumeCampaign(on, step.platformId)
  return (found) => writeBudget(found, step.platformId, step.fromMinor)
}
const writeBudget = ({ on, profile }: Found, platformId: string, minor: number) =>
  setCampaignBudget(on, platformId, { daily_budget: toDecimalNumber(minor, profile.currency) })

/** All or none: when one is refused, those before it are put back. */
async function writeAll(found: Found, writes: readonly Write[], opposites: readonly Write[]): Promise<void> {
  for (const [index, write] of writes.entries()) {
    try {
      await write(found)
    } catch (error) {
      for (const opposite of opposites.slice(0, index).toReversed()) await opposite(found)
      throw error
    }
  }
}
