/** Sends a mail at most once per id: the row is committed before the vendor is called, and the call is not retried. */
import { ProviderError } from '../../../connectors/connector.ts'
import type { OutgoingMail } from '../../../connectors/mailbox.ts'
import type { Service } from '../../../context.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { databaseNow, type Tx } from '../../../platform/db/database.ts'
import type { ConnectionRow } from '../../sources/connections/queries.ts'
import { type Delivery, deliverMail } from './deliver.ts'
import * as queries from './queries.ts'

export type Refused = Extract<Delivery, { outcome: 'refused' }>

export async function deliverOnce(
  service: Service,
  mailbox: ConnectionRow,
  mail: OutgoingMail,
  request: { key: string | null; hash: string },
): Promise<Delivery> {
  const key = { profileId: mailbox.profile_id, id: mail.messageId }
  const isNew = await service.db.transaction().execute(async (tx) =>
    queries.insertMail(tx, {
      ...key,
      connectionId: mailbox.id,
      recipients: mail.to.length,
      requestKey: request.key,
      requestHash: request.hash,
      now: await databaseNow(tx),
    }),
  )
  const settle = async (tx: Tx, status: 'sent' | 'unknown' | 'failed', reason: string | null) =>
    queries.settleMail(tx, { ...key, status, reason, now: await databaseNow(tx) })
  if (!isNew) return getEarlierDelivery(service, key, (tx) => settle(tx, 'unknown', null))
  try {
    return await deliverMail(service, mailbox, mail, (tx, delivery) =>
      delivery.outcome === 'refused'
        ? settle(tx, 'failed', reasonOf(delivery))
        : settle(tx, delivery.outcome, null),
    )
  } catch (error) {
    // An ApiError is a refusal before the vendor was called. After any other error the outcome is not known.
    if (error instanceof ApiError)
      await service.db.transaction().execute((tx) => settle(tx, 'failed', error.code))
    throw error
  }
}

const reasonOf = ({ code, error }: Refused): string =>
  (error instanceof ProviderError ? error.providerCode : null) ?? code ?? 'not_sent'

/** The outcome of an earlier request with this id. A mail that a crash left as `sending` becomes `unknown`. */
async function getEarlierDelivery(
  service: Service,
  key: { profileId: string; id: string },
  settleUnknown: (tx: Tx) => Promise<void>,
): Promise<Delivery> {
  const status = await queries.findMailStatus(service.db, key)
  if (status === 'sent') return { outcome: 'sent', externalId: null }
  if (status === 'failed')
    return { outcome: 'refused', code: null, error: new ProviderError('rejected', 'Refused before') }
  await service.db.transaction().execute(settleUnknown)
  return { outcome: 'unknown' }
}
