/** What a workspace requires of the sign-in of its members. */
import type { Service, UserCaller } from '../../context.ts'
import { ApiError } from '../contract/errors.ts'
import { rowsWhere } from '../db/rows.ts'
import { listConfirmedFactors } from './factors/queries.ts'
import { reauthenticationRequired } from './session-details.ts'
import { cachedBriefly } from './short-cache.ts'

type Workspace = { workspaceId: string; isHealthcare?: boolean }

/** Call it wherever a person's role in a workspace or profile opens something. */
export async function requireSignInPolicy(
  service: Service,
  caller: UserCaller,
  { workspaceId, isHealthcare = false }: Workspace,
): Promise<void> {
  const policy = await cachedBriefly(service, 'sign-in policy', workspaceId, () =>
    rowsWhere(service.db, 'workspaces', { id: workspaceId }).find(['second_factor_from', 'healthcare']),
  )
  const from = policy?.second_factor_from ?? null
  if (from === null || from > service.clock.machineNow()) return
  if (!(await hasSecondFactor(service, caller)))
    throw new ApiError(
      'forbidden',
      'This workspace requires a second factor: add one to your account, then sign in with it.',
      { reason: 'second_factor_required' },
    )
  // Patients: a remembered device may be in other hands.
  const isPatients = isHealthcare || policy?.healthcare === true
  if (isPatients && caller.session !== undefined && !caller.session.isProved) throw reauthenticationRequired()
}

/** A token has no sign-in of its own: its person must have a second factor now. */
async function hasSecondFactor({ db }: Service, caller: UserCaller): Promise<boolean> {
  if (caller.via === 'session') return caller.session?.hasSecondFactor ?? false
  return (await listConfirmedFactors(db, { userId: caller.userId })).length > 0
}
