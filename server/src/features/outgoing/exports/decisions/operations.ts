/** Decisions about what leaves a healthcare profile: who may make them, and the mail to the owners. */
import type { ProfileContext } from '../../../../context.ts'
import { isHealthcare } from '../../../../context.ts'
import { mailOwners } from '../../../../platform/access/owner-mail.ts'
import { ownsWorkspace } from '../../../../platform/access/queries.ts'
import { ApiError } from '../../../../platform/contract/errors.ts'
import type { Tx } from '../../../../platform/db/database.ts'

/**
 * An owner or admin of the workspace, by session or by a user token with `workspaces:write`; or the app that
 * provisioned the profile in a workspace of its own, once its data-processing agreement is accepted. A direct API key acts for no person and decides nothing.
 */
export async function mayDecide(context: ProfileContext): Promise<boolean> {
  const { caller, profile, role, scopes } = context
  if (caller.kind === 'user')
    return (role === 'owner' || role === 'admin') && scopes.includes('workspaces:write')
  const { appId } = caller
  if (appId === null || appId !== profile.provisionedByAppId || caller.lacksDpa) return false
  return ownsWorkspace(context.db, { workspaceId: profile.workspaceId, appId })
}

export async function requireDecider(context: ProfileContext, what: string): Promise<void> {
  if (await mayDecide(context)) return
  throw new ApiError(
    'forbidden',
    `${what} is a decision of an owner or admin of the workspace, or of the app that provisioned the profile in its own workspace.`,
    { reason: 'owner_decision_required' },
  )
}

/** In the transaction of the decision. */
export async function mailDecision(
  tx: Tx,
  context: ProfileContext,
  decision: { subject: string; lines: readonly string[] },
): Promise<void> {
  const { profile, service } = context
  await mailOwners(tx, {
    workspaceId: profile.workspaceId,
    actor: context.caller,
    subject: decision.subject,
    lines: [...decision.lines, `See and change it: ${service.config.BASE_URL}/p/${profile.id}/exports`],
  })
}

export async function requireHealthcareDecider(context: ProfileContext, what: string): Promise<void> {
  if (isHealthcare(context.profile)) await requireDecider(context, what)
}
