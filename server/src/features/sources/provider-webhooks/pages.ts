/** Provider webhooks: verified on the raw bytes, stored, acknowledged after the commit, then processed by a job. */
import { createHash } from 'node:crypto'
import { isVerified, readFinishedSession, readVerification } from '../../../connectors/banklink/webhook.ts'
import { type InboundWebhook, type Provider, providers } from '../../../connectors/connector.ts'
import { storefront } from '../../../connectors/storefront/connector.ts'
import type { Service } from '../../../context.ts'
import { databaseNow } from '../../../platform/db/database.ts'
import type { PageReply, PageRequest, PageRoute } from '../../../platform/http/page-route.ts'
import { enqueue } from '../../../platform/jobs/enqueue.ts'
import { finishReportedLink } from '../bank-links/jobs.ts'
import { BANKLINK } from '../bank-links/operations.ts'
import { processWebhook } from '../connections/webhook-job.ts'
import { findManualSecret } from '../manual-stores/operations.ts'
import { saveWebhook } from './queries.ts'

const BODY_LIMIT = 1024 * 1024

type StoredWebhookJob = typeof processWebhook

/** `answerPrivacyRequest`: the job for requests to show or erase a person, implemented in a later wing. */
export const webhookPages = (answerPrivacyRequest: StoredWebhookJob): readonly PageRoute[] => [
  {
    method: 'POST',
    path: '/webhooks/in/{provider}',
    bodyLimit: BODY_LIMIT,
    handle: (service, request) => receive(service, request, answerPrivacyRequest),
  },
  { method: 'GET', path: '/webhooks/in/{provider}', handle: challenge },
  {
    method: 'POST',
    path: '/webhooks/in/storefront/{profileId}/{connectionId}',
    bodyLimit: BODY_LIMIT,
    handle: receiveManual,
  },
]

const refusal = (status: number, code: string): PageReply => ({
  status,
  contentType: 'application/json; charset=utf-8',
  body: JSON.stringify({ error: { code } }),
})

const toInbound = (request: PageRequest): InboundWebhook => ({
  rawBody: request.bytes,
  headers: request.headers,
  query: request.query,
})

async function receive(
  service: Service,
  request: PageRequest,
  answerPrivacyRequest: StoredWebhookJob,
): Promise<PageReply> {
  if (request.params.provider === BANKLINK) return receiveBankLink(service, request)
  const configured = service.providers.get(request.params.provider ?? '')
  const webhooks = configured?.connector.webhooks
  if (configured === undefined || webhooks === undefined) return refusal(404, 'not_found')
  const inbound = toInbound(request)
  if (webhooks.isPing?.(inbound) === true) return { status: 200, body: 'ok' }
  if (!webhooks.verify(configured.app, inbound, service.clock.now())) return refusal(401, 'unauthorized')
  const { provider } = configured
  for (const part of webhooks.split?.(inbound.rawBody) ?? [inbound.rawBody]) {
    const webhook = { ...inbound, rawBody: part }
    const isPrivacy = (webhooks.readPrivacyRequest?.(webhook) ?? null) !== null
    const rawBody = webhooks.redactBody?.(part) ?? part
    const stored = { provider, ...webhook, rawBody, profileId: null, connectionId: null }
    await storeWebhook(service, stored, isPrivacy ? answerPrivacyRequest : processWebhook)
  }
  return { status: 200, body: 'ok' }
}

/** Verified with a key that is fetched from the provider. If the fetch fails, the 503 makes the provider retry. */
async function receiveBankLink(service: Service, request: PageRequest): Promise<PageReply> {
  const { banklink } = service
  if (banklink === undefined) return refusal(404, 'not_found')
  const inbound = toInbound(request)
  const now = service.clock.now()
  const verification = readVerification(inbound.headers['plaid-verification'])
  if (verification === null) return refusal(401, 'unauthorized')
  const key = await banklink.webhookKeys(verification.keyId, now).catch(() => undefined)
  if (key === undefined) return refusal(503, 'service_unavailable')
  if (key === null || !isVerified(verification, key, inbound.rawBody, now))
    return refusal(401, 'unauthorized')
  const session = readFinishedSession(inbound)
  if (session === null) return { status: 200, body: 'ok' }
  const rawBody = Buffer.from(JSON.stringify(session))
  const stored = { provider: BANKLINK, headers: {}, query: {}, rawBody, profileId: null, connectionId: null }
  await storeWebhook(service, stored, finishReportedLink)
  return { status: 200, body: 'ok' }
}

/** A manually connected store signs with its signing id instead of our app's secret. */
async function receiveManual(service: Service, request: PageRequest): Promise<PageReply> {
  const { profileId = '', connectionId = '' } = request.params
  const secret = await findManualSecret(service, { profileId, connectionId })
  const inbound = toInbound(request)
  const app = {
    clientId: '',
    clientSecret: '',
    authorizeBaseUrl: '',
    apiBaseUrl: '',
    extra: { webhookSecret: secret ?? '' },
  }
  if (secret === undefined || !storefront.webhooks!.verify(app, inbound, service.clock.now()))
    return refusal(401, 'unauthorized')
  await storeWebhook(service, { provider: 'storefront', ...inbound, profileId, connectionId }, processWebhook)
  return { status: 200, body: 'ok' }
}

async function challenge(service: Service, request: PageRequest): Promise<PageReply> {
  const provider = providers.find((candidate) => candidate === request.params.provider)
  const configured = provider && service.providers.get(provider)
  const response = configured?.connector.webhooks?.answerChallenge?.(configured.app, request.query) ?? null
  if (response === null) return refusal(404, 'not_found')
  return typeof response === 'string'
    ? { status: 200, body: response }
    : { status: 200, contentType: 'application/json; charset=utf-8', body: JSON.stringify(response) }
}

type NewWebhook = InboundWebhook & {
  provider: Provider | typeof BANKLINK
  profileId: string | null
  connectionId: string | null
}

async function storeWebhook(service: Service, webhook: NewWebhook, work: StoredWebhookJob): Promise<void> {
  const digest = createHash('sha256')
    .update(`${webhook.connectionId ?? ''}\n${new URLSearchParams(webhook.query)}\n`)
    .update(webhook.rawBody)
    .digest()
  await service.db.transaction().execute(async (tx) => {
    const now = await databaseNow(tx)
    const headers = storableHeaders(webhook.headers)
    const id = await saveWebhook(tx, { ...webhook, headers, digest, now })
    await enqueue(tx, work, { id }, { dedupeKey: id, priority: 'urgent' })
  })
}

/** Drops credentials and headers about the sender's connection and proxies, which processing does not need. */
function storableHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) => !/^(cookie|authorization|x-forwarded|forwarded|host)/.test(name),
    ),
  )
}
