/** Refunds that a process of release 0.2.0 queued: newer ones are divided by the pipeline (pipeline/reported-refunds.ts). */
import { sql } from 'kysely'
import { z } from 'zod'
import type { JobContext } from '../../../context.ts'
import { job } from '../../../platform/contract/job.ts'
import { uuidList } from '../../../platform/db/bulk/columns.ts'
import { inTransaction, type Tx } from '../../../platform/db/database.ts'
import { lockProfile } from '../../../platform/db/profile-lock.ts'
import { loadAttributionProfile } from '../../attribution/crediting/settings.ts'
import { applyRefunds, FROM_EVENTS } from '../../attribution/pipeline/refunds.ts'
import { eventIdOf } from '../../facts/events/rules.ts'

const Refund = z.object({
  type: z.literal('refund'),
  externalId: z.string(),
  paymentExternalId: z.string(),
  occurredAt: z.iso.datetime(),
  amount: z.object({ amountMinor: z.int(), currency: z.string() }),
  kind: z.literal('refund'),
})

export const applyRefundsJob = job({
  name: 'measurement_protocol.give_back',
  payload: z.object({ refunds: z.array(Refund) }),
  // May wait for the profile's lock.
  slow: true,
  maxAttempts: 8,
  async run(context: JobContext, { refunds }) {
    const profileId = context.profileId!
    await inTransaction(context.db, async (tx) => {
      await lockProfile(tx, profileId)
      const profile = await loadAttributionProfile(tx, profileId)
      const idOf = (refund: { externalId: string }) => eventIdOf(profileId, refund.externalId)
      const divided = await listDivided(tx, profileId, refunds.map(idOf))
      const open = refunds.filter((refund) => !divided.has(idOf(refund)))
      await applyRefunds(tx, profile, FROM_EVENTS, open, context.now)
    })
  },
})

async function listDivided(tx: Tx, profileId: string, eventIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select event_id as id from reported_refunds
    where profile_id = ${profileId} and event_id = any(${uuidList(eventIds)}::uuid[])`.execute(tx)
  return new Set(rows.map((row) => row.id))
}
