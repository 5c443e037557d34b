/** Foreign keys between tables, and the order of tables that follows from them. */
import type pg from 'pg'

export type ForeignKey = { child: string; parent: string }

export const foreignKeysQuery = `
  select conrelid::regclass::text as child, confrelid::regclass::text as parent from pg_constraint
  where contype = 'f' and conparentid = 0 and conrelid <> confrelid`

export async function listForeignKeys(client: pg.ClientBase): Promise<ForeignKey[]> {
  return (await client.query<ForeignKey>(foreignKeysQuery)).rows
}

export function childrenFirst(tables: readonly string[], keys: readonly ForeignKey[]): string[] {
  const order: string[] = []
  const visiting = new Set<string>()
  const visit = (table: string) => {
    if (order.includes(table)) return
    if (visiting.has(table)) throw new Error(`Foreign keys of ${table} form a cycle`)
    visiting.add(table)
    for (const key of keys) if (key.parent === table && tables.includes(key.child)) visit(key.child)
    order.push(table)
  }
  for (const table of tables) visit(table)
  return order
}
