import { z } from 'zod'
import { ProviderError, type SyncRecord, type WebhookAction } from '../../../connectors/connector.ts'
import { messagingChannels } from '../../../connectors/messaging.ts'
import { storefront } from '../../../connectors/storefront/connector.ts'
import type { JobContext } from '../../../context.ts'
import { findProfileRef } from '../../../platform/access/queries.ts'
import { job } from '../../../platform/contract/job.ts'
import { databaseNow } from '../../../platform/db/database.ts'
import {
  type ConnectionRow,
  findConnection,
  findWebhook,
  listAccountHolders,
  listProviderHolders,
  markWebhookProcessed,
} from './queries.ts'
import { applyRecords } from './records.ts'
import { ConnectionUnusable } from './refresh.ts'
import { withSession } from './session.ts'
import { openToken, revokeConnection } from './store.ts'

/** A lead names its page instead of the ad account, so accounts of this kind are searched in addition to ad accounts. */
export const PAGE_PROVIDER = 'social_page'
/** Photo and chat accounts that people send messages to. */
export const PHOTO_PROVIDER = 'social_photo_account'
export const CHAT_PROVIDER = 'social_chat_account'
const socialAccountKinds = [PAGE_PROVIDER, PHOTO_PROVIDER, CHAT_PROVIDER]

export const processWebhook = job({
  name: 'connections.process_webhook',
  payload: z.object({ id: z.uuid() }),
  maxAttempts: 10,
  run: (context, { id }) => process(context, id),
})

type StoredWebhook = { provider: string; profile_id: string | null; connection_id: string | null }

async function process(context: JobContext, id: string): Promise<void> {
  const row = await findWebhook(context.db, { id })
  if (row === undefined || row.processed_at !== null) return
  const { connector } = context.service.providers.get(row.provider) ?? { connector: storefront }
  const meanings = connector.webhooks!.map({
    rawBody: row.body,
    headers: row.headers as Record<string, string>,
    query: row.query as Record<string, string>,
  })
  for (const meaning of meanings) if (meaning.type !== 'ignored') await apply(context, row, meaning)
  const now = await databaseNow(context.db)
  await markWebhookProcessed(context.db, { id, receivedAt: row.received_at, now })
}

type HandledMeaning = Exclude<WebhookAction, { type: 'ignored' }>

async function apply(context: JobContext, stored: StoredWebhook, meaning: HandledMeaning): Promise<void> {
  if (meaning.type === 'uninstalled_by_owner') return uninstallByOwner(context, stored, meaning.token)
  for (const connection of await findConnections(context, stored, meaning)) {
    if (meaning.type === 'uninstalled') await uninstall(context, connection)
    else await save(context, connection, await recordsOf(context, connection, meaning))
  }
}

/** One account may be connected in several workspaces; each receives the webhook. */
async function findConnections(
  context: JobContext,
  stored: StoredWebhook,
  meaning: Exclude<HandledMeaning, { type: 'uninstalled_by_owner' }>,
): Promise<ConnectionRow[]> {
  const { db } = context
  const { accountId } = meaning
  if (stored.profile_id !== null && stored.connection_id !== null) {
    const connection = await findConnection(db, { profileId: stored.profile_id, id: stored.connection_id })
    return connection?.external_id === accountId && connection.status !== 'revoked' ? [connection] : []
  }
  const holders = await listAccountHolders(db, {
    providers: [
      stored.provider,
      ...(stored.provider === 'social_ads' ? socialAccountKinds : []),
      ...(containsMessages(meaning) ? messagingChannels : []),
    ],
    externalId: accountId,
  })
  const connections = await Promise.all(
    holders.map((holder) => findConnection(db, { profileId: holder.profile_id, id: holder.connection_id })),
  )
  return onePerProfile(connections.filter((connection) => connection !== undefined))
}

const containsMessages = (meaning: HandledMeaning) =>
  meaning.type === 'records' &&
  meaning.records.some(({ type }) => type === 'message' || type === 'message_status')

/** Per profile, the messaging accounts; if there are none, the social accounts that own the page or chat account. */
function onePerProfile(connections: readonly ConnectionRow[]): ConnectionRow[] {
  const isMessaging = ({ provider }: ConnectionRow) =>
    (messagingChannels as readonly string[]).includes(provider)
  return [...Map.groupBy(connections, ({ profile_id }) => profile_id).values()].flatMap((ofProfile) => {
    const messaging = ofProfile.filter(isMessaging)
    return messaging.length > 0 ? messaging : ofProfile
  })
}

async function recordsOf(
  context: JobContext,
  connection: ConnectionRow,
  meaning: Extract<HandledMeaning, { type: 'records' | 'read_back' }>,
): Promise<SyncRecord[]> {
  if (meaning.type === 'records') return meaning.records
  const reported = meaning.reported === undefined ? [] : [meaning.reported]
  try {
    const read = await withSession(
      context.service,
      { profileId: connection.profile_id, id: connection.id },
      null,
      (session, { connector }) => connector.webhooks!.readBack!(session, meaning.resource, meaning.id),
    )
    return read.length === 0
      ? reported
      : read.map((record) => ({ ...meaning.reported, ...record }) as SyncRecord)
  } catch (error) {
    const isGone = error instanceof ProviderError && error.reason === 'not_found'
    if (error instanceof ConnectionUnusable || isGone) return reported
    throw error
  }
}

async function save(
  context: JobContext,
  connection: ConnectionRow,
  records: readonly SyncRecord[],
): Promise<void> {
  if (records.length === 0) return
  await context.db.transaction().execute(async (tx) => {
    const profile = await findProfileRef(tx, { profileId: connection.profile_id })
    if (profile === undefined) return
    const now = await databaseNow(tx)
    await applyRecords(tx, { service: context.service, profile, connection, now }, records)
  })
  context.service.processor.wake(connection.profile_id)
}

/** The owner of an account is stored only in its encrypted token, so all tokens of the provider are decrypted. This is rare. */
async function uninstallByOwner(
  context: JobContext,
  stored: StoredWebhook,
  owner: Record<string, string>,
): Promise<void> {
  const { db, service } = context
  for (const holder of await listProviderHolders(db, { provider: stored.provider })) {
    context.signal.throwIfAborted()
    const connection = await findConnection(db, { profileId: holder.profile_id, id: holder.connection_id })
    if (connection === undefined || connection.token === null || connection.status === 'revoked') continue
    const { extra } = openToken(service, connection.profile_id, connection.id, connection.token)
    if (Object.entries(owner).every(([name, value]) => extra[name] === value))
      await uninstall(context, connection)
  }
}

async function uninstall(context: JobContext, connection: ConnectionRow): Promise<void> {
  await context.db.transaction().execute(async (tx) => {
    const now = await databaseNow(tx)
    const ref = { profileId: connection.profile_id, connectionId: connection.id }
    await revokeConnection(tx, { ...ref, reason: 'uninstalled', now })
  })
}
