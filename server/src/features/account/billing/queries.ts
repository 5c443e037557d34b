import { sql, type Updateable } from 'kysely'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { rowsWhere } from '../../../platform/db/rows.ts'
import type { DB } from '../../../platform/db/schema.ts'
import type { HandoffRow } from '../../sources/handoffs/queries.ts'

/** Open checkouts: the person has not returned, and the provider's payment page is still valid. */
export async function listOpenCheckouts(db: Db, params: { since: Date }): Promise<HandoffRow[]> {
  return db
    .selectFrom('handoffs')
    .selectAll()
    .where('kind', '=', 'checkout')
    .where('status', '=', 'pending')
    .where('created_at', '>', params.since)
    .orderBy('id')
    .execute()
}

const columns = [
  'workspace_id',
  'plan',
  'status',
  'trial_ends_at',
  'current_period_start',
  'current_period_end',
  'billing_customer',
  'billing_subscription',
  'past_due_since',
  'last_notice',
] as const

/** Expired trials and past-due subscriptions without a payer. */
export async function listExpiredTrials(db: Db, params: { now: Date }) {
  return db
    .selectFrom('workspace_subscriptions')
    .select(columns)
    .where('status', 'in', ['trialing', 'past_due'])
    .where('billing_subscription', 'is', null)
    .where('trial_ends_at', '<=', params.now)
    .execute()
}

/** Paid subscriptions whose period has ended or that were not read since `readBefore`; the provider has their current state. */
export async function listStaleSubscriptions(
  db: Db,
  params: { now: Date; readBefore: Date },
): Promise<string[]> {
  const rows = await db
    .selectFrom('workspace_subscriptions')
    .select('billing_subscription')
    .where('billing_subscription', 'is not', null)
    .where('status', '<>', 'canceled')
    .where((is) =>
      is.or([is('current_period_end', '<=', params.now), is('updated_at', '<=', params.readBefore)]),
    )
    .execute()
  return rows.map((row) => row.billing_subscription!)
}

/** Workspaces whose subscription may require a mail to the owners. */
export async function listToNotify(db: Db, params: { trialEndsBefore: Date }): Promise<string[]> {
  const { rows } = await sql<{ workspace_id: string }>`
    select s.workspace_id from workspace_subscriptions s
    join workspaces w on w.id = s.workspace_id
    where w.archived_at is null and s.plan <> 'starter' and (
      (s.status = 'trialing' and s.trial_ends_at <= ${params.trialEndsBefore} and s.last_notice is null)
      or (s.status = 'past_due' and s.last_notice is distinct from 'last_reminder')
      or (s.status = 'canceled' and s.last_notice is distinct from 'ended')
      or (s.status = 'active' and s.last_notice in ('payment_due', 'payment_reminder', 'last_reminder')))`.execute(
    db,
  )
  return rows.map((row) => row.workspace_id)
}

export async function lockSubscription(tx: Tx, params: { workspaceId: string }) {
  return rowsWhere(tx, 'workspace_subscriptions', { workspace_id: params.workspaceId }).lock(columns)
}

export type SubscriptionChange = Updateable<DB['workspace_subscriptions']>

export async function updateSubscription(
  tx: Tx,
  params: { workspaceId: string; fields: SubscriptionChange },
): Promise<void> {
  await rowsWhere(tx, 'workspace_subscriptions', { workspace_id: params.workspaceId }).update(params.fields)
}

export async function savePlan(tx: Tx, params: { workspaceId: string; plan: string }): Promise<void> {
  await rowsWhere(tx, 'workspaces', { id: params.workspaceId, archived_at: null }).update({
    plan: params.plan,
  })
}

/** Plan, status and payer; undefined for an unknown workspace. */
export async function findPayer(db: Db | Tx, params: { workspaceId: string }) {
  return rowsWhere(db, 'workspace_subscriptions', { workspace_id: params.workspaceId }).find([
    'plan',
    'status',
    'billing_customer',
    'billing_subscription',
  ])
}

export async function findPayingWorkspace(
  db: Db,
  params: { subscriptionId: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ workspace_id: string }>`
    select workspace_id from workspace_subscriptions
    where billing_subscription = ${params.subscriptionId}`.execute(db)
  return rows[0]?.workspace_id
}

/** The store that the workspace is billed through: the earliest connected store that still works. */
export async function findBilledStore(db: Db | Tx, params: { workspaceId: string }) {
  const { rows } = await sql<{ profileId: string; id: string }>`
    select p.id as "profileId", c.id from profiles p
    join connections c on c.profile_id = p.id
    where p.workspace_id = ${params.workspaceId} and p.archived_at is null
      and c.provider = 'storefront' and c.status = 'connected' and c.token is not null
    order by c.created_at, c.id limit 1`.execute(db)
  return rows[0]
}

export async function isFromStoreMarket(db: Db | Tx, params: { workspaceId: string }): Promise<boolean> {
  const row = await rowsWhere(db, 'workspaces', { id: params.workspaceId }).find(['acquisition_source'])
  return row?.acquisition_source === 'store'
}
