/** A mail is sent at most once under its id: its row is committed before the vendor is called, and the call is not repeated. */
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
  const place = { profileId: mailbox.profile_id, id: mail.messageId }
  const isNew = await service.db.transaction().execute(async (tx) =>
    queries.insertMail(tx, {
      ...place,
      connectionId: mailbox.id,
      recipients: mail.to.length,
      requestKey: request.key,
      requestHash: request.hash,
      now: await databaseNow(tx),
    }),
  )
  const settle = async (tx: Tx, status: 'sent' | 'unknown' | 'failed', reason: string | null) =>
    queries.settleMail(tx, { ...place, status, reason, now: await databaseNow(tx) })
  if (!isNew) return earlierDelivery(service, place, (tx) => settle(tx, 'unknown', null))
  try {
    return await deliverMail(service, mailbox, mail, (tx, delivery) =>
      delivery.outcome === 'refused'
        ? settle(tx, 'failed', reasonOf(delivery))
        : settle(tx, delivery.outcome, null),
    )
  } catch (error) {
    // Refused before any call; anything else leaves the row as it is.
    if (error instanceof ApiError)
      await service.db.transaction().execute((tx) => settle(tx, 'failed', error.code))
    throw error
  }
}

const reasonOf = ({ code, error }: Refused): string =>
  (error instanceof ProviderError ? error.providerCode : null) ?? code ?? 'not_sent'

/** What became of the mail under this id; a crash left it `sending`. */
async function earlierDelivery(
  service: Service,
  place: { profileId: string; id: string },
  settleUnknown: (tx: Tx) => Promise<void>,
): Promise<Delivery> {
  const status = await queries.findMailStatus(service.db, place)
  if (status === 'sent') return { outcome: 'sent', externalId: null }
  if (status === 'failed')
    return { outcome: 'refused', code: null, error: new ProviderError('rejected', 'Refused before') }
  await service.db.transaction().execute(settleUnknown)
  return { outcome: 'unknown' }
}
