/** Grants an app permissions on a profile: one authorization and one key per grant. */
import type { Service } from '../../../context.ts'
import { personScopes } from '../../../platform/contract/access.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { grantAllConnections } from '../../sources/connections/store.ts'
import { mintApiKey } from '../api-keys/mint.ts'
import { type AppRow, insertAuthorization } from './queries.ts'
import { type GrantPlan, type PlannedGrant, planGrants } from './rules.ts'

export type GrantedKeys = { apiKey: string; connectionsKey: string | null; authorizationIds: string[] }

/** Plans the requested grants, or throws the error documented in the contract. */
export function requireGrantPlan(
  app: Pick<AppRow, 'allowed_scopes'>,
  requested: readonly string[] | undefined,
): GrantPlan {
  const planned = planGrants(requested ?? app.allowed_scopes, app.allowed_scopes)
  if (planned.ok) return planned.plan
  switch (planned.problem) {
    case 'unknown':
      throw unknownGrant(planned.names)
    case 'not_allowed':
      throw new ApiError('insufficient_scope', `The app is not registered for ${planned.names.join(', ')}.`, {
        required_scopes: planned.names,
      })
    case 'nothing':
      throw new ApiError('validation_error', 'must contain at least one scope.', { field: 'scopes' })
  }
}

function unknownGrant(names: readonly string[]): ApiError {
  return new ApiError('validation_error', `${names.join(', ')} is not a known scope.`, { field: 'scopes' })
}

/** Rejects unknown names. Needs only the request, so it runs before the app is loaded. */
export function checkGrantNames(requested: readonly string[] | undefined): void {
  if (requested === undefined) return
  const planned = planGrants(requested, requested)
  if (!planned.ok && planned.problem === 'unknown') throw unknownGrant(planned.names)
}

/** On a healthcare profile, grants never include person-level scopes. */
export function refuseHealthcareGrant(isHealthcare: boolean, plan: GrantPlan): void {
  const requested = [...(plan.data?.scopes ?? []), ...(plan.connections?.scopes ?? [])]
  if (isHealthcare && requested.some((scope) => personScopes.includes(scope)))
    throw new ApiError(
      'healthcare_scope_forbidden',
      'This is a healthcare profile: request analytics instead of analytics_pii.',
    )
}

export async function grantToApp(
  service: Service,
  tx: Tx,
  params: {
    app: Pick<AppRow, 'id' | 'name'>
    profileId: string
    userId: string | null
    plan: GrantPlan
    /** True if a person agreed to the adoption on the consent page. */
    allowsAdoption?: boolean
    now: Date
  },
): Promise<GrantedKeys> {
  const authorizationIds: string[] = []
  const issueKey = async (planned: PlannedGrant) => {
    const id = uuidv7(params.now)
    authorizationIds.push(id)
    const { profileId, userId, now, allowsAdoption = false } = params
    const { grant, scopes } = planned
    const appId = params.app.id
    await insertAuthorization(tx, { id, appId, profileId, userId, grant, scopes, allowsAdoption, now })
    await grantAllConnections(tx, { profileId, appId: params.app.id, authorizationId: id, now })
    const { key } = await mintApiKey(service, tx, {
      profileId: params.profileId,
      name: `${params.app.name} (${planned.grant})`,
      scopes: planned.scopes,
      now: params.now,
      app: { appId: params.app.id, authorizationId: id, grant: planned.grant },
    })
    return key
  }
  const { data, connections } = params.plan
  const dataKey = data === null ? null : await issueKey(data)
  const connectionsKey = connections === null ? null : await issueKey(connections)
  return {
    apiKey: (dataKey ?? connectionsKey)!,
    connectionsKey: dataKey === null ? null : connectionsKey,
    authorizationIds,
  }
}
