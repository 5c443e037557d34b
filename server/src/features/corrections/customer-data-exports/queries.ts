import { type RawBuilder, sql } from 'kysely'
import { uuidList } from '../../../platform/db/bulk/columns.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { insertRow, rowsWhere } from '../../../platform/db/rows.ts'
import type { exportStatuses } from './contract.ts'
import type { Law, ListPlace } from './rules.ts'

export type ExportRow = {
  profile_id: string
  id: string
  customer_id: string | null
  status: (typeof exportStatuses)[number]
  law: Law
  requested_on: string
  due_on: string
  identity_method: 'account' | 'reply_from_address' | 'in_person' | 'other' | 'mail_code' | null
  identity_note: string | null
  code_hash: Buffer | null
  code_expires_at: Date | null
  code_tries: number
  codes_sent: number
  created_at: Date
  ready_at: Date | null
  expires_at: Date
  sections: { name: string; records: number }[]
  sha256: string | null
  bytes: number | null
  downloads: number
}

const columns = sql`profile_id, id, customer_id, status, law, requested_on, due_on, identity_method, identity_note, code_hash,
  code_expires_at, code_tries, codes_sent, created_at, ready_at, expires_at, sections, sha256, bytes, downloads`

export type NewExport = Pick<ExportRow, 'law' | 'status' | 'identity_method' | 'identity_note'> & {
  profileId: string
  id: string
  customerId: string
  selectorHash: Buffer
  requestedOn: string
  dueOn: string
  createdBy: { actor_kind: string; actor_id: string | null }
  expiresAt: Date
  now: Date
}

export async function insertExport(tx: Tx, row: NewExport): Promise<void> {
  await insertRow(tx, 'customer_data_exports', {
    profile_id: row.profileId,
    id: row.id,
    customer_id: row.customerId,
    selector_hash: row.selectorHash,
    status: row.status,
    law: row.law,
    requested_on: row.requestedOn,
    due_on: row.dueOn,
    identity_method: row.identity_method,
    identity_note: row.identity_note,
    created_by_kind: row.createdBy.actor_kind,
    created_by_id: row.createdBy.actor_id,
    created_at: row.now,
    confirmed_at: row.status === 'pending' ? row.now : null,
    expires_at: row.expiresAt,
  })
}

export async function findExport(
  db: Db | Tx,
  params: { profileIds: readonly string[]; id: string },
): Promise<ExportRow | undefined> {
  const { rows } = await sql<ExportRow>`
    select ${columns} from customer_data_exports
    where profile_id = any(${uuidList(params.profileIds)}::uuid[]) and id = ${params.id}`.execute(db)
  return rows[0]
}

export async function lockExport(tx: Tx, params: { profileId: string; id: string }) {
  const { rows } = await sql<ExportRow>`
    select ${columns} from customer_data_exports
    where profile_id = ${params.profileId} and id = ${params.id} for update`.execute(tx)
  return rows[0]
}

/** An export of the same request that is open or whose file is available. */
export async function findRepeated(
  tx: Tx,
  params: { profileId: string; customerId: string; selectorHash: Buffer; since: Date },
) {
  const { rows } = await sql<ExportRow>`
    select ${columns} from customer_data_exports
    where profile_id = ${params.profileId} and selector_hash = ${params.selectorHash}
      and created_at > ${params.since} and customer_id = ${params.customerId}
      and status in ('awaiting_identity', 'pending', 'ready')
    order by created_at desc limit 1`.execute(tx)
  return rows[0]
}

/** Requests of the profile without a file, and all of the workspace's profiles since a time. */
export async function countRequests(
  tx: Tx,
  params: { profileId: string; profileIds: readonly string[]; since: Date },
): Promise<{ open: number; recent: number }> {
  const { rows } = await sql<{ open: number; recent: number }>`
    select
      (select count(*)::int from customer_data_exports
        where profile_id = ${params.profileId} and status in ('awaiting_identity', 'pending')) as open,
      (select count(*)::int from customer_data_exports
        where profile_id = any(${uuidList(params.profileIds)}::uuid[]) and created_at > ${params.since}) as recent`.execute(
    tx,
  )
  return rows[0]!
}

/** Open requests by due day, then the others, newest first. Ids sort by time. */
export async function listExports(
  db: Db | Tx,
  params: {
    profileIds: readonly string[]
    status: string | null
    overdueOn: string | null
    after: ListPlace | null
    limit: number
  },
): Promise<(ExportRow & { rank: number })[]> {
  const { after } = params
  const rank = sql`case when status in ('awaiting_identity', 'pending') or (status = 'ready' and downloads = 0) then 0 else 1 end`
  const beyond: RawBuilder<unknown> =
    after === null
      ? sql`true`
      : sql`(rank > ${after.rank} or (rank = ${after.rank} and case when rank = 0
          then (due_on, id) > (${after.due}::date, ${after.id}::uuid) else id < ${after.id}::uuid end))`
  const { rows } = await sql<ExportRow & { rank: number }>`
    select ranked.* from (
      select ${columns}, ${rank} as rank from customer_data_exports
      where profile_id = any(${uuidList(params.profileIds)}::uuid[])
        and (${params.status}::text is null or status = ${params.status}::text)) as ranked
    where ${beyond} and (${params.overdueOn}::date is null or (rank = 0 and due_on < ${params.overdueOn}::date))
    order by rank, case when rank = 0 then due_on end, case when rank = 0 then id end, id desc
    limit ${params.limit}`.execute(db)
  return rows
}

export async function confirmIdentity(
  tx: Tx,
  row: { profileId: string; id: string; method: string; note: string | null; expiresAt: Date; now: Date },
): Promise<void> {
  await rowsWhere(tx, 'customer_data_exports', { profile_id: row.profileId, id: row.id }).update({
    status: 'pending',
    identity_method: row.method,
    identity_note: row.note,
    code_hash: null,
    code_expires_at: null,
    confirmed_at: row.now,
    expires_at: row.expiresAt,
  })
}

export async function countTry(tx: Tx, { profileId, id }: { profileId: string; id: string }): Promise<void> {
  await sql`
    update customer_data_exports set code_tries = code_tries + 1
    where profile_id = ${profileId} and id = ${id}`.execute(tx)
}

export async function countCode(tx: Tx, { profileId, id }: { profileId: string; id: string }): Promise<void> {
  await sql`
    update customer_data_exports set codes_sent = codes_sent + 1, identity_method = 'mail_code', code_hash = null
    where profile_id = ${profileId} and id = ${id}`.execute(tx)
}

export async function saveCode(
  db: Db | Tx,
  row: { profileId: string; id: string; hash: Buffer; expiresAt: Date },
): Promise<void> {
  await sql`
    update customer_data_exports set code_hash = ${row.hash}, code_expires_at = ${row.expiresAt}, code_tries = 0
    where profile_id = ${row.profileId} and id = ${row.id} and status = 'awaiting_identity'`.execute(db)
}

/** False if the export has ended meanwhile. */
export async function saveReady(
  tx: Tx,
  row: {
    profileId: string
    id: string
    sections: readonly { name: string; records: number }[]
    sha256: string
    bytes: number
    expiresAt: Date
    now: Date
  },
): Promise<boolean> {
  const { rows } = await sql`
    update customer_data_exports set status = 'ready', ready_at = ${row.now}, expires_at = ${row.expiresAt},
      sections = ${JSON.stringify(row.sections)}::jsonb, sha256 = ${row.sha256}, bytes = ${row.bytes}
    where profile_id = ${row.profileId} and id = ${row.id} and status = 'pending' returning id`.execute(tx)
  return rows.length > 0
}

export async function insertPart(
  tx: Tx,
  row: { profileId: string; id: string; exportId: string; part: number; sealed: Buffer },
): Promise<void> {
  await insertRow(tx, 'customer_data_export_parts', {
    profile_id: row.profileId,
    id: row.id,
    export_id: row.exportId,
    part: row.part,
    sealed: row.sealed,
  })
}

export async function findPart(db: Db | Tx, params: { profileId: string; exportId: string; part: number }) {
  const { profileId: profile_id, exportId: export_id, part } = params
  return rowsWhere(db, 'customer_data_export_parts', { profile_id, export_id, part }).find(['id', 'sealed'])
}

/** Ends an export whose status is one of these; the caller deletes the parts. */
export async function endExport(
  tx: Tx,
  params: { profileId: string; id: string; from: readonly ExportRow['status'][]; to: ExportRow['status'] },
): Promise<boolean> {
  const { rows } = await sql`
    update customer_data_exports set status = ${params.to}, customer_id = null, code_hash = null, identity_note = null
    where profile_id = ${params.profileId} and id = ${params.id} and status = any(${[...params.from]}::text[])
    returning id`.execute(tx)
  return rows.length > 0
}

/** Of all profiles: files to delete, and requests whose person was not identified in time. */
export async function listEnded(db: Db, params: { now: Date; limit: number }) {
  const { rows } = await sql<{ profile_id: string; id: string; status: 'awaiting_identity' | 'ready' }>`
    select profile_id, id, status from customer_data_exports
    where expires_at <= ${params.now} and status in ('awaiting_identity', 'ready')
    order by expires_at limit ${params.limit}`.execute(db)
  return rows
}

export async function countDownload(db: Db | Tx, params: { profileId: string; id: string }): Promise<void> {
  await sql`
    update customer_data_exports set downloads = downloads + 1
    where profile_id = ${params.profileId} and id = ${params.id}`.execute(db)
}

export async function countProposals(
  db: Db | Tx,
  params: { profileId: string; identifierIds: readonly string[] },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from merge_proposals
    where profile_id = ${params.profileId} and status = 'open'
      and (first_id = any(${uuidList(params.identifierIds)}::uuid[])
        or second_id = any(${uuidList(params.identifierIds)}::uuid[]))`.execute(db)
  return rows[0]!.count
}
