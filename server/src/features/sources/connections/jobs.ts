import { z } from 'zod'
import type { Account } from '../../../connectors/connector.ts'
import { storedProvider } from '../../../connectors/mailbox.ts'
import type { JobContext } from '../../../context.ts'
import { findProfileRef } from '../../../platform/access/queries.ts'
import { DAY_MS } from '../../../platform/contract/dates.ts'
import { type Job, job, type Schedule } from '../../../platform/contract/job.ts'
import { databaseNow } from '../../../platform/db/database.ts'
import { enqueueForAll, forAllProfiles } from '../../../platform/jobs/all-profiles.ts'
import { discardToken } from './discard.ts'
import { backfillLeads } from './leads-job.ts'
import { claimDueSync, deleteWebhooksBefore, listDueRefreshes, listDueSyncs } from './queries.ts'
import { freshToken } from './refresh.ts'
import { IDLE_REFRESH_MS } from './rules.ts'
import { claimExpiredToken, listExpiredSelections } from './selection-queries.ts'
import { openToken } from './store.ts'
import { syncConnection } from './sync-job.ts'
import { queueSync } from './sync-state.ts'
import { processWebhook } from './webhook-job.ts'

const BATCH_SIZE = 200
const emptyPayload = z.object({})

const queueDueSyncs = job({
  name: 'connections.queue_due_syncs',
  payload: emptyPayload,
  async run(context: JobContext) {
    const now = await databaseNow(context.db)
    await forAllProfiles(context, async (shard) => {
      for (const row of await listDueSyncs(shard, { now, limit: BATCH_SIZE }))
        await context.db.transaction().execute(async (tx) => {
          const ref = { profileId: row.profile_id, connectionId: row.connection_id }
          if (await claimDueSync(tx, { ...ref, now })) await queueSync(tx, { ...ref, sinceDay: null, now })
        })
    })
  },
})

/** Refreshes the token of one connection. After a transient failure it becomes due again later. */
const refreshToken = job({
  name: 'connections.refresh_token',
  payload: z.object({ profile_id: z.uuid(), connection_id: z.uuid() }),
  async run({ service, log }: JobContext, payload) {
    try {
      await freshToken(service, { profileId: payload.profile_id, id: payload.connection_id })
    } catch (error) {
      log.warn('token not refreshed', { connection_id: payload.connection_id, error })
    }
  },
})

/** Tokens are refreshed whether or not their connection syncs: after a share of their lifetime, short-lived ones once a day. */
const queueDueRefreshes = job({
  name: 'connections.queue_due_refreshes',
  payload: emptyPayload,
  async run(context: JobContext) {
    const { service, db } = context
    const now = await databaseNow(db)
    const renewable = [...service.providers.values()]
      .filter(({ connector }) => connector.oauth.refresh !== undefined)
      .map(({ provider }) => storedProvider(provider).provider)
    const issuedBy = new Date(now.getTime() - IDLE_REFRESH_MS)
    await enqueueForAll(context, refreshToken, async (shard) => {
      const rows = await listDueRefreshes(shard, { providers: renewable, issuedBy, now, limit: BATCH_SIZE })
      return rows.map((row) => ({
        payload: { profile_id: row.profile_id, connection_id: row.id },
        profileId: row.profile_id,
        dedupeKey: row.id,
      }))
    })
  },
})

type ExpiredSelection = Awaited<ReturnType<typeof listExpiredSelections>>[number]

async function dropSelection({ service, db }: JobContext, row: ExpiredSelection): Promise<void> {
  const isTaken = await claimExpiredToken(db, { profileId: row.profile_id, id: row.id })
  const configured = service.providers.get(row.provider)
  const profile = await findProfileRef(db, { profileId: row.profile_id })
  if (!isTaken || configured === undefined || profile === undefined) return
  const token = openToken(service, row.profile_id, row.id, row.token!, 'pending_selections')
  const owner = { workspace_id: profile.workspaceId }
  await discardToken(service, configured, owner, token, row.candidates as Account[])
}

/** Revokes consents whose account was never chosen. */
const dropExpiredSelections = job({
  name: 'connections.drop_lapsed_selections',
  payload: emptyPayload,
  async run(context: JobContext) {
    const now = await databaseNow(context.db)
    await forAllProfiles(context, async (shard) => {
      for (const row of await listExpiredSelections(shard, { now, limit: BATCH_SIZE }))
        await dropSelection(context, row)
    })
  },
})

const KEEP_WEBHOOKS_MS = 30 * DAY_MS

const dropOldWebhooks = job({
  name: 'connections.drop_old_webhooks',
  payload: emptyPayload,
  async run(context: JobContext) {
    const now = await databaseNow(context.db)
    await deleteWebhooksBefore(context.db, { before: new Date(now.getTime() - KEEP_WEBHOOKS_MS) })
  },
})

export const connectionJobs: readonly Job[] = [
  syncConnection,
  processWebhook,
  backfillLeads,
  queueDueSyncs,
  refreshToken,
  queueDueRefreshes,
  dropExpiredSelections,
  dropOldWebhooks,
]

export const connectionSchedules: readonly Schedule[] = [
  { name: 'connections.queue_due_syncs', job: queueDueSyncs, rule: { everySeconds: 60 } },
  { name: 'connections.queue_due_refreshes', job: queueDueRefreshes, rule: { everySeconds: 300 } },
  { name: 'connections.drop_old_webhooks', job: dropOldWebhooks, rule: { dailyAtUtc: '03:20' } },
  { name: 'connections.drop_lapsed_selections', job: dropExpiredSelections, rule: { everySeconds: 300 } },
]
