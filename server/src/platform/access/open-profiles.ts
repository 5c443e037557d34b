/** The profiles of a workspace that a caller may access, for responses across profiles. */
import type { ProfileContext, ProfileRef, WorkspaceContext } from '../../context.ts'
import {
  type ProfileRole,
  type Scope,
  scopesOfMember,
  scopesOfUserToken,
  type WorkspaceRole,
} from '../contract/access.ts'
import { ApiError } from '../contract/errors.ts'
import type { Db, Tx } from '../db/database.ts'
import { findWorkspaceRole, listProfileMemberships, listProfileRefs } from './queries.ts'

export type OpenProfile = ProfileRef & { role: WorkspaceRole | ProfileRole; scopes: readonly string[] }

type Member = Parameters<typeof scopesOfMember>[0]

/**
 * Profiles on which the caller has the scope, oldest first. A requested id that is not among them is reported as
 * not found.
 */
export async function listOpenProfiles(
  context: Pick<WorkspaceContext, 'db' | 'caller' | 'workspaceId'>,
  params: { scope: Scope; profileIds?: readonly string[] | undefined },
): Promise<OpenProfile[]> {
  const { db, workspaceId } = context
  const memberOf = await membershipsOf(db, { workspaceId, userId: context.caller.userId })
  const profiles = await listProfileRefs(db, { workspaceId })
  const open = profiles.flatMap((profile): OpenProfile[] => {
    if (params.profileIds !== undefined && !params.profileIds.includes(profile.id)) return []
    const member = memberOf(profile.id)
    if (member === undefined) return []
    const scopes = scopesOf(context, member)
    return scopes.includes(params.scope) ? [{ ...profile, role: member.role, scopes }] : []
  })
  const missing = params.profileIds?.find((id) => !open.some((profile) => profile.id === id))
  if (missing !== undefined)
    throw new ApiError('not_found', `this workspace has no profile ${missing} that you have access to.`, {
      field: 'profile_ids',
    })
  return open
}

/** The same rule as `findMembership`: viewers of a workspace may have a higher role in some of its profiles. */
export async function membershipsOf(db: Db | Tx, ref: { workspaceId: string; userId: string }) {
  const role = await findWorkspaceRole(db, ref)
  const everywhere: Member | undefined = role === undefined ? undefined : { role, permissions: [] }
  if (role !== undefined && role !== 'viewer') return () => everywhere
  const memberships = await listProfileMemberships(db, ref)
  return (profileId: string): Member | undefined => memberships.get(profileId) ?? everywhere
}

function scopesOf({ caller }: Pick<WorkspaceContext, 'caller'>, member: Member): readonly string[] {
  const ofRole = scopesOfMember(member)
  return caller.via === 'session'
    ? ofRole
    : scopesOfUserToken(caller.scopes).filter((scope) => ofRole.includes(scope))
}

/** The request's context for one of the profiles. */
export const onProfile = (context: WorkspaceContext, profile: OpenProfile): ProfileContext => ({
  ...context,
  profile,
  role: profile.role,
  scopes: profile.scopes,
  shown: new Set<string>(),
})
