import { isHealthcare, type ProfileContext } from '../../../../context.ts'
import { requireHealthcareDecider } from '../../../../platform/access/decisions.ts'
import { parseDateRange } from '../../../../platform/contract/dates.ts'
import { ApiError } from '../../../../platform/contract/errors.ts'
import { parseMoney } from '../../../../platform/contract/money.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { isRefused } from '../../../facts/consents/rules.ts'
import { loadConsents } from '../../../facts/consents/statements.ts'
import type { ConsentState } from '../../../facts/export-queue/rules.ts'
import { mailDecision } from '../decisions/operations.ts'
import type { AudienceFilter } from './contract.ts'
import { sendList } from './customer-list.ts'
import { listMatchingCustomers, type Matching } from './queries-matching.ts'

const MAX_MATCHES = 10_000

type AudienceBody = {
  connection_id: string
  name: string
  filter: AudienceFilter
  consent: { ad_user_data: ConsentState; ad_personalization: ConsentState }
  terms_accepted: boolean
  dry_run: boolean
}

/** One list per name: customers who no longer match are removed from it. */
export async function createAudience(context: ProfileContext, { name, filter, ...body }: AudienceBody) {
  const { caller, db, profile } = context
  if (caller.kind === 'key' && caller.appId !== null)
    throw new ApiError('forbidden', 'Partner apps cannot send a list by filter; they list its members.', {
      hint: 'POST /partner/audiences/customer-list.',
    })
  await requireHealthcareDecider(context, 'Sending customers')
  const matching = readFilter(profile, filter)
  const matched = await listMatchingCustomers(db, { ...matching, limit: MAX_MATCHES + 1 })
  if (matched.length > MAX_MATCHES)
    throw new ApiError('validation_error', `more than ${MAX_MATCHES} customers match.`, {
      field: 'filter',
      hint: 'Narrow the days or the revenue.',
    })
  const refusedIds = await listConsentRefused(context, matched)
  const members = matched.filter((id) => !refusedIds.has(id)).map((id) => ({ customer_id: id }))
  if (members.length === 0 && !body.dry_run)
    throw new ApiError('validation_error', 'no matching customer has consent.', { field: 'filter' })
  const sent = await sendList(
    context,
    { ...body, audience: { name }, operation: 'replace', members, isFromFilter: true },
    (tx) => mailHealthcareOwners(tx, context, members.length),
  )
  return {
    audience_id: sent.audience_id,
    matched: matched.length,
    consent_refused: refusedIds.size,
    excluded: sent.excluded,
    no_match_keys: sent.invalid.length,
    queued: sent.queued,
  }
}

function readFilter(profile: ProfileContext['profile'], filter: AudienceFilter): Matching {
  const parsed = parseDateRange(filter.date_from, filter.date_to)
  if (!parsed.ok)
    throw new ApiError('invalid_date_range', `${parsed.problem}.`, { field: `filter.${parsed.field}` })
  const minorOf = (field: 'revenue_min' | 'revenue_max'): number | null => {
    const value = filter[field]
    if (value === undefined) return null
    const money = parseMoney(value, profile.currency)
    if (!money.ok) throw new ApiError('validation_error', `${money.message}.`, { field: `filter.${field}` })
    return money.amountMinor
  }
  return {
    profileId: profile.id,
    range: parsed.range,
    outcomeType: filter.outcome_type ?? null,
    minMinor: minorOf('revenue_min'),
    maxMinor: minorOf('revenue_max'),
    noneSince: filter.none_since,
  }
}

async function listConsentRefused(
  { db, profile }: ProfileContext,
  customerIds: readonly string[],
): Promise<Set<string>> {
  const stated = await loadConsents(db, { profileId: profile.id, customerIds })
  return new Set([...stated].flatMap(([id, consent]) => (isRefused(consent) ? id : [])))
}

async function mailHealthcareOwners(tx: Tx, context: ProfileContext, customers: number): Promise<void> {
  if (!isHealthcare(context.profile)) return
  await mailDecision(tx, context, {
    subject: `Customers of ${context.profile.name} are sent to an ad platform`,
    lines: [`An audience of up to ${customers} customers is sent to a connected ad account.`],
  })
}
