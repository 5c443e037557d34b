/** Stores that do not install our app: the owner enters our webhook address, and the store's signing id authenticates its webhooks. */
import { normaliseShop } from '../../../connectors/storefront/shop.ts'
import { makerOf, type ProfileContext, type Service } from '../../../context.ts'
import { requireOwnObject } from '../../../platform/access/created-by-apps.ts'
import { isPartner } from '../../../platform/access/decisions.ts'
import { requireBelowLimit } from '../../../platform/access/tenant-limits.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { isUuid } from '../../../platform/contract/ids.ts'
import { databaseNow, inTransaction, type Tx } from '../../../platform/db/database.ts'
import { openText, seal } from '../../../platform/secrets/seal.ts'
import { appsOfCaller, connectingApp } from '../connections/operations.ts'
import { findConnection } from '../connections/queries.ts'
import { announceConnection, connectAccount, revokeConnection } from '../connections/store.ts'
import {
  countStores,
  deleteStore,
  detachFromApp,
  findSigningId,
  insertStore,
  isStoreConnected,
  listStores,
  markConnected,
  type StoreRow,
  saveSigningId,
} from './queries.ts'

const SUBTYPE = 'manual'

export type ManualStore = {
  id: string
  shop: string
  webhook_url: string
  signing_id_set: boolean
  status: 'awaiting_signing_id' | 'connected'
  created_at: Date
}

const signingIdCell = (profileId: string, id: string) => ({
  table: 'manual_stores',
  row: id,
  column: 'signing_id',
  profileId,
})

function toManualStore(context: ProfileContext, row: StoreRow): ManualStore {
  const { BASE_URL } = context.service.config
  return {
    id: row.id,
    shop: row.shop,
    webhook_url: `${BASE_URL}/webhooks/in/storefront/${context.profile.id}/${row.id}`,
    signing_id_set: row.signing_id !== null,
    status: row.signing_id === null ? 'awaiting_signing_id' : 'connected',
    created_at: row.created_at,
  }
}

export async function listManualStores(context: ProfileContext): Promise<ManualStore[]> {
  const rows = await listStores(context.db, { profileId: context.profile.id })
  return rows.map((row) => toManualStore(context, row))
}

export function checkShop(shop: string): string {
  const domain = normaliseShop(shop)
  if (domain === null)
    throw new ApiError(
      'invalid_parameter',
      'must be the store’s domain, its handle or the address of its admin.',
      { field: 'shop' },
    )
  return domain
}

export async function createManualStore(context: ProfileContext, shop: string): Promise<ManualStore> {
  const domain = checkShop(shop)
  const { profile, service } = context
  return inTransaction(context.db, async (tx) => {
    const now = await databaseNow(tx)
    if (await isStoreConnected(tx, { profileId: profile.id, shop: domain }))
      throw new ApiError('invalid_state', 'This store is already connected to the profile.', {
        reason: 'store_already_connected',
      })
    await requireBelowLimit(tx, 'manual_stores', profile.id, () => countStores(tx, { profileId: profile.id }))
    const id = await connectAccount(tx, service, {
      profileId: profile.id,
      workspaceId: profile.workspaceId,
      connector: { provider: 'storefront', exclusiveAccount: true },
      account: { id: domain, name: domain, kind: 'store', currency: null, timezone: null },
      token: null,
      subtype: SUBTYPE,
      status: 'needs_action',
      apps: appsOfCaller(context),
      connectingApp: await connectingApp(context),
      maker: makerOf(context.caller),
      now,
    })
    if (id === undefined)
      throw new ApiError(
        'account_connected_elsewhere',
        'This store is connected to another profile of the workspace.',
      )
    const row = { id, shop: domain, signing_id: null, created_at: now }
    await insertStore(tx, { profileId: profile.id, row })
    return toManualStore(context, row)
  })
}

export async function setSigningId(
  context: ProfileContext,
  id: string,
  { signing_id: signingId }: { signing_id: string },
): Promise<ManualStore> {
  const { profile, service } = context
  return inTransaction(context.db, async (tx) => {
    const now = await databaseNow(tx)
    await requireOwnStore(tx, context, id)
    const sealed = seal(service.keyring, signingIdCell(profile.id, id), signingId)
    const row = await saveSigningId(tx, { profileId: profile.id, id, sealed, now })
    if (row === undefined) throw unknownStore()
    // A person who sets the id takes the store over: it no longer ends with the app that created it.
    if (!isPartner(context)) await detachFromApp(tx, { profileId: profile.id, id })
    const isNewlyConnected = await markConnected(tx, { profileId: profile.id, id, now })
    const event = { profileId: profile.id, connectionId: id, provider: 'storefront', status: 'connected' }
    if (isNewlyConnected)
      await announceConnection(tx, 'connection.connected', { ...event, reason: null }, now)
    return toManualStore(context, row)
  })
}

export async function deleteManualStore(context: ProfileContext, id: string): Promise<void> {
  const { profile } = context
  await inTransaction(context.db, async (tx) => {
    await requireOwnStore(tx, context, id)
    if (!(await deleteStore(tx, { profileId: profile.id, id }))) throw unknownStore()
    const now = await databaseNow(tx)
    await revokeConnection(tx, { profileId: profile.id, connectionId: id, reason: 'disconnected', now })
  })
}

/** An app changes only stores that it created, unless it decides for the business. */
async function requireOwnStore(tx: Tx, context: ProfileContext, id: string): Promise<void> {
  const connection = await findConnection(tx, { profileId: context.profile.id, id })
  if (connection !== undefined) await requireOwnObject(tx, context, connection.authorization_id)
}

const unknownStore = () => new ApiError('not_found', 'No such store connection.')

export async function findManualSecret(
  service: Service,
  ref: { profileId: string; connectionId: string },
): Promise<string | undefined> {
  if (!isUuid(ref.profileId) || !isUuid(ref.connectionId)) return undefined
  const sealed = await findSigningId(service.db, { profileId: ref.profileId, id: ref.connectionId })
  if (sealed == null) return undefined
  return openText(service.keyring, signingIdCell(ref.profileId, ref.connectionId), sealed)
}
