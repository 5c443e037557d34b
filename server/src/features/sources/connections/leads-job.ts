/** Reads the past leads of newly tracked pages once, as far back as the provider keeps them. */
import { z } from 'zod'
import type { SyncPage } from '../../../connectors/connector.ts'
import type { JobContext } from '../../../context.ts'
import { findProfileRef } from '../../../platform/access/queries.ts'
import { addDays } from '../../../platform/contract/dates.ts'
import { job } from '../../../platform/contract/job.ts'
import { databaseNow } from '../../../platform/db/database.ts'
import { findConnection } from './queries.ts'
import { applyRecords } from './records.ts'
import { ConnectionUnusable } from './refresh.ts'
import { splitStorable } from './rules.ts'
import { withSession } from './session.ts'
import { saveSetAside } from './set-aside.ts'

/** Longer than any provider keeps leads. */
const LOOK_BACK_DAYS = 365

export const backfillLeads = job({
  name: 'connections.backfill_leads',
  payload: z.object({ profile_id: z.uuid(), connection_id: z.uuid(), page_ids: z.array(z.string()) }),
  async run(context, payload) {
    const ref = { profileId: payload.profile_id, connectionId: payload.connection_id }
    const today = (await databaseNow(context.db)).toISOString().slice(0, 10)
    // Tomorrow is included, because in the provider's time zone it may already have begun.
    const window = {
      sinceDay: addDays(today, -LOOK_BACK_DAYS),
      untilDay: addDays(today, 1),
      pageIds: payload.page_ids,
      leadsOnly: true as const,
    }
    try {
      for (let cursor: string | null = null; ; ) {
        context.signal.throwIfAborted()
        const page: SyncPage = await withSession(
          context.service,
          { profileId: ref.profileId, id: ref.connectionId },
          null,
          (session, { connector }) => connector.sync!.page(session, window, cursor),
        )
        await savePage(context, ref, page)
        cursor = page.cursor
        if (cursor === null) return
      }
    } catch (error) {
      // A connection that needs a reconnect reads these leads in its first sync after it.
      if (!(error instanceof ConnectionUnusable)) throw error
    }
  },
})

type Ref = { profileId: string; connectionId: string }

async function savePage(context: JobContext, ref: Ref, page: SyncPage): Promise<void> {
  await context.db.transaction().execute(async (tx) => {
    const now = await databaseNow(tx)
    const profile = await findProfileRef(tx, { profileId: ref.profileId })
    const connection = await findConnection(tx, { profileId: ref.profileId, id: ref.connectionId })
    if (profile === undefined || connection === undefined) return
    const { good, bad } = splitStorable(page.records)
    const { cleared = [], setAside = [] } = page
    await saveSetAside(tx, { ...ref, setAside: [...setAside, ...bad], good, cleared, now })
    await applyRecords(tx, { service: context.service, profile, connection, now }, good)
  })
  context.service.processor.wake(ref.profileId)
}
