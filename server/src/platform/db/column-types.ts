/**
 * TypeScript types of columns, derived from their description in `schema.ts`: the PostgreSQL type name (with `_`
 * prefix for arrays), then `null` if the column is nullable and `default` if an insert may omit it.
 */
import type { ColumnType } from 'kysely'

type Timestamp = ColumnType<Date, Date | string, Date | string>
type Json = ColumnType<unknown, string, string>

type Scalars = {
  bool: boolean
  bytea: Buffer
  date: string
  float8: number
  int2: number
  int4: number
  int8: number
  jsonb: Json
  numeric: string
  text: string
  timestamptz: Timestamp
  uuid: string
}

type Generated<T> =
  T extends ColumnType<infer S, infer I, infer U>
    ? ColumnType<S, I | undefined, U>
    : ColumnType<T, T | undefined, T>

export type ColumnText = `${'' | '_'}${keyof Scalars}${'' | ' null'}${'' | ' default'}`

type ColumnOf<Text> = Text extends `${infer Rest} default`
  ? Generated<ColumnOf<Rest>>
  : Text extends `${infer Rest} null`
    ? ColumnOf<Rest> | null
    : Text extends keyof Scalars
      ? Scalars[Text]
      : Text extends `_${infer Element extends keyof Scalars}`
        ? Scalars[Element][]
        : never

export type TableOf<Columns> = { [Name in keyof Columns]: ColumnOf<Columns[Name]> }

/** The PostgreSQL type, without the `null` and `default` markers. */
export const typeName = (column: string): string => column.split(' ', 1)[0]!
