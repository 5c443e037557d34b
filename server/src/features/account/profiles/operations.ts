import type { AppContext, Caller, ProfileRef, UserContext, UserOrAppContext } from '../../../context.ts'
import { isHealthcare } from '../../../context.ts'
import { forgetCredentials } from '../../../platform/access/authenticate.ts'
import { findOrCreateUser } from '../../../platform/access/people.ts'
import {
  findMember,
  findProfileRef,
  findWorkspaceRole,
  ownsWorkspace,
} from '../../../platform/access/queries.ts'
import { requireSignInPolicy } from '../../../platform/access/sign-in-policy.ts'
import { type Actor, recordChange } from '../../../platform/audit/record.ts'
import { roleAtLeast } from '../../../platform/contract/access.ts'
import { NO_COUNTRY } from '../../../platform/contract/countries.ts'
import { ApiError, noProfile } from '../../../platform/contract/errors.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { inTransaction, type Tx } from '../../../platform/db/database.ts'
import {
  checkGrantNames,
  type GrantedKeys,
  grantToApp,
  refuseHealthcareGrant,
  requireGrantPlan,
} from '../apps/grants.ts'
import { getApp } from '../apps/queries.ts'
import { onProfileCreated } from '../profile-lifecycle/steps.ts'
import { insertWorkspace } from '../workspaces/operations.ts'
import { countActiveProfiles, findSubscription, lockWorkspace } from '../workspaces/queries.ts'
import { allowedProfiles, type Plan, smallestPlanFor } from '../workspaces/rules.ts'
import {
  hasData,
  insertProfileEditor,
  insertProfileRow,
  listProfilesOfApp,
  listProfilesOfUser,
  type ProfileRow,
  saveGoverning,
  updateProfileRow,
} from './queries.ts'

export type NewProfileBody = {
  workspace_id?: string | undefined
  name: string
  timezone?: string | undefined
  currency?: string | undefined
  country?: string | null | undefined
  user?: { email: string; name?: string | undefined } | undefined
  scopes?: string[] | undefined
}

const workspaceNotFound = () => new ApiError('not_found', 'No such workspace.')

export async function listProfiles(
  context: UserOrAppContext,
  workspaceId: string | null,
): Promise<ProfileRow[]> {
  const { caller, db } = context
  return caller.kind === 'app'
    ? listProfilesOfApp(db, { appId: caller.appId, workspaceId })
    : listProfilesOfUser(db, { userId: caller.userId, workspaceId })
}

/** Returns 404 to people who are neither members nor have access to a profile of the workspace. */
export async function listWorkspaceProfiles(
  context: UserContext,
  workspaceId: string,
): Promise<ProfileRow[]> {
  const { userId } = context.caller
  const profiles = await listProfilesOfUser(context.db, { userId, workspaceId })
  if (profiles.length === 0 && (await findWorkspaceRole(context.db, { workspaceId, userId })) === undefined)
    throw workspaceNotFound()
  return profiles
}

/** People and apps send different bodies to the same route. */
export function checkNewProfile(body: NewProfileBody, caller: Caller): void {
  const refuse = (field: string, problem: string) => new ApiError('validation_error', problem, { field })
  if (caller.kind === 'app') {
    if (body.workspace_id === undefined && body.user === undefined)
      throw refuse('workspace_id', 'required, unless user is sent to create a workspace for.')
    checkGrantNames(body.scopes)
    return
  }
  if (body.workspace_id === undefined) throw refuse('workspace_id', 'required.')
  if (body.user !== undefined || body.scopes !== undefined)
    throw refuse(body.user ? 'user' : 'scopes', 'only allowed for apps.')
}

type ProfileChange = {
  name?: string | undefined
  timezone?: string | undefined
  currency?: string | undefined
  country?: string | null | undefined
}

/** Time zone and currency can change only while no data depends on them. */
export async function updateProfile(
  context: UserContext,
  profileId: string,
  change: ProfileChange,
): Promise<ProfileRow> {
  const { userId } = context.caller
  const updated = await inTransaction(context.db, async (tx) => {
    const all = await listProfilesOfUser(tx, { userId, workspaceId: null })
    const profile = all.find(({ id }) => id === profileId)
    if (profile === undefined) throw noProfile()
    const workspaceId = profile.workspace_id
    await requireSignInPolicy(context.service, context.caller, { workspaceId })
    const role = await findWorkspaceRole(tx, { workspaceId, userId })
    if (role === undefined || !roleAtLeast(role, 'admin'))
      throw new ApiError('forbidden', 'This requires the role admin in the workspace.')
    await lockWorkspace(tx, { workspaceId })
    const fields = {
      name: change.name ?? profile.name,
      timezone: change.timezone ?? profile.timezone,
      currency: change.currency ?? profile.currency,
      country: change.country === undefined ? profile.country : (change.country ?? NO_COUNTRY),
    }
    const changesUnits = fields.timezone !== profile.timezone || fields.currency !== profile.currency
    if (changesUnits && (await hasData(tx, { profileId })))
      throw new ApiError(
        'invalid_state',
        'Time zone and currency can be changed only while the profile has no data and no connection.',
        { reason: 'profile_has_data' },
      )
    await updateProfileRow(tx, { profileId, fields })
    await recordChange(tx, context, {
      workspaceId,
      profileId,
      action: 'profile.updated',
      subject: profileId,
      detail: { fields: Object.keys(change) },
    })
    return { ...profile, ...fields }
  })
  forgetCredentials(context.service)
  return updated
}

/** Returns the profile, and for an app its keys too. */
export async function createProfile(
  context: UserOrAppContext,
  body: NewProfileBody,
): Promise<{ profile: ProfileRow; keys: GrantedKeys | null }> {
  return context.caller.kind === 'app'
    ? provisionProfile(context as AppContext, body)
    : { profile: await createOwnProfile(context as UserContext, body), keys: null }
}

async function createOwnProfile(context: UserContext, body: NewProfileBody): Promise<ProfileRow> {
  const workspaceId = body.workspace_id!
  return inTransaction(context.db, async (tx) => {
    const role = await findWorkspaceRole(tx, { workspaceId, userId: context.caller.userId })
    if (role === undefined) throw workspaceNotFound()
    await requireSignInPolicy(context.service, context.caller, { workspaceId })
    if (!roleAtLeast(role, 'admin'))
      throw new ApiError('forbidden', `This requires the role admin in the workspace; yours is ${role}.`)
    return insertProfile(tx, context, { ...body, workspaceId, appId: null })
  })
}

async function provisionProfile(context: AppContext, body: NewProfileBody) {
  const { appId } = context.caller
  return inTransaction(context.db, async (tx) => {
    const app = await getApp(tx, appId)
    const plan = requireGrantPlan(app, body.scopes)
    const user =
      body.user === undefined
        ? null
        : await findOrCreateUser(tx, { ...body.user, name: body.user.name, now: context.now })
    const workspaceId = body.workspace_id ?? (await provisionWorkspace(tx, context, body, user!))
    if (!(await ownsWorkspace(tx, { workspaceId, appId }))) throw workspaceNotFound()
    const profile = await insertProfile(tx, context, { ...body, workspaceId, appId })
    const ref = await findProfileRef(tx, { profileId: profile.id })
    refuseHealthcareGrant(isHealthcare(ref as ProfileRef), plan)
    if (user !== null)
      await authorizePartner(tx, { profileId: profile.id, workspaceId, userId: user.id, now: context.now })
    const keys = await grantToApp(context.service, tx, {
      app,
      profileId: profile.id,
      userId: user?.id ?? null,
      plan,
      now: context.now,
    })
    await saveGoverning(tx, { profileId: profile.id, authorizationId: keys.authorizationIds[0]! })
    return { profile, keys }
  })
}

async function provisionWorkspace(
  tx: Tx,
  context: AppContext,
  body: NewProfileBody,
  user: { id: string },
): Promise<string> {
  return insertWorkspace(tx, context, {
    name: body.name,
    timezone: body.timezone ?? 'UTC',
    plan: 'starter',
    ownerId: user.id,
    appId: context.caller.appId,
  })
}

async function authorizePartner(
  tx: Tx,
  params: { profileId: string; workspaceId: string; userId: string; now: Date },
): Promise<void> {
  if ((await findMember(tx, params)) !== undefined) return
  const { profileId, userId, now } = params
  await insertProfileEditor(tx, { profileId, id: uuidv7(now), userId, now })
}

/** Creates a profile. All creation paths use this function, which enforces the plan's limit. */
export async function insertProfile(
  tx: Tx,
  actor: Actor,
  profile: {
    workspaceId: string
    name: string
    timezone?: string | undefined
    currency?: string | undefined
    country?: string | null | undefined
    appId: string | null
    isDemo?: boolean
  },
): Promise<ProfileRow> {
  const { workspaceId } = profile
  const workspace = await lockWorkspace(tx, { workspaceId })
  if (workspace === undefined || workspace.archived_at !== null) throw workspaceNotFound()
  const used = await countActiveProfiles(tx, { workspaceId })
  const { status } = await findSubscription(tx, { workspaceId })
  if (used >= allowedProfiles(workspace.plan, status)) throw limitReached(workspace.plan, status, used)
  const row: ProfileRow = {
    id: uuidv7(actor.now),
    workspace_id: workspaceId,
    name: profile.name,
    timezone: profile.timezone ?? workspace.timezone,
    currency: profile.currency ?? workspace.reporting_currency ?? 'USD',
    country: profile.country === null ? NO_COUNTRY : (profile.country ?? null),
    privacy_mode: 'standard',
    provisioned_by_app_id: profile.appId,
    is_demo: profile.isDemo ?? false,
    created_at: actor.now,
    archived_at: null,
  }
  await insertProfileRow(tx, row)
  await recordChange(tx, actor, {
    workspaceId,
    profileId: row.id,
    action: 'profile.created',
    subject: row.id,
    detail: { name: row.name },
  })
  const { id, name, timezone, currency } = row
  for (const step of onProfileCreated)
    await step(tx, { id, workspaceId, name, timezone, currency, createdAt: actor.now })
  return row
}

function limitReached(plan: Plan, status: string, used: number): ApiError {
  const allowed = allowedProfiles(plan, status)
  const next = smallestPlanFor(used + 1)
  const planText = status === 'canceled' ? `The plan ${plan} is canceled, which` : `The plan ${plan}`
  return new ApiError(
    'profile_limit_reached',
    `${planText} allows ${allowed} active profile${allowed === 1 ? '' : 's'}${next === null ? '; no plan allows more' : ''}.`,
    {
      reason: 'plan_limit_reached',
      upgrade_required: next !== null,
      ...(next === null ? {} : { upgrade: { plan: next } }),
    },
  )
}
