import { canReadPeople, type ProfileContext } from '../../../context.ts'
import { amountBounds } from '../../../platform/contract/amounts.ts'
import { toDecimalNumber } from '../../../platform/contract/money.ts'
import { encodeCursor } from '../../../platform/contract/page.ts'
import { accepted } from '../../../platform/contract/refusal.ts'
import { type Route, route } from '../../../platform/http/route.ts'
import { isRefundable } from '../../attribution/pipeline/refund-rules.ts'
import { searchFor, withoutPeople } from '../../facts/identity/search.ts'
import { showContacts } from '../../facts/identity/show-contacts.ts'
import { readReport, reportCardGatewayPayment } from './card-gateway.ts'
import * as contract from './contract.ts'
import { listPaymentLinkage } from './linkage.ts'
import * as operations from './operations.ts'
import { hasCustomer, hasIdentifiedPayer, listPayments, type PaymentRow } from './queries.ts'
import { readCursor, readRefundTime, readStatus, readTimes } from './rules.ts'

export const paymentRoutes: readonly Route[] = [
  route(
    contract.listPayments,
    async (context, { query }) => {
      const status = accepted(readStatus(query.status))
      const range = accepted(readTimes(query))
      const matches = await listPayments(context.db, {
        profileId: context.profile.id,
        range,
        status,
        ...readFilter(context, query),
        after: accepted(readCursor(query.cursor)),
        limit: query.limit + 1,
      })
      const rows = matches.slice(0, query.limit)
      return {
        data: await toPayments(context, rows),
        extra: { pagination: pageOf(matches.length > query.limit, rows.at(-1)) },
      }
    },
    ({ query }) => [
      accepted(readStatus(query.status)),
      accepted(readTimes(query)),
      accepted(readCursor(query.cursor)),
    ],
  ),
  route(contract.setInstallment, async (context, { params, body }) =>
    toPaymentReply(context, await operations.setInstallment(context, params.payment_id, body.is_installment)),
  ),
  route(contract.setPayer, async (context, { params, body }) =>
    toPaymentReply(context, await operations.setPayer(context, params.payment_id, body)),
  ),
  route(
    contract.recordRefund,
    async (context, { params, body }) =>
      toPaymentReply(context, await operations.recordRefund(context, params.payment_id, body)),
    ({ body }, { now }) => accepted(readRefundTime(body.refunded_at, null, now)),
  ),
  route(contract.deleteRefund, async (context, { params }) =>
    toPaymentReply(context, await operations.deleteRefund(context, params.payment_id)),
  ),
  route(
    contract.listPaymentLinkage,
    async (context, { query }) => {
      const { rows, hasNext, last } = await listPaymentLinkage(context, {
        range: accepted(readTimes(query)),
        model: query.model,
        after: accepted(readCursor(query.cursor)),
        limit: query.limit,
      })
      return { data: rows, extra: { pagination: pageOf(hasNext, last) } }
    },
    ({ query }) => [accepted(readTimes(query)), accepted(readCursor(query.cursor))],
  ),
  route(
    contract.reportCardGatewayPayment,
    async (context, { body }) => ({
      data: await reportCardGatewayPayment(context, body),
    }),
    ({ body }, { now }) => readReport(body, now),
  ),
]

/** Callers who may not read people cannot search by payer. */
function readFilter(
  context: ProfileContext,
  query: { search?: string | undefined; amount_min?: string | undefined; amount_max?: string | undefined },
) {
  const { search, amount_min: min = null, amount_max: max = null } = query
  const parsed = search === undefined ? null : searchFor(context, search)
  return {
    search: parsed === null || canReadPeople(context) ? parsed : withoutPeople(parsed),
    amount: min === null && max === null ? null : amountBounds({ min, max }),
  }
}

function pageOf(hasNext: boolean, last: PaymentRow | undefined) {
  return {
    has_next: hasNext,
    cursor: hasNext && last !== undefined ? encodeCursor([last.occurred_at.toISOString(), last.id]) : null,
  }
}

async function toPaymentReply(context: ProfileContext, row: PaymentRow) {
  const [data] = await toPayments(context, [row])
  return { data: data! }
}

/** In the payment's currency, or in the refund's own currency while an exchange rate is missing. */
function toManualRefund(row: PaymentRow) {
  const lacksRate = row.manual_minor === 0 && row.refunds_waiting && row.manual_currency !== row.currency
  const [minor, currency] = lacksRate
    ? [row.manual_told_minor!, row.manual_currency!]
    : [row.manual_minor!, row.currency]
  return { value: toDecimalNumber(minor, currency), currency }
}

async function toPayments(context: ProfileContext, rows: readonly PaymentRow[]) {
  const canSeePeople = canReadPeople(context)
  const payerIds = rows.filter(hasIdentifiedPayer).map((row) => row.customer_id)
  const contacts = canSeePeople ? await showContacts(context, payerIds) : new Map()
  return rows.map((row) => {
    const money = (amountMinor: number) => toDecimalNumber(amountMinor, row.currency)
    const refunded = row.provider_refunds_minor + (row.manual_minor ?? 0)
    return {
      payment_id: row.id,
      occurred_at: row.occurred_at,
      provider: row.provider,
      value: money(row.value_minor),
      currency: row.currency,
      refunded_value: money(refunded),
      net_value: isRefundable(row.status) && !row.refunds_waiting ? money(row.value_minor - refunded) : null,
      refunds_waiting: row.refunds_waiting,
      refunds_capped: row.refunds_capped,
      status: row.status,
      customer_id: hasCustomer(row) ? row.customer_id : null,
      payer: hasIdentifiedPayer(row)
        ? {
            customer_id: row.customer_id,
            assigned: row.payer_identifier_id !== null,
            contact: contacts.get(row.customer_id) ?? null,
            contact_withheld: !canSeePeople,
          }
        : null,
      is_first_payment: row.is_first_payment,
      is_installment: row.is_installment,
      refund:
        row.manual_minor === null
          ? null
          : {
              ...toManualRefund(row),
              reason: row.manual_reason,
              refunded_at: row.manual_at!,
            },
    }
  })
}
