/** Scoring runs: finished days and the progress of a running one. */
import { sql } from 'kysely'
import { adProviders } from '../../../../platform/contract/ad-providers.ts'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { LagCounts } from './lags.ts'

type At = { profileId: string; day: string }

export type RunRow = {
  day: string
  state: 'running' | 'done'
  steps_done: number
  steps_total: number
  ads: number
  lags: LagCounts
  model: unknown
  result_hash: string | null
}

/** Starts a scoring or resumes an interrupted one; undefined if the day is already scored. */
export async function beginRun(
  tx: Tx,
  { profileId, day }: At,
  run: { stepsTotal: number; lags: LagCounts; now: Date },
): Promise<RunRow | undefined> {
  await sql`
    insert into ad_score_runs (profile_id, day, state, steps_done, steps_total, ads, lags, started_at)
    values (${profileId}, ${day}, 'running', 0, ${run.stepsTotal}, 0, ${JSON.stringify(run.lags)}, ${run.now})
    on conflict (profile_id, day) do nothing`.execute(tx)
  const { rows } = await sql<RunRow>`
    select day, state, steps_done, steps_total, ads, lags, model, result_hash from ad_score_runs
    where profile_id = ${profileId} and day = ${day}`.execute(tx)
  const row = rows[0]!
  return row.state === 'done' && row.ads > 0 ? undefined : row
}

export async function saveProgress(db: Db | Tx, { profileId, day }: At, stepsDone: number): Promise<void> {
  await sql`
    update ad_score_runs set steps_done = ${stepsDone}
    where profile_id = ${profileId} and day = ${day}`.execute(db)
}

export async function finishRun(
  tx: Tx,
  { profileId, day }: At,
  result: { ads: number; model: unknown; hash: string; now: Date },
): Promise<void> {
  await sql`
    update ad_score_runs set state = 'done', steps_done = steps_total, ads = ${result.ads},
      model = ${JSON.stringify(result.model)}, result_hash = ${result.hash}, finished_at = ${result.now}
    where profile_id = ${profileId} and day = ${day}`.execute(tx)
}

/** The latest finished and the running scoring. */
export async function findRuns(
  db: Db | Tx,
  profileId: string,
): Promise<{ done: RunRow | undefined; running: RunRow | undefined }> {
  const { rows } = await sql<RunRow>`
    select day, state, steps_done, steps_total, ads, lags, model, result_hash from ad_score_runs
    where profile_id = ${profileId} order by day desc limit 2`.execute(db)
  return {
    done: rows.find(({ state }) => state === 'done'),
    running: rows.find(({ state }) => state === 'running'),
  }
}

/** Profiles with ads and without a running ad sync, with their latest scored day. */
export async function listScorable(
  db: Db | Tx,
): Promise<{ profileId: string; timezone: string; scoredDay: string | null }[]> {
  // Starts with a distributed table: Citus rejects an outer join that starts with the reference table `profiles`.
  const { rows } = await sql<{ id: string; timezone: string; day: string | null }>`
    select p.id, p.timezone, scored.day
    from (select profile_id from ad_entities where level = 'ad' group by profile_id) as advertised
    join profiles p on p.id = advertised.profile_id
    left join (
      select profile_id, max(day) as day from ad_score_runs where state = 'done' and ads > 0
      group by profile_id) as scored on scored.profile_id = advertised.profile_id
    where p.archived_at is null
      and not exists (
        select 1 from connection_syncs s join connections c on c.profile_id = s.profile_id and c.id = s.connection_id
        where s.profile_id = advertised.profile_id and c.provider in (${sql.join(adProviders)})
          and s.state = 'running')`.execute(db)
  return rows.map((row) => ({ profileId: row.id, timezone: row.timezone, scoredDay: row.day }))
}
