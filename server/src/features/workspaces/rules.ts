import type { WorkspaceRole } from '../../contract/access.ts'

export const plans = ['starter', 'growth', 'agency'] as const
export type Plan = (typeof plans)[number]

/** Active profiles that a plan allows. */
export const profileAllowance: Record<Plan, number> = { starter: 1, growth: 10, agency: 50 }

const TRIAL_MS = 14 * 24 * 3_600_000
export const CREATION_WINDOW_MS = 10 * 60_000

/** The plan that would allow one more profile; null at the top. */
export function nextPlan(plan: Plan): Plan | null {
  return plans[plans.indexOf(plan) + 1] ?? null
}

export type NewSubscription = {
  status: 'trialing' | 'active'
  trialEndsAt: Date | null
  periodEnd: Date | null
}

/** The free plan is simply active; a paid one is tried for 14 days at its own limits. */
export function firstSubscription(plan: Plan, now: Date): NewSubscription {
  if (plan === 'starter') return { status: 'active', trialEndsAt: null, periodEnd: null }
  const trialEndsAt = new Date(now.getTime() + TRIAL_MS)
  return { status: 'trialing', trialEndsAt, periodEnd: trialEndsAt }
}

/** A trial that ran out turns active while nobody can be billed: the deployment's owner pays for it already. */
export function subscriptionStatus(status: string, trialEndsAt: Date | null, now: Date): string {
  return status === 'trialing' && trialEndsAt !== null && trialEndsAt <= now ? 'active' : status
}

export type Membership = 'owner' | 'member' | 'former_owner' | 'stranger'

/** What a person is to a workspace that they ask to archive. */
export function membershipOf(
  role: WorkspaceRole | undefined,
  archivedOwnerIds: readonly string[] | null,
  userId: string,
): Membership {
  if (archivedOwnerIds !== null) return archivedOwnerIds.includes(userId) ? 'former_owner' : 'stranger'
  if (role === undefined) return 'stranger'
  return role === 'owner' ? 'owner' : 'member'
}
