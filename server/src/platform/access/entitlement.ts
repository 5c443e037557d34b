/** Entitlements of profiles provisioned by an app: features that the app has not enabled are refused. */
import type { ProfileRef } from '../../context.ts'
import { ApiError } from '../contract/errors.ts'
import type { Db, Tx } from '../db/database.ts'
import { findEntitlement } from './queries.ts'

/** Always true for a profile that was not provisioned, or that its app no longer governs. */
export async function isEntitled(
  db: Db | Tx,
  params: { profile: Pick<ProfileRef, 'id' | 'provisionedByAppId'>; feature: 'attribution' },
): Promise<boolean> {
  const { profile, feature } = params
  return profile.provisionedByAppId === null || findEntitlement(db, { profileId: profile.id, feature })
}

export function entitlementRequired(feature: 'attribution'): ApiError {
  return new ApiError(
    'entitlement_required',
    `The app that provisioned this profile has not enabled ${feature}.`,
    { hint: `The app enables it with PUT /profiles/{profileId}/entitlements/${feature}.` },
  )
}
