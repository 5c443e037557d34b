/** Makes one attempt to send a mail from a mailbox and updates the health of the mailbox. */
import { ProviderError } from '../../../connectors/connector.ts'
import { connectorOf, type MailRefusal, type OutgoingMail } from '../../../connectors/mailbox.ts'
import type { Service } from '../../../context.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { ConnectionRow } from '../../sources/connections/queries.ts'
import { ConnectionUnusable, requireReconnect } from '../../sources/connections/refresh.ts'
import { withSession } from '../../sources/connections/session.ts'
import { saveMailboxHealth } from '../../sources/mailboxes/operations.ts'
import { isOutcomeUnknown } from './rules.ts'

const SEND_BUDGET_MS = 30_000

export type Delivery =
  | { outcome: 'sent'; externalId: string | null }
  | { outcome: 'unknown' }
  /** `code` is null if the refusal has no specific code. */
  | { outcome: 'refused'; code: MailRefusal | null; error: ProviderError | ConnectionUnusable }

/**
 * `settle` runs in the transaction that saves the mailbox's health. If this function throws, the mail was not sent, or its
 * outcome could not be saved.
 */
export async function deliverMail(
  service: Service,
  mailbox: ConnectionRow,
  mail: OutgoingMail,
  settle: (tx: Tx, delivery: Delivery) => Promise<void>,
): Promise<Delivery> {
  let row = mailbox
  let mayBeSent = false
  const ref = { profileId: row.profile_id, id: row.id }
  let delivery: Delivery
  try {
    const externalId = await withSession(
      service,
      ref,
      SEND_BUDGET_MS,
      async (session, { connector }, current) => {
        row = current
        mayBeSent = true
        try {
          return await connector.mail!.send(session, mail)
        } catch (error) {
          mayBeSent = error instanceof ProviderError && isOutcomeUnknown(error)
          throw error
        }
      },
    )
    delivery = { outcome: 'sent', externalId }
  } catch (error) {
    delivery = toDelivery(service, row, error, mayBeSent)
  }
  const { outcome } = delivery
  const code = outcome === 'refused' ? delivery.code : null
  if (code === 'auth_revoked' && delivery.outcome === 'refused' && delivery.error instanceof ProviderError)
    await requireReconnect(service, row, delivery.error.reason)
  await service.db.transaction().execute(async (tx) => {
    await settle(tx, delivery)
    if (outcome === 'sent') await saveMailboxHealth(tx, row, null)
    if (code === 'account_suspended' || code === 'mailbox_disabled') await saveMailboxHealth(tx, row, code)
  })
  return delivery
}

function toDelivery(service: Service, row: ConnectionRow, error: unknown, mayBeSent: boolean): Delivery {
  if (error instanceof ConnectionUnusable)
    return { outcome: 'refused', code: error.status === 'revoked' ? null : 'auth_revoked', error }
  if (!(error instanceof ProviderError)) throw error
  const code = service.providers.get(connectorOf(row))?.connector.mail?.refusalOf(error) ?? null
  return code === null && mayBeSent ? { outcome: 'unknown' } : { outcome: 'refused', code, error }
}
