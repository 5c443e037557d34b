/**
 * Statements on rows of one table by column values, which covers most queries:
 * `rowsWhere(db, 'goals', { profile_id: profileId, id }).find()`. A list matches any of its values, null matches null.
 * For other conditions use the query builder or SQL. Distributed tables require the profile.
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

/** Tables and columns are type-checked by the signatures below. */
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

/** Selects all columns unless some are options. */
export function rowsWhere<T extends Table>(db: Db | Tx, table: T, match: Match<T>) {
  const name: string = table
  const select = (columns?: readonly string[]) => {
    const from = untyped(db).selectFrom(name)
    return matching(columns === undefined ? from.selectAll() : from.select([...columns]), match)
  }
  return {
    /** Undefined if there is none. */
    find: async <C extends Column<T> = Column<T>>(columns?: readonly C[]) =>
      (await select(columns).executeTakeFirst()) as Pick<Row<T>, C> | undefined,
    /** Throws if there is none. */
    get: async <C extends Column<T> = Column<T>>(columns?: readonly C[]) =>
      (await select(columns).executeTakeFirstOrThrow()) as Pick<Row<T>, C>,
    /** Locks it for update until the transaction ends. */
    lock: async <C extends Column<T> = Column<T>>(columns?: readonly C[]) =>
      (await select(columns).forUpdate().executeTakeFirst()) as Pick<Row<T>, C> | undefined,
    list: async <C extends Column<T> = Column<T>>(
      options: { columns?: readonly C[]; orderBy?: readonly Order<T>[] } = {},
    ) => {
      let query = select(options.columns)
      for (const order of options.orderBy ?? []) {
        const [column, direction] = order.split(' ') as [string, 'desc' | undefined]
        query = query.orderBy(column, direction)
      }
      return (await query.execute()) as Pick<Row<T>, C>[]
    },
    count: async () => {
      const counted = untyped(db)
        .selectFrom(name)
        .select((eb) => eb.fn.countAll().as('count'))
      return Number((await matching(counted, match).executeTakeFirstOrThrow()).count)
    },
    exists: async () => (await select(Object.keys(match)).executeTakeFirst()) !== undefined,
    /** Returns the number of rows. */
    update: async (fields: Updateable<DB[T]>) => {
      const query = matching(untyped(db).updateTable(name).set(fields), match)
      return Number((await query.executeTakeFirstOrThrow()).numUpdatedRows)
    },
    /** Returns the number of rows. */
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
