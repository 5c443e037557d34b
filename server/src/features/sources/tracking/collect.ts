/** The collector: ingests events that browsers post, and acknowledges them after the commit. */
import type { ProfileRef, Service } from '../../../context.ts'
import { authenticateTrackingKey } from '../../../platform/access/authenticate.ts'
import { entitlementRequired, isEntitled } from '../../../platform/access/entitlement.ts'
import { findProfileRef } from '../../../platform/access/queries.ts'
import { cachedBriefly } from '../../../platform/access/short-cache.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { parseAs } from '../../../platform/contract/parse.ts'
import { toError, toRefusal } from '../../../platform/contract/refusal.ts'
import { readJsonBatch, Unreadable } from '../../../platform/http/json.ts'
import type { PageReply, PageRequest, PageRoute } from '../../../platform/http/page-route.ts'
import { toApiError, toErrorBody } from '../../../platform/http/reply.ts'
import { uuidv5 } from '../../../platform/secrets/uuid5.ts'
import { rememberCodes } from '../../facts/chat-codes/operations.ts'
import { listExportedNames } from '../../facts/events/exported-names.ts'
import { inRequestOrder } from '../../facts/events/rules.ts'
import type { NewEvent } from '../../facts/events/stored.ts'
import { linkOpenedEvent } from '../../facts/link-tokens/operations.ts'
import { DECLARED_EVENT, declareFromVisit } from '../declared-sources/operations.ts'
import { readAgent } from './enrich.ts'
import { getTrackingSettings, markSeen, spendToken, type TrackingSettings } from './queries.ts'
import { isOnDomain, toTrackedEvent, type Visit } from './to-event.ts'
import { hashOfToken, readVisit, signVisit, VISIT_TOKEN_MS } from './visit-token.ts'
import { WireBatch, WireEvent } from './wire.ts'

const BODY_LIMIT = 256 * 1024
const corsHeaders = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'Retry-After' }

type Rejected = { index: number; event_id: string | null; code: string; message: string }

export const collectRoutes: readonly PageRoute[] = [
  {
    method: 'POST',
    path: '/api/tracking/collect',
    bodyLimit: BODY_LIMIT,
    isDirect: true,
    handle: jsonRoute(collect),
  },
  {
    method: 'POST',
    path: '/api/tracking/identity-signal',
    bodyLimit: BODY_LIMIT,
    handle: jsonRoute(identitySignal),
  },
  {
    method: 'POST',
    path: '/api/tracking/verification/beacon',
    bodyLimit: 16 * 1024,
    handle: jsonRoute(beacon),
  },
  { method: 'POST', path: '/api/tracking/visit', bodyLimit: 16 * 1024, handle: jsonRoute(continueVisit) },
  ...['collect', 'identity-signal', 'verification/beacon', 'visit'].map(
    (path): PageRoute => ({ method: 'OPTIONS', path: `/api/tracking/${path}`, handle: preflight }),
  ),
]

export async function preflight(): Promise<PageReply> {
  const headers = {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'POST, OPTIONS',
    'access-control-allow-headers': 'Content-Type',
    'access-control-max-age': '86400',
  }
  return { status: 204, headers, body: null }
}

/** Errors use the API's envelope and carry the CORS headers too. */
export function jsonRoute(
  work: (service: Service, request: PageRequest, body: Record<string, unknown>) => Promise<unknown>,
) {
  return async (service: Service, request: PageRequest): Promise<PageReply> => {
    try {
      const reading = readJsonBatch(request.bytes, 'events')
      if (!reading.ok) throw new ApiError('invalid_request', reading.message)
      if (typeof reading.value !== 'object' || reading.value === null || Array.isArray(reading.value))
        throw new ApiError('invalid_request', 'The body must be a JSON object.')
      const data = await work(service, request, reading.value as Record<string, unknown>)
      return {
        status: 202,
        headers: corsHeaders,
        contentType: 'application/json; charset=utf-8',
        body: JSON.stringify({ data }),
      }
    } catch (cause) {
      const error = toApiError(cause)
      if (error.status === 500)
        service.log.error('collecting failed', { request_id: request.requestId, error: cause })
      return {
        status: error.status,
        headers: {
          ...corsHeaders,
          ...(error.retryAfter === null ? {} : { 'retry-after': String(error.retryAfter) }),
        },
        contentType: 'application/json; charset=utf-8',
        body: JSON.stringify(toErrorBody(error, request.requestId, service.config.BASE_URL)),
      }
    }
  }
}

type Site = {
  profile: ProfileRef
  settings: TrackingSettings
  exportedNames: ReadonlySet<string>
  isEntitled: boolean
}

export async function siteOf(service: Service, key: unknown): Promise<Site> {
  const profileId = typeof key === 'string' ? await authenticateTrackingKey(service, key) : undefined
  if (profileId === undefined)
    throw new ApiError('unauthorized', 'The tracking key is missing or not active.')
  return cachedBriefly(service, 'site', profileId, async () => {
    const { db } = await service.nodes.of(profileId)
    const profile = await findProfileRef(db, { profileId })
    if (profile === undefined)
      throw new ApiError('unauthorized', 'The tracking key is missing or not active.')
    return {
      profile,
      settings: await getTrackingSettings(db, { profileId }),
      exportedNames: await listExportedNames(db, { profileId }),
      isEntitled: await isEntitled(db, { profile, feature: 'attribution' }),
    }
  })
}

/** The site of the key; throws if its profile is not entitled to events. */
async function requireSite(service: Service, key: unknown): Promise<Site> {
  const site = await siteOf(service, key)
  if (!site.isEntitled) throw entitlementRequired('attribution')
  return site
}

export async function collect(service: Service, request: PageRequest, body: Record<string, unknown>) {
  const isBatch = 'events' in body
  if (isBatch && !WireBatch.safeParse(body).success)
    throw new ApiError('validation_error', 'must be 1 to 50 events, with a key.', { field: 'events' })
  const site = await requireSite(service, body.key)
  const { profile, settings } = site
  const raw = isBatch ? (body.events as unknown[]) : [body]
  spendEvents(service, profile.id, raw.length)
  const visit = visitOf(service, request, site)
  const rejected: Rejected[] = []
  const events: NewEvent[] = []
  const links: NewEvent[] = []
  for (const [index, entry] of raw.entries()) {
    const reading = read(entry, visit, settings)
    if (reading.ok) {
      const { event, linkToken } = reading
      const refusal = event.name === DECLARED_EVENT ? await declareFromVisit(service, profile, event) : null
      if (refusal !== null) {
        rejected.push({ index, event_id: idOf(entry), code: refusal.code, message: refusal.message })
        continue
      }
      events.push(event)
      const link = linkToken && (await linkOpenedEvent(service, profile.id, event, linkToken))
      if (link) links.push(link)
    } else rejected.push({ index, event_id: idOf(entry), code: reading.code, message: reading.message })
  }
  if (!isBatch && rejected[0] !== undefined)
    throw new ApiError(
      singleEventCodes.find((code) => code === rejected[0]!.code) ?? 'validation_error',
      rejected[0].message,
    )
  const ingested =
    events.length === 0 ? [] : await service.ingest.add(profile.id, inRequestOrder([...events, ...links]))
  await rememberCodes(service, profile.id, events)
  const statuses = ingested.slice(0, events.length)
  const accepted = statuses.filter((status) => status === 'accepted').length
  return { accepted, duplicates: statuses.length - accepted, rejected }
}

/** Codes that a request with a single event returns as such; all others become `validation_error`. */
const singleEventCodes = ['forbidden', 'unknown_answer_key'] as const

export function spendEvents(service: Service, profileId: string, events: number): void {
  const wait = service.ingestLimit.spend(profileId, events)
  if (wait > 0)
    throw new ApiError('rate_limit_exceeded', 'Too many events per second for this profile.', {
      retryAfter: wait,
    })
}

type ReadResult =
  | { ok: true; event: NewEvent; linkToken?: string | undefined }
  | { ok: false; code: string; message: string }

function read(entry: unknown, visit: Visit, settings: TrackingSettings): ReadResult {
  if (entry instanceof Unreadable) return { ok: false, code: 'invalid_request', message: entry.message }
  const parsed = parseAs(WireEvent, entry, 'The event')
  if (!parsed.ok) return { ok: false, code: 'validation_error', message: parsed.message }
  if (!isAllowedSite(parsed.value.url, settings.allowedDomains))
    return {
      ok: false,
      code: 'forbidden',
      message: 'url: this site is not allowed by the tracking settings.',
    }
  const reading = toTrackedEvent(parsed.value, visit)
  return reading.ok
    ? { ...reading, linkToken: parsed.value.link_token }
    : { ok: false, code: 'validation_error', message: reading.message }
}

function visitOf(service: Service, request: PageRequest, { profile, settings, exportedNames }: Site): Visit {
  const userAgent = request.headers['user-agent'] ?? ''
  const agent = readAgent(userAgent)
  return {
    profileId: profile.id,
    currency: profile.currency,
    pepper: service.identityPepper,
    country: profile.country,
    ownDomains: settings.allowedDomains,
    now: service.clock.now(),
    isBot: settings.filterBots && agent.isBot,
    device: {
      ...agent.device,
      country: settings.enrichCountry ? service.geo.countryOf(request.ip) : null,
    },
    userAgent,
    mayLiftOptOut: settings.gpc === 'explicit_choice_wins',
    // Several proxies may each add one.
    isOptedOut: String(request.headers['sec-gpc'])
      .split(',')
      .some((value) => value.trim() === '1'),
    exportedNames,
  }
}

/** If no domains are listed, any site that has the key may send. */
export const isAllowedSite = (url: string, domains: readonly string[]): boolean =>
  domains.length === 0 || isOnDomain(url, domains)

function idOf(entry: unknown): string | null {
  const id = typeof entry === 'object' && entry !== null && 'event_id' in entry ? entry.event_id : null
  return typeof id === 'string' ? id.slice(0, 64) : null
}

/** Stores an `identify` event for a page that reports only who the visitor is. */
async function identitySignal(service: Service, request: PageRequest, body: Record<string, unknown>) {
  const site = await requireSite(service, body.key)
  const { profile, settings } = site
  // The signal contains no page URL, so the browser's Origin or Referer is checked.
  const sentFrom = request.headers.origin ?? request.headers.referer ?? ''
  if (!isAllowedSite(sentFrom, settings.allowedDomains))
    throw new ApiError('forbidden', 'This site is not allowed by the tracking settings.')
  spendEvents(service, profile.id, 1)
  const now = service.clock.now().toISOString()
  const anonymousId = typeof body.anonymous_id === 'string' ? body.anonymous_id : ''
  const traits = body.user_traits
  const parsed = parseAs(WireEvent, {
    event_id: signalId(profile.id, anonymousId, traits),
    type: 'identify',
    event_name: 'identify',
    occurred_at: now,
    sent_at: now,
    anonymous_id: anonymousId,
    session_id: anonymousId,
    session_start: false,
    url: '',
    referrer: '',
    title: '',
    utm: {},
    click_ids: {},
    ad: {},
    properties: {},
    user_traits: traits,
    // As in the collector: a signal that states another consent is refused.
    consent: 'consent' in body ? body.consent : 'granted',
    screen: { w: 0, h: 0 },
    language: '',
    tz: '',
  })
  if (!parsed.ok) throw toError(toRefusal('validation_error', parsed))
  const reading = toTrackedEvent(parsed.value, visitOf(service, request, site))
  if (!reading.ok) throw new ApiError('validation_error', reading.message)
  const [status] = await service.ingest.add(profile.id, [reading.event])
  return { accepted: status === 'accepted' ? 1 : 0, duplicates: status === 'accepted' ? 0 : 1 }
}

/** Deduplicates: the same signal always has the same event id. */
function signalId(profileId: string, anonymousId: string, traits: unknown): string {
  return uuidv5(profileId, `signal:${JSON.stringify([anonymousId, traits])}`)
}

/** Cross-domain visits: exchanges a visit for a signed token, or, on another listed domain, the token for its visit. */
async function continueVisit(service: Service, request: PageRequest, body: Record<string, unknown>) {
  const { profile, settings } = await requireSite(service, body.key)
  const domains = settings.allowedDomains
  if (domains.length < 2 || !isAllowedSite(request.headers.origin ?? '', domains))
    throw new ApiError('forbidden', 'This site is not one of several that the tracking settings allow.')
  spendEvents(service, profile.id, 1)
  const visit = typeof body.visit === 'string' ? body.visit : ''
  const holder = {
    profileId: profile.id,
    userAgent: request.headers['user-agent'] ?? '',
    pepper: service.identityPepper,
    now: service.clock.now(),
  }
  const signed = signVisit(visit, holder)
  const continued = signed === undefined ? readVisit(visit, holder) : undefined
  const isFirstUse =
    continued === undefined || (await spendVisitToken(service, profile.id, visit, holder.now))
  const result = signed ?? continued
  if (result === undefined || !isFirstUse)
    throw new ApiError(
      'validation_error',
      'must be a visit, or an unused token that is valid now and in this browser.',
      {
        field: 'visit',
      },
    )
  return { visit: result }
}

/** False if the token was used before, also at the same moment. */
async function spendVisitToken(service: Service, profileId: string, token: string, now: Date) {
  const { db } = await service.nodes.of(profileId)
  const expiresAt = new Date(now.getTime() + VISIT_TOKEN_MS)
  return spendToken(db, { profileId, tokenHash: hashOfToken(token), now, expiresAt })
}

async function beacon(service: Service, _request: PageRequest, body: Record<string, unknown>) {
  const { profile } = await siteOf(service, body.key)
  spendEvents(service, profile.id, 1)
  const token = typeof body.token === 'string' ? body.token : ''
  const url = typeof body.url === 'string' ? body.url.slice(0, 2048) : ''
  const isPending = await markSeen(service.db, {
    profileId: profile.id,
    token,
    url,
    now: service.clock.now(),
  })
  if (!isPending) throw new ApiError('not_found', 'No install check waits for this token.')
  return { seen: true }
}
