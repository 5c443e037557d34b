/** Authorization: from caller and contract entry to the handler's context, or the error the contract defines. */

import type { AnyContext, AppCaller, Caller, KeyCaller, ProfileRef, UserCaller } from '../../context.ts'
import { isHealthcare } from '../../context.ts'
import { dpaNotAccepted } from '../access/dpa.ts'
import { entitlementRequired, isEntitled } from '../access/entitlement.ts'
import { isOperator } from '../access/operators.ts'
import {
  canAppManageWorkspace,
  findMembership,
  findProfileRef,
  findWorkspaceRole,
} from '../access/queries.ts'
import { requireFreshProof } from '../access/session-details.ts'
import { cachedBriefly } from '../access/short-cache.ts'
import { requireSignInPolicy } from '../access/sign-in-policy.ts'
import {
  type ProfileRole,
  personScopes,
  roleAtLeast,
  type Scope,
  satisfiesScope,
  scopesOfMember,
  scopesOfUserToken,
  type WorkspaceRole,
} from '../contract/access.ts'
import { type Endpoint, isRefusedOnHealthcare } from '../contract/endpoint.ts'
import { ApiError, noProfile } from '../contract/errors.ts'
import { isUuid } from '../contract/ids.ts'

type Raw = { params: Record<string, unknown>; query: Record<string, unknown> }

export function unauthorized(): ApiError {
  return new ApiError(
    'unauthorized',
    'The credential is missing, malformed, expired, revoked, or of a kind that this route does not accept.',
  )
}

/** Whether this kind of credential may call this kind of route at all. */
export function acceptsKind(entry: Endpoint, caller: Caller): boolean {
  switch (entry.access.kind) {
    case 'public':
      return true
    case 'profile':
    case 'bearer':
      return caller.kind === 'key' || caller.kind === 'user'
    case 'user':
      return caller.kind === 'user' && (caller.via === 'session' || entry.access.tokens !== false)
    case 'workspace':
      return caller.kind === 'user'
    case 'app':
      return caller.kind === 'app'
    case 'user_or_app':
    case 'workspace_or_app':
      return caller.kind === 'user' || caller.kind === 'app'
  }
}

/** A key belongs to one profile; a request for another one is refused, not carried out on the key's own. */
export const namesOwnProfile = (parameter: unknown, profileId: string): boolean =>
  parameter === undefined || (typeof parameter === 'string' && parameter.toLowerCase() === profileId)

/** User credentials belong to no profile, so they must send `?profile_id=`. */
export function checkProfileParameter(entry: Endpoint, caller: Caller, raw: Raw): void {
  if (entry.access.kind !== 'profile') return
  if (caller.kind === 'key' && !namesOwnProfile(raw.query.profile_id, caller.profileId)) throw noProfile()
  if (caller.kind !== 'user') return
  const profileId = raw.query.profile_id
  if (typeof profileId !== 'string' || !isUuid(profileId))
    throw new ApiError('invalid_parameter', 'is required with this credential.', {
      field: 'profile_id',
      hint: 'Pass ?profile_id=<uuid>.',
    })
}

export function authorize(context: AnyContext, entry: Endpoint, raw: Raw): AnyContext | Promise<AnyContext> {
  const { caller } = context
  const authorized = authorizeAccess(context, entry, raw)
  if (entry.fresh !== true || caller.kind !== 'user' || caller.via !== 'session') return authorized
  // After the permissions, so that people who lack them are not asked for a password first.
  return Promise.resolve(authorized).then(async (allowed) => {
    await requireFreshProof(context.service, caller.credentialId)
    return allowed
  })
}

function authorizeAccess(context: AnyContext, entry: Endpoint, raw: Raw): AnyContext | Promise<AnyContext> {
  const { access } = entry
  switch (access.kind) {
    case 'profile':
      return authorizeProfile(context, entry, raw)
    case 'workspace':
      return authorizeWorkspace(context, access.role, entry, raw)
    case 'workspace_or_app':
      return context.caller.kind === 'user'
        ? authorizeWorkspace(context, access.role, entry, raw)
        : authorizeAppWorkspace(context, raw)
    case 'user':
      requireTokenScopes(context.caller, access.scopes ?? [])
      return access.operator === true ? authorizeOperator(context) : context
    case 'user_or_app':
      if (entry.method !== 'GET') requireTokenScopes(context.caller, ['workspaces:write'])
      return context
    default:
      return context
  }
}

/** A read-only token cannot write, not even data that only its owner sees. */
function requireOwnWrites(caller: Caller): void {
  requireTokenScopes(caller, ['mcp:write'])
}

/** A session has all permissions of its user; a token only its scopes. */
function requireTokenScopes(caller: Caller, needed: readonly Scope[]): void {
  if (caller.kind !== 'user' || caller.via !== 'token') return
  const missing = needed.filter((scope) => !caller.scopes.includes(scope))
  if (missing.length > 0) throw insufficientScope(missing)
}

async function authorizeOperator(context: AnyContext): Promise<AnyContext> {
  if (await isOperator(context.service, (context.caller as UserCaller).userId)) return context
  throw new ApiError(
    'forbidden',
    'This requires an operator account: its verified address must be in OPERATORS.',
  )
}

async function authorizeAppWorkspace(context: AnyContext, raw: Raw): Promise<AnyContext> {
  const { appId } = context.caller as AppCaller
  const workspaceId = String(raw.params.workspaceId)
  if (!(await canAppManageWorkspace(context.service.db, { workspaceId, appId })))
    throw new ApiError('not_found', 'No such workspace.')
  return { ...context, workspaceId, role: null } as AnyContext
}

async function authorizeWorkspace(
  context: AnyContext,
  needed: Parameters<typeof roleAtLeast>[1],
  entry: Endpoint,
  raw: Raw,
): Promise<AnyContext> {
  const caller = context.caller as UserCaller
  const { access } = entry
  const isOpen = entry.method === 'GET' && access.kind === 'workspace' && access.tokens === 'any'
  if (!isOpen) requireTokenScopes(caller, ['workspaces:write'])
  const workspaceId = String(raw.params.workspaceId)
  const role = await findWorkspaceRole(context.service.db, { workspaceId, userId: caller.userId })
  if (role === undefined) throw new ApiError('not_found', 'No such workspace.')
  await requireSignInPolicy(context.service, caller, { workspaceId })
  if (!roleAtLeast(role, needed))
    throw new ApiError('forbidden', `This requires the role ${needed} in the workspace; yours is ${role}.`)
  return { ...context, workspaceId, role } as AnyContext
}

async function authorizeProfile(context: AnyContext, entry: Endpoint, raw: Raw): Promise<AnyContext> {
  const caller = context.caller as KeyCaller | UserCaller
  const profileId = caller.kind === 'key' ? caller.profileId : String(raw.query.profile_id)
  // Permissions are replicated to every node; reading them from the profile's node spares the coordinator.
  const { db } = await context.service.nodes.of(profileId)
  // Cache rarely changing settings. Requests that write or show people always use the current state.
  const isCached = entry.limit === 'ingest' || (entry.method === 'GET' && entry.personLevel === undefined)
  const cached = <T>(kind: string, load: () => Promise<T>) =>
    isCached ? cachedBriefly(context.service, kind, profileId, load) : load()
  const profile = await cached('profile', () => findProfileRef(db, { profileId }))
  if (profile === undefined) throw noProfile()
  const permissions = await getPermissions(context, caller, profile)
  const isPartnerRestricted = isPartnerOnHealthcare(caller, profile)
  // Before the scope check, which would name a scope that no partner can get here.
  if (isPartnerRestricted && isRefusedOnHealthcare(entry)) throw healthcareScopeForbidden()
  if (entry.access.kind === 'profile') {
    const { scopes, anyOf = [] } = entry.access
    const obtainable = isPartnerRestricted ? anyOf.filter((scope) => !personScopes.includes(scope)) : anyOf
    requireScopes(caller, permissions, { scopes, anyOf: obtainable })
    if (entry.access.writes === 'own') requireOwnWrites(caller)
  }
  const feature = entry.entitlement
  if (
    feature !== null &&
    !(await cached(`entitlement ${feature}`, () => isEntitled(db, { profile, feature })))
  )
    throw entitlementRequired(feature)
  return {
    ...context,
    profile,
    role: permissions.role,
    scopes: permissions.scopes,
    shown: new Set<string>(),
  } as AnyContext
}

/** A caller's permissions on a profile. A role limits a person, scopes limit a credential; a user token has both. */
export type ProfilePermissions = {
  role: WorkspaceRole | ProfileRole | null
  /** Scopes of the role; null for a key, which acts for no person. */
  ofRole: readonly string[] | null
  scopes: readonly string[]
}

/** Throws `not_found` if the caller has no permissions on the profile. */
export async function getPermissions(
  context: AnyContext,
  caller: KeyCaller | UserCaller,
  profile: ProfileRef,
): Promise<ProfilePermissions> {
  const permissions = await findPermissions(context, caller, profile)
  if (permissions === undefined) throw noProfile()
  return permissions
}

export async function findPermissions(
  context: AnyContext,
  caller: KeyCaller | UserCaller,
  profile: ProfileRef,
): Promise<ProfilePermissions | undefined> {
  if (caller.kind === 'key') return { scopes: caller.scopes, role: null, ofRole: null }
  const member = await findMembership(context.service.db, { profile, userId: caller.userId })
  if (member === undefined) return undefined
  await requireSignInPolicy(context.service, caller, {
    workspaceId: profile.workspaceId,
    isHealthcare: isHealthcare(profile),
  })
  const { role } = member
  const ofRole = scopesOfMember(member)
  if (caller.via === 'session') return { scopes: ofRole, role, ofRole }
  const ofToken = scopesOfUserToken(caller.scopes)
  return { scopes: ofToken.filter((scope) => ofRole.includes(scope)), role, ofRole }
}

export function requireScopes(
  caller: KeyCaller | UserCaller,
  permissions: ProfilePermissions,
  needed: { scopes: readonly Scope[]; anyOf?: readonly Scope[] },
): void {
  const grant = caller.kind === 'key' ? caller.grant : null
  const { scopes, anyOf = [] } = needed
  const isMissing = (grantedScopes: readonly string[]) => (scope: Scope) =>
    !satisfiesScope(grantedScopes, scope, grant)
  const missing = scopes.filter(isMissing(permissions.scopes))
  const alternatives = anyOf.length > 0 && anyOf.every(isMissing(permissions.scopes)) ? anyOf : []
  if (missing.length === 0 && alternatives.length === 0) return
  const withheld = caller.kind === 'key' ? caller.withheldScopes : []
  if ([...missing, ...alternatives].some((scope) => withheld.includes(scope))) throw dpaNotAccepted()
  if (permissions.ofRole !== null) refuseRole(permissions, { scopes, anyOf })
  throw insufficientScope(missing, alternatives)
}

/** If the role is the cause, say so: no credential with more scopes would help. */
function refuseRole(
  permissions: ProfilePermissions,
  needed: { scopes: readonly Scope[]; anyOf: readonly Scope[] },
): void {
  const roleScopes = permissions.ofRole ?? []
  const lacking = needed.scopes.filter((scope) => !roleScopes.includes(scope))
  const alternatives = needed.anyOf.some((scope) => roleScopes.includes(scope)) ? [] : needed.anyOf
  if (lacking.length === 0 && alternatives.length === 0) return
  throw new ApiError(
    'forbidden',
    `Your role ${permissions.role} in this profile does not allow ${[...lacking, ...alternatives.slice(0, 1)].join(', ')}; ask an admin of the workspace.`,
  )
}

/** `required_scopes` are sufficient; if one of several is enough, the others are in `alternative_scopes`. */
function insufficientScope(missing: readonly Scope[], alternatives: readonly Scope[] = []): ApiError {
  const required = [...missing, ...alternatives.slice(0, 1)]
  const allOf = missing.length === 0 ? [] : [`the scope ${missing.join(' and ')}`]
  const anyOf = alternatives.length === 0 ? [] : [`one of the scopes ${alternatives.join(' or ')}`]
  return new ApiError('insufficient_scope', `The credential lacks ${[...allOf, ...anyOf].join(' and ')}.`, {
    required_scopes: required,
    ...(alternatives.length === 0 ? {} : { alternative_scopes: [...alternatives] }),
  })
}

function isPartnerOnHealthcare(caller: KeyCaller | UserCaller, profile: ProfileRef): boolean {
  return caller.kind === 'key' && caller.appId !== null && isHealthcare(profile)
}

function healthcareScopeForbidden(): ApiError {
  return new ApiError(
    'healthcare_scope_forbidden',
    `This is a healthcare profile: a partner app cannot read people here (${personScopes.join(', ')}).`,
  )
}
