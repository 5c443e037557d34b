import { readCopyIn } from '../../../platform/db/copy/copy-in-transaction.ts'
import { type CopyRow, readBigint, readDay } from '../../../platform/db/copy/copy-out.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { IS_FIRST_CASH } from '../../attribution/crediting/credits/packed.ts'
import { COUNTED } from '../../attribution/crediting/incremental/journeys.ts'
import { Payers } from './payers.ts'

/** An amount without an exchange rate counts as 0. */
const amountOf = ({ view, at, size }: CopyRow, column: number): number =>
  size[column]! < 0 ? 0 : readBigint(view, at[column]!)

/**
 * All cash that reports count, or undefined if there are more than `maxPayments` payments. Each table is read once, in its
 * physical order.
 */
export async function readPayers(
  tx: Tx,
  profileId: string,
  maxPayments: number,
): Promise<Payers | undefined> {
  const payers = new Payers()
  const read = (columns: number, statement: string, onRow: (row: CopyRow) => void) =>
    readCopyIn(tx, `copy (${statement}) to stdout (format binary)`, columns, onRow)
  await read(
    1,
    `select id from payments where profile_id = '${profileId}' and is_first_payment and not is_first_balance`,
    ({ view, at }) => payers.addOpeningPayment(view, at[0]!),
  )
  payers.endOpeningPayments()
  await read(
    3,
    `select payment_id, day, report_amount_minor from refunds where profile_id = '${profileId}'`,
    (row) => payers.addRefund(row.view, row.at[0]!, readDay(row.view, row.at[1]!), amountOf(row, 2)),
  )
  payers.endRefunds()
  await read(
    7,
    `select id, event_id, identifier_id, day, occurred_at, recorded_at, report_value_minor from conversions
     where profile_id = '${profileId}' and revenue_type = 'cash' and ${COUNTED} limit ${maxPayments + 1}`,
    (row) => {
      const { view, at } = row
      const day = readDay(view, at[3]!)
      const [instant, recorded] = [readBigint(view, at[4]!), readBigint(view, at[5]!)]
      payers.addCash(view, at[0]!, at[1]!, at[2]!, day, instant, recorded, amountOf(row, 6))
    },
  )
  payers.endCash()
  if (payers.paymentCount > maxPayments) return undefined
  // An identifier without a row here is its own customer.
  await read(
    2,
    `select id, customer_id from identifiers where profile_id = '${profileId}' and customer_id <> id`,
    ({ view, at }) => payers.addJoined(view, at[0]!, at[1]!),
  )
  return payers
}

/** The packed credit of every first payment, as a range of the row's bytes. */
export function readOpeningCredits(
  tx: Tx,
  profileId: string,
  onCredit: (view: DataView, conversionId: number, bytes: Buffer, begin: number, end: number) => void,
): Promise<void> {
  return readCopyIn(
    tx,
    `copy (
      select conversion_id, packed from credits
      where profile_id = '${profileId}' and ${IS_FIRST_CASH}) to stdout (format binary)`,
    2,
    ({ bytes, view, at, size }) => onCredit(view, at[0]!, bytes, at[1]!, at[1]! + size[1]!),
  )
}
