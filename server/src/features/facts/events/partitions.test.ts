import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { ensurePartitions } from './partitions.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

it('creates the months around now once, and skips a month with events in the default partition', async () => {
  const { db } = app.service
  await sql`insert into events (profile_id, id, occurred_at, received_at, source, name, body)
    values (gen_random_uuid(), gen_random_uuid(), '2026-02-10', now(), 'api', 'x', '{}')`.execute(db)
  await ensurePartitions(db, new Date('2026-03-15T12:00:00Z'))
  await ensurePartitions(db, new Date('2026-03-15T12:00:00Z'))
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'events'::regclass order by 1`.execute(db)
  const names = rows.map((row) => row.name)
  expect(names).toContain('events_2025_03')
  expect(names).toContain('events_2026_05')
  expect(names).not.toContain('events_2026_02')
  expect(names).toHaveLength(15)
})
