import type { WorkspaceRole } from '../../../platform/contract/access.ts'
import { DAY_MS } from '../../../platform/contract/dates.ts'

export const plans = ['starter', 'growth', 'agency'] as const
export type Plan = (typeof plans)[number]

/** Active profiles that a plan allows. */
export const profileAllowance: Record<Plan, number> = { starter: 1, growth: 10, agency: 50 }

const TRIAL_MS = 14 * DAY_MS
export const CREATION_WINDOW_MS = 10 * 60_000

/** A canceled plan has the limit of the free plan; existing profiles are kept. */
export function allowedProfiles(plan: Plan, status: string): number {
  return profileAllowance[status === 'canceled' ? 'starter' : plan]
}

/** The smallest plan that allows this number of profiles; null if none does. */
export function smallestPlanFor(profiles: number): Plan | null {
  return plans.find((plan) => profileAllowance[plan] >= profiles) ?? null
}

export type NewSubscription = {
  status: 'trialing' | 'active'
  trialEndsAt: Date | null
  periodEnd: Date | null
}

/** The free plan starts as active; a paid plan starts with a trial of 14 days with its own limits. */
export function firstSubscription(plan: Plan, now: Date): NewSubscription {
  if (plan === 'starter') return { status: 'active', trialEndsAt: null, periodEnd: null }
  const trialEndsAt = new Date(now.getTime() + TRIAL_MS)
  return { status: 'trialing', trialEndsAt, periodEnd: trialEndsAt }
}

export type Membership = 'owner' | 'member' | 'former_owner' | 'stranger'

/** Relation of a person to a workspace that they want to archive. */
export function classifyMember(
  role: WorkspaceRole | undefined,
  archivedOwnerIds: readonly string[] | null,
  userId: string,
): Membership {
  if (archivedOwnerIds !== null) return archivedOwnerIds.includes(userId) ? 'former_owner' : 'stranger'
  if (role === undefined) return 'stranger'
  return role === 'owner' ? 'owner' : 'member'
}
