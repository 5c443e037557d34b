/** Gives an app its reach on a profile: one authorization and one key per grant. */
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

/** The plan of what an app asked for, or the refusal that the contract names. */
export function planFor(
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
      throw new ApiError('validation_error', 'at least one is needed.', { field: 'scopes' })
  }
}

function unknownGrant(names: readonly string[]): ApiError {
  return new ApiError('validation_error', `${names.join(', ')} is not a known scope.`, { field: 'scopes' })
}

/** What the request alone decides: names that no app could be registered for. */
export function checkGrantNames(requested: readonly string[] | undefined): void {
  if (requested === undefined) return
  const planned = planGrants(requested, requested)
  if (!planned.ok && planned.problem === 'unknown') throw unknownGrant(planned.names)
}

/** Grants on a healthcare profile never open a person. */
export function refuseHealthcareGrant(isHealthcare: boolean, plan: GrantPlan): void {
  const asked = [...(plan.data?.scopes ?? []), ...(plan.connections?.scopes ?? [])]
  if (isHealthcare && asked.some((scope) => personScopes.includes(scope)))
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
    /** A person agreed to it on the consent page. */
    allowsAdoption?: boolean
    now: Date
  },
): Promise<GrantedKeys> {
  const authorizationIds: string[] = []
  const give = async (planned: PlannedGrant) => {
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
  const first = data === null ? null : await give(data)
  const second = connections === null ? null : await give(connections)
  return { apiKey: (first ?? second)!, connectionsKey: first === null ? null : second, authorizationIds }
}
