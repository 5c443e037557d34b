/** Checks of a workspace's plan and origin, except the limit of profiles. */
import type { Service } from '../../../context.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { subscriptionAt, toState } from '../billing/rules.ts'
import { findAcquisitionSource, findSubscription } from './queries.ts'

/** Refuses mail in app-provisioned workspaces: there the app itself writes to people. */
export async function requireMailToPeople(db: Db | Tx, workspaceId: string): Promise<void> {
  if ((await findAcquisitionSource(db, { workspaceId })) === 'oauth')
    throw new ApiError(
      'app_provisioned_workspace',
      'An app provisioned this workspace, so the service sends no email to its people.',
    )
}

/** Without billing, the deployment's owner pays and every feature is available. */
export async function requirePaidPlan(
  service: Service,
  db: Db | Tx,
  params: { workspaceId: string; feature: string },
): Promise<void> {
  if (service.billing === undefined) return
  const row = await findSubscription(db, params)
  const { status } = subscriptionAt(toState(row), service.clock.now(), true)
  if (row.plan === 'starter' || status === 'canceled')
    throw new ApiError(
      'plan_upgrade_required',
      `${params.feature} requires the growth or agency plan. An owner can upgrade under Settings, Plan.`,
    )
}
