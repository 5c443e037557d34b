/** Currency conversion by reference or entered rates of the day, in integer arithmetic on minor units. */

import { sql } from 'kysely'
import { DAY_MS } from '../../../platform/contract/dates.ts'
import { findExponent, isAmount } from '../../../platform/contract/money.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'

/** Days that a rate remains valid: there are no reference rates on weekends and holidays. */
export const CARRY_DAYS = 7

export type RateTable = {
  /** Undefined without an exchange rate. The result may exceed the limit of an amount. */
  convert(amountMinor: number, from: string, to: string, day: string): number | undefined
}

/** Null without an exchange rate, or if the result exceeds the limit of an amount. Both are shown as missing rates. */
export function convertOrNull(
  rates: RateTable,
  money: { amountMinor: number; currency: string; day: string },
  to: string,
): number | null {
  const converted = rates.convert(money.amountMinor, money.currency, to, money.day)
  return converted === undefined || !isAmount(converted) ? null : converted
}

type Rate = { day: string; currency: string; rate: string }

/** Loads reference rates and, with `profileId`, the rates entered for the profile. */
export async function loadRates(
  db: Db | Tx,
  needs: readonly { currency: string; day: string }[],
  target: string,
  profileId?: string,
): Promise<RateTable> {
  const foreign = needs.filter((need) => need.currency !== target)
  if (foreign.length === 0) return toRateTable([])
  const currencies = [...new Set([target, ...foreign.map((need) => need.currency)])]
  const days = foreign.map((need) => need.day).sort()
  const { rows } = await sql<Rate>`
    select day, currency, rate::text as rate from fx_rates
    where currency = any(${currencies}::text[])
      and day >= ${days[0]!}::date - ${CARRY_DAYS}::int and day <= ${days.at(-1)!}::date`.execute(db)
  if (profileId === undefined) return toRateTable(rows)
  const { rows: entered } = await sql<Rate>`
    select day, currency, rate::text as rate from entered_rates
    where profile_id = ${profileId} and target = ${target} and currency = any(${currencies}::text[])
      and day >= ${days[0]!}::date - ${CARRY_DAYS}::int and day <= ${days.at(-1)!}::date`.execute(db)
  return toRateTable(rows, { target, rates: entered })
}

/**
 * Reference rates are units of the currency per unit of the base, whose rate is 1. Entered rates are units of `target` per
 * unit of the currency; on the same day they take precedence over the reference.
 */
export function toRateTable(
  rates: readonly Rate[],
  entered: { target: string; rates: readonly Rate[] } = { target: '', rates: [] },
): RateTable {
  const referenceOn = latestBy(rates)
  const enteredOn = latestBy(entered.rates)
  const isEntered = (currency: string, day: string) => {
    const enteredRate = enteredOn(currency, day)
    return enteredRate !== undefined && enteredRate.day >= (referenceOn(currency, day)?.day ?? '')
  }
  /** Price of one unit in the target currency. */
  const priceOf = (currency: string, day: string): Fraction | undefined => {
    if (currency === entered.target) return { top: 1n, bottom: 1n }
    if (isEntered(currency, day)) return toFraction(enteredOn(currency, day)!.rate)
    const [reference, target] = [referenceOn(currency, day), referenceOn(entered.target, day)]
    if (reference === undefined || target === undefined) return undefined
    return divide(toFraction(target.rate), toFraction(reference.rate))
  }
  return {
    convert(amountMinor, from, to, day) {
      if (from === to) return amountMinor
      if (isEntered(from, day) || isEntered(to, day)) {
        const [price, unit] = [priceOf(from, day), priceOf(to, day)]
        return price === undefined || unit === undefined
          ? undefined
          : multiplyMinor(amountMinor, from, to, divide(price, unit))
      }
      const fromRate = referenceOn(from, day)
      const toRate = referenceOn(to, day)
      return fromRate === undefined || toRate === undefined
        ? undefined
        : convertMinor(amountMinor, from, fromRate.rate, to, toRate.rate)
    },
  }
}

/** Looks up the latest rate of a currency up to a day, at most `CARRY_DAYS` old. */
function latestBy(rates: readonly Rate[]): (currency: string, day: string) => Rate | undefined {
  const byCurrency = Map.groupBy(
    rates.toSorted((a, b) => (a.day < b.day ? -1 : 1)),
    (rate) => rate.currency,
  )
  return (currency, day) => {
    const latest = (byCurrency.get(currency) ?? []).findLast((rate) => rate.day <= day)
    return latest !== undefined && daysBetween(latest.day, day) <= CARRY_DAYS ? latest : undefined
  }
}

type Fraction = { top: bigint; bottom: bigint }

function toFraction(rate: string): Fraction {
  const [digits, scale] = parseDecimal(rate)
  return { top: digits, bottom: 10n ** BigInt(scale) }
}

function divide(a: Fraction, b: Fraction): Fraction {
  return { top: a.top * b.bottom, bottom: a.bottom * b.top }
}

/** amount × to ÷ from, rounded half away from zero at the target's minor unit. */
export function convertMinor(
  amountMinor: number,
  from: string,
  fromRate: string,
  to: string,
  toRate: string,
): number {
  return multiplyMinor(amountMinor, from, to, divide(toFraction(toRate), toFraction(fromRate)))
}

function multiplyMinor(amountMinor: number, from: string, to: string, { top, bottom }: Fraction): number {
  const numerator = BigInt(amountMinor) * top * 10n ** BigInt(findExponent(to) ?? 2)
  const denominator = bottom * 10n ** BigInt(findExponent(from) ?? 2)
  const magnitude = numerator < 0n ? -numerator : numerator
  const rounded = (2n * magnitude + denominator) / (2n * denominator)
  return Number(numerator < 0n ? -rounded : rounded)
}

function parseDecimal(text: string): [digits: bigint, scale: number] {
  const [whole = '0', fraction = ''] = text.split('.')
  return [BigInt(whole + fraction), fraction.length]
}

function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS
}
