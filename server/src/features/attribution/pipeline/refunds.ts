/** Refunds: stored with their payment and netted on their own day. A refund that arrives before its payment waits for it. */
import { sql } from 'kysely'
import type { RefundRecord } from '../../../connectors/connector.ts'
import { localDay } from '../../../platform/contract/zones.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { lockProfile } from '../../../platform/db/profile-lock.ts'
import { anchoredProfileId, ensureAnchor, joinAnchor } from '../../../platform/db/shard-anchor.ts'
import { uuidv5 } from '../../../platform/secrets/uuid5.ts'
import { paymentIdOf } from '../../facts/events/integrations.ts'
import { eventIdOf } from '../../facts/events/rules.ts'
import { queueChangedValues } from '../../facts/export-queue/queue.ts'
import { convertOrNull, loadRates } from '../../facts/fx/rates.ts'
import type { ReasonOf } from '../crediting/incremental/difference.ts'
import { recomputeCustomers } from '../crediting/incremental/recompute.ts'
import type { AttributionProfile } from '../crediting/settings.ts'
import { countRefunds, type ReportedRefund } from './refund-rules.ts'

/** Provider name of payments from the profile's own servers; their external id is the idempotency key of the event. */
export const FROM_EVENTS = 'events'
/** Of payments that pages reported. */
export const FROM_BROWSER = 'web'

export type RefundWrite = {
  id: string
  paymentId: string
  kind: 'provider' | 'dispute' | 'manual'
  externalId: string | null
  occurredAt: Date
  amountMinor: number
  currency: string
  reason: string | null
}

/** Saves refunds and lost disputes that a provider reports. Idempotent. */
export async function applyRefunds(
  tx: Tx,
  profile: AttributionProfile,
  provider: string,
  records: readonly RefundRecord[],
  now: Date,
): Promise<void> {
  if (records.length === 0) return
  const { profileId } = profile
  await lockProfile(tx, profileId)
  const existingPaymentIds = await knownPayments(
    tx,
    profileId,
    records.map((record) => refundedId(profileId, provider, record)),
  )
  const isKnown = (record: RefundRecord) => existingPaymentIds.has(refundedId(profileId, provider, record))
  await saveWaiting(
    tx,
    profileId,
    provider,
    records.filter((record) => !isKnown(record)),
  )
  const changed = await saveRefunds(
    tx,
    profile,
    records.filter(isKnown).map((record) => toWrite(profileId, provider, record)),
    now,
  )
  await recomputePayers(tx, profile, changed, now, refundReason)
}

export const refundReason: ReasonOf = ({ conversionId }) => ({
  cause: 'refund',
  fact: { type: 'conversion', id: conversionId },
})

/** The id of the refunded payment. A payment from an event has the event's id. */
function refundedId(profileId: string, provider: string, { paymentExternalId }: RefundRecord): string {
  return provider === FROM_EVENTS
    ? eventIdOf(profileId, paymentExternalId)
    : paymentIdOf(profileId, provider, paymentExternalId)
}

function toWrite(profileId: string, provider: string, record: RefundRecord): RefundWrite {
  return {
    id: uuidv5(profileId, `${provider}:refund:${record.externalId}`),
    paymentId: refundedId(profileId, provider, record),
    kind: record.kind === 'dispute' ? 'dispute' : 'provider',
    externalId: record.externalId,
    occurredAt: new Date(record.occurredAt),
    amountMinor: record.amount.amountMinor,
    currency: record.amount.currency,
    reason: null,
  }
}

async function knownPayments(tx: Tx, profileId: string, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from payments where profile_id = ${profileId} and id = any(${ids}::uuid[])`.execute(tx)
  return new Set(rows.map((row) => row.id))
}

async function saveWaiting(tx: Tx, profileId: string, provider: string, records: readonly RefundRecord[]) {
  if (records.length === 0) return
  const rows = [...new Map(records.map((record) => [record.externalId, record])).values()].map((record) => ({
    id: uuidv5(profileId, `${provider}:refund:${record.externalId}`),
    payment_external_id: record.paymentExternalId,
    body: record,
  }))
  await ensureAnchor(tx, profileId)
  await sql`
    insert into refunds_waiting (profile_id, id, provider, payment_external_id, body)
    select ${anchoredProfileId(tx, profileId)}, r.id, ${provider}::text, r.payment_external_id, r.body
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, payment_external_id text, body jsonb)
    ${joinAnchor(tx, profileId)}
    on conflict (profile_id, id) do update set payment_external_id = excluded.payment_external_id, body = excluded.body`.execute(
    tx,
  )
}

/** Applies refunds that arrived before these payments. Call it before the customers are recomputed. */
export async function applyWaitingRefunds(
  tx: Tx,
  profile: AttributionProfile,
  payments: readonly { provider: string; externalId: string | null }[],
  now: Date,
): Promise<void> {
  const withKey = payments.filter((payment) => payment.externalId !== null)
  if (withKey.length === 0) return
  const { profileId } = profile
  const { rows } = await sql<{ provider: string; body: RefundRecord }>`
    delete from refunds_waiting r
    using unnest(${withKey.map((payment) => payment.provider)}::text[], ${withKey.map((payment) => payment.externalId)}::text[]) as p(provider, external_id)
    where r.profile_id = ${profileId} and r.provider = p.provider and r.payment_external_id = p.external_id
    returning r.provider, r.body`.execute(tx)
  await saveRefunds(
    tx,
    profile,
    rows.map((row) => toWrite(profileId, row.provider, row.body)),
    now,
  )
}

/** Stores refunds as reported, then calculates how much of them counts. Returns the payments whose refunds changed. */
export async function saveRefunds(
  tx: Tx,
  profile: AttributionProfile,
  refunds: readonly RefundWrite[],
  now: Date,
): Promise<string[]> {
  if (refunds.length === 0) return []
  const rows = [...new Map(refunds.map((refund) => [refund.id, refund])).values()].map((refund) => ({
    ...refund,
    day: localDay(refund.occurredAt, profile.timezone),
  }))
  await ensureAnchor(tx, profile.profileId)
  const saved = await sql<{ payment_id: string }>`
    insert into refunds as r (profile_id, recorded_at, id, payment_id, kind, external_id, occurred_at, day, told_minor,
      currency, reason, amount_minor, counted_minor)
    select ${anchoredProfileId(tx, profile.profileId)}, ${now}::timestamptz, k.*, 0, 0 from unnest(${rows.map((row) => row.id)}::uuid[],
      ${rows.map((row) => row.paymentId)}::uuid[], ${rows.map((row) => row.kind)}::text[],
      ${rows.map((row) => row.externalId)}::text[], ${rows.map((row) => row.occurredAt)}::timestamptz[],
      ${rows.map((row) => row.day)}::date[], ${rows.map((row) => row.amountMinor)}::bigint[],
      ${rows.map((row) => row.currency)}::text[], ${rows.map((row) => row.reason)}::text[]) as k
    ${joinAnchor(tx, profile.profileId)}
    on conflict (profile_id, id) do update set kind = excluded.kind, occurred_at = excluded.occurred_at, day = excluded.day,
      told_minor = excluded.told_minor, currency = excluded.currency, reason = excluded.reason
    where row(r.kind, r.occurred_at, coalesce(r.told_minor, r.amount_minor), r.currency, r.reason)
      is distinct from row(excluded.kind, excluded.occurred_at, excluded.told_minor, excluded.currency, excluded.reason)
    returning payment_id`.execute(tx)
  const changed = saved.rows.map((row) => row.payment_id)
  await recalculateRefunds(tx, profile, changed)
  return changed
}

type StoredRefund = {
  id: string
  payment_id: string
  occurred_at: Date
  day: string
  told_minor: number
  currency: string
  amount_minor: number
  counted_minor: number
  report_amount_minor: number | null
  value_minor: number
  payment_currency: string
  status: string
}

/** Recalculates the counted refunds of these payments, converted by the rate of each refund's day. Returns changed payments. */
export async function recalculateRefunds(
  tx: Tx,
  profile: AttributionProfile,
  paymentIds: readonly string[],
): Promise<string[]> {
  if (paymentIds.length === 0) return []
  const { profileId } = profile
  const { rows } = await sql<StoredRefund>`
    select r.id, r.payment_id, r.occurred_at, r.day, coalesce(r.told_minor, r.amount_minor) as told_minor, r.currency,
      r.amount_minor, coalesce(r.counted_minor, r.amount_minor) as counted_minor, r.report_amount_minor,
      p.value_minor, p.currency as payment_currency, p.status
    from refunds r
    join payments p on p.profile_id = ${profileId} and p.id = r.payment_id
    where r.profile_id = ${profileId} and r.payment_id = any(${paymentIds}::uuid[])`.execute(tx)
  const neededRates = rows.flatMap(({ day, currency, payment_currency: paymentCurrency }) =>
    [currency, paymentCurrency].map((each) => ({ currency: each, day })),
  )
  const rates = await loadRates(tx, neededRates, profile.currency, profileId)
  const changed = [...Map.groupBy(rows, (row) => row.payment_id).values()].flatMap((paymentRows) => {
    const { value_minor: valueMinor, payment_currency: currency, status } = paymentRows[0]!
    const byId = new Map(paymentRows.map((row) => [row.id, row]))
    return countRefunds({ valueMinor, currency, status }, paymentRows.map(toRefund), rates).flatMap(
      (refund) => {
        const row = byId.get(refund.id)!
        const inReport = refund.isWaiting
          ? null
          : convertOrNull(rates, { ...row, amountMinor: refund.amountMinor }, profile.currency)
        const isSame =
          row.amount_minor === refund.amountMinor &&
          row.counted_minor === refund.countedMinor &&
          row.report_amount_minor === inReport
        return isSame ? [] : [{ ...refund, inReport, paymentId: row.payment_id }]
      },
    )
  })
  if (changed.length === 0) return []
  await sql`
    update refunds r set told_minor = coalesce(r.told_minor, r.amount_minor), amount_minor = k.amount,
      counted_minor = k.counted, report_amount_minor = k.report
    from unnest(${changed.map((row) => row.id)}::uuid[], ${changed.map((row) => row.amountMinor)}::bigint[],
      ${changed.map((row) => row.countedMinor)}::bigint[], ${changed.map((row) => row.inReport)}::bigint[])
      as k(id, amount, counted, report)
    where r.profile_id = ${profileId} and r.id = k.id`.execute(tx)
  return [...new Set(changed.map((row) => row.paymentId))]
}

const toRefund = (row: StoredRefund): ReportedRefund => ({
  id: row.id,
  occurredAt: row.occurred_at,
  day: row.day,
  reportedMinor: row.told_minor,
  currency: row.currency,
})

/** The caller holds the profile's lock. */
export async function recomputePayers(
  tx: Tx,
  profile: AttributionProfile,
  paymentIds: readonly string[],
  now: Date,
  reasonOf: ReasonOf,
): Promise<void> {
  if (paymentIds.length === 0) return
  const { rows } = await sql<{ customer_id: string }>`
    select distinct i.customer_id from payments p
    join identifiers i on i.profile_id = ${profile.profileId} and i.id = coalesce(p.payer_identifier_id, p.identifier_id)
    where p.profile_id = ${profile.profileId} and p.id = any(${paymentIds}::uuid[])`.execute(tx)
  await recomputeCustomers(
    tx,
    profile,
    rows.map((row) => row.customer_id),
    now,
    { reachIds: [], reasonOf },
  )
  if (profile.hasExports) await queueChangedValues(tx, profile.profileId, paymentIds, now)
}
