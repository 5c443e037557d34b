/** Why a conversion is credited as it is, by the readable path of the engine that the bulk path is held equal to. */
import { type Conversion, type Explained, explain, type Model, models, type Touch } from '@whence/engine'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { ProfileContext } from '../../context.ts'
import { ApiError } from '../../contract/errors.ts'
import type { RevenueType } from '../../contract/fields.ts'
import { isUuid } from '../../contract/ids.ts'
import { toDecimalNumber } from '../../contract/money.ts'
import type { Db, Tx } from '../../db/database.ts'
import { conversionsOf } from '../events/derived-rows.ts'
import { eventIdOf } from '../events/rules.ts'
import { ERASED_KIND } from '../identity/members.ts'
import type * as contract from './contract.ts'
import { type DescribedTouch, describeTouches } from './describe-touches.ts'
import { listRefundsOf, splitRefunds, toRefund } from './explain-refunds.ts'
import { dropEchoes } from './incremental/journeys.ts'
import { loadSettings } from './settings.ts'
import { supersededIdentifiers } from './superseded.ts'

type ConversionRow = {
  id: string
  event_id: string
  customer_id: string
  outcome_type: string
  revenue_type: RevenueType
  occurred_at: Date
  value_minor: number | null
  currency: string | null
  report_value_minor: number | null
  attribution_eligible: boolean
  customer_kind: number
  duplicate_of: string | null
  unconfirmed: boolean
}

type TouchRow = DescribedTouch & {
  customer_id: string
  recorded_at: Date
  click_id_kind: string | null
  click_id: string | null
}

export async function explainConversion(
  context: ProfileContext,
  id: string,
  asked: Model | 'all',
): Promise<z.input<(typeof contract.explainConversion)['reply']>> {
  const { db, profile } = context
  const conversion = await findConversion(db, profile.id, id)
  if (conversion === undefined)
    throw new ApiError('conversion_not_found', 'No conversion with this id, outcome_event_id or event key.')
  const settings = await loadSettings(db, profile.id)
  const touches = await candidateTouches(db, profile.id, conversion.customer_id)
  const describe = await describeTouches(db, profile.id, touches)
  const refunds = await listRefundsOf(db, profile.id, conversion)
  const money = (amountMinor: number) => toDecimalNumber(amountMinor, profile.currency)
  const isUnknown = conversion.value_minor !== null && conversion.report_value_minor === null
  const facts: Conversion = {
    occurredAt: conversion.occurred_at.getTime(),
    amountMinor: conversion.report_value_minor ?? 0,
  }
  const candidates = touches.map((row) => toTouch(row, conversion.customer_id))
  const wanted = asked === 'all' ? models : [asked]
  return {
    conversion_id: conversion.id,
    outcome_event_id: conversion.event_id,
    outcome_type: conversion.outcome_type,
    revenue_type: conversion.revenue_type,
    occurred_at: conversion.occurred_at.toISOString(),
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
    models: (conversion.attribution_eligible ? wanted : []).map((model) => {
      const explained = explain(facts, candidates, settings, model)
      const credited = explained.reduce(
        (sum, touch) => sum + (touch.status === 'credited' ? touch.amountMinor : 0),
        0,
      )
      const refunded = splitRefunds(explained, refunds)
      return {
        model,
        lookback_days: model === 'first_touch' ? settings.firstTouchLookbackDays : settings.lookbackDays,
        credited_value: isUnknown ? null : money(credited),
        touches: explained.map((touch) => ({
          ...describe(touches[touch.touchIndex]!),
          ...verdictOf(touch, (amountMinor) => (isUnknown ? null : money(amountMinor))),
          refunds: (refunded.get(touch.touchIndex) ?? []).map(({ id, amountMinor }) => ({
            refund_id: id,
            credited_value: amountMinor === null ? null : money(amountMinor),
          })),
        })),
      }
    }),
  }
}

function verdictOf(touch: Explained, money: (amountMinor: number) => number | null) {
  return touch.status === 'credited'
    ? {
        status: touch.status,
        weight: touch.share,
        credited_value: money(touch.amountMinor),
        reason: null,
      }
    : { status: touch.status, weight: null, credited_value: null, reason: touch.reason }
}

function toTouch(row: TouchRow, customerId: string): Touch {
  return {
    id: row.id,
    occurredAt: row.occurred_at.getTime(),
    recordedAt: row.recorded_at.getTime(),
    isDirect: row.is_direct,
    ineligible: row.customer_id === customerId ? undefined : 'superseded_by_merge',
  }
}

/** By its own id first; an event that made several conversions is explained by the first of them. */
async function findConversion(
  db: Db | Tx,
  profileId: string,
  id: string,
): Promise<ConversionRow | undefined> {
  const own = isUuid(id) ? id : null
  const eventIds = [eventIdOf(profileId, id), ...(own === null ? [] : [own])]
  const { rows } = await sql<ConversionRow>`
    select c.id, c.event_id, i.customer_id, c.outcome_type, c.revenue_type, c.occurred_at, c.value_minor, c.currency, c.report_value_minor,
      c.attribution_eligible, c.duplicate_of, c.unconfirmed, k.kind as customer_kind
    from (
      select * from conversions where profile_id = ${profileId} and id = ${own}::uuid
      union select * from ${conversionsOf(profileId, eventIds)} as made) as c
    join identifiers i on i.profile_id = ${profileId} and i.id = c.identifier_id
    join identifiers k on k.profile_id = ${profileId} and k.id = i.customer_id
    order by c.id = ${own}::uuid desc nulls last, c.id limit 1`.execute(db)
  return rows[0]
}

/** The customer's own without the echoes, and those that a merge meant for the customer. */
async function candidateTouches(db: Db | Tx, profileId: string, customerId: string): Promise<TouchRow[]> {
  const superseded = await supersededIdentifiers(db, profileId, customerId)
  const { rows } = await sql<TouchRow>`
    select t.id, i.customer_id, t.occurred_at, t.recorded_at, t.channel, t.origin, t.platform, t.is_direct,
      t.campaign_external_id, t.ad_set_external_id, t.ad_external_id, t.reported_at, t.click_id_kind, t.click_id
    from identifiers i
    join touches t on t.profile_id = ${profileId} and t.identifier_id = i.id
    where i.profile_id = ${profileId}
      and (i.id = any(${[customerId, ...superseded]}::uuid[]) or (i.customer_id = ${customerId} and i.customer_id <> i.id))
    order by t.occurred_at, t.recorded_at, t.id`.execute(db)
  return dropEchoes(rows)
}
