/** Generates, lists, downloads and approves reports. A report and its job are inserted in one transaction. */
import type { Model } from '@whence/engine'
import type { WorkspaceContext } from '../../../context.ts'
import { listOpenProfiles, type OpenProfile } from '../../../platform/access/open-profiles.ts'
import { listProfileIds } from '../../../platform/access/queries.ts'
import { requireBelowLimit } from '../../../platform/access/tenant-limits.ts'
import { recordChange } from '../../../platform/audit/record.ts'
import { DAY_MS, parseDateRange } from '../../../platform/contract/dates.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { toReply } from '../../../platform/contract/to-reply.ts'
import { inTransaction, type Tx } from '../../../platform/db/database.ts'
import { requireMailToPeople } from '../../account/workspaces/plan.ts'
import { ClientReport, type Format } from './contract.ts'
import { type Days, type Period, periodDays } from './period-rules.ts'
import * as queries from './queries.ts'
import { enqueueBuilds, enqueueMails, toMails } from './queue.ts'
import { contentTypes, fileNameOf } from './rules.ts'
import { listSchedules } from './schedule-queries.ts'
import { toSchedule } from './schedules.ts'
import type { Language } from './words.ts'

const MAX_SHOWN = 200
const scope = 'campaigns:read'

export async function generateReports(
  context: WorkspaceContext,
  body: {
    profile_ids?: string[] | undefined
    period?: Exclude<Period, 'custom'> | undefined
    date_from?: string | undefined
    date_to?: string | undefined
    model: Model
    format: Format
    language: Language
    send: boolean
    recipients: string[]
  },
) {
  const { workspaceId, now, caller } = context
  const customDays = body.period === undefined ? readDays(body) : undefined
  const profiles = await listOpenProfiles(context, { scope, profileIds: body.profile_ids })
  const batchId = uuidv7(now)
  const rows = profiles.map((profile) => {
    const days = customDays ?? periodDays(body.period!, now, profile.timezone)
    return {
      profile_id: profile.id,
      id: uuidv7(now),
      batch_id: batchId,
      period: body.period ?? 'custom',
      date_from: days.from,
      date_to: days.to,
      model: body.model,
      format: body.format,
      language: body.language,
      sends: body.send,
      needs_approval: false,
      status: 'queued',
      created_by: caller.userId,
      created_at: now,
    }
  })
  await inTransaction(context.db, async (tx) => {
    if (body.send) await requireMailing(tx, context, profiles.length * body.recipients.length)
    await requireBelowLimit(tx, 'queued_reports', workspaceId, async () => {
      const profileIds = await listProfileIds(tx, { workspaceId })
      return (await queries.countQueuedReports(tx, { profileIds })) + rows.length - 1
    })
    await queries.insertReports(tx, rows)
    for (const { profile_id, id } of rows)
      await queries.insertMails(tx, toMails(profile_id, id, body.send ? body.recipients : []))
    await enqueueBuilds(tx, rows)
    await recordChange(tx, context, {
      workspaceId,
      action: 'reports.generated',
      subject: batchId,
      detail: {
        reports: rows.length,
        format: body.format,
        recipients: body.send ? body.recipients.length : 0,
      },
    })
  })
  return {
    batch_id: batchId,
    reports: rows.map((row) => ({
      profile_id: row.profile_id,
      report_id: row.id,
      status: 'queued' as const,
    })),
  }
}

/** Recipients can be arbitrary addresses, so each workspace has a daily limit of mails, including briefs. */
export async function requireMailing(
  tx: Tx,
  { workspaceId, now }: Pick<WorkspaceContext, 'workspaceId' | 'now'>,
  mails: number,
): Promise<void> {
  await requireMailToPeople(tx, workspaceId)
  const profileIds = await listProfileIds(tx, { workspaceId })
  const since = new Date(now.getTime() - DAY_MS)
  await requireBelowLimit(tx, 'report_mails', workspaceId, async () => {
    const reports = await queries.countMailsSince(tx, { profileIds, since })
    const briefs = await queries.countBriefMailsSince(tx, { profileIds, since })
    return reports + briefs + mails - 1
  })
}

function readDays(body: { date_from?: string | undefined; date_to?: string | undefined }): Days {
  const parsed = parseDateRange(body.date_from, body.date_to)
  if (!parsed.ok) throw new ApiError('invalid_date_range', `${parsed.problem}.`, { field: parsed.field })
  return parsed.range
}

export async function getReportsHub(context: WorkspaceContext) {
  const { db } = context
  const profiles = await listOpenProfiles(context, { scope })
  const profileIds = profiles.map(({ id }) => id)
  const rows = await queries.listReports(db, { profileIds, limit: MAX_SHOWN })
  const schedules = await listSchedules(db, { profileIds })
  const reports = await toReports(context, rows, profiles)
  const batches = [...Map.groupBy(reports, (report) => report.batch_id)].map(([id, batch]) => {
    const count = (predicate: (report: (typeof batch)[number]) => boolean) => batch.filter(predicate).length
    return {
      id,
      created_at: batch[0]!.created_at,
      total: batch.length,
      done: count(({ status }) => status === 'ready' || status === 'sent' || status === 'awaiting_approval'),
      failed: count(({ status }) => status === 'failed'),
      skipped: count(({ status }) => status === 'skipped'),
    }
  })
  const nameOf = (profileId: string) => profiles.find(({ id }) => id === profileId)!.name
  return {
    reports,
    schedules: schedules
      .map((row) => toSchedule(row, nameOf(row.profile_id)))
      .sort((a, b) => (a.profile_name + a.profile_id < b.profile_name + b.profile_id ? -1 : 1)),
    batches,
  }
}

type NamedProfile = Pick<OpenProfile, 'id' | 'name'>

async function toReports(
  { service, db, workspaceId }: WorkspaceContext,
  rows: readonly queries.ReportRow[],
  profiles: readonly NamedProfile[],
) {
  const counts = await queries.countMails(db, {
    profileIds: profiles.map(({ id }) => id),
    reportIds: rows.map(({ id }) => id),
  })
  const base = `${service.config.BASE_URL}/api/v1/workspaces/${workspaceId}/reports`
  return rows.map((row) => {
    const {
      total = 0,
      sent = 0,
      unsubscribed = 0,
      failed = 0,
    } = counts.find((count) => count.report_id === row.id) ?? {}
    return toReply(ClientReport, row, {
      profile_name: profiles.find(({ id }) => id === row.profile_id)!.name,
      is_scheduled: row.scheduled_for !== null,
      recipients: { total, sent, unsubscribed, failed },
      download_url: row.ready_at === null ? null : `${base}/${row.id}/download`,
    })
  })
}

async function getReport(context: WorkspaceContext, id: string) {
  const profiles = await listOpenProfiles(context, { scope })
  const row = await queries.findReport(context.db, { profileIds: profiles.map((profile) => profile.id), id })
  if (row === undefined) throw new ApiError('not_found', 'No such report.')
  return { row, profile: profiles.find((profile) => profile.id === row.profile_id)! }
}

export async function downloadReport(context: WorkspaceContext, id: string) {
  const { row, profile } = await getReport(context, id)
  const bytes = await queries.findContent(context.db, { profileId: row.profile_id, id })
  if (bytes === undefined)
    throw new ApiError('invalid_state', 'The report has no file: it is not built yet, or was skipped.', {
      reason: 'report_not_ready',
    })
  return { bytes, contentType: contentTypes[row.format as Format], name: fileNameOf(row, profile.name) }
}

export async function approveReport(context: WorkspaceContext, id: string) {
  const { row: requested, profile } = await getReport(context, id)
  await requireMailToPeople(context.db, context.workspaceId)
  const key = { profileId: requested.profile_id, id }
  await inTransaction(context.db, async (tx) => {
    const row = await queries.lockReport(tx, key)
    if (row?.status !== 'awaiting_approval')
      throw new ApiError('invalid_state', 'Only a report that waits for approval can be approved.', {
        reason: 'not_awaiting_approval',
      })
    await queries.updateReport(tx, {
      ...key,
      fields: { status: 'ready', approved_by: context.caller.userId },
    })
    await enqueueMails(tx, await queries.listMails(tx, { profileId: key.profileId, reportId: id }))
    await recordChange(tx, context, {
      workspaceId: context.workspaceId,
      profileId: key.profileId,
      action: 'report.approved',
      subject: id,
    })
  })
  const row = await queries.findReport(context.db, { profileIds: [key.profileId], id })
  return (await toReports(context, [row!], [profile]))[0]!
}
