/** Expected responses of the routes about money and credit: payments, linkage and explanations. */
import { inOrder, type Model, models, type Verdict } from './credit.ts'
import { split, toNumber } from './decimal.ts'
import type { Expected } from './expected.ts'
import { channelOfTouch } from './expected-channels.ts'
import type { Level } from './history.ts'
import { creditsOf, type Entry, type PlacedTouch } from './ledger.ts'
import { hasArrived, type Payment } from './outcomes.ts'
import type { Node } from './people.ts'
import { idOf, isErased, kindOf } from './stored-events.ts'

export type Times = { from: number; to: number }
type Placed = { campaign: unknown; ad_set: unknown; ad: unknown }

/** Newest first. */
export function expectedPayments(
  expected: Expected,
  times: Times,
  status: 'all' | 'unidentified',
): Record<string, unknown>[] {
  const all = expected.facts.payments()
  const customers = new Map(all.map((payment) => [payment.id, expected.ledger.customerOf(payment.node)]))
  const { first } = expected.ledger
  return newestFirst(all, times).flatMap((payment) => {
    const customer = customers.get(payment.id)!
    const isNamed = !['anonymous_id', null].includes(kindOf(customer))
    if (status === 'unidentified' && isNamed) return []
    const money = (minor: bigint) => toNumber(minor, payment.currency)
    const back = payment.refund?.counted ?? 0n
    const isWaiting = payment.refund?.isWaiting ?? false
    return {
      ...commonFields(payment, customer),
      refunded_value: money(back),
      net_value: hasArrived(payment.status) && !isWaiting ? money(payment.value - back) : null,
      refunds_waiting: isWaiting,
      refunds_capped: payment.refund?.isCapped ?? false,
      status: payment.status,
      payer: isNamed
        ? {
            customer_id: idOf(customer),
            assigned: payment.isAssigned,
            contact: null,
            contact_withheld: true,
          }
        : null,
      is_first_payment: first.has(payment.id),
      is_installment: payment.isInstallment,
      refund:
        payment.refund === null
          ? null
          : {
              ...(isWaiting
                ? {
                    value: toNumber(payment.refund.value, payment.refund.currency),
                    currency: payment.refund.currency,
                  }
                : { value: money(back), currency: payment.currency }),
              reason: null,
              refunded_at: new Date(payment.refund.at).toISOString(),
            },
    }
  })
}

function newestFirst(payments: readonly Payment[], { from, to }: Times): Payment[] {
  return payments
    .filter((payment) => payment.at >= from && payment.at <= to)
    .sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
}

function commonFields(payment: Payment, customer: Node): Record<string, unknown> {
  return {
    payment_id: payment.id,
    occurred_at: new Date(payment.at).toISOString(),
    provider: payment.provider,
    value: toNumber(payment.value, payment.currency),
    currency: payment.currency,
    customer_id: kindOf(customer) === null ? null : idOf(customer),
  }
}

/** Entities are identified by platform id and name; internal ids are omitted. */
export function expectedLinkage(expected: Expected, times: Times, model: Model): Record<string, unknown>[] {
  const arrived = expected.facts.payments().filter((payment) => hasArrived(payment.status))
  const creditable = new Set(
    expected.ledger.entries
      .filter(({ conversion }) => conversion.isEligible && conversion.revenueType === 'cash')
      .map(({ conversion }) => conversion.eventId),
  )
  return newestFirst(arrived, times).map((payment) => {
    const customer = expected.ledger.customerOf(payment.node)
    const isCreditable = creditable.has(payment.id)
    const touch = isCreditable
      ? mostCredited(expected.ledger.evaluateTouches(model, customer, payment.at, payment.value))
      : undefined
    return {
      ...commonFields(payment, customer),
      linkage: isCreditable ? linkageOf(touch) : 'not_creditable',
      matched_by: touch === undefined ? null : kindOf(touch.node),
      touch:
        touch === undefined
          ? null
          : {
              touch_id: touch.id,
              occurred_at: new Date(touch.at).toISOString(),
              channel: channelOfTouch(expected, touch),
              origin: touch.origin,
              platform: touch.platform,
            },
      ...(touch === undefined ? { campaign: null, ad_set: null, ad: null } : placeOf(expected, touch)),
    }
  })
}

/** Of equals the latest; of simultaneous ones the one recorded first. */
function mostCredited(verdicts: readonly Verdict<PlacedTouch>[]): PlacedTouch | undefined {
  let best: { touch: PlacedTouch; weight: bigint } | undefined
  for (const verdict of verdicts) {
    if (verdict.weight === null) continue
    const isMore = best === undefined || verdict.weight > best.weight
    const isLater = best !== undefined && verdict.weight === best.weight && verdict.touch.at > best.touch.at
    if (isMore || isLater) best = { touch: verdict.touch, weight: verdict.weight }
  }
  return best?.touch
}

function linkageOf(touch: PlacedTouch | undefined): string {
  if (touch === undefined) return 'no_touch'
  for (const level of ['ad', 'ad_set', 'campaign'] as const) if (touch.place[level] !== null) return level
  if (touch.platform !== null) return 'paid_click'
  return touch.isDirect ? 'direct' : 'other_touch'
}

function placeOf(expected: Expected, touch: PlacedTouch): Placed {
  const at = (level: Level) => {
    const id = touch.place[level]
    return id === null ? null : { platform_id: id, name: expected.entity(level, id)?.name ?? null }
  }
  return { campaign: at('campaign'), ad_set: at('ad_set'), ad: at('ad') }
}

/** The explanation of one conversion, under one model or all of them. */
export function expectedExplanation(
  expected: Expected,
  entry: Entry,
  selection: Model | 'all',
): Record<string, unknown> {
  const { conversion, verdicts } = entry
  const superseded = expected.ledger
    .superseded(entry.customer)
    .map((touch): Verdict<PlacedTouch> => ({ touch, weight: null, reason: 'superseded_by_merge' }))
  const { settings } = expected.facts
  const money = (minor: bigint) => toNumber(minor, expected.currency)
  const selectedModels = selection === 'all' ? models : [selection]
  const isUnknown = conversion.value !== null && conversion.report === null
  return {
    outcome_event_id: conversion.eventId,
    outcome_type: conversion.outcomeType,
    revenue_type: conversion.revenueType,
    occurred_at: new Date(conversion.at).toISOString(),
    value: conversion.value === null ? null : toNumber(conversion.value, conversion.currency!),
    currency: conversion.currency,
    report_value: conversion.report === null ? null : money(conversion.report),
    refunds: conversion.refunds.map((refund) => ({
      occurred_at: new Date(refund.at).toISOString(),
      value: toNumber(-refund.value, refund.currency),
      currency: refund.currency,
      report_value: refund.report === null ? null : money(-refund.report),
    })),
    attribution_eligible: conversion.isEligible,
    erased: isErased(entry.customer),
    duplicate_of: conversion.duplicateOf,
    unconfirmed: conversion.unconfirmed,
    // Worlds use the standard privacy mode, which withholds nothing.
    privacy_mode: null,
    // No one in a world states a consent.
    consent: isErased(entry.customer)
      ? null
      : { ad_user_data: 'unspecified', ad_personalization: 'unspecified', source: null, stated_at: null },
    // Worlds have no declared sources.
    declared_source: null,
    steps: stepsBefore(expected, entry),
    models: (conversion.isEligible ? selectedModels : []).map((model) => ({
      model,
      lookback_days: model === 'first_touch' ? settings.firstTouchLookbackDays : settings.lookbackDays,
      credited_value: isUnknown
        ? null
        : money(
            verdicts[model].reduce(
              (sum, verdict) => sum + (verdict.weight === null ? 0n : verdict.money),
              0n,
            ),
          ),
      touches: inOrder([...verdicts[model], ...superseded].map((verdict) => verdict.touch)).map((touch) => ({
        ...explainTouch(
          expected,
          [...verdicts[model], ...superseded].find((verdict) => verdict.touch === touch)!,
          isUnknown,
        ),
        refunds: conversion.refunds.flatMap((refund) => {
          const shares = creditsOf(entry, model)
          const at = shares.findIndex((share) => share.touch === touch)
          const parts = split(
            refund.report ?? 0n,
            shares.map(({ weight }) => weight),
          )
          return at < 0 ? [] : [{ credited_value: refund.report === null ? null : money(-parts[at]!) }]
        }),
      })),
    })),
  }
}

/** The last 50 earlier outcomes of the customer, without those of an erased one. Worlds have no replies. */
function stepsBefore({ ledger }: Expected, { customer, conversion }: Entry): unknown[] {
  if (isErased(customer)) return []
  return ledger.entries
    .filter((other) => other.customer === customer && other.conversion !== conversion)
    .map((other) => other.conversion)
    .filter(({ at, duplicateOf }) => at <= conversion.at && duplicateOf === null)
    .sort((a, b) => a.at - b.at || (a.outcomeType < b.outcomeType ? 1 : -1))
    .slice(-50)
    .map(({ at, outcomeType }) => ({
      kind: 'outcome',
      outcome_type: outcomeType,
      occurred_at: new Date(at).toISOString(),
    }))
}

function explainTouch(
  expected: Expected,
  verdict: Verdict<PlacedTouch>,
  isUnknown: boolean,
): Record<string, unknown> {
  const { touch } = verdict
  return {
    touch_id: touch.id,
    occurred_at: new Date(touch.at).toISOString(),
    channel: channelOfTouch(expected, touch),
    origin: touch.origin,
    platform: touch.platform,
    is_direct: touch.isDirect,
    reported: false,
    ...placeOf(expected, touch),
    ...(verdict.weight === null
      ? { status: 'excluded', weight: null, credited_value: null, reason: verdict.reason }
      : {
          status: 'credited',
          weight: Number(verdict.weight) / Number(verdict.total),
          credited_value: isUnknown ? null : toNumber(verdict.money, expected.currency),
          reason: null,
        }),
  }
}
