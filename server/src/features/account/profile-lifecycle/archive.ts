/** Archives profiles: revokes their keys and deletes their data, except records kept as evidence. */
import { sql } from 'kysely'
import type { RequestContext } from '../../../context.ts'
import { copyKeys } from '../../../platform/access/key-copies.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { childrenFirst, type ForeignKey, foreignKeysQuery } from '../../../platform/db/foreign-keys.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'
import { keptOnPurge, tableKinds } from '../../../platform/db/tables.ts'
import { onProfileArchived } from './steps.ts'

export type ProfileArchiveCounts = {
  memberships_removed: number
  api_keys_revoked: number
  webhook_subscriptions_paused: number
  retained_conversion_exports: number
  retained_signal_audit_rows: number
}

/** Updates reference tables first, then deletes from each tenant's distributed tables. */
export async function archiveProfiles(
  tx: Tx,
  profileIds: readonly string[],
  { now, service }: Pick<RequestContext, 'now' | 'service'>,
): Promise<ProfileArchiveCounts> {
  const counts: ProfileArchiveCounts = {
    memberships_removed: 0,
    api_keys_revoked: 0,
    webhook_subscriptions_paused: 0,
    retained_conversion_exports: 0,
    retained_signal_audit_rows: 0,
  }
  if (profileIds.length === 0) return counts
  await rowsWhere(tx, 'profiles', { id: profileIds }).update({ archived_at: now })
  const members = await tx
    .deleteFrom('profile_members')
    .where('profile_id', 'in', profileIds)
    .returning('id')
    .execute()
  counts.memberships_removed = members.length
  counts.api_keys_revoked = await revokeCredentials(tx, { profileIds, now: service.clock.machineNow() })
  const order = await purgeOrder(tx)
  for (const profileId of profileIds) {
    for (const step of onProfileArchived) {
      const { webhook_subscriptions_paused = 0 } = await step(tx, { profileId, now })
      counts.webhook_subscriptions_paused += webhook_subscriptions_paused
    }
    for (const table of order)
      await sql`delete from ${sql.table(table)} where profile_id = ${profileId}`.execute(tx)
    for (const [table, count] of Object.entries(keptOnPurge))
      if (count !== null) counts[count] += await countRows(tx, table, profileId)
  }
  return counts
}

/** Revokes all keys, tracking keys, grants and invitations of the profiles. Returns the number of revoked API keys. */
async function revokeCredentials(
  tx: Tx,
  params: { profileIds: readonly string[]; now: Date },
): Promise<number> {
  const { profileIds, now } = params
  await rowsWhere(tx, 'app_authorizations', { profile_id: profileIds, revoked_at: null }).update({
    revoked_at: now,
  })
  await rowsWhere(tx, 'invitations', { profile_id: profileIds, accepted_at: null, revoked_at: null }).update({
    revoked_at: now,
  })
  const revoked = await tx
    .updateTable('credentials')
    .set({ revoked_at: now })
    .where('profile_id', 'in', profileIds)
    .where((eb) => eb.or([eb('revoked_at', 'is', null), eb('revoked_at', '>', now)]))
    .returning(['id', 'kind'])
    .execute()
  await copyKeys(
    tx,
    revoked.map(({ id }) => id),
  )
  return revoked.filter((row) => row.kind === 'api_key').length
}

async function countRows(tx: Tx, table: string, profileId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)} where profile_id = ${profileId}`.execute(tx)
  return rows[0]!.count
}

/** Distributed tables to purge, each before the tables that its foreign keys reference. */
async function purgeOrder(tx: Tx): Promise<string[]> {
  const purged = Object.keys(tableKinds).filter(
    (table) => tableKinds[table] === 'distributed' && !(table in keptOnPurge),
  )
  const { rows } = await sql<ForeignKey>`${sql.raw(foreignKeysQuery)}`.execute(tx)
  return childrenFirst(purged, rows)
}
