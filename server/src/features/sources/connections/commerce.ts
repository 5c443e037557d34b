/** Events of a store: an order's status changed; a product was added, changed or removed. */
import { sql } from 'kysely'
import type { OrderStatusRecord, ProductChangeRecord } from '../../../connectors/connector.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { catalogUpdated, orderStatusChanged } from '../../facts/outbox/event-factories.ts'
import { recordEvents } from '../../facts/outbox/record.ts'
import type { ConnectionRow } from './queries.ts'
import { isSinceConnected } from './rules.ts'

type Target = { profile: { id: string }; connection: ConnectionRow; now: Date }

/** For orders placed before the store was connected, only later status changes are sent. */
export async function announceCommerce(
  tx: Tx,
  target: Target,
  records: { orders: readonly OrderStatusRecord[]; products: readonly ProductChangeRecord[] },
): Promise<void> {
  const { profile, connection, now } = target
  const store = {
    provider: connection.provider,
    connection_id: connection.id,
    account_id: connection.external_id,
  }
  const orders = (await saveOrderStatuses(tx, target, records.orders))
    .filter((row) => row.previous_status !== null || isSinceConnected(row.placed_at, connection))
    .map(({ order_id, status, previous_status, changed_at }) =>
      orderStatusChanged(profile.id, { ...store, order_id, status, previous_status }, changed_at),
    )
  const products = records.products.map(({ externalId, change, changedAt }) =>
    catalogUpdated(
      profile.id,
      { ...store, product_id: externalId, change },
      {
        id: ['product', connection.id, externalId, change, changedAt ?? ''].join(':'),
        occurredAt: changedAt === null ? now : new Date(changedAt),
      },
    ),
  )
  if (orders.length + products.length > 0) await recordEvents(tx, [...orders, ...products], now)
}

type ChangedOrder = {
  order_id: string
  status: string
  previous_status: string | null
  placed_at: Date
  changed_at: Date
}

/** Returns orders that are new or changed status. If one order is reported twice, the later report counts. */
async function saveOrderStatuses(
  tx: Tx,
  { profile, connection }: Target,
  records: readonly OrderStatusRecord[],
): Promise<ChangedOrder[]> {
  if (records.length === 0) return []
  const latest = new Map<string, OrderStatusRecord>()
  for (const record of records)
    if ((latest.get(record.externalId)?.occurredAt ?? '') <= record.occurredAt)
      latest.set(record.externalId, record)
  const reportedRows = [...latest.values()].map((record) => ({
    order_id: record.externalId,
    status: record.status,
    changed_at: record.occurredAt,
  }))
  const { rows: storedOrders } = await sql<{ order_id: string; status: string }>`
    select order_id, status from store_orders
    where profile_id = ${profile.id} and connection_id = ${connection.id}
      and order_id = any(${[...latest.keys()]}::text[]) for update`.execute(tx)
  const { rows: upserted } = await sql<{ order_id: string }>`
    insert into store_orders as o (profile_id, connection_id, order_id, status, changed_at)
    select ${profile.id}::uuid, ${connection.id}::uuid, r.order_id, r.status, r.changed_at
    from jsonb_to_recordset(${JSON.stringify(reportedRows)}::jsonb)
      as r(order_id text, status text, changed_at timestamptz)
    on conflict (profile_id, connection_id, order_id) do update
      set status = excluded.status, changed_at = excluded.changed_at
      where o.changed_at <= excluded.changed_at and o.status <> excluded.status
    returning order_id`.execute(tx)
  const changedIds = new Set(upserted.map((row) => row.order_id))
  const previousStatuses = new Map(storedOrders.map((row) => [row.order_id, row.status]))
  return [...latest.values()]
    .filter(({ externalId }) => changedIds.has(externalId))
    .map(({ externalId, status, placedAt, occurredAt }) => ({
      order_id: externalId,
      status,
      previous_status: previousStatuses.get(externalId) ?? null,
      placed_at: new Date(placedAt),
      changed_at: new Date(occurredAt),
    }))
}
