/** Records `conversion.attributed` once per goal, for its first attributed conversion. The goal's timestamp prevents repeats. */
import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/database.ts'
import { conversionAttributed } from '../../facts/outbox/event-factories.ts'
import { recordEvents } from '../../facts/outbox/record.ts'

/** `first`: one conversion with credit per goal. */
export async function stampFirstAttributed(
  tx: Tx,
  profileId: string,
  first: readonly { goalId: string; conversionId: string }[],
  now: Date,
): Promise<void> {
  if (first.length === 0) return
  const { rows } = await sql<{ id: string; conversion_key: string; first_attributed_conversion_id: string }>`
    update goals g set first_attributed_at = ${now}, first_attributed_conversion_id = f.conversion_id
    from unnest(${first.map((entry) => entry.goalId)}::uuid[], ${first.map((entry) => entry.conversionId)}::uuid[]) as f(goal_id, conversion_id)
    where g.profile_id = ${profileId} and g.id = f.goal_id and g.first_attributed_at is null
    returning g.id, g.conversion_key, g.first_attributed_conversion_id`.execute(tx)
  await recordEvents(
    tx,
    rows.map((row) =>
      conversionAttributed(
        profileId,
        {
          goal_id: row.id,
          conversion_key: row.conversion_key,
          conversion_id: row.first_attributed_conversion_id,
        },
        now,
      ),
    ),
    now,
  )
}
