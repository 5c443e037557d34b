import { sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'
import type { ChannelOverride } from './contract.ts'

export async function listOverrides(
  db: Db | Tx,
  params: { profileId: string },
): Promise<{ overrides: ChannelOverride[]; updatedAt: Date | null }> {
  const rows = await rowsWhere(db, 'channel_overrides', { profile_id: params.profileId }).list({
    columns: ['kind', 'value', 'channel', 'updated_at'],
    orderBy: ['position'],
  })
  return {
    overrides: rows.map(({ kind, value, channel }) => ({ kind, value, channel }) as ChannelOverride),
    updatedAt: rows[0]?.updated_at ?? null,
  }
}

export async function replaceOverrides(
  tx: Tx,
  params: { profileId: string; overrides: readonly ChannelOverride[]; now: Date },
): Promise<void> {
  const { profileId, overrides, now } = params
  await sql`delete from channel_overrides where profile_id = ${profileId}`.execute(tx)
  if (overrides.length === 0) return
  await tx
    .insertInto('channel_overrides')
    .values(
      overrides.map((override, position) => ({
        profile_id: profileId,
        position,
        ...override,
        updated_at: now,
      })),
    )
    .execute()
}
