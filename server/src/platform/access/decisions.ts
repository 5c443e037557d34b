/** Who may make decisions that are reserved to the business. */
import { isHealthcare, type ProfileContext } from '../../context.ts'
import { ApiError } from '../contract/errors.ts'
import { ownsWorkspace } from './queries.ts'

/**
 * An owner or admin of the workspace, by session or by a user token with `workspaces:write`; or the app that
 * provisioned the profile in a workspace of its own, once its data-processing agreement is accepted. A direct API
 * key acts for no person and cannot decide.
 */
export async function canDecide(context: ProfileContext): Promise<boolean> {
  const { caller, profile, role, scopes } = context
  if (caller.kind === 'user')
    return (role === 'owner' || role === 'admin') && scopes.includes('workspaces:write')
  const { appId } = caller
  if (appId === null || appId !== profile.provisionedByAppId || caller.lacksDpa) return false
  return ownsWorkspace(context.db, { workspaceId: profile.workspaceId, appId })
}

export async function requireDecider(context: ProfileContext, action: string): Promise<void> {
  if (await canDecide(context)) return
  throw new ApiError(
    'forbidden',
    `${action} requires an owner or admin of the workspace, or the app that provisioned the profile in its own workspace.`,
    { reason: 'owner_decision_required' },
  )
}

/** Actions that only the business itself takes on healthcare profiles. */
export async function requireHealthcareDecider(context: ProfileContext, action: string): Promise<void> {
  if (isHealthcare(context.profile)) await requireDecider(context, `${action} of a healthcare profile`)
}

/** True if the caller acts for an app, not for the business. */
export const isPartner = ({ caller }: ProfileContext): boolean =>
  caller.kind === 'key' && caller.appId !== null
