/** Keeps first-payment flags what the pure rules say, for all payments of some customers. */
import { firstPayments } from '@whence/engine'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

type PaymentRow = {
  id: string
  customer_id: string
  occurred_at: Date
  recorded_at: Date
  subject_ref: string | null
  from_events: boolean
  is_installment: boolean
  is_first_payment: boolean
  status: string
}

export async function flagFirstPayments(
  tx: Tx,
  profileId: string,
  customerIds: readonly string[],
): Promise<void> {
  if (customerIds.length === 0) return
  const { rows } = await sql<PaymentRow>`
    select p.id, i.customer_id, p.occurred_at, p.recorded_at, p.subject_ref, p.from_events, p.is_installment, p.is_first_payment, p.status
    from identifiers i
    join payments p on p.profile_id = ${profileId} and coalesce(p.payer_identifier_id, p.identifier_id) = i.id
    where i.profile_id = ${profileId} and i.customer_id = any(${customerIds}::uuid[])`.execute(tx)
  const first = new Set<string>()
  for (const own of Map.groupBy(rows, (row) => row.customer_id).values()) {
    const arrived = own.filter((row) => row.status === 'succeeded' || row.status === 'disputed')
    for (const id of firstPayments(arrived.map(toPayment))) first.add(id)
  }
  const wrong = rows.filter((row) => row.is_first_payment !== first.has(row.id))
  if (wrong.length === 0) return
  await sql`
    update payments p set is_first_payment = w.is_first
    from unnest(${wrong.map((row) => row.id)}::uuid[], ${wrong.map((row) => first.has(row.id))}::boolean[]) as w(id, is_first)
    where p.profile_id = ${profileId} and p.id = w.id`.execute(tx)
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
