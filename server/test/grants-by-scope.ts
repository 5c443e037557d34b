/**
 * Who may call what, stated apart from `platform/contract/access.ts` and the contracts: a grant that gains a scope,
 * and a route with a scope that its group does not use, differ from these tables.
 */
import type { Grant, Scope } from '../src/platform/contract/access.ts'
import type { Endpoint } from '../src/platform/contract/endpoint.ts'

/** The grants of a partner app whose keys have the scope. */
const grantsByScope: Record<Scope, readonly Grant[]> = {
  'analytics:read': ['analytics', 'analytics_pii'],
  'campaigns:read': ['analytics', 'analytics_pii', 'attribution', 'attribution_write'],
  'conversions:read': ['analytics', 'analytics_pii', 'attribution', 'attribution_write'],
  'customers:read': ['analytics_pii'],
  'visitors:read': ['analytics_pii'],
  'connections:read': ['connections', 'attribution_write'],
  'connections:write': ['connections', 'attribution_write'],
  'campaigns:apply': ['attribution', 'attribution_write'],
  'exports:read': ['attribution', 'attribution_write'],
  'exports:write': ['attribution', 'attribution_write'],
  'events:write': ['attribution'],
  'tracking:read': ['attribution'],
  'tracking:write': ['attribution'],
  'payments:read': ['attribution'],
  'payments:write': ['attribution'],
  'identity:read': ['attribution'],
  'identity:write': ['attribution'],
  'webhooks:read': ['attribution'],
  'webhooks:write': ['attribution'],
  'messages:write': [],
  'realtime:read': [],
  'mcp:read': [],
  'mcp:read_pii': [],
  'mcp:write': [],
  'workspaces:write': [],
}

/** The scopes that routes of each group need. A new route of a group needs some of them. */
const scopesByTag: Record<string, readonly Scope[]> = {
  alerts: ['campaigns:read', 'tracking:write'],
  annotations: ['analytics:read', 'tracking:write'],
  attribution: [
    'analytics:read',
    'campaigns:read',
    'conversions:read',
    'events:write',
    'tracking:read',
    'tracking:write',
  ],
  calendars: ['connections:write', 'customers:read'],
  campaigns: ['campaigns:apply', 'campaigns:read'],
  connections: ['connections:read', 'connections:write', 'exports:read'],
  conversations: [
    'connections:read',
    'connections:write',
    'customers:read',
    'events:write',
    'messages:write',
  ],
  conversions: ['campaigns:read', 'conversions:read', 'tracking:write'],
  'customer-data-exports': ['customers:read', 'identity:read', 'identity:write'],
  customers: ['customers:read'],
  'data-exports': ['exports:read', 'exports:write'],
  'declared-sources': ['analytics:read', 'events:write', 'tracking:write'],
  erasures: ['identity:read', 'identity:write'],
  events: ['conversions:read', 'events:write'],
  exports: ['customers:read', 'exports:read', 'exports:write'],
  identity: ['identity:read', 'identity:write'],
  insights: ['campaigns:read', 'tracking:write'],
  integrations: ['connections:read', 'connections:write'],
  notifications: ['analytics:read'],
  payments: ['payments:read', 'payments:write'],
  quality: ['tracking:read', 'tracking:write'],
  reports: ['campaigns:apply', 'campaigns:read', 'conversions:read'],
  'saved-views': ['analytics:read'],
  'short-links': ['tracking:read', 'tracking:write'],
  'top-performers': ['campaigns:read'],
  tracking: ['tracking:read', 'tracking:write'],
  visitors: ['realtime:read', 'visitors:read'],
  webhooks: ['conversions:read', 'customers:read', 'webhooks:read', 'webhooks:write'],
}

/** The grants whose keys can call a route: they have all of its scopes, and one of `anyOf`. */
export function grantsReaching({ access, tag }: Endpoint, all: readonly Grant[]): readonly Grant[] {
  // Each bearer route checks its resource: a hand-off belongs to those who connect accounts, readiness to all.
  if (access.kind !== 'profile') return tag === 'connections' ? grantsByScope['connections:read'] : all
  const { scopes, anyOf = [] } = access
  return all.filter(
    (grant) =>
      scopes.every((scope) => grantsByScope[scope].includes(grant)) &&
      (anyOf.length === 0 || anyOf.some((scope) => grantsByScope[scope].includes(grant))),
  )
}

/** Scopes of a route that no other route of its group uses. */
export function foreignScopes({ access, tag }: Endpoint): readonly Scope[] {
  if (access.kind !== 'profile') return []
  return [...access.scopes, ...(access.anyOf ?? [])].filter((scope) => !scopesByTag[tag]?.includes(scope))
}
