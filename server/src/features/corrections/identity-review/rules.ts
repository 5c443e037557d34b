/** Scores how likely two customers are the same person. Pure. */
import { type IdentifierKind, identifierKinds } from '@whence/engine'
import type { PersonContact } from '../../facts/identity/contact.ts'
import type { contradictionKinds, proposalStatuses } from './contract.ts'

export type ProposalStatus = (typeof proposalStatuses)[number]
export type Contradiction = (typeof contradictionKinds)[number]

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

/** The part of the score that is left when the names or the addresses differ. People change addresses, seldom names. */
const keptDespite: Record<Contradiction, number> = { name: 0.4, email: 0.7 }

/** No evidence makes two people one with certainty, or rules it out. */
export const boundedScore = (score: number): number => Math.min(99, Math.max(1, Math.round(score)))

/** 1 to 99. Each further kind of shared identifier raises it, each contradiction lowers it. */
export function scoreOf(kinds: readonly number[], contradictions: readonly Contradiction[]): number {
  let open = 1
  for (const kind of new Set(kinds)) open *= 1 - (weights[identifierKinds[kind]!] ?? 0) / 100
  return boundedScore(contradictions.reduce((score, kind) => score * keptDespite[kind], 100 * (1 - open)))
}

type Known = Pick<PersonContact, 'first_name' | 'last_name' | 'email'>

/** Where both sides are known by a name or an address and these differ. A shared address does not differ. */
export function contradictionsOf(
  first: Known | null | undefined,
  second: Known | null | undefined,
  kinds: readonly number[],
): Contradiction[] {
  if (!first || !second) return []
  const differs = (field: keyof Known) => {
    const [one, other] = [plain(first[field]), plain(second[field])]
    const isShortForm = field !== 'email' && (one.startsWith(other) || other.startsWith(one))
    return one !== '' && other !== '' && one !== other && !isShortForm
  }
  const sharesEmail = kinds.some((kind) => identifierKinds[kind] === 'email')
  return [
    ...(differs('first_name') || differs('last_name') ? (['name'] as const) : []),
    ...(!sharesEmail && differs('email') ? (['email'] as const) : []),
  ]
}

/** Without accents, case and punctuation: `José` is `jose`, `J.` is `j`. */
const plain = (value: string | null) =>
  (value ?? '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}@+]/gu, '')

export type Decision = 'merge' | 'dismiss' | 'snooze'
const reached: Record<Decision, ProposalStatus> = { merge: 'merged', dismiss: 'dismissed', snooze: 'snoozed' }

/** `same` where nothing is left to do; what was decided for good stays. */
export function canDecide(status: ProposalStatus, decision: Decision): 'yes' | 'same' | 'no' {
  if (status === 'open') return 'yes'
  if (status === reached[decision]) return decision === 'snooze' ? 'yes' : 'same'
  return status === 'snoozed' ? 'yes' : 'no'
}
