/**
 * Triggers for tests only (Citus allows none): a transaction that changes a table of reports without incrementing a
 * change number of its profile fails at its commit.
 */
import type pg from 'pg'

/** Tables whose content report-state.ts compares directly, or that no profile can change. */
export const comparedByContent: readonly string[] = [
  'attribution_settings',
  'connection_syncs',
  'connections',
  'event_queue',
  'events',
  'recomputes',
  'service_clock',
]

/** All other tables that a report reads. */
export const countedTables: readonly string[] = [
  'ad_creatives',
  'ad_delivery',
  'ad_entities',
  'ad_entity_versions',
  'ad_paths',
  'channel_overrides',
  'conversion_daily',
  'conversions',
  'credit_daily',
  'credit_spans',
  'credits',
  'declared_answers',
  'declared_vocabulary',
  'delivery_daily',
  'delivery_spans',
  'experiments',
  'held_daily',
  'identifiers',
  'order_events',
  'paid_touch_daily',
  'payments',
  'platform_daily',
  'reach_ads',
  'reach_daily',
  'reach_first',
  'refunds',
  'restatements',
  'touch_sources',
  'touches',
  'unassigned_daily',
  'uncredited_daily',
]

export async function watchReportNumbers(pool: Pick<pg.Pool, 'query'>): Promise<void> {
  await pool.query(`
    create table public.watched_changes (xid xid8, profile_id uuid, table_name text, primary key (xid, profile_id, table_name));
    create function watched_move() returns trigger language plpgsql as $$ begin
      perform set_config('watched.p' || replace(new.profile_id::text, '-', ''), 'moved', true);
      return null;
    end $$;
    create trigger watched_move after insert or update on report_changes for each row execute function watched_move();
    create function watched_change() returns trigger language plpgsql as $$ begin
      insert into watched_changes select distinct pg_current_xact_id(), profile_id, tg_table_name from changed
        on conflict do nothing;
      return null;
    end $$;
    create function watched_commit() returns trigger language plpgsql as $$ begin
      if current_setting('watched.p' || replace(new.profile_id::text, '-', ''), true) is distinct from 'moved' then
        raise exception 'table % changed without a report number', new.table_name;
      end if;
      delete from watched_changes where xid = new.xid and profile_id = new.profile_id and table_name = new.table_name;
      return null;
    end $$;
    create constraint trigger watched_commit after insert on watched_changes deferrable initially deferred
      for each row execute function watched_commit();`)
  for (const table of countedTables)
    for (const [event, rows] of [
      ['insert', 'new'],
      ['update', 'new'],
      ['delete', 'old'],
    ])
      await pool.query(
        `create trigger watched_${event} after ${event} on ${table} referencing ${rows} table as changed
         for each statement execute function watched_change()`,
      )
}
