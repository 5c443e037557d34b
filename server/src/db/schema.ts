/** Generated from the migrated database by `npm run generate`. */
import type { ColumnType } from 'kysely'

export type Json = ColumnType<unknown, string, string>
export type Timestamp = ColumnType<Date, Date | string, Date | string>

export interface ServiceClockTable {
  id: number
  offset_ms: number
}

export interface DB {
  service_clock: ServiceClockTable
}
