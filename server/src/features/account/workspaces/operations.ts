import type { AppContext, Caller, UserContext, UserOrAppContext, WorkspaceContext } from '../../../context.ts'
import { forgetCredentials } from '../../../platform/access/authenticate.ts'
import { findOrCreateUser } from '../../../platform/access/people.ts'
import { findWorkspaceRole } from '../../../platform/access/queries.ts'
import { requireSignInPolicy } from '../../../platform/access/sign-in-policy.ts'
import { requireBelowLimit } from '../../../platform/access/tenant-limits.ts'
import { lockUser } from '../../../platform/access/user-queries.ts'
import { recordChange } from '../../../platform/audit/record.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { inTransaction, type Tx } from '../../../platform/db/database.ts'
import { createCheckoutSession, type OfferedCheckout } from '../billing/operations.ts'
import { subscriptionAt, toState } from '../billing/rules.ts'
import { type ArchiveResult, archiveLocked, nothingArchived } from './archive.ts'
import {
  countActiveProfiles,
  countLiveWorkspaces,
  findAcquisitionSource,
  findRecentWorkspace,
  findSubscription,
  insertOwner,
  insertSubscription,
  insertWorkspaceRow,
  lockWorkspace,
} from './queries.ts'
import { allowedProfiles, CREATION_WINDOW_MS, classifyMember, firstSubscription, type Plan } from './rules.ts'
import { refusedInstall, requireStoreInstall } from './store-install.ts'

type NewWorkspace = {
  name?: string | undefined
  timezone: string
  plan: Plan
  email?: string | undefined
  store_install?: string | undefined
}
type CreatedWorkspace = {
  workspaceId: string
  name: string
  created: boolean
  checkout: OfferedCheckout | null
  warnings?: { code: string; message: string }[]
}

/** People and apps send different bodies to the same route. */
export function checkNewWorkspace(body: NewWorkspace, caller: Caller): void {
  const refuse = (field: string, problem: string) => new ApiError('validation_error', problem, { field })
  if (caller.kind === 'app') {
    if (body.email === undefined) throw refuse('email', 'required.')
    if (body.store_install !== undefined) throw refuse('store_install', 'only allowed for people.')
    return
  }
  if (body.name === undefined) throw refuse('name', 'required.')
  if (body.email !== undefined) throw refuse('email', 'only allowed for apps.')
}

export async function createWorkspace(
  context: UserOrAppContext,
  body: NewWorkspace,
): Promise<CreatedWorkspace> {
  if (context.caller.kind === 'app') return createForApp(context as AppContext, body)
  const storeInstall =
    body.store_install === undefined ? null : requireStoreInstall(context, body.store_install)
  const created = await createForPerson(context as UserContext, body, storeInstall)
  // Workspaces installed from a store are billed by the store.
  const needsCheckout = created.created && storeInstall === null
  return {
    ...created,
    ...(needsCheckout ? await offerCheckout(context, created.workspaceId, body.plan) : {}),
  }
}

async function createForPerson(
  context: UserContext,
  body: NewWorkspace,
  storeInstall: string | null,
): Promise<CreatedWorkspace> {
  const name = body.name!
  const { userId } = context.caller
  return inTransaction(context.db, async (tx) => {
    // The lock serialises concurrent equal calls, so that the second finds the workspace of the first.
    await lockUser(tx, { userId })
    const since = new Date(context.now.getTime() - CREATION_WINDOW_MS)
    const earlier = await findRecentWorkspace(tx, { userId, name, since })
    if (earlier !== undefined) return { workspaceId: earlier.id, name, created: false, checkout: null }
    const workspaceId = await insertWorkspace(tx, context, {
      ...body,
      name,
      ownerId: userId,
      appId: null,
      storeInstall,
    })
    return { workspaceId, name, created: true, checkout: null }
  })
}

async function createForApp(context: AppContext, body: NewWorkspace): Promise<CreatedWorkspace> {
  const email = body.email!
  const name = body.name ?? email
  return inTransaction(context.db, async (tx) => {
    const owner = await findOrCreateUser(tx, { email, name: undefined, now: context.now })
    const { appId } = context.caller
    const workspaceId = await insertWorkspace(tx, context, { ...body, name, ownerId: owner.id, appId })
    return { workspaceId, name, created: true, checkout: null }
  })
}

/** Creation does not fail if billing does: a missing checkout is reported as a warning. */
async function offerCheckout(
  context: UserOrAppContext,
  workspaceId: string,
  plan: Plan,
): Promise<Pick<CreatedWorkspace, 'checkout' | 'warnings'>> {
  if (plan === 'starter') return { checkout: null }
  try {
    return { checkout: await createCheckoutSession(context.service, context.db, { workspaceId, plan }) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const message = `${error.message} The plan is on trial without a checkout.`
    return { checkout: null, warnings: [{ code: 'checkout_unavailable', message }] }
  }
}

export async function insertWorkspace(
  tx: Tx,
  context: Pick<UserOrAppContext, 'now'> & Partial<UserOrAppContext>,
  workspace: {
    name: string
    timezone: string
    plan: Plan
    ownerId: string
    appId: string | null
    storeInstall?: string | null
  },
): Promise<string> {
  const { now } = context
  const id = uuidv7(now)
  const { name, timezone, plan, ownerId, appId, storeInstall = null } = workspace
  const limit = appId === null ? 'workspaces_of_person' : 'workspaces_of_app'
  await requireBelowLimit(tx, limit, appId ?? ownerId, () => countLiveWorkspaces(tx, { ownerId, appId }))
  const isNew = await insertWorkspaceRow(tx, {
    id,
    name,
    timezone,
    plan,
    acquisition_source: storeInstall !== null ? 'store' : appId === null ? 'direct' : 'oauth',
    provisioned_by_app_id: appId,
    created_by_user_id: ownerId,
    created_at: now,
    store_install: storeInstall,
  })
  if (!isNew) throw refusedInstall('already used for another workspace.')
  await insertOwner(tx, { workspaceId: id, userId: ownerId, byEmail: appId !== null, now })
  await insertSubscription(tx, { workspaceId: id, plan, ...firstSubscription(plan, now), now })
  await recordChange(tx, context, {
    workspaceId: id,
    action: 'workspace.created',
    subject: id,
    detail: { name, plan },
  })
  return id
}

export async function archiveWorkspace(context: UserContext, workspaceId: string): Promise<ArchiveResult> {
  const { userId } = context.caller
  const result = await inTransaction(context.db, async (tx) => {
    const workspace = await lockWorkspace(tx, { workspaceId })
    if (workspace === undefined) throw new ApiError('not_found', 'No such workspace.')
    const role = await findWorkspaceRole(tx, { workspaceId, userId })
    if (role !== undefined) await requireSignInPolicy(context.service, context.caller, { workspaceId })
    switch (classifyMember(role, workspace.archived_owner_ids, userId)) {
      case 'stranger':
        throw new ApiError('not_found', 'No such workspace.')
      case 'member':
        throw new ApiError('forbidden', 'Only an owner can archive a workspace.')
      case 'former_owner':
        return nothingArchived(workspace.archived_at!)
      case 'owner':
        return archiveLocked(tx, context, workspaceId)
    }
  })
  forgetCredentials(context.service)
  return result
}

export async function getSubscription(context: WorkspaceContext) {
  const { workspaceId, now, db } = context
  const row = await findSubscription(db, { workspaceId })
  const plan = row.plan as Plan
  const billing = context.service.billing
  const { status, periodStart, periodEnd } = subscriptionAt(toState(row), now, billing !== undefined)
  return {
    plan,
    status,
    trial_ends_at: row.trial_ends_at,
    current_period_start: periodStart,
    current_period_end: periodEnd,
    cancels_at: row.cancels_at,
    billed_by: await findBiller(context),
    active_profiles: {
      used: await countActiveProfiles(db, { workspaceId }),
      limit: allowedProfiles(plan, status),
    },
  }
}

async function findBiller({ service, db, workspaceId }: WorkspaceContext) {
  if ((await findAcquisitionSource(db, { workspaceId })) === 'store') return 'store' as const
  return service.billing === undefined ? ('none' as const) : ('payment_provider' as const)
}
