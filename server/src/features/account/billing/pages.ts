/** Pages that the payment provider redirects the payer to, and its webhook. */
import { readBillingEvent } from '../../../connectors/cardpay/checkout.ts'
import { isSignedBy } from '../../../connectors/cardpay/webhooks.ts'
import { readJsonBody } from '../../../connectors/signatures.ts'
import type { Service } from '../../../context.ts'
import { isUuid } from '../../../platform/contract/ids.ts'
import type { PageReply, PageRequest, PageRoute } from '../../../platform/http/page-route.ts'
import { settleCheckout } from '../../sources/handoffs/operations.ts'
import { donePage, failurePage, pageHeaders, unknownLinkPage } from '../../sources/handoffs/page.ts'
import { findHandoff, type HandoffRow } from '../../sources/handoffs/queries.ts'
import { readLinkToken } from '../../sources/handoffs/token.ts'
import { confirmAnyCheckout, confirmCheckout, refreshSubscription } from './operations.ts'

const brand = { name: 'Whence', logoSrc: null }
const provider = { providerName: 'The payment provider', startUrl: null }

export const billingPages: readonly PageRoute[] = [
  { method: 'GET', path: '/connect/{token}/paid', handle: paid },
  { method: 'GET', path: '/connect/{token}/cancelled', handle: cancelled },
  { method: 'POST', path: '/billing/webhook', bodyLimit: 256 * 1024, handle: receiveWebhook },
]

/** A webhook only triggers a read from the provider; its content is not trusted. The provider retries rejected webhooks. */
async function receiveWebhook(service: Service, request: PageRequest): Promise<PageReply> {
  const secret = service.billing?.account.webhookSecret
  if (secret === undefined) return { status: 404, body: 'Billing webhooks are not configured.' }
  const webhook = { headers: request.headers, rawBody: request.bytes }
  if (!isSignedBy(secret, webhook, service.clock.machineNow()))
    return { status: 400, body: 'The signature does not match.' }
  const event = readBillingEvent(readJsonBody(request.bytes))
  try {
    if (event !== null && 'subscriptionId' in event) await refreshSubscription(service, event.subscriptionId)
    if (event !== null && 'checkout' in event && isUuid(event.checkout.reference)) {
      const handoff = await findHandoff(service.db, { id: event.checkout.reference })
      if (handoff?.kind === 'checkout') await confirmCheckout(service, handoff, event.checkout.sessionId)
    }
    return { status: 200, body: null }
  } catch (error) {
    service.log.error('billing webhook failed; the provider will retry', {
      request_id: request.requestId,
      error,
    })
    return { status: 503, headers: { 'retry-after': '60' }, body: 'Try again later.' }
  }
}

async function findCheckout(service: Service, request: PageRequest): Promise<HandoffRow | undefined> {
  const id = readLinkToken(service.keyring, request.params.token ?? '')
  const handoff = id === undefined ? undefined : await findHandoff(service.db, { id })
  return handoff?.kind === 'checkout' ? handoff : undefined
}

async function paid(service: Service, request: PageRequest): Promise<PageReply> {
  const handoff = await findCheckout(service, request)
  if (handoff === undefined) return show(404, unknownLinkPage(brand))
  try {
    const isPaid = await confirmAnyCheckout(service, handoff, request.query.session_id)
    return isPaid
      ? show(
          200,
          donePage(brand, {
            title: 'Thank you',
            message: 'The payment is complete. You can close this page.',
          }),
        )
      : show(400, failurePage(brand, 'provider_denied', provider))
  } catch (error) {
    service.log.error('checkout not confirmed', {
      request_id: request.requestId,
      handoff_id: handoff.id,
      error,
    })
    return show(503, failurePage(brand, 'provider_error', provider))
  }
}

async function cancelled(service: Service, request: PageRequest): Promise<PageReply> {
  const handoff = await findCheckout(service, request)
  if (handoff === undefined) return show(404, unknownLinkPage(brand))
  const result = { reason: 'user_cancelled' }
  await settleCheckout(service.db, { handoffId: handoff.id, status: 'cancelled', result })
  return show(200, failurePage(brand, 'user_cancelled', provider))
}

const show = (status: number, body: PageReply['body']): PageReply => ({ status, headers: pageHeaders, body })
