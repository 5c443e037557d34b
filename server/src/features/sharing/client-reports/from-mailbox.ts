/** Sends reports from the client's connected mailbox. */
import { connectorOf, type OutgoingMail } from '../../../connectors/mailbox.ts'
import type { Service } from '../../../context.ts'
import { deliverOnce } from '../../outgoing/mail/once.ts'
import { findSendingMailbox } from '../../sources/mailboxes/queries.ts'

/** Null if no mailbox is connected or it could not send; the caller then sends the report from the sender domain. */
export async function sendFromMailbox(
  service: Service,
  profileId: string,
  mail: OutgoingMail,
): Promise<{ status: 'sent' | 'failed'; reason?: string } | null> {
  const mailbox = await findSendingMailbox(service.db, { profileId })
  if (mailbox === undefined || !service.providers.has(connectorOf(mailbox))) return null
  const delivery = await deliverOnce(service, mailbox, mail, { key: null, hash: 'report' })
  if (delivery.outcome === 'sent') return { status: 'sent' }
  if (delivery.outcome === 'unknown')
    return {
      status: 'sent',
      reason: 'The mail vendor did not reply. The mail may have been sent, so it is not retried.',
    }
  if (delivery.code === 'recipient_rejected')
    return { status: 'failed', reason: 'The mail vendor rejected the address.' }
  service.log.warn('report not sent from the mailbox; sending from the sender domain instead', {
    profile_id: profileId,
    connection_id: mailbox.id,
    code: delivery.code ?? 'refused',
    error: delivery.error,
  })
  return null
}
