import { verifyCallback } from '../../../connectors/storefront/webhooks.ts'
import type { RequestContext } from '../../../context.ts'
import { DAY_MS } from '../../../platform/contract/dates.ts'
import { ApiError } from '../../../platform/contract/errors.ts'

/** Allows time to sign up and confirm an address between opening the app from the store and creating the workspace. */
const MAX_AGE_MS = DAY_MS

/**
 * The store platform opens the app's URL with `shop`, `timestamp` and `hmac` (shopify.dev, "Implement authorization
 * code grant manually", step 1, looked up 2026-11-17); only a valid signature marks the workspace as installed from
 * the store. Returns the signature, which can create only one workspace.
 */
export function requireStoreInstall({ service, now }: RequestContext, queryString: string): string {
  const app = service.providers.get('storefront')?.app
  const query = Object.fromEntries(new URLSearchParams(queryString))
  const signedAt = Number(query.timestamp) * 1000
  const isFresh = Math.abs(now.getTime() - signedAt) <= MAX_AGE_MS
  if (app !== undefined && isFresh && verifyCallback(app, query)) return query.hmac!.toLowerCase()
  throw refusedInstall('must be signed by the store platform within the last day.')
}

export const refusedInstall = (problem: string) =>
  new ApiError('validation_error', problem, {
    field: 'store_install',
    hint: 'Open the app from the store’s admin again.',
  })
