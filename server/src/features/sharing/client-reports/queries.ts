import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'
import type { DB } from '../../../platform/db/schema.ts'

export type ReportRow = Omit<Selectable<DB['client_reports']>, 'content'>
export type MailRow = Selectable<DB['client_report_mails']>

const columns = sql.raw(
  `profile_id, id, batch_id, scheduled_for, period, date_from::text, date_to::text, model, format, language, sends,
   needs_approval, status, reason, detail, headline, result_hash, created_by, approved_by, created_at, ready_at, sent_at`,
)

export async function insertReports(
  tx: Tx,
  rows: readonly Insertable<DB['client_reports']>[],
): Promise<string[]> {
  if (rows.length === 0) return []
  const inserted = await tx
    .insertInto('client_reports')
    .values([...rows])
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute()
  return inserted.map(({ id }) => id)
}

export async function insertMails(tx: Tx, rows: readonly Insertable<DB['client_report_mails']>[]) {
  if (rows.length > 0)
    await tx
      .insertInto('client_report_mails')
      .values([...rows])
      .execute()
}

export async function listReports(db: Db | Tx, params: { profileIds: readonly string[]; limit: number }) {
  const { rows } = await sql<ReportRow>`
    select ${columns} from client_reports where profile_id = any(${params.profileIds}::uuid[])
    order by created_at desc, id limit ${params.limit}`.execute(db)
  return rows
}

export async function findReport(db: Db | Tx, params: { profileIds: readonly string[]; id: string }) {
  const { rows } = await sql<ReportRow>`
    select ${columns} from client_reports
    where profile_id = any(${params.profileIds}::uuid[]) and id = ${params.id}`.execute(db)
  return rows[0]
}

export async function lockReport(tx: Tx, params: { profileId: string; id: string }) {
  const { rows } = await sql<ReportRow>`
    select ${columns} from client_reports where profile_id = ${params.profileId} and id = ${params.id}
    for update`.execute(tx)
  return rows[0]
}

export async function findContent(
  db: Db | Tx,
  params: { profileId: string; id: string },
): Promise<Buffer | undefined> {
  const row = await rowsWhere(db, 'client_reports', { profile_id: params.profileId, id: params.id }).find([
    'content',
  ])
  return row?.content ?? undefined
}

export async function updateReport(
  db: Db | Tx,
  params: { profileId: string; id: string; fields: Partial<Insertable<DB['client_reports']>> },
): Promise<void> {
  await rowsWhere(db, 'client_reports', { profile_id: params.profileId, id: params.id }).update(params.fields)
}

export type MailCounts = {
  report_id: string
  total: number
  sent: number
  unsubscribed: number
  failed: number
}

export async function countMails(
  db: Db | Tx,
  params: { profileIds: readonly string[]; reportIds: readonly string[] },
): Promise<MailCounts[]> {
  const { rows } = await sql<MailCounts>`
    select report_id, count(*)::int as total,
      count(*) filter (where status = 'sent')::int as sent,
      count(*) filter (where status = 'unsubscribed')::int as unsubscribed,
      count(*) filter (where status = 'failed')::int as failed
    from client_report_mails
    where profile_id = any(${params.profileIds}::uuid[]) and report_id = any(${params.reportIds}::uuid[])
    group by report_id`.execute(db)
  return rows
}

export async function listMails(db: Db | Tx, params: { profileId: string; reportId: string }) {
  return rowsWhere(db, 'client_report_mails', {
    profile_id: params.profileId,
    report_id: params.reportId,
  }).list({ orderBy: ['recipient'] })
}

/** Counts mails of reports created after `since`. */
export async function countMailsSince(db: Db | Tx, params: { profileIds: readonly string[]; since: Date }) {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from client_reports r
    join client_report_mails m on m.profile_id = r.profile_id and m.report_id = r.id
    where r.profile_id = any(${params.profileIds}::uuid[]) and r.created_at > ${params.since}`.execute(db)
  return rows[0]!.count
}

export async function countQueuedReports(tx: Tx, params: { profileIds: readonly string[] }): Promise<number> {
  return rowsWhere(tx, 'client_reports', { profile_id: params.profileIds, status: 'queued' }).count()
}

/** Counts mailed briefs, including those whose receiver was deleted. */
export async function countBriefMailsSince(
  db: Db | Tx,
  params: { profileIds: readonly string[]; since: Date },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from brief_deliveries d
    left join brief_receivers r on r.profile_id = d.profile_id and r.id = d.receiver_id
    where d.profile_id = any(${params.profileIds}::uuid[]) and d.sent_at > ${params.since}
      and coalesce(r.kind, 'mail') = 'mail'`.execute(db)
  return rows[0]!.count
}

export async function deleteReportsBefore(tx: Tx, params: { profileId: string; before: Date }) {
  const { profileId, before } = params
  await sql`
    delete from client_report_mails m using client_reports r
    where m.profile_id = ${profileId} and r.profile_id = ${profileId} and r.id = m.report_id
      and r.created_at < ${before}`.execute(tx)
  await sql`
    delete from client_reports where profile_id = ${profileId} and created_at < ${before}`.execute(tx)
}

export async function findMail(db: Db | Tx, params: { profileId: string; id: string }) {
  return rowsWhere(db, 'client_report_mails', { profile_id: params.profileId, id: params.id }).find()
}

export async function updateMail(
  db: Db | Tx,
  params: { profileId: string; id: string; fields: Pick<MailRow, 'status'> & Partial<MailRow> },
): Promise<void> {
  await rowsWhere(db, 'client_report_mails', {
    profile_id: params.profileId,
    id: params.id,
    status: 'queued',
  }).update(params.fields)
}

export async function isUnsubscribed(db: Db | Tx, params: { profileId: string; recipient: string }) {
  return rowsWhere(db, 'report_unsubscribes', {
    profile_id: params.profileId,
    recipient: params.recipient,
  }).exists()
}

export async function saveUnsubscribe(
  db: Db | Tx,
  params: { profileId: string; recipient: string; now: Date },
): Promise<void> {
  await db
    .insertInto('report_unsubscribes')
    .values({ profile_id: params.profileId, recipient: params.recipient, unsubscribed_at: params.now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function findBrand(db: Db | Tx, params: { workspaceId: string }) {
  const { rows } = await sql<{
    name: string
    display_name: string | null
    primary_color: string | null
    support_email: string | null
    website_url: string | null
    logo_etag: string | null
  }>`
    select w.name, b.display_name, b.primary_color, b.support_email, b.website_url, b.logo_etag
    from workspaces w left join workspace_branding b on b.workspace_id = w.id
    where w.id = ${params.workspaceId}`.execute(db)
  return rows[0]!
}

/** Null if another logo was uploaded since. */
export async function findLogo(
  db: Db | Tx,
  params: { workspaceId: string; etag: string },
): Promise<Buffer | null> {
  const row = await rowsWhere(db, 'workspace_branding', {
    workspace_id: params.workspaceId,
    logo_etag: params.etag,
  }).find(['logo'])
  return row?.logo ?? null
}
