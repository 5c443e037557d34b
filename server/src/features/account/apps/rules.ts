import { type Grant, grants, type Scope, scopes } from '../../../platform/contract/access.ts'

/** One grant, one key. */
export type PlannedGrant = { grant: string; scopes: Scope[] }
export type GrantPlan = {
  data: PlannedGrant | null
  connections: PlannedGrant | null
  /** The app asks to be allowed to adopt the profile. */
  adoption: boolean
}
export type PlanResult =
  | { ok: true; plan: GrantPlan }
  | { ok: false; problem: 'unknown' | 'not_allowed' | 'nothing'; names: string[] }

/** The grant that names a key which joins several. */
const byWeight: readonly Grant[] = ['attribution', 'attribution_write', 'analytics_pii', 'analytics']

/**
 * What an app asked for, against what it is registered for. Names are grants or single scopes; the
 * connections grant gets a key of its own next to the one for data.
 */
export function planGrants(requested: readonly string[], allowed: readonly string[]): PlanResult {
  const unknown = requested.filter((name) => expand(name) === undefined)
  if (unknown.length > 0) return { ok: false, problem: 'unknown', names: unknown }
  const within = new Set(allowed.flatMap((name) => expand(name) ?? []))
  const refused = requested.filter(
    (name) =>
      !allowed.includes(name) && (name === 'adoption' || !expand(name)!.every((scope) => within.has(scope))),
  )
  if (refused.length > 0) return { ok: false, problem: 'not_allowed', names: refused }
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
  const grant = byWeight.find((candidate) => names.includes(candidate)) ?? 'custom'
  return { grant, scopes: [...new Set(names.flatMap((name) => expand(name)!))] }
}

/** A partner app is never given the workspace itself. */
function expand(name: string): readonly Scope[] | undefined {
  if (Object.hasOwn(grants, name)) return grants[name as Grant]
  return (scopes as readonly string[]).includes(name) && name !== 'workspaces:write'
    ? [name as Scope]
    : undefined
}
