import { expect, it } from 'vitest'
import { addressToShard, type ShardTables } from './address.ts'

const tables: ShardTables = new Map([
  ['events', { name: 'events_7', kind: 'shard' }],
  ['touches', { name: 'touches_8', kind: 'shard' }],
  ['credits', { name: 'credits_9', kind: 'shard' }],
  ['profiles', { name: 'profiles_1', kind: 'copy' }],
  ['jobs', null],
])

it.each([
  ['select id from events where id = $1', 'select id from "events_7" as "events" where id = $1'],
  ['select e.id from events e', 'select e.id from "events_7" e'],
  ['select e.id from events as e, touches t', 'select e.id from "events_7" as e, "touches_8" t'],
  ['select "e"."id" from "events" as "e"', 'select "e"."id" from "events_7" as "e"'],
  ['select * from events', 'select * from "events_7" as "events"'],
  [
    'insert into events (id, name) values ($1, $2) on conflict (id) do update set name = events.name',
    'insert into "events_7" as "events" (id, name) values ($1, $2) on conflict (id) do update set name = events.name',
  ],
  [
    'insert into events as kept (id) select id from touches',
    'insert into "events_7" as kept (id) select id from "touches_8" as "touches"',
  ],
  ['update events set name = $1', 'update "events_7" as "events" set name = $1'],
  [
    'delete from events using touches where true',
    'delete from "events_7" as "events" using "touches_8" as "touches" where true',
  ],
  [
    'select 1 from events join touches using (id)',
    'select 1 from "events_7" as "events" join "touches_8" as "touches" using (id)',
  ],
  [
    'select 1 from (select id from events) as e, unnest($1, $2) as u(events), touches',
    'select 1 from (select id from "events_7" as "events") as e, unnest($1, $2) as u(events), "touches_8" as "touches"',
  ],
  [
    'select 1 from events e join touches t on t.id = e.id, credits c',
    'select 1 from "events_7" e join "touches_8" t on t.id = e.id, "credits_9" c',
  ],
  [
    "copy (select id from events where profile_id = '1') to stdout (format binary)",
    `copy (select id from "events_7" as "events" where profile_id = '1') to stdout (format binary)`,
  ],
  ['select id from events for update', 'select id from "events_7" as "events" for update'],
  [
    'select p.id from profiles p join events on true',
    'select p.id from "profiles_1" p join "events_7" as "events" on true',
  ],
])('%s', (sql, addressed) => {
  expect(addressToShard(sql, tables)).toBe(addressed)
})

it.each([
  // A CTE name hides the table.
  'with events as materialized (select 1) select * from events',
  'with touches as (select 1), events as (select 2) select * from events, touches',
  // No tables.
  "select 'from events', events from unnest($1) as u(events)",
  'select a is distinct from events, extract(epoch from credits), f(a, touches)',
  'select s.events, credits from other s order by s.id, touches',
  'select events.id from unnest($1::uuid[]) as events(id)',
  '-- from events\nselect 1 /* join touches */',
  // Not all tables are on this node.
  'select 1 from events where exists (select 1 from jobs)',
  // Reference tables are written through Citus.
  'update profiles set name = $1',
  'insert into profiles (id) select id from touches',
])('%s stays as it is', (sql) => {
  expect(addressToShard(sql, tables)).toBe(sql)
})
