/**
 * Whether a statement keeps to one tenant, by the plan that PostgreSQL itself makes of it: every place where it reads
 * a tenant's table must be bound to a profile, by a value or by another place that is.
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

/** Partitions of events carry its name and a month. */
function tenantTable(relation: string): string | undefined {
  const name = relation.startsWith('events_') ? 'events' : relation
  return tableKinds[name] === 'distributed' ? name : undefined
}

/** Names of what the statement reads without being bound to a profile. */
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
      // Joined by the profile to something else that is read here.
      const own = `${alias.replace(/_\d+$/, '')}(?:_\\d+)?\\.profile_id`
      return !joins.some((join) => new RegExp(`${own} = |= ${own}`).test(join))
    })
    .map(({ table }) => table)
}

/** A bitmap scan has its conditions below it. */
function withIndexConditions(node: Plan, conditions: readonly string[]): string {
  const below = (node.Plans ?? []).flatMap((child) =>
    child['Node Type'].startsWith('Bitmap') && typeof child['Index Cond'] === 'string'
      ? [child['Index Cond']]
      : [],
  )
  return [...conditions, ...below].join(' ')
}

/** Undefined where the statement has no plan (transaction control, settings, definitions). */
export async function planOf(client: pg.ClientBase, text: string): Promise<Plan | undefined> {
  if (!/^\s*(with|select|insert|update|delete)\b/i.test(text)) return undefined
  // `explain (generic_plan)` says the same, from PostgreSQL 16 on.
  const parameters = Math.max(0, ...Array.from(text.matchAll(/\$(\d+)/g), (found) => Number(found[1])))
  const given = parameters === 0 ? '' : `(${Array(parameters).fill('null').join(', ')})`
  await client.query('set plan_cache_mode = force_generic_plan')
  await client.query(`prepare planned as ${text}`)
  try {
    const { rows } = await client.query(`explain (format json, costs off) execute planned${given}`)
    return (rows[0]['QUERY PLAN'] as { Plan: Plan }[])[0]!.Plan
  } finally {
    await client.query('deallocate planned')
  }
}
