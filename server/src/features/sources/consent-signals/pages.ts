/** What browsers and authorities request: counts of excluded visits, marks of own browsers, and the policy of a domain. */
import type { Service } from '../../../context.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { localDay } from '../../../platform/contract/zones.ts'
import type { PageReply, PageRequest, PageRoute } from '../../../platform/http/page-route.ts'
import { jsonRoute, preflight, siteOf, spendEvents } from '../tracking/collect.ts'
import { countExcluded } from '../tracking/excluded-queries.ts'
import { findPolicyOf } from './operations.ts'
import { readOwnToken } from './own-token.ts'

const BODY_LIMIT = 4096

export const consentSignalPages: readonly PageRoute[] = [
  { method: 'POST', path: '/api/tracking/excluded', bodyLimit: BODY_LIMIT, handle: jsonRoute(countView) },
  {
    method: 'POST',
    path: '/api/tracking/own-browser',
    bodyLimit: BODY_LIMIT,
    handle: jsonRoute(markBrowser),
  },
  ...['excluded', 'own-browser'].map(
    (path): PageRoute => ({ method: 'OPTIONS', path: `/api/tracking/${path}`, handle: preflight }),
  ),
  { method: 'GET', path: '/.well-known/gpc.json', handle: getPolicy },
]

async function countView(service: Service, _request: PageRequest, body: Record<string, unknown>) {
  const { profile } = await siteOf(service, body.key)
  const { reason } = body
  if (reason !== 'own' && reason !== 'path')
    throw new ApiError('validation_error', 'must be own or path.', { field: 'reason' })
  spendEvents(service, profile.id, 1)
  const { db } = await service.nodes.of(profile.id)
  await countExcluded(db, {
    profileId: profile.id,
    day: localDay(service.clock.now(), profile.timezone),
    reason,
  })
  return { counted: true }
}

/** Sends the tracker whether the link that was opened marks this browser. Nothing is stored here. */
async function markBrowser(service: Service, _request: PageRequest, body: Record<string, unknown>) {
  const { profile } = await siteOf(service, body.key)
  spendEvents(service, profile.id, 1)
  const token = typeof body.token === 'string' ? body.token : ''
  const signer = { profileId: profile.id, pepper: service.identityPepper }
  const mark = readOwnToken(token, service.clock.now(), signer)
  if (mark === undefined)
    throw new ApiError('validation_error', 'must be the token of a link that is valid now.', {
      field: 'token',
    })
  return { is_own: mark.isOwn }
}

/** w3c.github.io/gpc: the site's statement that it honors the signal, per origin. */
async function getPolicy(service: Service, request: PageRequest): Promise<PageReply> {
  const host = (request.headers.host ?? '').replace(/:\d+$/, '').toLowerCase()
  const policy = await findPolicyOf(service, host)
  const contentType = 'application/json; charset=utf-8'
  if (policy === undefined) return { status: 404, contentType, body: JSON.stringify({ error: 'not_found' }) }
  const headers = { 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=3600' }
  return { status: 200, headers, contentType, body: JSON.stringify({ gpc: true, lastUpdate: policy.since }) }
}
