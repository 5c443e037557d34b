import { type Model, models } from '@whence/engine'
import { type RawBuilder, sql } from 'kysely'
import type { DateRange } from '../../../platform/contract/dates.ts'
import type { Db, Tx } from '../../../platform/db/database.ts'
import type { AdLevel } from '../../facts/ads/entities.ts'
import type { Cause, Fact } from '../../facts/restatements/causes.ts'
import { restatedRows } from '../../facts/restatements/queries.ts'
import { isCash, isOutcome } from '../../figures/rollups/credit-by-entity.ts'

export type Figures = { payments: number; outcomes: number; value_minor: number; spend_minor: number }
export type Window = {
  profileId: string
  range: DateRange
  level: AdLevel
  model: Model
  since: Date
  until: Date
}

/** SQL: ledger rows of the window at the level. */
function restated({ profileId, range, level, since, until }: Window): RawBuilder<unknown> {
  return sql`
    from ${restatedRows(profileId)}
    where profile_id = ${profileId} and recorded_at > ${since}::timestamptz and recorded_at <= ${until}::timestamptz
      and level = ${level} and rollup in ('credit', 'delivery')
      and day between ${range.from}::date and ${range.to}::date`
}

/** SQL: sums of the figures. `measures` has the credit in the order of `measureColumns`; spend is second in a delivery row. */
function figures(model: Model): RawBuilder<unknown> {
  const at = models.indexOf(model)
  const [count, minor] = [sql.raw(`measures[${at + 1}]`), sql.raw(`measures[${at + 1 + models.length}]`)]
  const isCredit = sql`rollup = 'credit'`
  return sql`
    coalesce(sum(${count}) filter (where ${isCredit} and ${isCash} and ${isOutcome}), 0)::bigint as payments,
    coalesce(sum(${count}) filter (where ${isCredit} and ${isOutcome}), 0)::bigint as outcomes,
    coalesce(sum(${minor}) filter (where ${isCredit} and ${isCash}), 0)::bigint as value_minor,
    coalesce(sum(measures[2]) filter (where rollup = 'delivery'), 0)::bigint as spend_minor`
}

/** Sums by entity and cause, including those that cancel out. */
export async function changesByEntity(
  db: Db | Tx,
  window: Window,
): Promise<(Figures & { entity_id: string; cause: Cause })[]> {
  const { rows } = await sql<Figures & { entity_id: string; cause: Cause }>`
    select entity as entity_id, cause, ${figures(window.model)} ${restated(window)}
    group by entity, cause order by entity, cause`.execute(db)
  return rows
}

export type Example = Figures & {
  cause: Cause
  fact_type: Fact['type']
  fact_id: string
  recorded_at: Date
  occurred_at: Date | null
}

/** The facts with the largest changes per cause. */
export async function listExamples(db: Db | Tx, window: Window, limit: number): Promise<Example[]> {
  const { profileId } = window
  const { rows } = await sql<Example>`
    with facts as (
      select cause, fact_type, fact_id, max(recorded_at) as recorded_at, ${figures(window.model)} ${restated(window)}
        and fact_id is not null
      group by cause, fact_type, fact_id),
    ranked as (
      select *, row_number() over (partition by cause
        order by abs(value_minor) desc, abs(spend_minor) desc, abs(outcomes) desc, fact_id) as rank
      from facts)
    select e.*, coalesce(v.occurred_at, p.occurred_at) as occurred_at from ranked e
    left join conversions v on v.profile_id = ${profileId}
      and v.id = case when e.fact_type = 'conversion' then e.fact_id::uuid end
    left join payments p on p.profile_id = ${profileId}
      and p.id = case when e.fact_type = 'payment' then e.fact_id::uuid end
    where e.rank <= ${limit} order by e.cause, e.rank`.execute(db)
  return rows
}
