/** Webhooks, signed with `X-Hub-Signature-256` over the raw bytes. Leads are read back; messages are complete. */
import type { InboundWebhook, ProviderApp, Session, SyncRecord, WebhookAction } from '../connector.ts'
import { hmacSha256, isSameDigest, readJsonBody } from '../signatures.ts'
import { toInstant } from '../window.ts'
import { callGraph } from './calls.ts'
import { leadFields } from './leads.ts'
import { toLead } from './mapping.ts'
import { StoredWebhook, toMessageActions } from './messages.ts'
import { Lead, LeadChange } from './replies.ts'

export function verifyWebhook(app: ProviderApp, webhook: InboundWebhook): boolean {
  const signature = /^sha256=([0-9a-f]{64})$/.exec(webhook.headers['x-hub-signature-256'] ?? '')
  if (signature === null || app.clientSecret === '') return false
  return isSameDigest(hmacSha256(app.clientSecret, webhook.rawBody), Buffer.from(signature[1]!, 'hex'))
}

/** The account of a lead is its page, not an ad account. */
export function mapWebhook(webhook: InboundWebhook): WebhookAction[] {
  const body = readJsonBody(webhook.rawBody)
  const actions = [...toLeadActions(body), ...toMessageActions(body)]
  return actions.length === 0 ? [{ type: 'ignored' }] : actions
}

function toLeadActions(body: unknown): WebhookAction[] {
  const webhook = StoredWebhook.parse(body)
  if (webhook.object !== 'page') return []
  return webhook.entry.flatMap(({ id: pageId, time, changes }) =>
    changes.flatMap(({ field, value }): WebhookAction[] => {
      const change = field === 'leadgen' ? LeadChange.safeParse(value) : null
      const accountId = change?.data?.page_id ?? pageId
      if (!change?.success || accountId === null) return []
      const reported = reportedLead(change.data, accountId, time)
      const resource = `page/${accountId}/leadgen`
      return [
        {
          type: 'read_back',
          accountId,
          resource,
          id: change.data.leadgen_id,
          ...(reported ? { reported } : {}),
        },
      ]
    }),
  )
}

function reportedLead(change: LeadChange, pageId: string, sentAt: number | null): SyncRecord | null {
  const seconds = change.created_time ?? sentAt
  const occurredAt = toInstant(seconds === null ? null : seconds * 1000)
  if (occurredAt === null) return null
  return {
    type: 'lead',
    pageId,
    leadgenId: change.leadgen_id,
    formId: change.form_id,
    adId: change.ad_id ?? change.adgroup_id,
    campaignId: change.campaign_id,
    occurredAt,
    fieldData: [],
  }
}

export async function readBack(session: Session, resource: string, id: string): Promise<SyncRecord[]> {
  const pageId = /^page\/(\w+)\/leadgen$/.exec(resource)?.[1]
  if (pageId === undefined) return []
  const lead = await callGraph(session.http, session.app, session.token.accessToken, {
    path: `/${encodeURIComponent(id)}`,
    query: { fields: leadFields },
    schema: Lead,
  })
  return [toLead(lead, pageId)]
}

/** The platform sends one GET request when the webhook address is entered; the verify token proves that it is ours. */
export function answerChallenge(app: ProviderApp, query: Record<string, string>): string | null {
  const expected = app.extra.webhookVerifyToken ?? ''
  const isOurs =
    expected !== '' && query['hub.mode'] === 'subscribe' && query['hub.verify_token'] === expected
  return isOurs ? (query['hub.challenge'] ?? null) : null
}
