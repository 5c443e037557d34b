import { randomUUID } from 'node:crypto'
import type { ProfileContext, RequestContext, WorkspaceContext } from '../../../context.ts'
import { findProfileRef } from '../../../platform/access/queries.ts'
import { listProfileIds } from '../../../platform/audit/queries.ts'
import { type Actor, recordChange } from '../../../platform/audit/record.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { inTransaction, type Tx } from '../../../platform/db/database.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import { findLiveCustomer } from '../../facts/identity/members.ts'
import { findCustomer } from '../../facts/identity/resolve.ts'
import { loadIdentityScope } from '../../facts/identity/scope.ts'
import { eraseCustomers } from './jobs.ts'
import { type ErasureRow, findEarlierErasure, findErasure, hideCustomer, insertErasure } from './queries.ts'
import { identifierOf, type Selector, selectorHash } from './rules.ts'

export type RequestedErasure = { erasure: ErasureRow; isNew: boolean }

export async function eraseCustomer(context: ProfileContext, selector: Selector): Promise<RequestedErasure> {
  requireApp(context)
  const { id, workspaceId } = context.profile
  return requestErasure(context, { profileId: id, workspaceId, selector })
}

export async function eraseWorkspaceCustomer(
  context: WorkspaceContext,
  body: Selector & { profile_id: string },
): Promise<RequestedErasure> {
  const { workspaceId } = context
  const { profile_id: profileId, ...selector } = body
  const profile = await findProfileRef(context.db, { profileId })
  if (profile?.workspaceId !== workspaceId)
    throw new ApiError('not_found', 'No such profile in this workspace.')
  return requestErasure(context, { profileId, workspaceId, selector })
}

/** Only a partner app's API key may call these routes; people use the workspace's route. */
function requireApp({ caller }: ProfileContext): void {
  if (caller.kind === 'key' && caller.appId !== null) return
  throw new ApiError('api_key_required', "This route requires a partner app's API key.", {
    hint: 'Members of the workspace use POST /workspaces/{workspaceId}/customer-erasures.',
  })
}

export async function requestErasure(
  context: Pick<RequestContext, 'db' | 'service' | 'now'> & Pick<Actor, 'caller' | 'requestId'>,
  params: { profileId: string; workspaceId: string; selector: Selector },
): Promise<RequestedErasure> {
  const { service, now } = context
  const { profileId, workspaceId } = params
  const identifierId = identifierOf(params.selector, await loadIdentityScope(context.db, service, profileId))
  if (identifierId === undefined) throw noCustomer()
  const hash = selectorHash(identifierId, profileId, service.identityPepper)
  // Events sent a moment ago may identify the person, or merge them with another customer.
  await service.processor.settled(profileId)
  return inTransaction(context.db, async (tx) => {
    const customerId = await findLiveCustomer(tx, { profileId, identifierId })
    const isNew = customerId !== undefined && (await hideCustomer(tx, { profileId, customerId, now }))
    if (!isNew) return { erasure: await getEarlierErasure(tx, profileId, identifierId, hash), isNew }
    const id = uuidv7(now)
    await insertErasure(tx, {
      profileId,
      id,
      selectorHash: hash,
      erasedAs: randomUUID(),
      customerId,
      now,
    })
    await enqueue(tx, eraseCustomers, {}, { profileId, dedupeKey: profileId, priority: 'urgent' })
    await recordChange(tx, context, {
      workspaceId,
      profileId,
      action: 'customer.erasure_requested',
      subject: id,
    })
    return { erasure: (await findErasure(tx, { profileIds: [profileId], id }))!, isNew }
  })
}

async function getEarlierErasure(
  tx: Tx,
  profileId: string,
  identifierId: string,
  hash: Buffer,
): Promise<ErasureRow> {
  const customerId = (await findCustomer(tx, profileId, identifierId)) ?? null
  const earlier = await findEarlierErasure(tx, { profileId, customerId, selectorHash: hash })
  if (earlier === undefined) throw noCustomer()
  return earlier
}

const noCustomer = () => new ApiError('customer_not_found', 'No customer of this profile matches.')

export async function getErasure(context: ProfileContext, id: string): Promise<ErasureRow> {
  requireApp(context)
  return getReceipt(context, [context.profile.id], id)
}

export async function getWorkspaceErasure(context: WorkspaceContext, id: string): Promise<ErasureRow> {
  const { db, workspaceId } = context
  return getReceipt(context, await listProfileIds(db, { workspaceId }), id)
}

async function getReceipt(
  { db }: Pick<RequestContext, 'db'>,
  profileIds: readonly string[],
  id: string,
): Promise<ErasureRow> {
  const erasure = await findErasure(db, { profileIds, id })
  if (erasure === undefined) throw new ApiError('erasure_not_found', 'No such erasure receipt.')
  return erasure
}
