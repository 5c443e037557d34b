import { z } from 'zod'
import type { JobContext } from '../../../context.ts'
import { type Job, job } from '../../../platform/contract/job.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { lockProfile } from '../../../platform/db/profile-lock.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import { type ConsentCursor, readStatements, saveStatements } from '../../facts/consents/statements.ts'
import { queueOptOuts } from '../../facts/export-queue/opt-outs.ts'

/** Events that are read in one transaction. */
const AT_ONCE = 5000
/** A run ends after this many; the next continues, so that other profiles get their turn. */
const MAX_TRANSACTIONS = 100

type Payload = { after: ConsentCursor | null }

/** Reads the statements of events that were processed before `ad_consents` existed. Queued by a migration. */
export const fillAdConsents: Job<Payload> = job({
  name: 'identity.fill_ad_consents',
  payload: z.object({ after: z.object({ at: z.string(), id: z.uuid() }).nullable() }),
  slow: true,
  maxAttempts: 20,
  run: ({ db, profileId, signal }: JobContext, payload) => fill({ db, profileId, signal }, payload),
})

export async function fill(
  { db, profileId, signal }: Pick<JobContext, 'db' | 'profileId' | 'signal'>,
  { after: from }: Payload,
  atOnce = AT_ONCE,
): Promise<void> {
  if (profileId === null) return
  let after = from
  for (let transactions = 0; transactions < MAX_TRANSACTIONS; transactions += 1) {
    signal.throwIfAborted()
    after = await inTransaction(db, async (tx) => {
      await lockProfile(tx, profileId)
      const { statements, last } = await readStatements(tx, { profileId, after, limit: atOnce })
      await saveStatements(tx, profileId, statements)
      const refused = statements.filter((row) => row.state === 'denied')
      await queueOptOuts(tx, profileId, { identifierIds: refused.map((row) => row.identifierId) })
      return last
    })
    if (after === null) return
  }
  await enqueue(db, fillAdConsents, { after }, { profileId, priority: 'bulk' })
}

export const consentJobs: readonly Job[] = [fillAdConsents]
