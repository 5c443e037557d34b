import { type RawBuilder, sql } from 'kysely'

/** Measures and entity of each line of `changes`; no rows if it is null. `offset 0` makes each line be parsed only once. */
export function packedChanges(changes: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`lateral (
    select split_part(line, ' ', 1)::bigint[] as measures, substr(line, strpos(line, ' ') + 1) as entity
    from string_to_table(${changes}, E'\\n') as line offset 0)`
}

/** Subquery for the table `restatements` with packed changes expanded to one row per change. */
export function restatedRows(profileId: string): RawBuilder<unknown> {
  return sql`(
    select r.profile_id, r.recorded_at, r.rollup, r.level, coalesce(c.entity, r.entity) as entity, r.day, r.outcome_type,
      r.revenue_type, coalesce(c.measures, r.measures) as measures, r.cause, r.fact_type, r.fact_id
    from restatements r left join ${packedChanges(sql`r.changes`)} as c on true
    where r.profile_id = ${profileId}) as restatements`
}
