/** Builds the file of a report. Safe to retry after a crash: nothing is written before the final transaction. */
import type { Model } from '@whence/engine'
import type { JobContext, ProfileRef, Service } from '../../../context.ts'
import { findProfileRef } from '../../../platform/access/queries.ts'
import { DAY_MS } from '../../../platform/contract/dates.ts'
import { inTransaction, type Tx } from '../../../platform/db/database.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import { loadBrand } from './brand.ts'
import { isEmpty, type ReportFacts, readFacts } from './facts.ts'
import { buildTiles, createFormatters } from './figures-rules.ts'
import { buildReportRef } from './job-names.ts'
import { notifyOwners } from './owner-notices.ts'
import * as queries from './queries.ts'
import { enqueueMails } from './queue.ts'
import { renderCsv } from './render-csv.ts'
import { type Brand, renderHtml } from './render-html.ts'
import { decideBuild, RETRY_HELD_MS } from './rules.ts'
import type { Language } from './words.ts'

const LAST_ATTEMPT = 5
const KEPT_MS = 400 * DAY_MS

type ReportKey = { profileId: string; id: string }

export async function buildReport(context: JobContext, key: ReportKey): Promise<void> {
  const { service, now } = context
  const profileIds = [key.profileId]
  const report = await queries.findReport(service.db, { profileIds, id: key.id })
  if (report?.status !== 'queued') return
  const profile = await findProfileRef(service.db, { profileId: key.profileId })
  if (profile === undefined) return
  try {
    await buildQueued(service, profile, report, now)
  } catch (error) {
    if (context.attempt < LAST_ATTEMPT) throw error
    service.log.error('client report not built', { profile_id: key.profileId, error })
    const detail = 'The report could not be built. The operator can find the error in the log.'
    await end(service, profile, report, { status: 'failed', reason: 'build_failed', detail })
  }
}

async function buildQueued(service: Service, profile: ProfileRef, report: queries.ReportRow, now: Date) {
  const days = { from: report.date_from, to: report.date_to }
  const facts = await readFacts(service, profile, { days, model: report.model as Model, now })
  const dueAt = report.scheduled_for ?? report.created_at
  switch (decideBuild({ sends: report.sends, due: dueAt }, facts, now)) {
    case 'hold':
      return hold(service, profile, report, describeMissingData(facts), now)
    case 'skip':
      return end(service, profile, report, {
        status: 'skipped',
        reason: 'data_stale',
        detail: describeMissingData(facts),
      })
    case 'build':
  }
  if (isEmpty(facts)) {
    const detail = 'There was no spend, payment or campaign on these days.'
    return end(service, profile, report, { status: 'skipped', reason: 'no_data', detail })
  }
  const brand = await loadBrand(service.db, profile.workspaceId)
  const content = await render(report.format, facts, brand, report.language as Language)
  const headline = buildHeadline(facts, brand, report.language as Language)
  await inTransaction(service.db, async (tx) => {
    const locked = await lockQueued(tx, report)
    if (locked === undefined) return
    await queries.deleteReportsBefore(tx, {
      profileId: report.profile_id,
      before: new Date(now.getTime() - KEPT_MS),
    })
    const needsApproval = report.sends && report.needs_approval
    await queries.updateReport(tx, {
      ...reportKey(report),
      fields: {
        status: needsApproval ? 'awaiting_approval' : 'ready',
        reason: null,
        detail: null,
        content,
        headline: JSON.stringify(headline),
        result_hash: facts.resultHash,
        ready_at: now,
      },
    })
    if (needsApproval)
      await notifyOwners(tx, profile, { event: 'awaitsApproval', why: `It covers ${headline.days}.` })
    else if (report.sends)
      await enqueueMails(
        tx,
        await queries.listMails(tx, { profileId: report.profile_id, reportId: report.id }),
      )
  })
}

const reportKey = (report: queries.ReportRow): ReportKey => ({ profileId: report.profile_id, id: report.id })

async function lockQueued(tx: Tx, report: queries.ReportRow) {
  const row = await queries.lockReport(tx, reportKey(report))
  return row?.status === 'queued' ? row : undefined
}

async function render(format: string, facts: ReportFacts, brand: Brand, language: Language): Promise<Buffer> {
  if (format === 'csv') return renderCsv(facts)
  if (format === 'html') return renderHtml(facts, brand, language)
  const { renderPdf } = await import('./render-pdf.ts')
  return renderPdf(facts, brand, language)
}

export type Headline = {
  brandName: string
  color: string
  profileName: string
  days: string
  figures: { label: string; value: string; change: string | null }[]
}

/** The summary shown in the mail above the attachment. */
function buildHeadline(facts: ReportFacts, brand: Brand, language: Language): Headline {
  return {
    brandName: brand.name,
    color: brand.primaryColor,
    profileName: facts.profile.name,
    days: createFormatters(language, facts.profile.currency).days(facts.now.days),
    figures: buildTiles(facts, language)
      .slice(0, 3)
      .map(({ label, value, change }) => ({ label, value, change })),
  }
}

function describeMissingData({ staleSources }: ReportFacts): string {
  return staleSources.length === 0
    ? 'Events of the period are still being processed.'
    : `No current data from: ${staleSources.join(', ')}. Reconnect the account or wait for its next sync.`
}

/** Holds the report and retries in half an hour. Owners are notified once. */
async function hold(
  service: Service,
  profile: ProfileRef,
  report: queries.ReportRow,
  why: string,
  now: Date,
) {
  await inTransaction(service.db, async (tx) => {
    const locked = await lockQueued(tx, report)
    if (locked === undefined) return
    if (locked.reason === null)
      await notifyOwners(tx, profile, {
        event: 'held',
        why: `${why} It is sent as soon as the data is complete.`,
      })
    await queries.updateReport(tx, { ...reportKey(report), fields: { reason: 'data_stale', detail: why } })
    const runAt = new Date(now.getTime() + RETRY_HELD_MS)
    const payload = { profile_id: report.profile_id, report_id: report.id }
    const options = { profileId: report.profile_id, runAt, dedupeKey: report.id }
    await enqueue(tx, buildReportRef, payload, options)
  })
}

async function end(
  service: Service,
  profile: ProfileRef,
  report: queries.ReportRow,
  fields: { status: 'skipped' | 'failed'; reason: string; detail: string },
): Promise<void> {
  await inTransaction(service.db, async (tx) => {
    if ((await lockQueued(tx, report)) === undefined) return
    await queries.updateReport(tx, { ...reportKey(report), fields })
    if (report.sends) await notifyOwners(tx, profile, { event: fields.status, why: fields.detail })
  })
}
