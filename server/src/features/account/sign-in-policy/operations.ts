import type { WorkspaceContext } from '../../../context.ts'
import { revokePersonalSessions } from '../../../platform/access/account-queries.ts'
import { forgetCredentials } from '../../../platform/access/authenticate.ts'
import { reportSecurityChange } from '../../../platform/access/factors/changes.ts'
import {
  deleteFactors,
  listConfirmedFactors,
  listWorkspacesOfPerson,
} from '../../../platform/access/factors/queries.ts'
import { mailAccount } from '../../../platform/access/mail-job.ts'
import { isOperator } from '../../../platform/access/operators.ts'
import { mailOwners } from '../../../platform/access/owner-mail.ts'
import { lockUser } from '../../../platform/access/user-queries.ts'
import { recordChange } from '../../../platform/audit/record.ts'
import { DAY_MS } from '../../../platform/contract/dates.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { inTransaction } from '../../../platform/db/database.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import { lockWorkspace } from '../workspaces/queries.ts'
import { readSignInPolicy, requireSecondFactorFrom } from './queries.ts'

export const getSignInPolicy = ({ db, workspaceId }: WorkspaceContext) =>
  readSignInPolicy(db, { workspaceId })

export async function updateSignInPolicy(
  context: WorkspaceContext,
  body: { require_second_factor: boolean; grace_days: number },
) {
  const { workspaceId, caller, service } = context
  const now = service.clock.machineNow()
  const policy = await inTransaction(context.db, async (tx) => {
    await lockUser(tx, { userId: caller.userId })
    await lockWorkspace(tx, { workspaceId })
    const before = await readSignInPolicy(tx, { workspaceId })
    const isRequired = before.second_factor_required_from !== null
    if (body.require_second_factor === isRequired) return before
    // Otherwise the owner would lock everyone out.
    if ((await listConfirmedFactors(tx, { userId: caller.userId })).length === 0)
      throw new ApiError('invalid_state', 'Add a second factor to your own account first.', {
        reason: 'no_second_factor',
      })
    const from = body.require_second_factor ? new Date(now.getTime() + body.grace_days * DAY_MS) : null
    await requireSecondFactorFrom(tx, { workspaceId, from })
    await recordChange(tx, context, {
      workspaceId,
      action: 'workspace.second_factor_set',
      subject: workspaceId,
      detail: { before: before.second_factor_required_from, after: from },
    })
    await mailOwners(tx, {
      workspaceId,
      actor: caller,
      subject: body.require_second_factor
        ? 'Your workspace requires a second factor'
        : 'Your workspace no longer requires a second factor',
      lines: [
        from === null
          ? 'People of the workspace can open it with their password alone.'
          : `From ${from.toISOString().slice(0, 10)}, people without a second factor cannot open the workspace.`,
      ],
    })
    if (body.require_second_factor)
      for (const member of before.members.filter(({ has_second_factor }) => !has_second_factor))
        await enqueue(tx, mailAccount, {
          about: 'security',
          user_id: member.user_id,
          what: 'factor_required',
        })
    return readSignInPolicy(tx, { workspaceId })
  })
  forgetCredentials(service)
  return policy
}

/** An owner must not weaken the account of a person who also opens other workspaces, or the whole service. */
export async function resetMemberFactors(context: WorkspaceContext, userId: string): Promise<void> {
  const { workspaceId, caller, service } = context
  if (userId === caller.userId)
    throw new ApiError('invalid_state', 'Use your recovery codes, or ask another owner.', {
      reason: 'own_factors',
    })
  const operates = await isOperator(service, userId)
  await inTransaction(context.db, async (tx) => {
    await lockUser(tx, { userId })
    const { members } = await readSignInPolicy(tx, { workspaceId })
    const member = members.find(({ user_id }) => user_id === userId)
    if (member === undefined) throw new ApiError('not_found', 'The workspace has no such member.')
    const workspaces = await listWorkspacesOfPerson(tx, { userId })
    if (operates || workspaces.some((id) => id !== workspaceId))
      throw new ApiError(
        'forbidden',
        'This person also opens other workspaces; the operator of the service can remove the second factors.',
        { reason: 'member_elsewhere' },
      )
    if ((await deleteFactors(tx, { userId })) === 0)
      throw new ApiError('invalid_state', 'The member has no second factor.', { reason: 'no_second_factor' })
    await revokePersonalSessions(tx, {
      userId,
      keepCredentialId: undefined,
      now: service.clock.machineNow(),
    })
    await reportSecurityChange(tx, context, { userId, what: 'factors_reset' })
  })
  forgetCredentials(service)
}
