import { type RawBuilder, sql } from 'kysely'
import { type AmountBounds, currenciesWith } from '../contract/amounts.ts'
import { plainArray } from './database.ts'

/**
 * SQL condition that an amount is within the bounds of its currency. Each branch of the `or` can use an index on
 * the value.
 */
export function isWithin(
  bounds: readonly AmountBounds[],
  value: RawBuilder<unknown>,
  currency: RawBuilder<unknown>,
): RawBuilder<boolean> {
  const branches = bounds
    .filter(({ min, max }) => min <= max)
    .map(
      ({ exponent, min, max }) => sql`(${value} between ${min}::bigint and ${max}::bigint
        and ${currency} = any(${plainArray(currenciesWith(exponent))}::text[]))`,
    )
  return branches.length === 0 ? sql`false` : sql`(${sql.join(branches, sql` or `)})`
}
