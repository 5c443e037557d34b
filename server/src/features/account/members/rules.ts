import type { WorkspaceRole } from '../../../platform/contract/access.ts'
import { DAY_MS } from '../../../platform/contract/dates.ts'

export const INVITATION_LIFETIME_MS = 7 * DAY_MS

export type InvitationState = 'pending' | 'accepted' | 'revoked' | 'expired'

export function invitationState(
  invitation: { accepted_at: Date | null; revoked_at: Date | null; expires_at: Date },
  now: Date,
): InvitationState {
  if (invitation.accepted_at !== null) return 'accepted'
  if (invitation.revoked_at !== null) return 'revoked'
  return invitation.expires_at <= now ? 'expired' : 'pending'
}

/** Only owners add, change and remove owners. `actor` is null for the app that provisioned the workspace. */
export function canChange(
  actor: WorkspaceRole | null,
  current: WorkspaceRole | undefined,
  next: WorkspaceRole | null,
): boolean {
  return actor === null || actor === 'owner' || (current !== 'owner' && next !== 'owner')
}
