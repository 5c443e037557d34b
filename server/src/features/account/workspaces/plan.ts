/** What a workspace's plan and origin allow beyond the number of its profiles. */
import type { Service } from '../../../context.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import { subscriptionAt, toState } from '../billing/rules.ts'
import { findAcquisitionSource, findSubscription } from './queries.ts'

/** An app that provisioned a workspace writes to its people itself. */
export async function requireMailToPeople(db: Db | Tx, workspaceId: string): Promise<void> {
  if ((await findAcquisitionSource(db, { workspaceId })) === 'oauth')
    throw new ApiError(
      'app_provisioned_workspace',
      'An app provisioned this workspace; the service sends its people no email.',
    )
}

/** Where plans are not billed, the deployment's owner pays and nothing is withheld. */
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
      `${params.feature} needs the growth or the agency plan. An owner can upgrade under Settings, Plan.`,
    )
}
