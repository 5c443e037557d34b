import type { UserContext } from '../../../context.ts'
import { findWorkspaceRole } from '../../../platform/access/queries.ts'
import { clearShortCache } from '../../../platform/access/short-cache.ts'
import { type Actor, recordChange } from '../../../platform/audit/record.ts'
import { roleAtLeast } from '../../../platform/contract/access.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { inTransaction, type Tx } from '../../../platform/db/database.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import { archiveProfiles } from '../../account/profile-lifecycle/archive.ts'
import { insertProfile } from '../../account/profiles/operations.ts'
import { applySettings, saveSettings } from '../../attribution/crediting/settings.ts'
import { findDemo, lockWorkspace } from './queries.ts'
import { seedDemo } from './seed-job.ts'

const NAME = 'Harbor & Pine (demo)'
const TIMEZONE = 'America/New_York'
/** Currency of the sandbox providers. */
const CURRENCY = 'USD'
/** Kitchens are bought weeks after the first visit; the default of a month would miss most sales. */
const SETTINGS = { lookbackDays: 90, firstTouchLookbackDays: 90, halfLifeDays: 14 }

export async function createDemoProfile(context: UserContext, workspaceId: string) {
  await requireAdmin(context, workspaceId)
  if (!context.service.config.SANDBOX)
    throw new ApiError(
      'not_implemented',
      'The demo needs the sandbox providers; start the service with SANDBOX=on.',
    )
  return inTransaction(context.db, (tx) => createDemo(tx, context, workspaceId))
}

/** At most one demo per workspace. The workspace is locked, so concurrent calls create one. */
export async function createDemo(
  tx: Tx,
  actor: Actor,
  workspaceId: string,
): Promise<{ profileId: string; created: boolean }> {
  await lockWorkspace(tx, { workspaceId })
  const existingId = await findDemo(tx, { workspaceId })
  if (existingId !== undefined) return { profileId: existingId, created: false }
  const profile = await insertProfile(tx, actor, {
    workspaceId,
    name: NAME,
    timezone: TIMEZONE,
    currency: CURRENCY,
    appId: null,
    isDemo: true,
  })
  await saveSettings(tx, profile.id, SETTINGS, actor.now)
  // Without a recomputation: there are no figures yet.
  await applySettings(tx, profile.id, SETTINGS)
  await enqueue(tx, seedDemo, { profile_id: profile.id }, { profileId: profile.id, dedupeKey: 'seed' })
  return { profileId: profile.id, created: true }
}

async function requireAdmin(context: UserContext, workspaceId: string): Promise<void> {
  const { caller } = context
  if (caller.via === 'token' && !caller.scopes.includes('workspaces:write'))
    throw new ApiError('insufficient_scope', 'The credential lacks the scope workspaces:write.', {
      required_scopes: ['workspaces:write'],
    })
  const role = await findWorkspaceRole(context.db, { workspaceId, userId: caller.userId })
  if (role === undefined) throw new ApiError('not_found', 'No such workspace.')
  if (!roleAtLeast(role, 'admin'))
    throw new ApiError('forbidden', `This requires the role admin; yours is ${role}.`)
}

/** Archives the profile and deletes its data. Throws `demo_purge_blocked` if records are kept as evidence. */
export async function deleteDemoProfile(
  context: UserContext,
  { workspace_id: workspaceId }: { workspace_id: string },
): Promise<void> {
  await requireAdmin(context, workspaceId)
  const counts = await inTransaction(context.db, async (tx) => {
    const profileId = await findDemo(tx, { workspaceId })
    if (profileId === undefined) throw new ApiError('not_found', 'The workspace has no demo profile.')
    const archived = await archiveProfiles(tx, [profileId], context)
    await recordChange(tx, context, {
      workspaceId,
      profileId,
      action: 'profile.archived',
      subject: profileId,
      detail: { demo: true },
    })
    return archived
  })
  clearShortCache(context.service)
  if (counts.retained_conversion_exports + counts.retained_signal_audit_rows > 0)
    throw new ApiError(
      'demo_purge_blocked',
      'The demo profile is archived and its data removed; conversion exports and signal-audit rows are kept as evidence. No further action is needed.',
    )
}
