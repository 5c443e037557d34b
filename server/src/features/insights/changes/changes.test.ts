/** `as_of` in random worlds with restatements of every cause: reports keep their hash, and deltas add up. */
import { models } from '@whence/engine'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStage, whole } from '../../../../test/invariants/play.ts'
import { runSchedule } from '../../../../test/jobs.ts'
import { shortIt as it, seedsForRun } from '../../../../test/length.ts'
import { makeKey, refusalOf } from '../../../../test/make.ts'
import { makeWorld } from '../../../../test/oracle/generate.ts'
import type { ServerEvent, World } from '../../../../test/oracle/history.ts'
import type { Player, Stage } from '../../../../test/oracle/player.ts'
import { createRandom } from '../../../../test/oracle/random.ts'
import { addDays, DAY_MS } from '../../../platform/contract/dates.ts'
import { dayBounds, localDay } from '../../../platform/contract/zones.ts'
import { updateAttributionSettings } from '../../attribution/crediting/contract.ts'
import { importRates } from '../../attribution/pipeline/recompute-after-rates.ts'
import { decideIdentityLink } from '../../corrections/identity-review/contract.ts'
import type { Cause } from '../../facts/restatements/causes.ts'
import { closedThrough, DEFAULT_GRACE_HOURS, HOUR_MS } from '../../facts/restatements/closed-days.ts'
import { restatementJobs } from '../../facts/restatements/jobs.ts'
import { THINNED } from '../../facts/restatements/thin-queries.ts'
import { getBrief } from '../../sharing/briefs/contract.ts'
import { getChannels } from '../reports/channels/contract.ts'
import {
  campaignTrend,
  comparePlatforms,
  getAdIdQuality,
  getCampaign,
  getOverview,
  getUnattributed,
  listCampaigns,
} from '../reports/contract.ts'
import { listUnattributedReasons } from '../reports/unattributed/contract.ts'
import { getChanges } from './contract.ts'

const seeds = seedsForRun(9001, 0, 12)

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.app.close())

type Query = { date_from: string; date_to: string; model: (typeof models)[number]; as_of?: string }
type Level = 'campaign' | 'ad_set' | 'ad'
type Past = { query: Query; level: Level; hashes: Record<string, unknown> }

/** The hashes of all reports of a range. */
async function hashesOf({ call }: Player, query: Query, level: Level): Promise<Record<string, unknown>> {
  const campaigns = await call(listCampaigns, { query: { ...query, limit: '100' } })
  const detailed = await call(listCampaigns, { query: { ...query, level, limit: '100' } })
  const ids = detailed.data.map((row) => row.campaign_id).slice(0, 10)
  const parent_id = campaigns.data[0]?.campaign_id
  const reports = {
    campaigns,
    detailed,
    comparison: await call(comparePlatforms, { query: { ...query, level } }),
    channels: await call(getChannels, { query }),
    unattributed: await call(getUnattributed, { query: { ...query, level } }),
    overview: await call(getOverview, { query }),
    reasons: await call(listUnattributedReasons, { query }),
    adIds: await call(getAdIdQuality, { query }),
    changes: await call(getChanges, { query: { ...query, level } }),
    brief: await call(getBrief, { query: { ...query, date_from: addDays(query.date_to, -9) } }),
    ...(parent_id !== undefined && {
      children: await call(listCampaigns, { query: { ...query, level: 'ad', parent_id, limit: '100' } }),
    }),
    ...(ids.length > 0 && {
      trend: await call(campaignTrend, { query: { ...query, level, entity_ids: ids.join(',') } }),
      one: await call(getCampaign, { params: { id: ids[0]! }, query }),
    }),
  }
  return Object.fromEntries(
    Object.entries(reports).map(([name, report]) => {
      const { result_hash } = report.meta
      const { reconciliation = null, lookback_days = null } =
        'reconciliation' in report.meta ? report.meta : {}
      const total = 'total' in report ? report.total : null
      return [name, { result_hash, reconciliation, lookback_days, total }]
    }),
  )
}

/** Spreads the steps over a longer time, so that more and more days are closed. */
function stretched(world: World): World {
  const steps = world.steps.map((step, index) => ({ ...step, at: step.at + index * 20 * HOUR_MS }))
  return { ...world, steps }
}

test.each(seeds)(
  'a report with as_of has the hash it had at that time, in the world of seed %i',
  { timeout: 240_000 },
  async (seed) => {
    const world = stretched(makeWorld(seed))
    const random = createRandom(seed)
    const player = await stage.enter(world)
    const { pool } = stage.app
    await pool.query(`update profiles set created_at = '2025-01-01' where id = $1`, [player.profileId])
    const pastReports: Past[] = []
    for (const step of world.steps) {
      await player.play(step)
      if (random.int(0, 3) > 0) continue
      await player.settle()
      const date_to = closedThrough(new Date(step.at), world.zone, DEFAULT_GRACE_HOURS)
      if (date_to <= whole.date_from) continue
      const query = { date_from: whole.date_from, date_to, model: random.pick([...models]) }
      const level = random.pick<Level>(['campaign', 'ad_set', 'ad'])
      const hashes = await hashesOf(player, query, level)
      pastReports.push({ query: { ...query, as_of: new Date(step.at).toISOString() }, level, hashes })
      // Later writes need a later time.
      stage.app.service.clock.now = () => new Date(step.at + 1)
    }
    await player.settle()
    stage.app.service.clock.now = () => new Date(world.steps.at(-1)!.at + HOUR_MS)
    await player.changeSettings({ lookbackDays: 1, firstTouchLookbackDays: 2, halfLifeDays: 1 })
    await player.saveChannelRules([{ kind: 'source', value: 'news', channel: 'display' }])
    expect(pastReports.length).toBeGreaterThan(0)
    for (const { query, level, hashes } of pastReports)
      expect({ ...query, level, ...(await hashesOf(player, query, level)) }, `SEED=${seed} WORLDS=1`).toEqual(
        {
          ...query,
          level,
          ...hashes,
        },
      )
    expect(await countLedger(player)).toBeGreaterThan(0)
    for (const { query, level } of pastReports) await checkSums(player, query, level)
    await checkThinned(player, world, pastReports)
  },
)

/** Thinning merges old changes of a day: reports as of the beginning of a day stay the same. */
async function checkThinned(player: Player, world: World, pastReports: readonly Past[]): Promise<void> {
  const { service } = stage.app
  service.clock.now = () => new Date(world.steps.at(-1)!.at + 120 * DAY_MS)
  const starts = pastReports.map((report) => {
    const day = localDay(new Date(report.query.as_of!), world.zone)
    const as_of = dayBounds(day, world.zone).start
    const date_to = closedThrough(as_of, world.zone, DEFAULT_GRACE_HOURS)
    return { ...report, query: { ...report.query, date_to, as_of: as_of.toISOString() } }
  })
  // Changes and brief are excluded: their start moves if the range was closed within a merged day.
  const read = () =>
    Promise.all(
      starts.slice(-2).map(async ({ query, level }) => {
        const { changes: _, brief: __, ...reports } = await hashesOf(player, query, level)
        return reports
      }),
    )
  const before = await read()
  await runSchedule(service, restatementJobs, 'restatements.thin')
  expect(await countLedger(player, 'batch_id <> $2', THINNED)).toBe(0)
  expect(await countLedger(player, 'batch_id = $2', THINNED)).toBeGreaterThan(0)
  expect(await countLedger(player, 'batch_id = $2 and changes is null', THINNED)).toBe(0)
  expect(await read()).toEqual(before)
  const { rows } = await stage.app.pool.query<{ at: Date }>(
    "select recorded_at - interval '1 millisecond' as at from restatements where profile_id = $1 order by recorded_at desc limit 1",
    [player.profileId],
  )
  const query = { ...pastReports[0]!.query, as_of: rows[0]!.at.toISOString() }
  const { message } = await refusalOf(player.call(getOverview, { query }))
  expect(message).toContain('only as a daily sum')
}

async function countLedger({ profileId }: Player, which = 'true', ...values: string[]): Promise<number> {
  const { rows } = await stage.app.pool.query<{ rows: number }>(
    `select count(*)::int as rows from restatements where profile_id = $1 and ${which}`,
    [profileId, ...values],
  )
  return rows[0]!.rows
}

const names = ['outcome_value', 'spend', 'attributed_outcome_count', 'outcome_count'] as const
type Amounts = { [name in (typeof names)[number]]?: number | null }

/** In thousandths, which are integers in every currency of the worlds. */
function addUp(rows: readonly Amounts[]): Record<string, number> {
  const sumOf = (name: (typeof names)[number]) =>
    rows.reduce((total, row) => total + Math.round((row[name] ?? 0) * 1000), 0)
  return Object.fromEntries(names.map((name) => [name, sumOf(name)]))
}

/** Deltas of causes and of rows add up to the difference of the two reports, to the minor unit. */
async function checkSums({ call }: Player, { as_of, ...query }: Query, level: Level): Promise<void> {
  const { data } = await call(getChanges, { query: { ...query, level, since: as_of!, limit: '2' } })
  expect(addUp([data.total.before])).toEqual(await totalsOf(call, { ...query, as_of: as_of! }, level))
  expect(addUp([data.total.after])).toEqual(await totalsOf(call, query, level))
  expect(addUp([data.total.before, data.total.delta])).toEqual(addUp([data.total.after]))
  expect(addUp(data.by_cause.map((cause) => cause.delta))).toEqual(addUp([data.total.delta]))
  expect(addUp(data.rows.map((row) => row.delta))).toEqual(addUp([data.total.delta]))
  for (const row of data.rows)
    expect(addUp(row.by_cause.map((cause) => cause.delta))).toEqual(addUp([row.delta]))
}

/** All rows plus the unattributed part. */
async function totalsOf(call: Player['call'], query: Query, level: Level) {
  const { data } = await call(listCampaigns, { query: { ...query, level, limit: '100' } })
  expect(data.length).toBeLessThan(100)
  return addUp([...data, (await call(getUnattributed, { query: { ...query, level } })).data])
}

it('each cause is recorded separately with its changes', { timeout: 240_000 }, async () => {
  const player = await stage.enter({ seed: 1, zone: 'Europe/Madrid', currency: 'EUR', steps: [] })
  const { app } = stage
  const { pool, service } = app
  const { profileId } = player
  await pool.query(`update profiles set created_at = '2025-01-01' where id = $1`, [profileId])
  const query: Query = { date_from: '2026-02-01', date_to: '2026-03-10', model: 'last_touch' }
  const pastReports: { query: Query; hashes: Record<string, unknown> }[] = []
  let now = Date.parse('2026-03-20T12:00:00Z')
  const restate = async (expected: Cause | Cause[], act: (at: number) => Promise<unknown>) => {
    const causes = [expected].flat()
    pastReports.push({
      query: { ...query, as_of: new Date(now).toISOString() },
      hashes: await hashesOf(player, query, 'campaign'),
    })
    now += HOUR_MS
    service.clock.now = () => new Date(now)
    await act(now)
    await player.settle()
    const { rows } = await pool.query<{ cause: string }>(
      'select distinct cause from restatements where profile_id = $1 and recorded_at = $2 order by cause',
      [profileId, new Date(now)],
    )
    expect(rows.map((row) => row.cause)).toEqual(causes)
    const { data } = await player.call(getChanges, {
      query: { ...query, since: new Date(now - 1).toISOString() },
    })
    expect(data.by_cause.every(({ cause }) => causes.includes(cause))).toBe(true)
  }
  service.clock.now = () => new Date(now)
  const send =
    (...events: ServerEvent[]) =>
    (at: number) =>
      player.play({ type: 'events', at, batch: true, events })
  const click = (email: string, campaign_id: string): ServerEvent => ({
    event_name: 'page_view',
    idempotency_key: `click ${email}`,
    timestamp: '2026-03-01T10:00:00Z',
    user_traits: { email },
    ad: { campaign_id, ad_set_id: `${campaign_id}-set`, ad_id: `${campaign_id}-ad` },
  })
  const pay = (key: string, traits: ServerEvent['user_traits'], value: number, currency = 'EUR') => ({
    event_name: 'payment_received',
    idempotency_key: key,
    timestamp: '2026-03-02T10:00:00Z',
    user_traits: traits!,
    properties: { value, currency },
  })
  const [ann, ben] = ['ann@example.com', 'ben@example.com']
  await restate('late_event', send(click(ann, 'C1'), pay('one', { email: ann }, 100)))
  await restate('late_event', send(pay('two', { email: ben }, 40), pay('three', { email: ann }, 7)))
  await restate('updated_event', send(pay('one', { email: ann }, 120)))
  await restate('retraction', (at) => player.play({ type: 'retract', at, key: 'three' }))
  const occurredAt = Date.parse('2026-03-04T10:00:00Z')
  await restate('refund', (at) => player.play({ type: 'refund', at, key: 'one', value: '20', occurredAt }))
  await restate('refund_undone', (at) => player.play({ type: 'undo_refund', at, key: 'one' }))
  const payer = { kind: 'email', value: ann } as const
  await restate('payer_assigned', (at) => player.play({ type: 'payer', at, key: 'two', payer }))
  await player.play({ type: 'payer', at: ++now, key: 'two', payer: null })
  await restate('late_event', send(pay('unnamed', {}, 9)))
  await restate('payer_assigned', (at) => player.play({ type: 'payer', at, key: 'unnamed', payer }))
  const mergePair = { from: { kind: 'email', value: ben }, into: payer } as const
  await restate('merge', (at) => player.play({ type: 'merge', at, name: 'm', ...mergePair }))
  await restate('merge_undone', (at) => player.play({ type: 'undo_merge', at, name: 'm' }))
  const row = { source: 'imported', date: '2026-03-03' } as const
  const spend = (amount: string) => ({ ...row, level: 'campaign' as const, campaign_id: 'C5', spend: amount })
  await restate('connection_backfill', (at) => player.play({ type: 'spend', at, rows: [spend('50')] }))
  await restate('spend_restated', (at) => player.play({ type: 'spend', at, rows: [spend('65')] }))
  const moved = { level: 'ad_set', ad_set_id: 'C1-set', campaign_id: 'C9', spend: '3' } as const
  await restate(['connection_backfill', 'structure_changed'], (at) =>
    player.play({ type: 'spend', at, rows: [{ ...row, ...moved }] }),
  )
  const settings = { lookbackDays: 1, firstTouchLookbackDays: 1, halfLifeDays: 1 }
  await restate('late_event', send({ ...click(ben, 'C2'), timestamp: '2026-02-20T10:00:00Z' }))
  await restate('settings_changed', (at) => player.play({ type: 'settings', at, settings }))
  await restate('goal_changed', (at) =>
    player.play({ type: 'update_goal', at, key: 'payment_received', fields: { outcome_type: 'sale' } }),
  )
  await send(pay('krona', { email: ann }, 10, 'SEK'))(++now)
  await player.settle()
  await restate('rate_arrived', async () => {
    await importRates(service.db, [{ day: '2026-03-02', currency: 'SEK', rate: '11' }], {
      clock: { now: () => new Date(now) },
      identityPepper: service.identityPepper,
    })
  })
  await restate('repair', async () => {
    await pool.query('update credit_daily set linear_minor = linear_minor + 1 where profile_id = $1', [
      profileId,
    ])
    await player.recompute()
  })
  await send(pay('named', { email: ben, external_id: 'customer-1' }, 5))(++now)
  await send({ ...click(ben, 'C1'), idempotency_key: 'last', timestamp: '2026-03-02T09:30:00Z' })(++now)
  await player.settle()
  await restate('link_decided', async () => {
    const { rows } = await pool.query<{ weak_id: string; strong_id: string }>(
      'select weak_id, strong_id from identity_links where profile_id = $1',
      [profileId],
    )
    const id = `${rows[0]!.weak_id}.${rows[0]!.strong_id}`
    const token = await makeKey(app, profileId, ['identity:write'])
    await app.as(token)(decideIdentityLink, { params: { id }, body: { decision: 'reject' } })
  })
  const utm = { source: 'news', medium: 'email' }
  const { ad: _, ...visit } = click(ann, 'C1')
  const timestamp = '2026-03-02T09:50:00Z'
  await restate('late_event', send({ ...visit, idempotency_key: 'mail', timestamp, utm }))
  const paid = { ...visit, idempotency_key: 'paid', timestamp: '2026-03-05T10:00:00Z' }
  await restate('late_event', send({ ...paid, click_ids: { gclid: 'click-1' } }))
  // The erasure keeps the money and removes the name of the visit's source.
  await restate('erasure', (at) => player.play({ type: 'erase', at, name: 'e', who: payer }))
  // A campaign's page also has the linear credit, which the test corrupted without a ledger entry.
  const withoutPage = ({ one: _, ...pages }: Record<string, unknown>) => pages
  for (const { query, hashes } of pastReports)
    expect(withoutPage(await hashesOf(player, query, 'campaign'))).toEqual(withoutPage(hashes))
  const erasuresWithFact = await pool.query(
    `select 1 from restatements where profile_id = $1 and cause = 'erasure' and fact_id is not null`,
    [profileId],
  )
  expect(erasuresWithFact.rowCount).toBe(0)
  // The changes of a write share a row per day, level, kind and cause; only examples have rows of their own. A recompute
  // packs rows that are gone separately.
  const unshared = await pool.query(
    `select rollup, level, day, cause, count(*) from restatements
     where profile_id = $1 and cause not in ('settings_changed', 'goal_changed', 'repair')
     group by recorded_at, batch_id, rollup, level, day, outcome_type, revenue_type, cause,
       case when rollup in ('credit', 'delivery') then fact_id end
     having count(*) > 1 or bool_or(changes is null)`,
    [profileId],
  )
  expect(unshared.rows).toEqual([])
})

it('a merged day whose changes cancel out keeps its marker row', async () => {
  const player = await stage.enter(makeWorld(9001))
  const { pool, service } = stage.app
  service.clock.now = () => new Date('2026-03-20T12:00:00Z')
  for (const [hour, amount] of [
    [10, 1],
    [15, -1],
  ])
    await pool.query(
      `insert into restatements (profile_id, recorded_at, batch_id, number, rollup, level, entity, day, outcome_type,
         revenue_type, measures, cause)
       values ($1, $2, gen_random_uuid(), 1, 'total', '', '', '2025-11-01', 'sale', 'cash', array[$3::bigint], 'settings_changed')`,
      [player.profileId, new Date(Date.UTC(2025, 11, 1, hour)), amount],
    )
  await runSchedule(service, restatementJobs, 'restatements.thin')
  expect(await countLedger(player, 'batch_id = $2', THINNED)).toBe(1)
})

it('is rejected before the first ledger day, for open days and for the future', async () => {
  const world = makeWorld(9001)
  const player = await stage.enter(world)
  const { pool, service } = stage.app
  await pool.query(`update profiles set restatements_since = '2026-03-01T00:00:00Z' where id = $1`, [
    player.profileId,
  ])
  service.clock.now = () => new Date('2026-03-20T12:00:00Z')
  const day = closedThrough(new Date('2026-03-10T00:00:00Z'), world.zone, DEFAULT_GRACE_HOURS)
  const query = { date_from: '2026-02-01', date_to: day, as_of: '2026-03-10T00:00:00Z' }
  const read = (change: Record<string, string>) =>
    player.call(listCampaigns, { query: { ...query, ...change } })
  const codeOf = async (change: Record<string, string>) => {
    const refusals = [
      await refusalOf(read(change)),
      await refusalOf(player.call(getChanges, { query: { ...query, ...change } })),
    ]
    const [listError, changesError] = refusals.map(
      ({ status, code, message }) => `${status} ${code} ${message?.split(' ')[0]}`,
    )
    expect(changesError).toBe(listError)
    return listError
  }
  expect((await read({})).data).toEqual([])
  const early = { date_to: '2026-02-10', as_of: '2026-02-28T23:59:59Z' }
  expect(await codeOf(early)).toBe('400 invalid_parameter as_of:')
  expect((await read({ ...early, as_of: '2026-03-01T00:00:00Z' })).data).toEqual([])
  expect(await codeOf({ as_of: '2026-03-21T00:00:00Z' })).toBe('400 invalid_parameter as_of:')
  expect(await codeOf({ date_to: addDays(day, 1) })).toBe('400 invalid_parameter as_of:')
  expect(await codeOf({ date_to: '2026-03-19', as_of: '2026-03-21T00:00:00Z' })).toBe(
    '400 invalid_parameter as_of:',
  )
  const changes = async (date_to: string) =>
    (await player.call(getChanges, { query: { date_from: '2026-02-01', date_to } })).data
  expect((await changes('2026-03-19')).since).toBe(null)
  const closing = (await changes(day)).since!
  expect(closedThrough(new Date(closing), world.zone, DEFAULT_GRACE_HOURS)).toBe(day)
  expect(closedThrough(new Date(Date.parse(closing) - 1), world.zone, DEFAULT_GRACE_HOURS)).not.toBe(day)
  expect((await changes('2026-02-10')).since).toBe('2026-03-01T00:00:00.000Z')
  const setGrace = (grace_hours: number) => player.call(updateAttributionSettings, { body: { grace_hours } })
  expect((await setGrace(72)).data).toMatchObject({ grace_hours: 72, recompute: null })
  expect(await codeOf({})).toBe('400 invalid_parameter as_of:')
  await setGrace(0)
  // Days that were open for 72 hours may have unrecorded changes.
  expect(await codeOf({})).toBe('400 invalid_parameter as_of:')
  expect((await read({ date_to: addDays(day, -1) })).data).toEqual([])
})
