import { type Selectable, sql } from 'kysely'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { DB } from '../../../../platform/db/schema.ts'
import type { CatalogEntry, PrivacyMode } from '../../../facts/export-queue/rules.ts'

export type SettingsRow = Omit<Selectable<DB['export_settings']>, 'conversions' | 'target'> & {
  conversions: CatalogEntry[] | null
  target: 'existing' | 'clean_dataset'
}

export async function findSettings(
  db: Db | Tx,
  params: { profileId: string },
): Promise<SettingsRow | undefined> {
  const row = await db
    .selectFrom('export_settings')
    .selectAll()
    .where('profile_id', '=', params.profileId)
    .executeTakeFirst()
  return row as SettingsRow | undefined
}

/** Settings of a profile that never saved any. */
export function defaultSettings(profileId: string, now: Date): SettingsRow {
  return {
    profile_id: profileId,
    conversions: null,
    healthcare_allowlist: [],
    agreement_signed_by: null,
    agreement_signed_at: null,
    partner_customer_list: false,
    target: 'existing',
    clean_dataset_id: null,
    updated_at: now,
  }
}

export async function saveSettings(tx: Tx, row: SettingsRow): Promise<void> {
  const { profile_id: profileId, conversions, ...otherFields } = row
  const fields = { ...otherFields, conversions: conversions === null ? null : JSON.stringify(conversions) }
  await tx
    .insertInto('export_settings')
    .values({ profile_id: profileId, ...fields })
    .onConflict((conflict) => conflict.column('profile_id').doUpdateSet(fields))
    .execute()
}

/** Locks the profile's row, so that changes of the mode are serialised. */
export async function lockPrivacyMode(tx: Tx, params: { profileId: string }): Promise<PrivacyMode> {
  const { rows } = await sql<{ privacy_mode: PrivacyMode }>`
    select privacy_mode from profiles where id = ${params.profileId} for update`.execute(tx)
  return rows[0]!.privacy_mode
}

export async function readPrivacyMode(db: Db | Tx, params: { profileId: string }): Promise<PrivacyMode> {
  const { rows } = await sql<{ privacy_mode: PrivacyMode }>`
    select privacy_mode from profiles where id = ${params.profileId}`.execute(db)
  return rows[0]!.privacy_mode
}

export async function savePrivacyMode(
  tx: Tx,
  params: { profileId: string; privacyMode: PrivacyMode },
): Promise<void> {
  await tx
    .updateTable('profiles')
    .set({ privacy_mode: params.privacyMode })
    .where('id', '=', params.profileId)
    .execute()
}
