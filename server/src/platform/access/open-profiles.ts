/** The profiles of a workspace that a caller may open, for answers that gather several of them. */
import type { ProfileContext, ProfileRef, WorkspaceContext } from '../../context.ts'
import {
  type ProfileRole,
  type Scope,
  scopesOfMember,
  scopesOfUserToken,
  type WorkspaceRole,
} from '../contract/access.ts'
import { ApiError } from '../contract/errors.ts'
import { findMembership, findProfileRef, listProfileIds } from './queries.ts'

export type OpenProfile = ProfileRef & { role: WorkspaceRole | ProfileRole; scopes: readonly string[] }

/** Those on which the caller holds the scope, oldest first. An asked-for id that is not among them is refused as unknown. */
export async function listOpenProfiles(
  context: WorkspaceContext,
  params: { scope: Scope; profileIds?: readonly string[] | undefined },
): Promise<OpenProfile[]> {
  const open: OpenProfile[] = []
  for (const profileId of await listProfileIds(context.db, { workspaceId: context.workspaceId })) {
    if (params.profileIds !== undefined && !params.profileIds.includes(profileId)) continue
    const profile = await openProfile(context, profileId)
    if (profile?.scopes.includes(params.scope)) open.push(profile)
  }
  const missing = params.profileIds?.find((id) => !open.some((profile) => profile.id === id))
  if (missing !== undefined)
    throw new ApiError('not_found', `this workspace has no profile ${missing} that you can open.`, {
      field: 'profile_ids',
    })
  return open
}

async function openProfile(context: WorkspaceContext, profileId: string): Promise<OpenProfile | undefined> {
  const { caller, db } = context
  const profile = await findProfileRef(db, { profileId })
  if (profile === undefined) return undefined
  const member = await findMembership(db, { profile, userId: caller.userId })
  if (member === undefined) return undefined
  const ofRole = scopesOfMember(member)
  const scopes =
    caller.via === 'session'
      ? ofRole
      : scopesOfUserToken(caller.scopes).filter((scope) => ofRole.includes(scope))
  return { ...profile, role: member.role, scopes }
}

/** The same request on one of its profiles. */
export const onProfile = (context: WorkspaceContext, profile: OpenProfile): ProfileContext => ({
  ...context,
  profile,
  role: profile.role,
  scopes: profile.scopes,
  shown: new Set<string>(),
})
