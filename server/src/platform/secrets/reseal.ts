/**
 * After a rotation, re-encrypts values of older master keys with the current one, in batches. A value that changes
 * meanwhile is skipped, because it was encrypted with the current key.
 */
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Keyring } from './keyring.ts'
import { open, type SealedCell, seal, UnsealError } from './seal.ts'

type SealedColumn = {
  table: string
  /** Column that identifies the row within its profile. */
  key: string
  column: string
  /** The column that the value was sealed for, if it has moved since. */
  sealedFor?: string
  hasProfile: boolean
}

/** All columns with sealed values, except stored idempotent responses, which expire within a day. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'service_secrets', key: 'name', column: 'sealed', hasProfile: false },
  { table: 'user_factors', key: 'id', column: 'secret', hasProfile: false },
  { table: 'sender_domains', key: 'workspace_id', column: 'private_key', hasProfile: false },
  { table: 'handoffs', key: 'id', column: 'deposit', hasProfile: false },
  { table: 'brief_receivers', key: 'id', column: 'url', hasProfile: true },
  { table: 'connections', key: 'id', column: 'token', hasProfile: true },
  { table: 'pending_selections', key: 'id', column: 'token', hasProfile: true },
  { table: 'audience_removals', key: 'id', column: 'members', hasProfile: true },
  { table: 'customer_data_export_parts', key: 'id', column: 'sealed', hasProfile: true },
  { table: 'export_destinations', key: 'id', column: 'access_token', hasProfile: true },
  { table: 'data_export_destinations', key: 'id', column: 'secret', hasProfile: true },
  { table: 'manual_stores', key: 'id', column: 'signing_id', hasProfile: true },
  { table: 'webhook_subscriptions', key: 'id', column: 'secret', hasProfile: true },
  {
    table: 'webhook_subscriptions',
    key: 'id',
    column: 'previous_secret',
    sealedFor: 'secret',
    hasProfile: true,
  },
]

const BATCH = 200

export type Resealed = {
  resealed: number
  /** Sealed with a key that is no longer configured, or corrupted. */
  unreadable: number
}

/** Re-encrypts values of the service, of profiles, or both. */
export async function resealAll(
  db: Db,
  keyring: Keyring,
  { signal, of }: { signal?: AbortSignal; of?: 'service' | 'profiles' } = {},
): Promise<Resealed> {
  const total: Resealed = { resealed: 0, unreadable: 0 }
  for (const column of sealedColumns) {
    if (of !== undefined && (of === 'profiles') !== column.hasProfile) continue
    let after: Row | undefined
    do {
      const rows = await listOldSeals(db, column, keyring.current.id, after)
      for (const row of rows) {
        const isRead = await resealRow(db, keyring, column, row)
        total[isRead ? 'resealed' : 'unreadable'] += 1
      }
      after = rows.length < BATCH ? undefined : rows.at(-1)
    } while (after !== undefined && signal?.aborted !== true)
  }
  return total
}

type Row = { profile: string | null; key: string; sealed: Buffer }

/** A sealed value starts with version, length and id of its key. */
async function listOldSeals(
  db: Db,
  { table, key, column, hasProfile }: SealedColumn,
  currentId: string,
  after: Row | undefined,
): Promise<Row[]> {
  const profile = hasProfile ? sql`profile_id::text` : sql`null::text`
  const order = hasProfile ? sql`profile_id::text, ${sql.ref(key)}::text` : sql`${sql.ref(key)}::text`
  const next =
    after === undefined
      ? sql`true`
      : hasProfile
        ? sql`(${order}) > (${after.profile}, ${after.key})`
        : sql`${order} > ${after.key}`
  const { rows } = await sql<Row>`
    select ${profile} as profile, ${sql.ref(key)}::text as key, ${sql.ref(column)} as sealed
    from ${sql.table(table)}
    where ${sql.ref(column)} is not null and ${next}
      and substring(${sql.ref(column)} from 3 for get_byte(${sql.ref(column)}, 1)) <> ${Buffer.from(currentId)}
    order by ${order} limit ${BATCH}`.execute(db)
  return rows
}

async function resealRow(db: Db, keyring: Keyring, column: SealedColumn, row: Row): Promise<boolean> {
  const cell: SealedCell = {
    table: column.table,
    row: row.key,
    column: column.sealedFor ?? column.column,
    profileId: row.profile,
  }
  let content: Buffer
  try {
    content = open(keyring, cell, row.sealed)
  } catch (error) {
    if (error instanceof UnsealError) return false
    throw error
  }
  const ofProfile = row.profile === null ? sql`true` : sql`profile_id = ${row.profile}::uuid`
  const ofRow =
    row.profile === null
      ? sql`${sql.ref(column.key)}::text = ${row.key}`
      : sql`${sql.ref(column.key)} = ${row.key}::uuid`
  await sql`
    update ${sql.table(column.table)} set ${sql.ref(column.column)} = ${seal(keyring, cell, content)}
    where ${ofProfile} and ${ofRow} and ${sql.ref(column.column)} = ${row.sealed}`.execute(db)
  return true
}
