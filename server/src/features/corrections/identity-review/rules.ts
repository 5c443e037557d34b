/** Scores how likely two customers are the same person. Pure. */
import { type IdentifierKind, identifierKinds } from '@whence/engine'
import type { PersonContact } from '../../facts/identity/contact.ts'
import type { contradictionKinds, proposalStatuses } from './contract.ts'

export type ProposalStatus = (typeof proposalStatuses)[number]
export type Contradiction = (typeof contradictionKinds)[number]

/** Evidence in percent: households share browsers, sometimes phones, and rarely email addresses or accounts. */
const weights: Record<IdentifierKind, number> = {
  external_id: 95,
  crm_contact_id: 95,
  national_id: 95,
  email: 90,
  provider_customer_id: 85,
  phone: 75,
  anonymous_id: 35,
}

/** The score is multiplied by this if names or emails differ. People change email addresses more often than names. */
const contradictionFactors: Record<Contradiction, number> = { name: 0.4, email: 0.7 }

/** Limits a score to 1 to 99: no evidence gives certainty. */
export const boundScore = (score: number): number => Math.min(99, Math.max(1, Math.round(score)))

/** 1 to 99. Each further kind of shared identifier raises it, each contradiction lowers it. */
export function calculateScore(kinds: readonly number[], contradictions: readonly Contradiction[]): number {
  let doubt = 1
  for (const kind of new Set(kinds)) doubt *= 1 - (weights[identifierKinds[kind]!] ?? 0) / 100
  return boundScore(
    contradictions.reduce((score, kind) => score * contradictionFactors[kind], 100 * (1 - doubt)),
  )
}

type ComparedContact = Pick<PersonContact, 'first_name' | 'last_name' | 'email'>

/** Fields that both sides have with different values. Emails are not compared if the sides share an email. */
export function findContradictions(
  first: ComparedContact | null | undefined,
  second: ComparedContact | null | undefined,
  kinds: readonly number[],
): Contradiction[] {
  if (!first || !second) return []
  const differs = (field: keyof ComparedContact) => {
    const [firstValue, secondValue] = [plain(first[field]), plain(second[field])]
    const isShortForm =
      field !== 'email' && (firstValue.startsWith(secondValue) || secondValue.startsWith(firstValue))
    return firstValue !== '' && secondValue !== '' && firstValue !== secondValue && !isShortForm
  }
  const sharesEmail = kinds.some((kind) => identifierKinds[kind] === 'email')
  return [
    ...(differs('first_name') || differs('last_name') ? (['name'] as const) : []),
    ...(!sharesEmail && differs('email') ? (['email'] as const) : []),
  ]
}

/** Removes accents, case and punctuation: `José` becomes `jose`, `J.` becomes `j`. */
const plain = (value: string | null) =>
  (value ?? '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}@+]/gu, '')

export type Decision = 'merge' | 'dismiss' | 'snooze'
const statusAfter: Record<Decision, ProposalStatus> = {
  merge: 'merged',
  dismiss: 'dismissed',
  snooze: 'snoozed',
}

/** `same`: the decision was already made. `no`: the proposal was merged or dismissed, which is final. */
export function canDecide(status: ProposalStatus, decision: Decision): 'yes' | 'same' | 'no' {
  if (status === 'open') return 'yes'
  if (status === statusAfter[decision]) return decision === 'snooze' ? 'yes' : 'same'
  return status === 'snoozed' ? 'yes' : 'no'
}
