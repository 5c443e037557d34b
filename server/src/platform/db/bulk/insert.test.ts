import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ClonedDatabase, cloneDatabase } from '../../../../test/database.ts'
import { type OpenDatabase, openDatabase, type Tx } from '../database.ts'
import { bulkInsert, type Columns } from './insert.ts'

let cloned: ClonedDatabase
let database: OpenDatabase

beforeAll(async () => {
  cloned = await cloneDatabase()
  database = openDatabase({ connectionString: cloned.connectionString })
})
afterAll(async () => {
  await database.close()
  await cloned.drop()
})

const inTransaction = <T>(work: (tx: Tx) => Promise<T>) => database.db.transaction().execute(work)

it('writes every column type, including arrays', async () => {
  const profileId = randomUUID()
  const recorded_at = new Date('2026-03-01T10:00:00.123Z')
  const rows = [
    { number: 1, level: 'a "quoted", {level}', measures: [1, -2, 9_007_199_254_740_991], factId: null },
    { number: 2, level: '', measures: [], factId: 'f' },
  ]
  const columns: Columns<'restatements', (typeof rows)[number]> = {
    recorded_at: () => recorded_at,
    batch_id: () => profileId,
    number: 'number',
    rollup: () => 'credit',
    level: 'level',
    entity: () => 'e',
    day: () => '2026-02-28',
    outcome_type: () => 'lead',
    revenue_type: () => 'one_time',
    measures: 'measures',
    cause: () => 'event',
    fact_id: 'factId',
  }
  // Twice: the second time uses the prepared columns.
  for (const part of rows)
    await inTransaction((tx) => bulkInsert(tx, { into: 'restatements', profileId, rows: [part] }, columns))
  const stored = await database.db
    .selectFrom('restatements')
    .select(['recorded_at', 'number', 'level', 'day', 'measures', 'fact_id'])
    .where('profile_id', '=', profileId)
    .orderBy('number')
    .execute()
  expect(stored).toEqual(
    rows.map(({ factId, ...row }) => ({
      ...row,
      measures: row.measures.map(String),
      recorded_at,
      day: '2026-02-28',
      fact_id: factId,
    })),
  )
})

it('on conflict a row is ignored, replaced except for some columns, or added to', async () => {
  const profileId = randomUUID()
  const eventId = randomUUID()
  const [early, late] = [new Date('2026-03-01'), new Date('2026-03-02')]
  const on = ['profile_id', 'event_id'] as const
  const store = (
    at: Date,
    hash: string,
    then: Parameters<typeof bulkInsert<'event_keys', object, 'event_id'>>[3],
  ) =>
    inTransaction((tx) =>
      bulkInsert(
        tx,
        { into: 'event_keys', profileId, rows: [{}] },
        { event_id: () => eventId, occurred_at: () => at, content_hash: () => Buffer.from(hash) },
        then,
      ),
    )
  const stored = () =>
    database.db
      .selectFrom('event_keys')
      .select(['occurred_at', 'content_hash'])
      .where('profile_id', '=', profileId)
      .executeTakeFirstOrThrow()
  expect(await store(early, 'a', { conflict: 'ignore', returning: ['event_id'] })).toEqual([
    { event_id: eventId },
  ])
  expect(await store(late, 'b', { conflict: 'ignore', returning: ['event_id'] })).toEqual([])
  expect(await stored()).toEqual({ occurred_at: early, content_hash: Buffer.from('a') })
  await store(late, 'b', { conflict: { on, keep: ['occurred_at'] } })
  expect(await stored()).toEqual({ occurred_at: early, content_hash: Buffer.from('b') })
  await store(late, 'c', { conflict: { on } })
  expect(await stored()).toEqual({ occurred_at: late, content_hash: Buffer.from('c') })
  await expect(store(late, 'c', {})).rejects.toThrow('duplicate key')
})

it('counters increase, also for the day -infinity', async () => {
  const profileId = randomUUID()
  const rows = [
    { channel: 'web', day: '2026-03-01', origin: 'web', previous_day: '-infinity', people: 2, touches: 5 },
    { channel: 'web', day: '2026-03-01', origin: 'web', previous_day: '2026-02-28', people: 1, touches: 1 },
  ]
  const columns: Columns<'reach_daily', (typeof rows)[number]> = {
    channel: 'channel',
    day: 'day',
    origin: 'origin',
    previous_day: 'previous_day',
    first_origin: () => '',
    people: 'people',
    touches: 'touches',
  }
  const on = ['profile_id', 'channel', 'day', 'origin', 'previous_day', 'first_origin'] as const
  for (let times = 0; times < 2; times++)
    await inTransaction((tx) =>
      bulkInsert(tx, { into: 'reach_daily', profileId, rows }, columns, {
        conflict: { on, add: ['people', 'touches'] },
      }),
    )
  const stored = await database.db
    .selectFrom('reach_daily')
    .select(['previous_day', 'people', 'touches'])
    .where('profile_id', '=', profileId)
    .orderBy('previous_day')
    .execute()
  expect(stored).toEqual([
    { previous_day: '-infinity', people: 4, touches: 10 },
    { previous_day: '2026-02-28', people: 2, touches: 2 },
  ])
})

it('an array may be null; unsupported elements are an error, not null', async () => {
  const profileId = randomUUID()
  const id = randomUUID()
  const store = (rows: { row_ids: string[] | null }[]) =>
    inTransaction((tx) =>
      bulkInsert(
        tx,
        { into: 'export_requests', profileId, rows },
        {
          id: () => id,
          run_id: () => id,
          destination_id: () => id,
          target_id: () => 't',
          events: () => 1,
          counts: () => [],
          polls: () => 0,
          created_at: () => new Date('2026-03-01'),
          row_ids: 'row_ids',
        },
        { returning: ['row_ids'] },
      ),
    )
  expect(await store([{ row_ids: null }])).toEqual([{ row_ids: null }])
  await expect(store([{ row_ids: [{} as string] }])).rejects.toThrow(TypeError)
})

it('without rows no statement is sent', async () => {
  const tx = undefined as unknown as Tx
  expect(
    await bulkInsert(
      tx,
      { into: 'ad_people', profileId: '', rows: [] },
      { customer_id: () => '', reached: () => [] },
    ),
  ).toEqual([])
})
