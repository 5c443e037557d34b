/** Updates the first-payment flags of all payments of some customers, by the pure rules of the engine. */
import { firstPayments } from '@whence/engine'
import { sql } from 'kysely'
import { booleans, uuidList, uuids } from '../../../../platform/db/bulk/columns.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import type { Members } from '../../../facts/identity/members.ts'
import type { FirstPart } from '../credits/rollups.ts'

type PaymentRow = {
  id: string
  payer_id: string
  occurred_at: Date
  recorded_at: Date
  subject_ref: string | null
  from_events: boolean
  is_installment: boolean
  is_first_payment: boolean
  is_first_balance: boolean
  status: string
}

/** Role of each first payment, by payment id. */
export type FirstPayments = ReadonlyMap<string, Exclude<FirstPart, null>>

export async function flagFirstPayments(tx: Tx, profileId: string, members: Members): Promise<FirstPayments> {
  const first = new Map<string, Exclude<FirstPart, null>>()
  if (members.size === 0) return first
  const { rows } = await sql<PaymentRow>`
    select payment.* from unnest(${uuidList([...members.keys()])}::uuid[]) as input(id)
    cross join lateral (
      select id, coalesce(payer_identifier_id, identifier_id) as payer_id, occurred_at, recorded_at, subject_ref,
        from_events, is_installment, is_first_payment, is_first_balance, status
      from payments
      where profile_id = ${profileId} and coalesce(payer_identifier_id, identifier_id) = input.id offset 0) as payment`.execute(
    tx,
  )
  for (const customerRows of Map.groupBy(rows, (row) => members.get(row.payer_id)).values()) {
    const received = customerRows.filter((row) => row.status === 'succeeded' || row.status === 'disputed')
    for (const [id, part] of firstPayments(received.map(toPayment))) first.set(id, part)
  }
  const isBalance = (row: PaymentRow) => first.get(row.id) === 'balance'
  const wrong = rows.filter(
    (row) => row.is_first_payment !== first.has(row.id) || row.is_first_balance !== isBalance(row),
  )
  if (wrong.length === 0) return first
  await sql`
    update payments p set is_first_payment = w.is_first, is_first_balance = w.is_balance
    from unnest(${uuids(wrong, (row) => row.id)}::uuid[], ${booleans(wrong, (row) => first.has(row.id))}::boolean[],
      ${booleans(wrong, isBalance)}::boolean[]) as w(id, is_first, is_balance)
    where p.profile_id = ${profileId} and p.id = w.id`.execute(tx)
  return first
}

function toPayment(row: PaymentRow) {
  return {
    id: row.id,
    occurredAt: row.occurred_at.getTime(),
    recordedAt: row.recorded_at.getTime(),
    subjectRef: row.subject_ref,
    source: row.from_events ? ('events' as const) : ('integration' as const),
    isInstallment: row.is_installment,
  }
}
