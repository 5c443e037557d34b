/**
 * Checks that a statement is limited to one tenant, from PostgreSQL's query plan: every scan of
 * a tenant's table must be bound to a profile, by a value or by a join with a bound scan.
 */
import type pg from 'pg'
import { tableKinds } from '../../src/platform/db/tables.ts'

type Plan = {
  'Node Type': string
  'Relation Name'?: string
  Alias?: string
  Plans?: Plan[]
  [condition: string]: unknown
}

const conditionNames = [
  'Index Cond',
  'Recheck Cond',
  'Filter',
  'Join Filter',
  'Hash Cond',
  'Merge Cond',
  'One-Time Filter',
] as const

/** Partitions of events are named after the table and a month. */
function tenantTable(relation: string): string | undefined {
  const name = relation.startsWith('events_') ? 'events' : relation
  return tableKinds[name] === 'distributed' ? name : undefined
}

/** Tables that the statement scans without being bound to a profile. */
export function unboundScans(plan: Plan): string[] {
  const scans: { table: string; alias: string; conditions: string }[] = []
  const joins: string[] = []
  const visit = (node: Plan): void => {
    const conditions = conditionNames.flatMap((name) => (typeof node[name] === 'string' ? [node[name]] : []))
    const table = node['Relation Name'] === undefined ? undefined : tenantTable(node['Relation Name'])
    const isScan = node['Node Type'].includes('Scan')
    if (table !== undefined && isScan)
      scans.push({ table, alias: node.Alias ?? table, conditions: withIndexConditions(node, conditions) })
    else joins.push(...conditions)
    for (const child of node.Plans ?? []) visit(child)
  }
  visit(plan)
  return scans
    .filter(({ alias, conditions }) => {
      if (/\bprofile_id = /.test(conditions) || /= (?:\(?\w+\.)?profile_id\b/.test(conditions)) return false
      // Joined on the profile with another scan.
      const profileColumn = `${alias.replace(/_\d+$/, '')}(?:_\\d+)?\\.profile_id`
      return !joins.some((join) => new RegExp(`${profileColumn} = |= ${profileColumn}`).test(join))
    })
    .map(({ table }) => table)
}

/** The conditions of a bitmap scan are in its child nodes. */
function withIndexConditions(node: Plan, conditions: readonly string[]): string {
  const below = (node.Plans ?? []).flatMap((child) =>
    child['Node Type'].startsWith('Bitmap') && typeof child['Index Cond'] === 'string'
      ? [child['Index Cond']]
      : [],
  )
  return [...conditions, ...below].join(' ')
}

/** Undefined if the statement has no plan (transaction control, settings, definitions). */
export async function planOf(client: pg.ClientBase, text: string): Promise<Plan | undefined> {
  if (!/^\s*(with|select|insert|update|delete)\b/i.test(text)) return undefined
  // Equivalent to `explain (generic_plan)`, which needs PostgreSQL 16.
  const parameters = Math.max(0, ...Array.from(text.matchAll(/\$(\d+)/g), (match) => Number(match[1])))
  const nullArguments = parameters === 0 ? '' : `(${Array(parameters).fill('null').join(', ')})`
  await client.query('set plan_cache_mode = force_generic_plan')
  await client.query(`prepare planned as ${text}`)
  try {
    const { rows } = await client.query(`explain (format json, costs off) execute planned${nullArguments}`)
    return (rows[0]['QUERY PLAN'] as { Plan: Plan }[])[0]!.Plan
  } finally {
    await client.query('deallocate planned')
  }
}
