/**
 * Cost of row-level security: the same statements as the role that owns the tables and as a role under the policies,
 * with the profile set per transaction. `node bench/row-level-security.ts`
 * The last columns are the cheapest form: the profile set once per connection, one statement per transaction.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../server/src/platform/db/database.ts'
import { startEmbedded } from '../server/src/platform/db/embedded.ts'
import { migrate } from '../server/src/platform/db/migrate.ts'
import { tableKinds } from '../server/src/platform/db/tables.ts'

const ROUNDS = 3
const PROFILES = 20
const DAYS = 365
const ENTITIES = 40

const counters = ['last_touch', 'first_touch', 'linear', 'time_decay', 'last_non_direct'].flatMap((model) => [
  `${model}_count`,
  `${model}_minor`,
])

const dataDir = await mkdtemp(join(tmpdir(), 'whence-rls-'))
await chmod(dataDir, 0o755)
const server = await startEmbedded({ dataDir, log: () => {}, settings: { synchronous_commit: 'off' } })
const { pool, close } = openDatabase({ connectionString: server.connectionString, max: 3 })
await migrate(pool)
const owner = await pool.connect()

const distributed = Object.keys(tableKinds).filter((table) => tableKinds[table] === 'distributed')
await owner.query('create role tenant')
await owner.query('grant usage on schema public to tenant')
await owner.query('grant all on all tables in schema public to tenant')
for (const table of distributed) {
  await owner.query(`alter table ${table} enable row level security`)
  await owner.query(
    // In a subquery the setting is read once per statement, not once per row.
    `create policy own_profile on ${table}
      using (profile_id = (select current_setting('whence.profile_id')::uuid))`,
  )
}
const profiles = Array.from({ length: PROFILES }, () => crypto.randomUUID())
await owner.query(
  `insert into credit_daily (profile_id, level, day, entity_id, outcome_type, revenue_type, ${counters.join(', ')})
   select p, 'campaign', date '2026-01-01' + d, md5(e::text)::uuid, 'payment_received', 'cash', ${counters.map(() => 1).join(', ')}
   from unnest($1::uuid[]) p, generate_series(0, ${DAYS - 1}) d, generate_series(1, ${ENTITIES}) e`,
  [profiles],
)
await owner.query('analyze')

const tenant = await pool.connect()
await tenant.query('set role tenant')

type Client = Pick<typeof pool, 'query'>
type Work = (client: Client, at: number) => Promise<unknown>
const profileOf = (at: number) => profiles[at % PROFILES]!

const point: Work = (client, at) =>
  client.query({
    name: 'point',
    text: 'select through_number from webhook_fanouts where profile_id = $1',
    values: [profileOf(at)],
  })
const report: Work = (client, at) =>
  client.query({
    name: 'report',
    text: `select entity_id, sum(last_touch_minor) from credit_daily
      where profile_id = $1 and level = 'campaign' and day between '2026-02-01' and '2026-05-01' group by entity_id`,
    values: [profileOf(at)],
  })
const ingest: Work = (client, at) =>
  client.query({
    name: 'ingest',
    text: `insert into event_keys (profile_id, event_id, occurred_at, content_hash)
      select $1::uuid, gen_random_uuid(), '2026-01-01', '\\x00' from generate_series(1, 100)
      on conflict (profile_id, event_id) do nothing`,
    values: [profileOf(at)],
  })

const inTransaction =
  (work: Work): Work =>
  async (client, at) => {
    await client.query('begin')
    await client.query({
      name: 'set',
      text: `select set_config('whence.profile_id', $1, true)`,
      values: [profileOf(at)],
    })
    await work(client, at)
    await client.query('commit')
  }

async function perSecond(client: Client, work: Work, times: number): Promise<number> {
  for (let at = 0; at < times / 10; at++) await work(client, at)
  let best = 0
  for (let round = 0; round < ROUNDS; round++) {
    const startedMs = performance.now()
    for (let at = 0; at < times; at++) await work(client, at)
    best = Math.max(best, (times * 1000) / (performance.now() - startedMs))
  }
  return best
}

console.log(
  '                       alone   profile set   and policies   cost   one profile   and policies   cost',
)
for (const [name, work, times] of [
  ['point read', point, 3000],
  ['90-day report', report, 300],
  ['ingest of 100', ingest, 300],
] as const) {
  const alone = await perSecond(owner, work, times)
  const set = await perSecond(owner, inTransaction(work), times)
  const bound = await perSecond(tenant, inTransaction(work), times)
  const workOnFirst: Work = (client) => work(client, 0)
  await tenant.query(`select set_config('whence.profile_id', $1, false)`, [profileOf(0)])
  const [single, singleBound] = await measureInTurns(workOnFirst, times)
  const figures = [alone, set, bound].map((figure) => `${figure.toFixed(0).padStart(9)}/s`)
  const firstFigures = [single, singleBound].map((figure) => `${figure.toFixed(0).padStart(9)}/s`)
  console.log(
    `${name.padEnd(16)} ${figures.join('  ')}   ${(alone / bound).toFixed(2)}×  ${firstFigures.join('  ')}   ${(single / singleBound).toFixed(2)}×`,
  )
}

/** Owner and tenant in turns, so that other load on the machine affects both. */
async function measureInTurns(work: Work, times: number): Promise<[number, number]> {
  let best: [number, number] = [0, 0]
  for (let round = 0; round < 2 * ROUNDS; round++)
    best = [
      Math.max(best[0], await perSecond(owner, work, times)),
      Math.max(best[1], await perSecond(tenant, work, times)),
    ]
  return best
}
owner.release()
tenant.release()
await close()
await server.stop()
await rm(dataDir, { recursive: true, force: true })
