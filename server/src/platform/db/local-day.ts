/**
 * Local days in SQL by the zone data of the service. PostgreSQL has zone data of its own, older or newer, so `at time
 * zone` may put an instant on another day than the rows whose day the service computed.
 */
import { type RawBuilder, sql } from 'kysely'
import { clockChanges } from '../contract/zones.ts'

/** Instants outside use the first or last offset. */
const EVERY = { start: new Date('2000-01-01T00:00:00Z'), end: new Date('2050-01-01T00:00:00Z') }

/** SQL expression: the local day of `instant` in the zone. Literals only, because COPY takes no parameters. */
export function localDayOf(
  instant: RawBuilder<unknown>,
  zone: string,
  { start, end }: { start: Date; end: Date } = EVERY,
): RawBuilder<string> {
  const changes = clockChanges(zone, start, end)
  const starts = changes.map(({ startMs }, index) =>
    index === 0 ? '-infinity' : new Date(startMs).toISOString(),
  )
  const offsets = changes.map(({ offsetMs }) => `${offsetMs / 1000} s`)
  return sql`(${instant} at time zone 'UTC' + (${list(offsets)}::interval[])[width_bucket(${instant}, ${list(starts)}::timestamptz[])])::date`
}

const list = (values: readonly string[]) => sql.lit(`{${values.join()}}`)
