/** Conversion by the day's reference rate, in whole minor units without a float anywhere. */
import { sql } from 'kysely'
import { findExponent, isAmount } from '../../contract/money.ts'
import type { Db, Tx } from '../../db/database.ts'

/** How far back the last published rate still counts as the day's: reference rates skip weekends and holidays. */
const CARRY_DAYS = 7

export type RateTable = {
  /** Undefined when no rate is known: the caller shows it as missing. The result may be more than one amount may be. */
  convert(amountMinor: number, from: string, to: string, day: string): number | undefined
}

/** Null when no rate is known, or the result is more than one amount may be: both are shown as not converted. */
export function convertOrNull(
  rates: RateTable,
  money: { amountMinor: number; currency: string; day: string },
  to: string,
): number | null {
  const converted = rates.convert(money.amountMinor, money.currency, to, money.day)
  return converted === undefined || !isAmount(converted) ? null : converted
}

type Rate = { day: string; currency: string; rate: string }

export async function loadRates(
  db: Db | Tx,
  needs: readonly { currency: string; day: string }[],
  target: string,
): Promise<RateTable> {
  const foreign = needs.filter((need) => need.currency !== target)
  if (foreign.length === 0) return toRateTable([])
  const currencies = [...new Set([target, ...foreign.map((need) => need.currency)])]
  const days = foreign.map((need) => need.day).sort()
  const { rows } = await sql<Rate>`
    select day, currency, rate::text as rate from fx_rates
    where currency = any(${currencies}::text[])
      and day >= ${days[0]!}::date - ${CARRY_DAYS}::int and day <= ${days.at(-1)!}::date`.execute(db)
  return toRateTable(rows)
}

/** Rates are units of the currency for one unit of the base, whose own rate is 1. */
export function toRateTable(rates: readonly Rate[]): RateTable {
  const byCurrency = Map.groupBy(
    rates.toSorted((a, b) => (a.day < b.day ? -1 : 1)),
    (rate) => rate.currency,
  )
  const rateOn = (currency: string, day: string): string | undefined => {
    const known = (byCurrency.get(currency) ?? []).findLast((rate) => rate.day <= day)
    return known !== undefined && daysBetween(known.day, day) <= CARRY_DAYS ? known.rate : undefined
  }
  return {
    convert(amountMinor, from, to, day) {
      if (from === to) return amountMinor
      const fromRate = rateOn(from, day)
      const toRate = rateOn(to, day)
      return fromRate === undefined || toRate === undefined
        ? undefined
        : convertMinor(amountMinor, from, fromRate, to, toRate)
    },
  }
}

/** amount × to ÷ from, rounded half away from zero at the target's minor unit. */
export function convertMinor(
  amountMinor: number,
  from: string,
  fromRate: string,
  to: string,
  toRate: string,
): number {
  const [fromDigits, fromScale] = parseDecimal(fromRate)
  const [toDigits, toScale] = parseDecimal(toRate)
  const fromExponent = findExponent(from) ?? 2
  const toExponent = findExponent(to) ?? 2
  const numerator = BigInt(amountMinor) * toDigits * 10n ** BigInt(fromScale + toExponent)
  const denominator = fromDigits * 10n ** BigInt(toScale + fromExponent)
  const magnitude = numerator < 0n ? -numerator : numerator
  const rounded = (2n * magnitude + denominator) / (2n * denominator)
  return Number(numerator < 0n ? -rounded : rounded)
}

function parseDecimal(text: string): [digits: bigint, scale: number] {
  const [whole = '0', fraction = ''] = text.split('.')
  return [BigInt(whole + fraction), fraction.length]
}

function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000
}
