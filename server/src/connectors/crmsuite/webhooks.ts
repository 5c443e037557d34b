/**
 * Crmsuite webhooks: signed over the raw body with the provider's key (Ed25519, or RSA under the older
 * header). They lack attribution and stage times, so changed objects are read back.
 */
import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { z } from 'zod'
import type { InboundWebhook, ProviderApp, WebhookAction } from '../connector.ts'
import { text } from '../reply-fields.ts'
import { readJsonBody } from '../signatures.ts'
import {
  Appointment,
  Contact,
  Opportunity,
  retract,
  toAppointmentRecords,
  toContactRecords,
  toOpportunityRecords,
} from './mapping.ts'

/** Deliveries are retried for about an hour with their original timestamp. */
const maxAgeMs = 2 * 3_600_000
const maxAheadMs = 300_000

/** DER prefix of a 32-byte Ed25519 public key. */
const derHead = Buffer.from('302a300506032b6570032100', 'hex')

/** Parses a key from PEM, base64 of its DER, or base64 of its 32 bytes. */
function readKey(key: string): KeyObject | null {
  try {
    if (key.includes('BEGIN')) return createPublicKey(key)
    const bytes = Buffer.from(key, 'base64')
    const der = bytes.length === 32 ? Buffer.concat([derHead, bytes]) : bytes
    return createPublicKey({ key: der, format: 'der', type: 'spki' })
  } catch {
    return null
  }
}

const Notice = z.looseObject({
  type: z.string(),
  locationId: text,
  companyId: text,
  id: text,
  timestamp: text,
  appointment: z.unknown().optional(),
})

const readNotice = (webhook: InboundWebhook) => Notice.safeParse(readJsonBody(webhook.rawBody)).data ?? null

export function verifyWebhook(app: ProviderApp, webhook: InboundWebhook, now: Date): boolean {
  const current = webhook.headers['x-ghl-signature']
  const older = webhook.headers['x-wh-signature']
  const configured = current === undefined ? app.extra.webhookRsaPublicKey : app.extra.webhookPublicKey
  const key = configured ? readKey(configured) : null
  const signature = Buffer.from(current ?? older ?? '', 'base64')
  if (key === null || signature.length === 0) return false
  const keyType = current === undefined ? 'rsa' : 'ed25519'
  if (key.asymmetricKeyType !== keyType) return false
  if (!verify(current === undefined ? 'sha256' : null, webhook.rawBody, key, signature)) return false
  const sentAt = Date.parse(readNotice(webhook)?.timestamp ?? '')
  const ageMs = now.getTime() - sentAt
  return Number.isNaN(sentAt) || (ageMs <= maxAgeMs && ageMs >= -maxAheadMs)
}

export function mapWebhook(webhook: InboundWebhook): WebhookAction[] {
  const notice = readNotice(webhook)
  const accountId = notice?.locationId ?? null
  if (notice === null) return [{ type: 'ignored' }]
  if (accountId === null)
    // An uninstall by an agency contains the agency's id and affects all locations that it approved (source:
    // https://marketplace.gohighlevel.com/docs/2021-04-15/webhook/AppUninstall, read 2026-11-17).
    return notice.type === 'UNINSTALL' && notice.companyId !== null
      ? [{ type: 'uninstalled_by_owner', token: { userType: 'Company', companyId: notice.companyId } }]
      : [{ type: 'ignored' }]
  const readBack = (resource: string, id: string | null): WebhookAction[] =>
    id === null ? [{ type: 'ignored' }] : [{ type: 'read_back', accountId, resource, id }]
  switch (notice.type) {
    case 'UNINSTALL':
      return [{ type: 'uninstalled', accountId }]
    case 'ContactCreate':
    case 'ContactUpdate':
      return readBack('contact', notice.id)
    case 'ContactDelete': {
      const outcomes = toContactRecords(Contact.parse(notice)).filter((record) => record.type === 'outcome')
      return [{ type: 'records', accountId, records: retract(outcomes) }]
    }
    case 'OpportunityCreate':
    case 'OpportunityUpdate':
    case 'OpportunityStageUpdate':
    case 'OpportunityStatusUpdate':
    case 'OpportunityMonetaryValueUpdate':
      return readBack('opportunity', notice.id)
    case 'OpportunityDelete': {
      const deletedOpportunity = Opportunity.parse({ ...notice, status: 'won' })
      return [
        { type: 'records', accountId, records: retract(toOpportunityRecords(deletedOpportunity, null)) },
      ]
    }
    case 'AppointmentCreate':
    case 'AppointmentUpdate':
      return readBack('appointment', Appointment.parse(notice.appointment).id)
    case 'AppointmentDelete': {
      const deletedAppointment = Appointment.parse({
        ...Appointment.parse(notice.appointment),
        appointmentStatus: 'invalid',
      })
      return [{ type: 'records', accountId, records: retract(toAppointmentRecords(deletedAppointment)) }]
    }
    default:
      return [{ type: 'ignored' }]
  }
}
