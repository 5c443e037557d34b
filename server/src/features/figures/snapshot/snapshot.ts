/** Common frame of all reports: one consistent database snapshot, and the `meta` with reconciliation and freshness. */
import { defaultSettings, type Model } from '@whence/engine'
import type { z } from 'zod'
import type { ProfileContext, ProfileRef, Service } from '../../../context.ts'
import type { DateRange } from '../../../platform/contract/dates.ts'
import { toDecimalNumber } from '../../../platform/contract/money.ts'
import { inSnapshot, type Tx } from '../../../platform/db/database.ts'
import { pipelineReads } from '../../../platform/db/pipelining.ts'
import { NIL_ENTITY } from '../../attribution/crediting/credits/rollups.ts'
import type { AdLevel } from '../../facts/ads/entities.ts'
import { freshnessOf, type Waiting } from '../../facts/events/freshness-rules.ts'
import { hashOf } from '../../facts/events/rules.ts'
import type { computedFreshness, reportMeta } from '../definitions/fields.ts'
import { type Cover, coverBySubtraction, coverRange } from '../definitions/rules.ts'
import {
  type CreditedCash,
  type CreditSum,
  cashOfLevel,
  creditByEntity,
} from '../rollups/credit-by-entity.ts'
import { requireAsOfAvailable } from './as-of.ts'
import { missingRates } from './queries/missing-rates.ts'
import { type ReportFacts, readReportFacts } from './queries/report-facts.ts'
import { listSources } from './sources.ts'

const MAX_MISSING_RATES = 100

/** `asOf`: the report as of this time; undefined: now. */
export type ReportScope = { range: DateRange; model: Model; level: AdLevel; asOf?: Date | undefined }
/** What a report needs of the request context, so that jobs can run reports too. */
export type ReportContext = Pick<ProfileContext, 'service' | 'profile' | 'now'>
/** What a report reads of it, so that a command can run it without a service. */
export type ReportSource = {
  service: Pick<Service, 'nodes'>
  profile: Pick<ProfileRef, 'id' | 'currency' | 'timezone'>
  now: Date
}
export type ReportMeta = z.input<z.ZodObject<typeof reportMeta>>
export type Reported<T> = { data: T; meta: ReportMeta }

export type Snapshot = {
  tx: Tx
  profileId: string
  currency: string
  scope: ReportScope
  /** Stored sums to read delivery from. */
  cover: Cover
  /** All credit of the range at the level, read once. Call it before the first await: see `report`. */
  credits: () => Promise<CreditSum[]>
}

/**
 * Runs in one database snapshot, so that rows, remainder and totals are consistent. `hashed` is the part of the data
 * that `as_of` can reproduce, if not all of it.
 */
export async function report<T>(
  context: ReportSource,
  scope: ReportScope,
  read: (snapshot: Snapshot) => Promise<{ data: T; fxMissing?: number; hashed?: unknown }>,
): Promise<Reported<T>> {
  const { id: profileId, currency } = context.profile
  const { db } = await context.service.nodes.shardOf(profileId)
  return inSnapshot(db, async (tx) => {
    if (scope.asOf !== undefined) await requireAsOfAvailable(tx, context, scope.range, scope.asOf)
    const cover = coverRange(scope.range, scope.asOf)
    const ofLevel = { profileId, ...scope, cover: coverBySubtraction(scope.range, scope.asOf) }
    let reading: Promise<CreditSum[]> | undefined
    const credits = () => {
      reading ??= creditByEntity(tx, ofLevel)
      return reading
    }
    const readingData = read({ tx, profileId, currency, scope, cover, credits })
    const [result, facts, sources, cash] = await pipelineReads(
      readingData,
      readReportFacts(tx, { profileId, range: scope.range, asOf: scope.asOf }),
      listSources(tx, context),
      // A report that uses the credit rows has called `credits` by now.
      reading === undefined ? cashOfLevel(tx, ofLevel) : cashOf(reading),
    )
    const { data, fxMissing = 0, hashed = data } = result
    const freshness = { ...toFreshness(facts, context.now), sources }
    return {
      data,
      meta: await toMeta(tx, context, scope, { ...facts, ...cash, fxMissing, freshness, hashed }),
    }
  })
}

/** The same as `cashOfLevel`, from rows already read. */
async function cashOf(credits: Promise<readonly CreditSum[]>): Promise<CreditedCash> {
  const cash = (await credits).filter((row) => row.revenue_type === 'cash')
  const sum = (rows: readonly CreditSum[]) => rows.reduce((total, row) => total + row.value_minor, 0)
  return {
    creditedMinor: sum(cash.filter((row) => row.entity_id !== NIL_ENTITY)),
    unattributedMinor: sum(cash.filter((row) => row.entity_id === NIL_ENTITY)),
  }
}

type MetaFacts = ReportFacts &
  CreditedCash & { fxMissing: number; freshness: ReportMeta['freshness']; hashed: unknown }

async function toMeta(
  tx: Tx,
  context: ReportSource,
  scope: ReportScope,
  facts: MetaFacts,
): Promise<ReportMeta> {
  const { id: profileId, currency } = context.profile
  const { creditedMinor, unattributedMinor } = facts
  const inCurrency = (amountMinor: number) => toDecimalNumber(amountMinor, currency)
  const missing = facts.fx_missing + facts.fxMissing
  return {
    date_from: scope.range.from,
    date_to: scope.range.to,
    model: scope.model,
    lookback_days:
      scope.model === 'first_touch'
        ? (facts.first_touch_lookback_days ?? defaultSettings.firstTouchLookbackDays)
        : (facts.lookback_days ?? defaultSettings.lookbackDays),
    reconciliation: {
      total: inCurrency(facts.cash_minor),
      credited: inCurrency(creditedMinor),
      unattributed: inCurrency(unattributedMinor),
      delta: inCurrency(facts.cash_minor - creditedMinor - unattributedMinor),
      left_out: facts.cash_fx_missing,
    },
    freshness: facts.freshness,
    currency,
    fx_missing: missing,
    fx_missing_rates:
      missing === 0
        ? []
        : await missingRates(tx, { profileId, currency, range: scope.range, limit: MAX_MISSING_RATES }),
    result_hash: hashOf(facts.hashed).toString('hex'),
  }
}

export function toFreshness(waiting: Waiting, now: Date): z.input<typeof computedFreshness> {
  const { computedThrough, isStale } = freshnessOf(waiting, now)
  return { computed_through: computedThrough.toISOString(), stale: isStale }
}
