/** Explains a conversion's credit with the engine's reference implementation; tests prove that the bulk path equals it. */
import { type Conversion, type Explained, explain, type Model, models, type Touch } from '@whence/engine'
import type { z } from 'zod'
import { canReadPeople, type ProfileContext } from '../../../context.ts'
import { ApiError } from '../../../platform/contract/errors.ts'
import { toDecimalNumber } from '../../../platform/contract/money.ts'
import { noConsent, readConsent, stricterOf, toApplied } from '../../facts/consents/rules.ts'
import { loadConsents } from '../../facts/consents/statements.ts'
import { loadExportPolicy } from '../../facts/export-queue/policy.ts'
import { withheldParts } from '../../facts/export-queue/rules.ts'
import { ERASED_KIND } from '../../facts/identity/members.ts'
import { type CandidateTouch, listCandidateTouches } from './candidate-touches.ts'
import type * as contract from './contract.ts'
import { describeTouches } from './describe-touches.ts'
import { findConversion, findDeclaredAnswer, findStatedConsent, listSteps } from './explain-queries.ts'
import { listRefundsOf, splitRefunds, toRefund } from './explain-refunds.ts'
import { loadSettings } from './settings.ts'

export async function explainConversion(
  context: ProfileContext,
  id: string,
  requestedModel: Model | 'all',
): Promise<z.input<(typeof contract.explainConversion)['reply']>> {
  const { db, profile } = context
  const conversion = await findConversion(db, { profileId: profile.id, id })
  if (conversion === undefined)
    throw new ApiError('conversion_not_found', 'No conversion of this profile has this id or key.')
  const settings = await loadSettings(db, profile.id)
  const touches = await listCandidateTouches(db, {
    profileId: profile.id,
    customerId: conversion.customer_id,
  })
  const describe = await describeTouches(db, profile.id, touches)
  const refunds = await listRefundsOf(db, profile.id, conversion)
  const money = (amountMinor: number) => toDecimalNumber(amountMinor, profile.currency)
  const isRateMissing = conversion.value_minor !== null && conversion.report_value_minor === null
  const engineConversion: Conversion = {
    occurredAt: conversion.occurred_at.getTime(),
    amountMinor: conversion.report_value_minor ?? 0,
  }
  const candidates = touches.map((row) => toTouch(row, conversion.customer_id))
  const requestedModels = requestedModel === 'all' ? models : [requestedModel]
  return {
    conversion_id: conversion.id,
    outcome_event_id: conversion.event_id,
    outcome_type: conversion.outcome_type,
    revenue_type: conversion.revenue_type,
    occurred_at: conversion.occurred_at,
    value:
      conversion.value_minor === null || conversion.currency === null
        ? null
        : toDecimalNumber(conversion.value_minor, conversion.currency),
    currency: conversion.currency,
    report_value: conversion.report_value_minor === null ? null : money(conversion.report_value_minor),
    refunds: refunds.map((refund) => toRefund(refund, profile.currency)),
    attribution_eligible: conversion.attribution_eligible,
    erased: conversion.customer_kind === ERASED_KIND,
    duplicate_of: conversion.duplicate_of,
    unconfirmed: conversion.unconfirmed,
    privacy_mode: await loadWithheld(context, conversion.goal_id),
    consent: conversion.customer_kind === ERASED_KIND ? null : await loadConsent(context, conversion),
    declared_source: await loadDeclaredSource(context, conversion.customer_id),
    steps: conversion.customer_kind === ERASED_KIND ? [] : await loadSteps(context, conversion),
    models: (conversion.attribution_eligible ? requestedModels : []).map((model) => {
      const explained = explain(engineConversion, candidates, settings, model)
      const credited = explained.reduce(
        (sum, touch) => sum + (touch.status === 'credited' ? touch.amountMinor : 0),
        0,
      )
      const refunded = splitRefunds(explained, refunds)
      return {
        model,
        lookback_days: model === 'first_touch' ? settings.firstTouchLookbackDays : settings.lookbackDays,
        credited_value: isRateMissing ? null : money(credited),
        touches: explained.map((touch) => ({
          ...describe(touches[touch.touchIndex]!),
          ...toVerdict(touch, (amountMinor) => (isRateMissing ? null : money(amountMinor))),
          refunds: (refunded.get(touch.touchIndex) ?? []).map(({ id, amountMinor }) => ({
            refund_id: id,
            credited_value: amountMinor === null ? null : money(amountMinor),
          })),
        })),
      }
    }),
  }
}

async function loadConsent(
  { db, profile }: ProfileContext,
  { customer_id: customerId, event_id: eventId }: { customer_id: string; event_id: string },
) {
  const profileId = profile.id
  const [event, customers] = await Promise.all([
    findStatedConsent(db, { profileId, eventId }),
    loadConsents(db, { profileId, customerIds: [customerId] }),
  ])
  const stated = event === undefined ? noConsent : readConsent(event)
  return toApplied(stricterOf(stated, customers.get(customerId) ?? noConsent))
}

async function loadDeclaredSource({ db, profile }: ProfileContext, customerId: string) {
  const declared = await findDeclaredAnswer(db, { profileId: profile.id, customerId })
  return declared && { answer_key: declared.answer_key, asked_at: declared.asked_at }
}

/** Replies of the business are included only for callers who may read conversations. */
async function loadSteps(
  context: ProfileContext,
  conversion: { id: string; customer_id: string; occurred_at: Date },
) {
  const { db, profile } = context
  const steps = await listSteps(db, {
    profileId: profile.id,
    conversion,
    withReplies: canReadPeople(context),
  })
  return steps.map(({ outcome_type, occurred_at }) => ({
    kind: outcome_type === null ? ('reply' as const) : ('outcome' as const),
    outcome_type,
    occurred_at,
  }))
}

async function loadWithheld({ db, profile }: ProfileContext, goalId: string) {
  // Most profiles use the mode standard: skip loading the policy.
  if (profile.privacyMode === 'standard') return null
  const policy = await loadExportPolicy(db, profile.id)
  if (policy.privacyMode === 'standard') return null
  return { mode: policy.privacyMode, withheld: withheldParts(policy, policy.keys.get(goalId) ?? '') }
}

function toVerdict(touch: Explained, money: (amountMinor: number) => number | null) {
  return touch.status === 'credited'
    ? {
        status: touch.status,
        weight: touch.share,
        credited_value: money(touch.amountMinor),
        reason: null,
      }
    : { status: touch.status, weight: null, credited_value: null, reason: touch.reason }
}

function toTouch(row: CandidateTouch, customerId: string): Touch {
  return {
    id: row.id,
    occurredAt: row.occurred_at.getTime(),
    recordedAt: row.recorded_at.getTime(),
    isDirect: row.is_direct,
    ineligible: row.customer_id === customerId ? undefined : 'superseded_by_merge',
  }
}
