/**
 * Parameters that LinkedIn appends to landing URLs: those of the account, then those of the campaign. Source:
 * "Dynamic UTM Tracking" (learn.microsoft.com, version 202608) and public code that calls it, read on 2026-11-18.
 */
import { z } from 'zod'
import { ProviderError, type Session } from '../connector.ts'
import { lookUp } from '../look-up.ts'
import { text } from '../reply-fields.ts'
import { callRest } from './calls.ts'
import type { Creative } from './mapping.ts'
import { recordOf, textOf, urn } from './restli.ts'

const Values = z.record(z.string(), text).nullish()
const Tracking = z.looseObject({ dynamicValueParameters: Values, customValueParameters: Values })
type Tracking = z.infer<typeof Tracking>

/** By campaign id, and by account id for the account's own. */
type Trackings = ReadonlyMap<string, Tracking>

/** Less than the number of failures that opens the circuit breaker, which a page can therefore not reach here. */
const PARALLEL = 3

async function readOne(
  session: Session,
  kind: 'sponsoredAccount' | 'sponsoredCampaign',
  id: string,
): Promise<Tracking | null> {
  const key = recordOf({ adEntity: recordOf({ [kind]: textOf(urn(kind, id)) }) })
  try {
    return await callRest(session, `/adTrackingParameters/${key}`, { schema: Tracking, once: true })
  } catch (error) {
    // Most campaigns have no tracking parameters.
    if (error instanceof ProviderError && error.reason === 'not_found') return null
    throw error
  }
}

/** Only for active creatives. Failures are ignored: one integrator reported days of failures here. */
export async function readTracking(session: Session, creatives: readonly Creative[]): Promise<Trackings> {
  const trackings = new Map<string, Tracking>()
  const running = creatives.filter(({ intendedStatus }) => intendedStatus === 'ACTIVE')
  const ids = [...new Set(running.map(({ campaign }) => campaign))]
  if (ids.length === 0) return trackings
  const addTracking = (id: string, tracking: Tracking | null) =>
    tracking !== null && trackings.set(id, tracking)
  try {
    addTracking(session.accountId, await readOne(session, 'sponsoredAccount', session.accountId))
    for (let at = 0; at < ids.length; at += PARALLEL)
      await Promise.all(
        ids
          .slice(at, at + PARALLEL)
          .map(async (id) => addTracking(id, await readOne(session, 'sponsoredCampaign', id))),
      )
  } catch (error) {
    const isOwn = error instanceof ProviderError && error.providerCode !== 'api_version_ended'
    if (!isOwn || error.reason === 'rate_limited' || error.reason === 'invalid_grant') throw error
  }
  return trackings
}

/** The landing URL as LinkedIn serves it; unknown dynamic values keep LinkedIn's name. */
export function withTracking(
  address: string | null,
  { id, campaign }: Creative,
  accountId: string,
  trackings: Trackings,
): string | null {
  const url = address === null ? null : URL.parse(address)
  if (url === null) return address
  const dynamicValues: Record<string, string> = {
    CREATIVE_ID: id,
    CAMPAIGN_ID: campaign,
    ACCOUNT_ID: accountId,
  }
  const parameters = new Map<string, string>()
  for (const tracking of [trackings.get(accountId), trackings.get(campaign)]) {
    for (const [name, value] of Object.entries(tracking?.customValueParameters ?? {}))
      if (value !== null) parameters.set(name, value)
    for (const [name, value] of Object.entries(tracking?.dynamicValueParameters ?? {}))
      if (value !== null) parameters.set(name, lookUp(dynamicValues, value) ?? value)
  }
  if (parameters.size === 0) return address
  for (const [name, value] of parameters) url.searchParams.set(name, value)
  return url.toString()
}
