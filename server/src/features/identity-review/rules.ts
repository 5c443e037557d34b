/** How much speaks for two customers being one person. Pure. */
import { type IdentifierKind, identifierKinds } from '@whence/engine'
import type { proposalStatuses } from './contract.ts'

export type ProposalStatus = (typeof proposalStatuses)[number]

/** A browser is shared in a household, a phone now and then, an address or a provider's account hardly ever. */
const weights: Record<IdentifierKind, number> = {
  external_id: 95,
  crm_contact_id: 95,
  national_id: 95,
  email: 90,
  provider_customer_id: 85,
  phone: 75,
  anonymous_id: 35,
}

/** 0 to 100; each further kind closes part of what was left open. */
export function scoreOf(kinds: readonly number[]): number {
  let open = 1
  for (const kind of new Set(kinds)) open *= 1 - (weights[identifierKinds[kind]!] ?? 0) / 100
  return Math.round(100 * (1 - open))
}

export type Decision = 'merge' | 'dismiss' | 'snooze'
const reached: Record<Decision, ProposalStatus> = { merge: 'merged', dismiss: 'dismissed', snooze: 'snoozed' }

/** `same` where nothing is left to do; what was decided for good stays. */
export function canDecide(status: ProposalStatus, decision: Decision): 'yes' | 'same' | 'no' {
  if (status === 'open') return 'yes'
  if (status === reached[decision]) return decision === 'snooze' ? 'yes' : 'same'
  return status === 'snoozed' ? 'yes' : 'no'
}
