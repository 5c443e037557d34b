import type { Tx } from '../../../platform/db/database.ts'

/** Pauses the subscriptions of an archived profile permanently; they are kept as a record. */
export async function pauseSubscriptions(
  tx: Tx,
  { profileId, now }: { profileId: string; now: Date },
): Promise<{ webhook_subscriptions_paused: number }> {
  await tx.deleteFrom('webhook_queues').where('profile_id', '=', profileId).execute()
  const paused = await tx
    .updateTable('webhook_subscriptions')
    .set({ status: 'paused', status_reason: 'profile_archived', updated_at: now })
    .where('profile_id', '=', profileId)
    .where('deleted_at', 'is', null)
    .where('status', '=', 'active')
    .returning('id')
    .execute()
  return { webhook_subscriptions_paused: paused.length }
}
