/**
 * Statements about the rows of one table that have given values, which most queries are:
 * `rowsWhere(db, 'goals', { profile_id: profileId, id }).find()`. A list matches any of its values, null matches null.
 * Other conditions are written with the query builder or as SQL. A distributed table is not read without the profile.
 */
import type { Insertable, Kysely, Selectable, Updateable } from 'kysely'
import type { Db, Tx } from './database.ts'
import type { DB } from './schema.ts'
import type { DistributedTable } from './tables.ts'

type Table = keyof DB & string
type Row<T extends Table> = Selectable<DB[T]>
type Column<T extends Table> = keyof Row<T> & string
type Order<T extends Table> = Column<T> | `${Column<T>} desc`

type Match<T extends Table> = {
  [C in Column<T>]?: Row<T>[C] | readonly NonNullable<Row<T>[C]>[]
} & (T extends DistributedTable ? { profile_id: string | readonly string[] } : unknown)

/** Tables and columns are checked by the signatures below. */
const untyped = (db: Db | Tx) => db as unknown as Kysely<Record<string, Record<string, unknown>>>

type Filtered<Q> = { where(column: string, operator: '=' | 'in' | 'is', value: unknown): Q }

function matching<Q extends Filtered<Q>>(query: Q, match: object): Q {
  let matched = query
  for (const [column, value] of Object.entries(match)) {
    if (value === undefined) throw new TypeError(`No value to match ${column} with`)
    matched = matched.where(column, value === null ? 'is' : Array.isArray(value) ? 'in' : '=', value)
  }
  return matched
}

/** All columns, unless some are named. */
export function rowsWhere<T extends Table>(db: Db | Tx, table: T, match: Match<T>) {
  const name: string = table
  const select = (columns?: readonly string[]) => {
    const from = untyped(db).selectFrom(name)
    return matching(columns === undefined ? from.selectAll() : from.select([...columns]), match)
  }
  return {
    /** Undefined where there is none. */
    find: async <C extends Column<T> = Column<T>>(columns?: readonly C[]) =>
      (await select(columns).executeTakeFirst()) as Pick<Row<T>, C> | undefined,
    /** Throws where there is none. */
    get: async <C extends Column<T> = Column<T>>(columns?: readonly C[]) =>
      (await select(columns).executeTakeFirstOrThrow()) as Pick<Row<T>, C>,
    /** Locks it for update until the transaction ends. */
    lock: async <C extends Column<T> = Column<T>>(columns?: readonly C[]) =>
      (await select(columns).forUpdate().executeTakeFirst()) as Pick<Row<T>, C> | undefined,
    list: async <C extends Column<T> = Column<T>>(
      given: { columns?: readonly C[]; orderBy?: readonly Order<T>[] } = {},
    ) => {
      let query = select(given.columns)
      for (const order of given.orderBy ?? []) {
        const [column, direction] = order.split(' ') as [string, 'desc' | undefined]
        query = query.orderBy(column, direction)
      }
      return (await query.execute()) as Pick<Row<T>, C>[]
    },
    exists: async () => (await select(Object.keys(match)).executeTakeFirst()) !== undefined,
    /** Resolves to their number. */
    update: async (fields: Updateable<DB[T]>) => {
      const query = matching(untyped(db).updateTable(name).set(fields), match)
      return Number((await query.executeTakeFirstOrThrow()).numUpdatedRows)
    },
    /** Resolves to their number. */
    delete: async () => {
      const query = matching(untyped(db).deleteFrom(name), match)
      return Number((await query.executeTakeFirstOrThrow()).numDeletedRows)
    },
  }
}

export async function insertRow<T extends Table>(db: Db | Tx, table: T, row: Insertable<DB[T]>) {
  await untyped(db)
    .insertInto(table as string)
    .values(row)
    .execute()
}
