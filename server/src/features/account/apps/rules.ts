import { type Grant, grants, type Scope, scopes } from '../../../platform/contract/access.ts'

/** One grant, one key. */
export type PlannedGrant = { grant: string; scopes: Scope[] }
export type GrantPlan = {
  data: PlannedGrant | null
  connections: PlannedGrant | null
  /** The app requests permission to adopt the profile. */
  adoption: boolean
}
export type PlanResult =
  | { ok: true; plan: GrantPlan }
  | { ok: false; problem: 'unknown' | 'not_allowed' | 'nothing'; names: string[] }

/** Grants in order of precedence: the first one names a key that combines several grants. */
const grantPrecedence: readonly Grant[] = ['attribution', 'attribution_write', 'analytics_pii', 'analytics']

/**
 * Checks the requested grants against the app's registration. Names are grants or single scopes; the connections grant
 * gets a separate key in addition to the one for data.
 */
export function planGrants(requested: readonly string[], allowed: readonly string[]): PlanResult {
  const unknownNames = requested.filter((name) => expand(name) === undefined)
  if (unknownNames.length > 0) return { ok: false, problem: 'unknown', names: unknownNames }
  const allowedScopes = new Set(allowed.flatMap((name) => expand(name) ?? []))
  const disallowed = requested.filter(
    (name) =>
      !allowed.includes(name) &&
      (name === 'adoption' || !expand(name)!.every((scope) => allowedScopes.has(scope))),
  )
  if (disallowed.length > 0) return { ok: false, problem: 'not_allowed', names: disallowed }
  const forData = requested.filter((name) => name !== 'connections' && name !== 'adoption')
  const connections = requested.includes('connections')
    ? { grant: 'connections', scopes: [...grants.connections] }
    : null
  if (forData.length === 0 && connections === null) return { ok: false, problem: 'nothing', names: [] }
  const adoption = requested.includes('adoption')
  return { ok: true, plan: { data: joinGrants(forData), connections, adoption } }
}

function joinGrants(names: readonly string[]): PlannedGrant | null {
  if (names.length === 0) return null
  const grant = grantPrecedence.find((candidate) => names.includes(candidate)) ?? 'custom'
  return { grant, scopes: [...new Set(names.flatMap((name) => expand(name)!))] }
}

/** The scopes of a grant or scope name. Partner apps never get `workspaces:write`. */
function expand(name: string): readonly Scope[] | undefined {
  if (Object.hasOwn(grants, name)) return grants[name as Grant]
  return (scopes as readonly string[]).includes(name) && name !== 'workspaces:write'
    ? [name as Scope]
    : undefined
}
