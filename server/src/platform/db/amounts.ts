import { type RawBuilder, sql } from 'kysely'
import { type AmountBounds, currenciesWith } from '../contract/amounts.ts'
import { plainArray } from './database.ts'

/** Whether an amount of the row is within the bounds of its own currency. Each arm can use an index by value. */
export function isWithin(
  bounds: readonly AmountBounds[],
  value: RawBuilder<unknown>,
  currency: RawBuilder<unknown>,
): RawBuilder<boolean> {
  const arms = bounds
    .filter(({ min, max }) => min <= max)
    .map(
      ({ exponent, min, max }) => sql`(${value} between ${min}::bigint and ${max}::bigint
        and ${currency} = any(${plainArray(currenciesWith(exponent))}::text[]))`,
    )
  return arms.length === 0 ? sql`false` : sql`(${sql.join(arms, sql` or `)})`
}
