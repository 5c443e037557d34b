import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { revokeConnectedApp } from '../src/features/account/apps/contract.ts'
import { inviteMember, removeMember } from '../src/features/account/members/contract.ts'
import { archiveWorkspace } from '../src/features/account/workspaces/contract.ts'
import { keptOnPurge, tableKinds } from '../src/platform/db/tables.ts'
import { startTestApp, type TestApp } from './app.ts'
import { makeApp, makeOwnProfile, makePerson, makeProfile, makeWorkspace, provision } from './make.ts'
import { plantRows } from './rows.ts'
import { whenMakersEnd, withoutMakers } from './when-makers-end.ts'

let app: TestApp
let pool: pg.Pool
beforeAll(async () => {
  app = await startTestApp()
  pool = app.pool
})
afterAll(() => app.close())

const distributed = Object.keys(tableKinds).filter((table) => tableKinds[table] === 'distributed')
const column = async (text: string, values: unknown[] = []) =>
  (await pool.query<{ value: string }>(text, values)).rows.map((row) => row.value)

it('every table has a kind, and every kind a table', async () => {
  const tables = await column(
    `select c.relname as value from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition`,
  )
  expect(tables.sort()).toEqual(Object.keys(tableKinds).sort())
  for (const keptTable of Object.keys(keptOnPurge)) expect(distributed).toContain(keptTable)
})

it('the list of what happens when a maker ends names every table and every column that names a maker', async () => {
  const listed = [...Object.keys(whenMakersEnd), ...Object.values(withoutMakers).flat()]
  expect(listed.sort()).toEqual(Object.keys(tableKinds).sort())
  const { rows } = await pool.query<{ table_name: string; columns: string[] }>(
    `select table_name, array_agg(column_name::text order by column_name) as columns from information_schema.columns
     where table_schema = 'public' and column_name ~ '(^|_)(authorization_id|user_id|app_id|credential_id|by)$'
       and table_name = any($1) group by table_name`,
    [Object.keys(tableKinds)],
  )
  expect(Object.fromEntries(rows.map((row) => [row.table_name, row.columns]))).toEqual(
    Object.fromEntries(Object.entries(whenMakersEnd).map(([table, { by }]) => [table, [...by].sort()])),
  )
})

/** Rows of the table that match, of all. */
const countOf = async (table: string, condition: string, own: string, id: string) => {
  const text = `select count(*)::int as rows, count(*) filter (where ${condition})::int as ended from "${table}" where ${own} = $1`
  return (await pool.query<{ rows: number; ended: number }>(text, [id])).rows[0]!
}

it('whatever names the authorization of an app ends when a person withdraws it', async () => {
  const { owner, workspaceId, profileId } = await makeOwnProfile(app)
  const partner = await makeApp(app, workspaceId)
  const [authorizationId] = (await provision(app, profileId, partner, ['attribution'])).authorizationIds
  await plantRows(pool, profileId)
  const ending = Object.entries(whenMakersEnd).filter(
    ([, { by, app: ends }]) => 'ends' in ends && by.some((name) => name.endsWith('authorization_id')),
  )
  const columnOf = (by: readonly string[]) => by.find((name) => name.endsWith('authorization_id'))!
  for (const [table, { by }] of ending)
    await pool.query(`update "${table}" set ${columnOf(by)} = $2 where profile_id = $1`, [
      profileId,
      authorizationId,
    ])
  await owner.call(revokeConnectedApp, { params: { workspaceId, id: authorizationId! } })
  expect(ending.map(([table]) => table)).toEqual(
    expect.arrayContaining(['connections', 'alert_rules', 'export_destinations', 'webhook_subscriptions']),
  )
  for (const [table, { by, app: ends }] of ending) {
    const condition = 'ends' in ends ? ends.ends : 'false'
    const { rows, ended } = await countOf(table, condition, columnOf(by), authorizationId!)
    expect([table, ended]).toEqual([table, rows])
  }
})

it('whatever ends with a person ends when the person is removed', async () => {
  const { owner, workspaceId, profileId } = await makeOwnProfile(app)
  const leaver = await makePerson(app, 'Leaver')
  await pool.query(
    `insert into workspace_members (workspace_id, user_id, role, created_at) values ($1, $2, 'admin', now())`,
    [workspaceId, leaver.id],
  )
  await plantRows(pool, profileId)
  await leaver.call(inviteMember, {
    params: { workspaceId },
    body: { email: 'x@example.com', role: 'viewer' },
  })
  const ending = Object.entries(whenMakersEnd).filter(([, { person }]) => 'ends' in person)
  const columnOf = (by: readonly string[]) => by.find((name) => name.endsWith('by_user_id'))!
  for (const [table, { by }] of ending)
    if (by.includes('made_by_user_id'))
      await pool.query(`update "${table}" set made_by_user_id = $2 where profile_id = $1`, [
        profileId,
        leaver.id,
      ])
  await pool.query(
    `update webhook_subscriptions set status = 'active', deleted_at = null where profile_id = $1`,
    [profileId],
  )
  await owner.call(removeMember, { params: { workspaceId, userId: leaver.id } })
  for (const [table, { by, person }] of ending) {
    const condition = 'ends' in person ? person.ends : 'false'
    const { rows, ended } = await countOf(table, condition, columnOf(by), leaver.id)
    expect([table, rows > 0, ended]).toEqual([table, true, rows])
  }
})

it('a distributed table has profile_id in its primary key and every unique index', async () => {
  const without = await column(
    `select c.relname || ': ' || i.relname as value
     from pg_index x join pg_class c on c.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
     where c.relname = any($1) and x.indisunique and not exists (
       select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'profile_id'
         and a.attnum = any(x.indkey::int2[]))`,
    [distributed],
  )
  expect(without).toEqual([])
  const withKey = await column(
    `select c.relname as value from pg_constraint k join pg_class c on c.oid = k.conrelid
     join pg_attribute a on a.attrelid = c.oid and a.attname = 'profile_id' and a.attnotnull
       and a.atttypid = 'uuid'::regtype
     where k.contype = 'p' and c.relname = any($1)`,
    [distributed],
  )
  expect(withKey.sort()).toEqual([...distributed].sort())
})

it('foreign keys are supported by a distributed database', async () => {
  const keys = await pool.query<{ child: string; parent: string; columns: string[]; rule: string }>(
    `select k.conrelid::regclass::text as child, k.confrelid::regclass::text as parent,
       array(select a.attname::text from pg_attribute a where a.attrelid = k.conrelid and a.attnum = any(k.conkey)) as columns,
       k.confdeltype::text || k.confupdtype::text as rule
     from pg_constraint k where k.contype = 'f' and k.conparentid = 0`,
  )
  expect(keys.rows.length).toBeGreaterThan(0)
  for (const key of keys.rows) {
    const [child, parent] = [tableKinds[key.child], tableKinds[key.parent]]
    expect(child, `${key.child} is local and has a foreign key`).not.toBe('local')
    if (child === 'distributed' && parent === 'distributed') expect(key.columns).toContain('profile_id')
    if (child === 'reference') expect(parent, `${key.child} → ${key.parent}`).toBe('reference')
    if (key.columns.includes('profile_id')) expect(key.rule, key.child).not.toMatch(/^[nd]|[c]$/)
  }
})

it('there are no triggers, and names stay within fifty characters', async () => {
  expect(await column('select tgname as value from pg_trigger where not tgisinternal')).toEqual([])
  const names = await column(
    `select c.relname as value from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' union all
     select k.conname from pg_constraint k join pg_namespace n on n.oid = k.connamespace where n.nspname = 'public' and k.contype <> 'n'`,
  )
  expect(names.filter((name) => name.length > 50)).toEqual([])
})

it('archiving empties every distributed table of the tenant, except the retained ones, and of no other tenant', async () => {
  const owner = await makePerson(app, 'Owner')
  const workspaceId = await makeWorkspace(owner)
  const ending = await makeProfile(owner, workspaceId)
  const staying = await makeProfile(owner, await makeWorkspace(owner))
  const { planted, refused } = await plantRows(pool, ending)
  expect(refused).toEqual({})
  await plantRows(pool, staying)
  const rowsOf = async (profileId: string) => {
    const parts = distributed.map(
      (table) => `select '${table}' as value from "${table}" where profile_id = '${profileId}'`,
    )
    return new Set(await column(parts.join(' union all ')))
  }
  const before = await rowsOf(staying)
  expect([...before].sort()).toEqual(Object.keys(planted).sort())
  const { data } = await owner.call(archiveWorkspace, { params: { workspaceId } })
  const tables = Object.values(keptOnPurge).filter((count) => count === 'retained_conversion_exports').length
  expect([tables > 0, data.counts.retained_conversion_exports]).toEqual([true, tables])
  expect([...(await rowsOf(ending))].sort()).toEqual(Object.keys(keptOnPurge).sort())
  expect(await rowsOf(staying)).toEqual(before)
})
