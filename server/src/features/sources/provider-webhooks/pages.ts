/** What providers send by themselves: verified on the raw bytes, kept, acknowledged after the commit, then worked on. */
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

/** `answerPrivacyRequest`: the job for a request to show or erase a person, which a later wing carries out. */
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

const refused = (status: number, code: string): PageReply => ({
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
  const configured = service.providers.get(request.params.provider as Provider)
  const webhooks = configured?.connector.webhooks
  if (configured === undefined || webhooks === undefined) return refused(404, 'not_found')
  const inbound = toInbound(request)
  if (webhooks.isPing?.(inbound) === true) return { status: 200, body: 'ok' }
  if (!webhooks.verify(configured.app, inbound, service.clock.now())) return refused(401, 'unauthorized')
  const { provider } = configured
  for (const part of webhooks.split?.(inbound.rawBody) ?? [inbound.rawBody]) {
    const webhook = { ...inbound, rawBody: part }
    const isPrivacy = (webhooks.readPrivacyRequest?.(webhook) ?? null) !== null
    const rawBody = webhooks.withoutWords?.(part) ?? part
    const kept = { provider, ...webhook, rawBody, profileId: null, connectionId: null }
    await keep(service, kept, isPrivacy ? answerPrivacyRequest : processWebhook)
  }
  return { status: 200, body: 'ok' }
}

/** The key that it is signed with is requested; where that cannot be done now, the provider must send it again. */
async function receiveBankLink(service: Service, request: PageRequest): Promise<PageReply> {
  const { banklink } = service
  if (banklink === undefined) return refused(404, 'not_found')
  const inbound = toInbound(request)
  const now = service.clock.now()
  const verification = readVerification(inbound.headers['plaid-verification'])
  if (verification === null) return refused(401, 'unauthorized')
  const key = await banklink.webhookKeys(verification.keyId, now).catch(() => undefined)
  if (key === undefined) return refused(503, 'service_unavailable')
  if (key === null || !isVerified(verification, key, inbound.rawBody, now))
    return refused(401, 'unauthorized')
  const session = readFinishedSession(inbound)
  if (session === null) return { status: 200, body: 'ok' }
  const rawBody = Buffer.from(JSON.stringify(session))
  const kept = { provider: BANKLINK, headers: {}, query: {}, rawBody, profileId: null, connectionId: null }
  await keep(service, kept, finishReportedLink)
  return { status: 200, body: 'ok' }
}

/** A store that was connected by hand signs with its own id instead of our app's secret. */
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
    return refused(401, 'unauthorized')
  await keep(service, { provider: 'storefront', ...inbound, profileId, connectionId }, processWebhook)
  return { status: 200, body: 'ok' }
}

async function challenge(service: Service, request: PageRequest): Promise<PageReply> {
  const provider = providers.find((candidate) => candidate === request.params.provider)
  const configured = provider && service.providers.get(provider)
  const answer = configured?.connector.webhooks?.answerChallenge?.(configured.app, request.query) ?? null
  if (answer === null) return refused(404, 'not_found')
  return typeof answer === 'string'
    ? { status: 200, body: answer }
    : { status: 200, contentType: 'application/json; charset=utf-8', body: JSON.stringify(answer) }
}

type Kept = InboundWebhook & {
  provider: Provider | typeof BANKLINK
  profileId: string | null
  connectionId: string | null
}

async function keep(service: Service, webhook: Kept, work: StoredWebhookJob): Promise<void> {
  const digest = createHash('sha256')
    .update(`${webhook.connectionId ?? ''}\n${new URLSearchParams(webhook.query)}\n`)
    .update(webhook.rawBody)
    .digest()
  await service.db.transaction().execute(async (tx) => {
    const now = await databaseNow(tx)
    const headers = keptHeaders(webhook.headers)
    const id = await saveWebhook(tx, { ...webhook, headers, digest, now })
    await enqueue(tx, work, { id }, { dedupeKey: id, priority: 'urgent' })
  })
}

/** Nothing that identifies the sender's connection or a proxy is needed later. */
function keptHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) => !/^(cookie|authorization|x-forwarded|forwarded|host)/.test(name),
    ),
  )
}
