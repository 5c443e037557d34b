/** Scopes, grants and roles: who may call what, as data. */
export const scopes = [
  'analytics:read',
  'campaigns:apply',
  'campaigns:read',
  'connections:read',
  'connections:write',
  'conversions:read',
  'customers:read',
  'events:write',
  'exports:read',
  'exports:write',
  'identity:read',
  'identity:write',
  'mcp:read',
  'mcp:read_pii',
  'mcp:write',
  'messages:write',
  'payments:read',
  'payments:write',
  'realtime:read',
  'tracking:read',
  'tracking:write',
  'visitors:read',
  'webhooks:read',
  'webhooks:write',
  'workspaces:write',
] as const
export type Scope = (typeof scopes)[number]

/** Grants that a partner app can request from a person, with the scopes they give. */
export const grants = {
  connections: ['connections:read', 'connections:write'],
  analytics: ['analytics:read', 'campaigns:read', 'conversions:read'],
  analytics_pii: ['analytics:read', 'campaigns:read', 'conversions:read', 'customers:read', 'visitors:read'],
  attribution: [
    'exports:read',
    'exports:write',
    'campaigns:read',
    'campaigns:apply',
    'conversions:read',
    'events:write',
    'tracking:read',
    'tracking:write',
    'payments:read',
    'payments:write',
    'identity:read',
    'identity:write',
    'webhooks:read',
    'webhooks:write',
  ],
  /** Legacy: its keys keep working on the connection routes until the app requests `connections` instead. */
  attribution_write: [
    'exports:read',
    'exports:write',
    'campaigns:read',
    'campaigns:apply',
    'conversions:read',
  ],
  /** Opens no data: lets the app adopt the profile. Requested together with another grant; only admins can give it. */
  adoption: [],
} as const satisfies Record<string, readonly Scope[]>
export type Grant = keyof typeof grants

export const defaultKeyScopes: readonly Scope[] = [
  'analytics:read',
  'campaigns:read',
  'conversions:read',
  'realtime:read',
]
export const defaultUserTokenScopes: readonly Scope[] = ['mcp:read']

/** Scopes that give access to a person's data; partner grants on healthcare profiles never include them. */
export const personScopes: readonly Scope[] = ['customers:read', 'visitors:read']

export const workspaceRoles = ['owner', 'admin', 'editor', 'viewer'] as const
export type WorkspaceRole = (typeof workspaceRoles)[number]
export const profileRoles = ['editor', 'viewer'] as const
export type ProfileRole = (typeof profileRoles)[number]

const rank: Record<WorkspaceRole, number> = { owner: 3, admin: 2, editor: 1, viewer: 0 }
export function roleAtLeast(role: WorkspaceRole, needed: WorkspaceRole): boolean {
  return rank[role] >= rank[needed]
}

/** A person in the console acts with the scopes of their role: viewers read, editors and up write. */
export function scopesOfRole(role: WorkspaceRole | ProfileRole): readonly Scope[] {
  if (role === 'viewer')
    return scopes.filter((scope) => scope.endsWith(':read') && scope !== 'customers:read')
  return scopes.filter((scope) => scope !== 'workspaces:write' || role === 'owner' || role === 'admin')
}

/** A profile member's explicit permissions, if any, replace those of the role. */
export function scopesOfMember(member: {
  role: WorkspaceRole | ProfileRole
  permissions: readonly string[]
}): readonly string[] {
  return member.permissions.length > 0 ? member.permissions : scopesOfRole(member.role)
}

/** A user token's own scopes plus those implied by its `mcp:*` scopes. */
export function scopesOfUserToken(grantedScopes: readonly string[]): readonly string[] {
  return scopes.filter((scope) => {
    if (grantedScopes.includes(scope)) return true
    if (personScopes.includes(scope)) return grantedScopes.includes('mcp:read_pii')
    // An assistant sends no message unless its token includes the scope itself.
    if (scope === 'workspaces:write' || scope === 'messages:write') return false
    return grantedScopes.includes(scope.endsWith(':read') ? 'mcp:read' : 'mcp:write')
  })
}

/** Keys of the legacy grant also satisfy the connection scopes. */
export function satisfiesScope(
  grantedScopes: readonly string[],
  needed: Scope,
  grant: string | null,
): boolean {
  if (grantedScopes.includes(needed)) return true
  return grant === 'attribution_write' && (needed === 'connections:read' || needed === 'connections:write')
}
