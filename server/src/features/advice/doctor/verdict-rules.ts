/** The result of a doctor check, and helpers to create it. Pure. */
import { withoutPersonalValues } from '../../../platform/contract/personal-values.ts'
import type { CheckStatus, ExampleKind } from './contract.ts'

/** The last days of a profile, in its own time zone. */
export type Window = {
  profileId: string
  timezone: string
  /** First and last day; the last is yesterday. */
  from: string
  to: string
  start: Date
  /** The beginning of today. */
  end: Date
  now: Date
}

export type Example = { kind: ExampleKind; id: string; count: number | null; detail: string | null }

export type Verdict = {
  status: CheckStatus
  /** Number of affected clicks, sales, events, customers, connections … */
  count: number
  /** Null if no amount is known. */
  valueMinor: number | null
  /** First day on which it was detected. */
  since: string | null
  examples: readonly Example[]
}

export const MAX_EXAMPLES = 10

const nothing = { count: 0, valueMinor: null, since: null, examples: [] }
export const ok: Verdict = { status: 'ok', ...nothing }
export const notApplicable: Verdict = { status: 'not_applicable', ...nothing }

export function finding(
  status: 'warning' | 'problem',
  { examples, ...rest }: Omit<Verdict, 'status'>,
): Verdict {
  return { status, ...rest, examples: examples.slice(0, MAX_EXAMPLES) }
}

/** Ids and details may come from outside; email addresses and phone numbers in them are removed. */
export function example(
  kind: ExampleKind,
  id: string,
  details: { count?: number; detail?: string | null } = {},
): Example {
  return {
    kind,
    id: withoutPersonalValues(id),
    count: details.count ?? null,
    detail: details.detail == null ? null : withoutPersonalValues(details.detail),
  }
}

export const earliest = (days: readonly (string | null)[]): string | null =>
  days.reduce((first, day) => (day !== null && (first === null || day < first) ? day : first), null)

export const total = <T>(rows: readonly T[], amountOf: (row: T) => number): number =>
  rows.reduce((sum, row) => sum + amountOf(row), 0)

export const isOpen = (status: CheckStatus): boolean => status === 'warning' || status === 'problem'
