import type { WorkspaceRole } from '../../../platform/contract/access.ts'
import { DAY_MS } from '../../../platform/contract/dates.ts'

export const plans = ['starter', 'growth', 'agency'] as const
export type Plan = (typeof plans)[number]

/** Active profiles that a plan allows. */
export const profileAllowance: Record<Plan, number> = { starter: 1, growth: 10, agency: 50 }

const TRIAL_MS = 14 * DAY_MS
export const CREATION_WINDOW_MS = 10 * 60_000

/** A plan that no one pays for any more allows what the free one does; profiles that exist stay. */
export function allowedProfiles(plan: Plan, status: string): number {
  return profileAllowance[status === 'canceled' ? 'starter' : plan]
}

/** The smallest plan that allows so many profiles; null where none does. */
export function requireGrantPlan(profiles: number): Plan | null {
  return plans.find((plan) => profileAllowance[plan] >= profiles) ?? null
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
