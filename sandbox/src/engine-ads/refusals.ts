/** Error response of the Ads API. */
import { engineError } from '../engine-oauth.ts'

export function adsError(httpStatus: number, status: string, family: string, code: string, message: string) {
  const errors = [{ errorCode: { [family]: code }, message }]
  const details = [{ '@type': 'type.googleapis.com/google.ads.googleads.errors.GoogleAdsFailure', errors }]
  return engineError(httpStatus, status, 'Request contains an invalid argument.', { details })
}
