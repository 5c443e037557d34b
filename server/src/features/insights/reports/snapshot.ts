/** What every report does around its own question: one consistent view of the tables, and the meta that proves it. */
import { defaultSettings, type Model } from '@whence/engine'
import type { z } from 'zod'
import type { ProfileContext } from '../../../context.ts'
import type { DateRange } from '../../../platform/contract/dates.ts'
import { toDecimalNumber } from '../../../platform/contract/money.ts'
import { inSnapshot, type Tx } from '../../../platform/db/database.ts'
import { readTogether } from '../../../platform/db/together.ts'
import { NIL_ENTITY } from '../../attribution/crediting/credits/rollups.ts'
import type { AdLevel } from '../../facts/ads/entities.ts'
import { freshnessOf, type Waiting } from '../../facts/events/freshness-rules.ts'
import { hashOf } from '../../facts/events/rules.ts'
import { requireKnown } from './as-of.ts'
import type { computedFreshness, reportMeta } from './fields.ts'
import { type CreditedCash, type CreditSum, cashOfLevel, creditByEntity } from './queries/credit-by-entity.ts'
import { missingRates } from './queries/missing-rates.ts'
import { type ReportFacts, readReportFacts } from './queries/report-facts.ts'
import { type Cover, coverBySubtraction, coverRange } from './rules.ts'
import { listSources } from './sources.ts'

const MAX_RATES_NAMED = 100

/** `asOf`: the report as it was at this moment; undefined is now. */
export type ReportScope = { range: DateRange; model: Model; level: AdLevel; asOf?: Date | undefined }
/** All that a report needs of a request, so that jobs can read reports too. */
export type ReportContext = Pick<ProfileContext, 'service' | 'profile' | 'now'>
export type ReportMeta = z.input<z.ZodObject<typeof reportMeta>>
export type Reported<T> = { data: T; meta: ReportMeta }

export type Snapshot = {
  tx: Tx
  profileId: string
  currency: string
  scope: ReportScope
  /** What the range's delivery is read from. */
  cover: Cover
  /** All credit of the range at the level, read once; best asked for before anything else, see `report`. */
  credits: () => Promise<CreditSum[]>
}

/**
 * Reads in one view of the database, so that rows, remainder and totals are of the same moment. `hashed` is the part of
 * the data that `as_of` can give again, where that is not all of it.
 */
export async function report<T>(
  context: ReportContext,
  scope: ReportScope,
  read: (snapshot: Snapshot) => Promise<{ data: T; fxMissing?: number; hashed?: unknown }>,
): Promise<Reported<T>> {
  const { id: profileId, currency } = context.profile
  const { db } = await context.service.nodes.shardOf(profileId)
  return inSnapshot(db, async (tx) => {
    if (scope.asOf !== undefined) await requireKnown(tx, context, scope.range, scope.asOf)
    const cover = coverRange(scope.range, scope.asOf)
    const ofLevel = { profileId, ...scope, cover: coverBySubtraction(scope.range, scope.asOf) }
    let reading: Promise<CreditSum[]> | undefined
    const credits = () => {
      reading ??= creditByEntity(tx, ofLevel)
      return reading
    }
    const answering = read({ tx, profileId, currency, scope, cover, credits })
    const [answer, facts, sources, cash] = await readTogether(
      answering,
      readReportFacts(tx, { profileId, range: scope.range, asOf: scope.asOf }),
      listSources(tx, context),
      // A report that wants the rows has asked for them by now.
      reading === undefined ? cashOfLevel(tx, ofLevel) : cashOf(reading),
    )
    const { data, fxMissing = 0, hashed = data } = answer
    const freshness = { ...toFreshness(facts, context.now), sources }
    return {
      data,
      meta: await toMeta(tx, context, scope, { ...facts, ...cash, fxMissing, freshness, hashed }),
    }
  })
}

/** What `cashOfLevel` reads, where the rows are known already. */
async function cashOf(credits: Promise<readonly CreditSum[]>): Promise<CreditedCash> {
  const cash = (await credits).filter((row) => row.revenue_type === 'cash')
  const sum = (rows: readonly CreditSum[]) => rows.reduce((total, row) => total + row.value_minor, 0)
  return {
    creditedMinor: sum(cash.filter((row) => row.entity_id !== NIL_ENTITY)),
    unattributedMinor: sum(cash.filter((row) => row.entity_id === NIL_ENTITY)),
  }
}

type Known = ReportFacts &
  CreditedCash & { fxMissing: number; freshness: ReportMeta['freshness']; hashed: unknown }

async function toMeta(tx: Tx, context: ReportContext, scope: ReportScope, known: Known): Promise<ReportMeta> {
  const { id: profileId, currency } = context.profile
  const { creditedMinor, unattributedMinor } = known
  const inCurrency = (amountMinor: number) => toDecimalNumber(amountMinor, currency)
  const missing = known.fx_missing + known.fxMissing
  return {
    date_from: scope.range.from,
    date_to: scope.range.to,
    model: scope.model,
    lookback_days:
      scope.model === 'first_touch'
        ? (known.first_touch_lookback_days ?? defaultSettings.firstTouchLookbackDays)
        : (known.lookback_days ?? defaultSettings.lookbackDays),
    reconciliation: {
      total: inCurrency(known.cash_minor),
      credited: inCurrency(creditedMinor),
      unattributed: inCurrency(unattributedMinor),
      delta: inCurrency(known.cash_minor - creditedMinor - unattributedMinor),
      left_out: known.cash_fx_missing,
    },
    freshness: known.freshness,
    currency,
    fx_missing: missing,
    fx_missing_rates:
      missing === 0
        ? []
        : await missingRates(tx, { profileId, currency, range: scope.range, limit: MAX_RATES_NAMED }),
    result_hash: hashOf(known.hashed).toString('hex'),
  }
}

export function toFreshness(waiting: Waiting, now: Date): z.input<typeof computedFreshness> {
  const { computedThrough, isStale } = freshnessOf(waiting, now)
  return { computed_through: computedThrough.toISOString(), stale: isStale }
}
