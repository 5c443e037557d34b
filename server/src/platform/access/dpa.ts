/** The data-processing agreement of an app: without it the app cannot read people of profiles that it provisioned. */
import { sql } from 'kysely'
import { personScopes } from '../contract/access.ts'
import { ApiError } from '../contract/errors.ts'

/** SQL condition for the profile `p` and the app `a` that acts on it. */
export const lacksDpa = sql<boolean>`coalesce(p.provisioned_by_app_id = a.id and not a.dpa_accepted, false)`

/** Granted scopes that have no effect without the agreement. */
export const withoutPersonScopes = (scopes: readonly string[]): string[] =>
  scopes.filter((scope) => !(personScopes as readonly string[]).includes(scope))

export function dpaNotAccepted(): ApiError {
  return new ApiError(
    'forbidden',
    `The app cannot read people of profiles that it provisioned (${personScopes.join(', ')}) until an admin of the workspace that registered the app accepts the data-processing agreement.`,
    {
      reason: 'dpa_not_accepted',
      hint: 'POST /workspaces/{workspaceId}/oauth-apps/{appId}/dpa/accept accepts it.',
    },
  )
}
