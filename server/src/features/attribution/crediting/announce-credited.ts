/** Records `conversion.credited` once per conversion, when it first has credit, and only if a subscription includes it. */
import { toDecimalNumber } from '../../../platform/contract/money.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { conversionCredited } from '../../facts/outbox/event-factories.ts'
import { hasSubscription } from '../../facts/outbox/queries.ts'
import { recordEvents } from '../../facts/outbox/record.ts'
import type { NewCredit, OldCredit } from './incremental/difference.ts'
import type { AttributionProfile } from './settings.ts'

export function newlyCredited(
  old: ReadonlyMap<string, OldCredit>,
  changed: readonly NewCredit[],
): NewCredit[] {
  return changed.filter(
    ({ conversionId, credit }) =>
      credit.touches.length > 0 && (old.get(conversionId)?.credit.touches.length ?? 0) === 0,
  )
}

export async function announceCredited(
  tx: Tx,
  { profileId, currency }: AttributionProfile,
  credited: readonly NewCredit[],
  now: Date,
): Promise<void> {
  if (credited.length === 0 || !(await hasSubscription(tx, profileId, 'conversion.credited'))) return
  await recordEvents(
    tx,
    credited.map(({ conversionId, goalId, occurredAt, hasAmount, credit }) =>
      conversionCredited(
        profileId,
        {
          conversion_id: conversionId,
          goal_id: goalId,
          outcome_type: credit.outcomeType,
          revenue_type: credit.revenueType,
          converted_at: occurredAt.toISOString(),
          value: hasAmount ? toDecimalNumber(credit.amountMinor, currency) : null,
          currency,
          touches: credit.touches.length,
        },
        now,
      ),
    ),
    now,
  )
}
