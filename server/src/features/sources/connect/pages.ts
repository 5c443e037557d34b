/** `/connect/…`: the consent page, the redirect to the provider and the callback. A GET of the first two writes nothing. */
import type { Provider } from '../../../connectors/connector.ts'
import type { Service } from '../../../context.ts'
import { platformNames } from '../../../platform/contract/platform-names.ts'
import { databaseNow } from '../../../platform/db/database.ts'
import type { PageReply, PageRequest, PageRoute } from '../../../platform/http/page-route.ts'
import { currentStatus, linksOf } from '../handoffs/operations.ts'
import {
  type Brand,
  checkoutPage,
  consentPage,
  donePage,
  failurePage,
  pageHeaders,
  unknownLinkPage,
} from '../handoffs/page.ts'
import { findGoverningApp, findHandoff, type HandoffRow } from '../handoffs/queries.ts'
import { type BounceStatus, type Reason, toBounceUrl } from '../handoffs/rules.ts'
import { attemptCookies, clearedCookies, newAttempt, readLinkToken, signState } from '../handoffs/token.ts'
import { callbackUrl, type Ending, finishConsent, isReturnAllowed, refusalOf } from './consent.ts'
import { receiveDeposit } from './deposits.ts'
import { readLogo } from './logo.ts'
import { findClientName } from './queries.ts'

const DEPOSIT_BYTES = 16 * 1024
const ownBrand: Brand = { name: 'Whence', logoSrc: null }

export const connectPages: readonly PageRoute[] = [
  {
    method: 'GET',
    path: '/connect/{token}',
    handle: (service, request) => guarded(service, request, openPage),
  },
  {
    method: 'GET',
    path: '/connect/{token}/start',
    handle: (service, request) => guarded(service, request, start),
  },
  { method: 'GET', path: '/connect/{token}/logo', handle: logo },
  {
    method: 'GET',
    path: '/connect/callback/{provider}',
    handle: (service, request) => guarded(service, request, finish),
  },
  {
    method: 'POST',
    path: '/connect/callback/{provider}',
    bodyLimit: DEPOSIT_BYTES,
    handle: receiveDeposit,
  },
]

/** Shows an error page on any failure, because a person is looking at it. */
async function guarded(
  service: Service,
  request: PageRequest,
  work: (service: Service, request: PageRequest) => Promise<PageReply>,
): Promise<PageReply> {
  try {
    return await work(service, request)
  } catch (error) {
    service.log.error('connect page failed', { request_id: request.requestId, error })
    const { token } = request.params
    const startUrl = token === undefined ? null : `${service.config.BASE_PATH}/connect/${token}/start`
    const body = failurePage({ name: 'Connect', logoSrc: null }, 'internal_error', {
      providerName: 'The provider',
      startUrl,
    })
    return { status: 503, headers: { ...pageHeaders, 'retry-after': '5' }, body }
  }
}

async function findByToken(service: Service, token: string | undefined): Promise<HandoffRow | undefined> {
  const id = readLinkToken(service.keyring, token ?? '')
  return id === undefined ? undefined : findHandoff(service.db, { id })
}

async function openPage(service: Service, request: PageRequest): Promise<PageReply> {
  const handoff = await findByToken(service, request.params.token)
  if (handoff === undefined) return show(404, unknownLinkPage(ownBrand))
  const refusal = await linkRefusal(service, handoff)
  if (refusal !== undefined) return showEnding(service, { handoff, reason: refusal }, false)
  const brand = await loadBrand(service, handoff)
  const { startUrl } = linksOf(service, handoff.id)
  const client = { workspaceId: handoff.workspace_id, profileId: handoff.profile_id }
  const clientName = (await findClientName(service.db, client)) ?? ''
  if (handoff.kind === 'checkout') {
    const { plan } = handoff.detail as { plan: string }
    return show(200, checkoutPage(brand, { plan, clientName, startUrl }))
  }
  return show(200, consentPage(brand, { providerName: nameOf(handoff), clientName, startUrl }))
}

async function start(service: Service, request: PageRequest): Promise<PageReply> {
  const handoff = await findByToken(service, request.params.token)
  if (handoff === undefined) return show(404, unknownLinkPage(ownBrand))
  const refusal = await linkRefusal(service, handoff)
  if (refusal !== undefined) return showEnding(service, { handoff, reason: refusal }, true)
  if (handoff.kind === 'checkout') return redirect((handoff.detail as { destination: string }).destination)
  const configured = service.providers.get(handoff.provider ?? '')!
  const { connector, app, provider } = configured
  const attempt = newAttempt(handoff.id, provider, await databaseNow(service.db))
  const authorizeUrl = connector.oauth.authorizeUrl(app, {
    redirectUri: callbackUrl(service, provider),
    state: signState(service.keyring, attempt),
    codeChallenge: attempt.challenge,
    shop: handoff.shop,
  })
  return { ...redirect(authorizeUrl), cookies: attemptCookies(service, attempt) }
}

/** Why the link cannot be followed; null if the hand-off completed; undefined if it can be followed. */
async function linkRefusal(service: Service, handoff: HandoffRow): Promise<Reason | null | undefined> {
  const now = await databaseNow(service.db)
  const refusal = refusalOf(handoff, now)
  if (refusal === null || refusal === 'handoff_expired') return refusal
  if (handoff.kind === 'connect' && !service.providers.has(handoff.provider ?? ''))
    return 'provider_not_configured'
  if (refusal === 'handoff_used') return refusal
  const isClaimed = handoff.claim_until !== null && handoff.claim_until > now
  return isClaimed ? 'handoff_used' : undefined
}

async function finish(service: Service, request: PageRequest): Promise<PageReply> {
  const ending = await finishConsent(service, {
    provider: request.params.provider ?? '',
    query: request.query,
    cookie: request.cookie,
    requestId: request.requestId,
  })
  const isDone = ending.reason === null && ending.handoff?.status === 'completed'
  // Success redirects to the link's own page, which can be reloaded; the callback works only once.
  const reply =
    isDone && ending.handoff?.return_url === null
      ? redirect(linksOf(service, ending.handoff.id).url)
      : await showEnding(service, ending, true)
  return ending.attempt === undefined ? reply : { ...reply, cookies: clearedCookies(service, ending.attempt) }
}

/** Redirects the person back to the app, or shows the outcome here. */
async function showEnding(service: Service, ending: Ending, mayBounce: boolean): Promise<PageReply> {
  const { handoff } = ending
  if (handoff === undefined)
    return show(400, failurePage(ownBrand, 'state_invalid', { providerName: 'the provider', startUrl: null }))
  const { result } = currentStatus(handoff, await databaseNow(service.db))
  const reason = ending.reason ?? ((result?.reason ?? null) as Reason | null)
  if (mayBounce && handoff.return_url !== null && (await isReturnAllowed(service, handoff)))
    return redirect(
      toBounceUrl(handoff.return_url, {
        provider: handoff.provider as Provider,
        status: bounceStatus(reason, result?.pending_selection !== undefined),
        profileId: handoff.profile_id!,
        handoffId: handoff.id,
        reason,
        candidateCount: reason === null ? (result?.pending_selection?.candidate_count ?? null) : null,
      }),
    )
  const brand = await loadBrand(service, handoff)
  if (reason === null) return show(200, donePage(brand, doneText(handoff, result)))
  const { startUrl } = linksOf(service, handoff.id)
  return show(statusOf(reason), failurePage(brand, reason, { providerName: nameOf(handoff), startUrl }))
}

function bounceStatus(reason: Reason | null, isPending: boolean): BounceStatus {
  if (reason === 'user_cancelled') return 'cancelled'
  if (reason !== null) return 'failed'
  return isPending ? 'pending_selection' : 'success'
}

function statusOf(reason: Reason): number {
  switch (reason) {
    case 'internal_error':
      return 503
    case 'state_invalid':
    case 'state_expired':
      return 400
    case 'handoff_expired':
    case 'handoff_used':
      return 410
    default:
      return 200
  }
}

function doneText(handoff: HandoffRow, result: { pending_selection?: unknown } | null) {
  const providerName = nameOf(handoff)
  if (handoff.kind === 'checkout')
    return { title: 'Thank you', message: 'The payment is complete. You can close this page.' }
  return result?.pending_selection === undefined
    ? { title: `${providerName} is connected`, message: 'You are done and can close this page.' }
    : {
        title: 'Almost done',
        message: `${providerName} offers several accounts. Return to the person or app that sent you the link. One of the accounts must be chosen there within an hour.`,
      }
}

const nameOf = (handoff: HandoffRow) => platformNames[handoff.provider ?? ''] ?? 'The provider'

async function loadBrand(service: Service, handoff: HandoffRow): Promise<Brand> {
  const app = await findGoverningApp(service.db, { appId: handoff.governing_app_id })
  if (app === undefined) return ownBrand
  return { name: app.name, logoSrc: app.logoUrl === null ? null : `${linksOf(service, handoff.id).url}/logo` }
}

async function logo(service: Service, request: PageRequest): Promise<PageReply> {
  const handoff = await findByToken(service, request.params.token)
  const app = handoff && (await findGoverningApp(service.db, { appId: handoff.governing_app_id }))
  const image = app?.logoUrl == null ? undefined : await readLogo(service, app.logoUrl)
  if (image === undefined) return { status: 404, body: null }
  return {
    status: 200,
    headers: { 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox" },
    contentType: image.contentType,
    body: image.bytes,
  }
}

const show = (status: number, body: PageReply['body']): PageReply => ({ status, headers: pageHeaders, body })

const redirect = (location: string): PageReply => ({
  status: 303,
  headers: { location, 'referrer-policy': 'no-referrer' },
  body: null,
})
