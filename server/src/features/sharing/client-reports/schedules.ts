/** Report schedules: bulk changes, and starting each due report once. */
import type { JobContext, Service, WorkspaceContext } from '../../../context.ts'
import { listOpenProfiles } from '../../../platform/access/open-profiles.ts'
import { findProfileRef } from '../../../platform/access/queries.ts'
import { recordChange } from '../../../platform/audit/record.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { toReply } from '../../../platform/contract/to-reply.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { forAllProfiles } from '../../../platform/jobs/all-profiles.ts'
import { requireMailToPeople, requirePaidPlan } from '../../account/workspaces/plan.ts'
import { ReportSchedule } from './contract.ts'
import { notifyOwners } from './owner-notices.ts'
import { periodDays } from './period-rules.ts'
import { insertMails, insertReports } from './queries.ts'
import { enqueueBuilds, toMails } from './queue.ts'
import * as queries from './schedule-queries.ts'
import { nextRunAt } from './schedule-rules.ts'

type Settings = Omit<queries.ScheduleRow, 'profile_id' | 'next_run_at' | 'updated_at'>
export type Patch = { [K in keyof Settings]?: Settings[K] | undefined }

const defaults: Settings = {
  enabled: true,
  cadence: 'weekly',
  weekday: 1,
  day: 1,
  time: '08:00',
  timezone: null,
  recipients: [],
  format: 'pdf',
  language: 'en',
  model: 'last_touch',
  approval: false,
}
const BATCH_SIZE = 200
const feature = 'A report schedule'

export function toSchedule(row: queries.ScheduleRow, profileName: string) {
  return toReply(ReportSchedule, row, {
    profile_name: profileName,
    next_run_at: row.enabled ? row.next_run_at : null,
  })
}

const nextRun = (row: Settings, timezone: string, after: Date) =>
  nextRunAt({ ...row, cadence: row.cadence as 'weekly' | 'monthly' }, row.timezone ?? timezone, after)

export async function patchSchedules(
  context: WorkspaceContext,
  { profile_ids, patch }: { profile_ids: string[] | 'all'; patch: Patch },
) {
  const { service, workspaceId, now } = context
  const profiles = await listOpenProfiles(context, {
    scope: 'campaigns:read',
    profileIds: profile_ids === 'all' ? undefined : profile_ids,
  })
  // Switching schedules off is always allowed.
  if (patch.enabled !== false) {
    await requireMailToPeople(context.db, workspaceId)
    await requirePaidPlan(service, context.db, { workspaceId, feature })
  }
  const changes = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
  return inTransaction(context.db, async (tx) => {
    const results = []
    for (const profile of profiles) {
      const before = await queries.lockSchedule(tx, { profileId: profile.id })
      const row = { ...defaults, ...before, ...changes, profile_id: profile.id, updated_at: now }
      if (row.enabled && row.recipients.length === 0) {
        const schedule = before === undefined ? null : toSchedule(before, profile.name)
        const reason = 'recipients_required' as const
        results.push({ profile_id: profile.id, status: 'refused' as const, reason, schedule })
        continue
      }
      const saved = { ...row, next_run_at: row.enabled ? nextRun(row, profile.timezone, now) : null }
      await queries.saveSchedule(tx, saved)
      const status = before === undefined ? ('created' as const) : ('updated' as const)
      const schedule = toSchedule(saved, profile.name)
      results.push({ profile_id: profile.id, status, reason: null, schedule })
    }
    await recordChange(tx, context, {
      workspaceId,
      action: 'report_schedules.changed',
      subject: workspaceId,
      detail: {
        fields: Object.keys(changes),
        profiles: results.filter(({ status }) => status !== 'refused').length,
      },
    })
    return results
  })
}

/** Starts due reports. Due times missed while the service was down produce one report. */
export function startDueReports({ service, log, now }: JobContext): Promise<void> {
  return forAllProfiles({ service, log }, async (shard) => {
    for (const profileId of await queries.listDueProfiles(shard, { now, limit: BATCH_SIZE }))
      await startDueReport(service, profileId, now)
  })
}

async function startDueReport(service: Service, profileId: string, now: Date): Promise<void> {
  const profile = await findProfileRef(service.db, { profileId })
  if (profile === undefined) return
  const refusal = await findMailRefusal(service, profile.workspaceId)
  await inTransaction(service.db, async (tx) => {
    const row = await queries.lockSchedule(tx, { profileId })
    // Another worker was faster, or a member changed the schedule.
    if (row === undefined || !row.enabled || row.next_run_at === null || row.next_run_at > now) return
    const dueAt = row.next_run_at
    const zone = row.timezone ?? profile.timezone
    const period = row.cadence === 'weekly' ? ('last_7_days' as const) : ('last_month' as const)
    // The period depends on the due time, however late the job runs.
    const days = periodDays(period, dueAt, zone)
    const report = {
      profile_id: profileId,
      id: uuidv7(now),
      batch_id: uuidv7(now),
      scheduled_for: dueAt,
      period,
      date_from: days.from,
      date_to: days.to,
      model: row.model,
      format: row.format,
      language: row.language,
      sends: true,
      needs_approval: row.approval,
      status: refusal === null ? 'queued' : 'skipped',
      ...(refusal !== null && { reason: 'not_allowed', detail: refusal }),
      created_at: now,
    }
    await queries.saveNextRun(tx, { profileId, nextRunAt: nextRun(row, profile.timezone, now) })
    const inserted = await insertReports(tx, [report])
    if (inserted.length === 0) return
    if (refusal !== null) {
      await notifyOwners(tx, profile, { event: 'skipped', why: refusal })
      return
    }
    await insertMails(tx, toMails(profileId, report.id, row.recipients))
    await enqueueBuilds(tx, [report])
  })
}

/** Why the workspace may not mail reports any more; null if it may. */
async function findMailRefusal(service: Service, workspaceId: string): Promise<string | null> {
  try {
    await requireMailToPeople(service.db, workspaceId)
    await requirePaidPlan(service, service.db, { workspaceId, feature })
    return null
  } catch (error) {
    if (error instanceof ApiError) return error.message
    throw error
  }
}
