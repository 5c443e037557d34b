/** Plans of workspaces from the store platform's app market, which bills them and reports whether they are paid. */
import {
  createAppSubscription,
  readAppSubscription,
  type StorePlan,
  storePriceOf,
} from '../../../connectors/storefront/app-subscription.ts'
import type { Service, WorkspaceContext } from '../../../context.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { uuidv7 } from '../../../platform/contract/ids.ts'
import { databaseNow, type Tx } from '../../../platform/db/database.ts'
import { toProviderApiError, withSession } from '../../sources/connections/session.ts'
import { linksOf, mintCheckout, settleCheckout } from '../../sources/handoffs/operations.ts'
import { findHandoff, type HandoffRow } from '../../sources/handoffs/queries.ts'
import * as queries from './queries.ts'
import { statusAfterPaidPeriod } from './rules.ts'

const BUDGET_MS = 10_000

type SaveSubscription = (tx: Tx, workspaceId: string, fields: queries.SubscriptionChange) => Promise<void>

/** The store platform's subscriptions are recognised by the format of their id. */
export const isStoreSubscription = (id: string | undefined): id is string => id?.startsWith('gid://') === true

export async function selectStorePlan(context: WorkspaceContext, { plan }: { plan: StorePlan }) {
  const { service, db, workspaceId } = context
  if (!(await queries.isFromStoreMarket(db, { workspaceId })))
    throw new ApiError(
      'invalid_state',
      'This workspace did not come from the store market; use a checkout session.',
      {
        reason: 'not_a_store_workspace',
      },
    )
  const app = service.providers.get('storefront')?.app
  const price = app && storePriceOf(app, plan)
  if (price === undefined)
    throw new ApiError(
      'service_unavailable',
      'This deployment does not sell plans through the store platform.',
      {
        reason: 'billing_not_configured',
      },
    )
  const store = await requireStore(context)
  const id = uuidv7()
  const returnUrl = `${linksOf(service, id).url}/paid`
  const created = await withSession(service, store, BUDGET_MS, (session) =>
    createAppSubscription(session, { plan, price, returnUrl }),
  ).catch((error: unknown) => {
    throw toProviderApiError(error)
  })
  const handoff = await mintCheckout(service, db, {
    id,
    workspaceId,
    plan,
    destination: created.confirmationUrl,
    sessionId: created.id,
  })
  return { id: handoff.id, url: handoff.url, expires_at: handoff.expires_at }
}

async function requireStore({ db, workspaceId }: Pick<WorkspaceContext, 'db' | 'workspaceId'>) {
  const store = await queries.findBilledStore(db, { workspaceId })
  if (store === undefined)
    throw new ApiError('invalid_state', 'No store is connected; connect it first.', {
      reason: 'store_not_connected',
    })
  return store
}

type Store = { profileId: string; id: string }

const readFromStore = (service: Service, store: Store, subscriptionId: string) =>
  withSession(service, store, BUDGET_MS, (session) => readAppSubscription(session, subscriptionId))

/** True once the store platform reports the hand-off's subscription as active, with the chosen plan's name. */
export async function confirmStorePlan(
  service: Service,
  handoff: HandoffRow,
  save: SaveSubscription,
): Promise<boolean> {
  if (handoff.status === 'completed') return true
  const { plan, session_id: subscriptionId } = handoff.detail as { plan: StorePlan; session_id: string }
  const workspaceId = handoff.workspace_id
  const store = await requireStore({ db: service.db, workspaceId })
  const subscription = await readFromStore(service, store, subscriptionId)
  if (subscription.status !== 'active' || subscription.plan !== plan) return false
  return service.db.transaction().execute(async (tx) => {
    const isFirst = await settleCheckout(tx, { handoffId: handoff.id, status: 'completed', result: { plan } })
    if (!isFirst) return (await findHandoff(tx, { id: handoff.id }))?.status === 'completed'
    const now = await databaseNow(tx)
    await save(tx, workspaceId, {
      plan,
      status: 'active',
      trial_ends_at: null,
      current_period_start: now,
      current_period_end: subscription.periodEnd,
      billing_subscription: subscriptionId,
      updated_at: now,
    })
    return true
  })
}

/** Updates the subscription from the store platform: renewed, unpaid or ended. Without a store there are no further payments. */
export async function refreshStorePlan(
  service: Service,
  { workspaceId, subscriptionId }: { workspaceId: string; subscriptionId: string },
  save: SaveSubscription,
): Promise<void> {
  const store = await queries.findBilledStore(service.db, { workspaceId })
  if (store === undefined) return endUnpaid(service, workspaceId, save)
  const subscription = await readFromStore(service, store, subscriptionId)
  if (subscription.status === 'pending') return
  await service.db.transaction().execute(async (tx) =>
    save(tx, workspaceId, {
      status: subscription.status,
      current_period_end: subscription.periodEnd,
      updated_at: await databaseNow(tx),
    }),
  )
}

/** The store removed the app, which ended the platform's billing: the plan ends after the paid period and the grace period. */
async function endUnpaid(service: Service, workspaceId: string, save: SaveSubscription): Promise<void> {
  await service.db.transaction().execute(async (tx) => {
    const row = await queries.lockSubscription(tx, { workspaceId })
    const now = await databaseNow(tx)
    const status = statusAfterPaidPeriod(row?.current_period_end ?? null, now)
    if (status !== null && status !== row?.status) await save(tx, workspaceId, { status, updated_at: now })
  })
}
