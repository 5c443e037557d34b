/** Updates our copy of an entity after we changed it at its platform, so that reports need not wait for the next sync. */
import { type Db, databaseNow, inTransaction } from '../../../platform/db/database.ts'
import { incrementReportVersion } from '../../../platform/db/profile-lock.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'
import { withEntityVersions } from './save-versions.ts'

export type AppliedSettings = {
  status?: string
  daily_budget_minor?: number
  lifetime_budget_minor?: number
}

/** The next sync confirms or corrects the values; a listing that was read before `written_at` does not overwrite them. */
export async function saveAppliedSettings(
  db: Db,
  profileId: string,
  entityIds: readonly string[],
  settings: AppliedSettings,
): Promise<void> {
  if (entityIds.length === 0) return
  const now = await databaseNow(db)
  await inTransaction(db, async (tx) => {
    await withEntityVersions(tx, profileId, entityIds, now, () =>
      rowsWhere(tx, 'ad_entities', { profile_id: profileId, id: entityIds }).update({
        ...settings,
        written_at: now,
        updated_at: now,
      }),
    )
    await incrementReportVersion(tx, profileId)
  })
}
