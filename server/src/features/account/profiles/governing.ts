/** Actions of partner apps on profiles that they provisioned or adopted. */
import type { AppContext, ProfileRef } from '../../../context.ts'
import { isHealthcare } from '../../../context.ts'
import { forgetCredentials } from '../../../platform/access/authenticate.ts'
import { findEntitlement, findProfileRef, ownsWorkspace } from '../../../platform/access/queries.ts'
import { recordChange } from '../../../platform/audit/record.ts'
import { ApiError, noProfile } from '../../../platform/contract/errors.ts'
import { inTransaction, type Tx } from '../../../platform/db/database.ts'
import { grantToApp, refuseHealthcareGrant, requireGrantPlan } from '../apps/grants.ts'
import { getApp } from '../apps/queries.ts'
import { archiveProfiles } from '../profile-lifecycle/archive.ts'
import { lockWorkspace } from '../workspaces/queries.ts'
import { findAppRelation, saveEntitlement, saveGoverning } from './queries.ts'
import { type AppRelation, canAdopt, canArchive, isGoverning, isProvisioner } from './rules.ts'

/** Reads the relation under the workspace's lock, so that a concurrent withdrawal of the consent is respected. */
async function lockAppRelation(tx: Tx, params: { profileId: string; appId: string }): Promise<AppRelation> {
  const relation = await findAppRelation(tx, params)
  if (relation === undefined) throw noProfile()
  await lockWorkspace(tx, relation)
  return (await findAppRelation(tx, params))!
}

export async function archiveProfile(context: AppContext, profileId: string) {
  const { appId } = context.caller
  const result = await inTransaction(context.db, async (tx) => {
    const relation = await lockAppRelation(tx, { profileId, appId })
    switch (canArchive(relation)) {
      case 'no_profile':
        throw noProfile()
      case 'adopted':
        throw adoptedError('An adopted profile can only be archived by its workspace.')
      case 'already_archived':
        return { profile_id: profileId, archived: false, archived_at: relation.archivedAt! }
      case 'archive':
        break
    }
    await recordChange(tx, context, {
      workspaceId: relation.workspaceId,
      profileId,
      action: 'profile.archived',
      subject: profileId,
    })
    await archiveProfiles(tx, [profileId], context)
    return { profile_id: profileId, archived: true, archived_at: context.now }
  })
  forgetCredentials(context.service)
  return result
}

function adoptedError(message: string): ApiError {
  return new ApiError('forbidden', message, { reason: 'profile_adopted' })
}

export async function adoptProfile(context: AppContext, profileId: string, scopes: string[] | undefined) {
  const { appId } = context.caller
  const result = await inTransaction(context.db, async (tx) => {
    const relation = await lockAppRelation(tx, { profileId, appId })
    const { workspaceId } = relation
    const adopting = canAdopt(relation, await ownsWorkspace(tx, { workspaceId, appId }))
    switch (adopting.verdict) {
      case 'already_governed':
        return { workspaceId, adopted: false, keys: null }
      case 'by_consent': {
        await takeOver(tx, context, { profileId, workspaceId, authorizationId: adopting.authorizationId })
        // A person's consent is never widened: the app keeps the keys issued with it.
        return { workspaceId, adopted: true, keys: null }
      }
      case 'in_own_workspace': {
        const keys = await issueKeys(tx, context, profileId, scopes)
        await takeOver(tx, context, { profileId, workspaceId, authorizationId: keys.authorizationIds[0]! })
        return { workspaceId, adopted: true, keys }
      }
      default:
        throw adoptionRefusals[adopting.verdict]()
    }
  })
  forgetCredentials(context.service)
  return result
}

const adoptionRefusals = {
  no_profile: noProfile,
  governed_by_another_app: () =>
    new ApiError('invalid_state', 'Another app governs this profile.', { reason: 'governed_by_another_app' }),
  consent_missing: () =>
    new ApiError(
      'forbidden',
      'No person consented to the adoption: request the grant adoption on the consent page.',
      { reason: 'adoption_not_consented' },
    ),
  withdrawn: () =>
    new ApiError(
      'forbidden',
      'A person withdrew the app’s authorization: request the grant adoption on the consent page.',
      { reason: 'consent_withdrawn' },
    ),
}

async function takeOver(
  tx: Tx,
  context: AppContext,
  adoption: { profileId: string; workspaceId: string; authorizationId: string },
): Promise<void> {
  const { profileId, workspaceId, authorizationId } = adoption
  await saveGoverning(tx, { profileId, authorizationId })
  await recordChange(tx, context, {
    workspaceId,
    profileId,
    action: 'profile.adopted',
    subject: profileId,
    detail: { app_id: context.caller.appId, authorization_id: authorizationId },
  })
}

async function issueKeys(tx: Tx, context: AppContext, profileId: string, scopes: string[] | undefined) {
  const app = await getApp(tx, context.caller.appId)
  const plan = requireGrantPlan(app, scopes)
  const ref = await findProfileRef(tx, { profileId })
  refuseHealthcareGrant(isHealthcare(ref as ProfileRef), plan)
  return grantToApp(context.service, tx, { app, profileId, userId: null, plan, now: context.now })
}

export async function setEntitlement(
  context: AppContext,
  params: { profileId: string; feature: 'attribution' },
  { enabled }: { enabled: boolean },
) {
  const { appId } = context.caller
  const { profileId, feature } = params
  await inTransaction(context.db, async (tx) => {
    const relation = await lockAppRelation(tx, { profileId, appId })
    if (!isGoverning(relation)) throw noProfile()
    // Features that the profile had before the adoption stay under the control of its owner.
    if (!enabled && !isProvisioner(relation))
      throw adoptedError(`An app can switch ${feature} off only on profiles that it provisioned.`)
    const before = await findEntitlement(tx, { profileId, feature })
    await saveEntitlement(tx, { profileId, feature, enabled, now: context.now })
    await recordChange(tx, context, {
      workspaceId: relation.workspaceId,
      profileId,
      action: 'entitlement.set',
      subject: profileId,
      detail: { feature, before: { enabled: before }, after: { enabled } },
    })
  })
  forgetCredentials(context.service)
  return { profile_id: profileId, feature, enabled, updated_at: context.now }
}
