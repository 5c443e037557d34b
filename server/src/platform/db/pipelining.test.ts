import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ClonedDatabase, cloneDatabase } from '../../../test/database.ts'
import { type OpenDatabase, openDatabase } from './database.ts'
import { inParts, pipelineReads, pipelineWrites } from './pipelining.ts'

let cloned: ClonedDatabase
let database: OpenDatabase

beforeAll(async () => {
  cloned = await cloneDatabase()
  database = openDatabase({ connectionString: cloned.connectionString })
  await database.pool.query('create table written (n integer)')
})
afterAll(async () => {
  await database.close()
  await cloned.drop()
})

/** Waits enough event loop ticks for everything that can start to have started. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await setImmediate()
}

const written = async () => (await database.pool.query('select n from written order by n')).rows

it('when one write fails, none of the others takes effect, not even after the transaction', async () => {
  const steps: string[] = []
  const failing = database.db.transaction().execute((tx) =>
    pipelineWrites(
      () => sql`insert into written values (1)`.execute(tx),
      () => sql`select 1 / 0`.execute(tx),
      async () => {
        await sql`select 1`.execute(tx).catch(() => {})
        await sql`insert into written values (2)`.execute(tx).finally(() => steps.push('last ended'))
      },
      () => {
        throw new Error('before any statement')
      },
    ).finally(() => steps.push('rejected')),
  )
  await expect(failing).rejects.toThrow('division by zero')
  expect(steps).toEqual(['last ended', 'rejected'])
  expect(await written()).toEqual([])
})

it('reads of one transaction resolve in order', async () => {
  const answers = await database.db.transaction().execute((tx) =>
    pipelineReads(
      sql<{ n: number }>`select 1 as n`.execute(tx).then(({ rows }) => rows[0]!.n),
      sql<{ word: string }>`select 'two' as word`.execute(tx).then(({ rows }) => rows[0]!.word),
      Promise.resolve(undefined),
    ),
  )
  expect(answers).toEqual([1, 'two', undefined])
})

type Pipeline = (...work: Promise<void>[]) => Promise<unknown>
const pipelines: [string, Pipeline][] = [
  ['reads', pipelineReads],
  ['writes', (...work) => pipelineWrites(...work.map((each) => () => each))],
  ['parts', (...work) => inParts(work, ([each]) => each!, 1)],
]

it.each(pipelines)(
  'of failed %s it throws the original error, not those of the aborted transaction, after all have ended',
  async (_, pipeline) => {
    const steps: string[] = []
    const failing = database.db.transaction().execute((tx) => {
      const refusedLater = (async (): Promise<void> => {
        await sql`select 1`.execute(tx)
        await sql`select 2`.execute(tx).finally(() => steps.push('refused'))
      })()
      const failed = sql`select 1 / 0`
        .execute(tx)
        .then(() => {})
        .finally(() => refusedLater.catch(() => {}))
      return pipeline(refusedLater, failed).finally(() => steps.push('rejected'))
    })
    await expect(failing).rejects.toThrow('division by zero')
    expect(steps).toEqual(['refused', 'rejected'])
    expect((await database.pool.query('select 1 as n')).rows).toEqual([{ n: 1 }])
  },
)

it('all writes of one transaction are complete when it settles', async () => {
  await database.db.transaction().execute((tx) =>
    pipelineWrites(
      async () => {
        await sql`insert into written values (1)`.execute(tx)
        await sql`insert into written values (3)`.execute(tx)
      },
      () => sql`insert into written values (2)`.execute(tx),
    ),
  )
  expect(await written()).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
})

it('work in parts covers every row once, three parts at a time', async () => {
  const parts: number[][] = []
  const gate = Promise.withResolvers<void>()
  const working = inParts(
    [1, 2, 3, 4, 5, 6, 7],
    async (part) => {
      parts.push([...part])
      await gate.promise
    },
    2,
  )
  await expect.poll(() => parts).toHaveLength(3)
  await turns()
  expect(parts).toEqual([
    [1, 2],
    [3, 4],
    [5, 6],
  ])
  gate.resolve()
  await working
  expect(parts).toEqual([[1, 2], [3, 4], [5, 6], [7]])
})

it('after a part has failed no other starts, and those in flight end before the error is thrown', async () => {
  const steps: string[] = []
  const under = new Map<number, PromiseWithResolvers<void>>()
  const working = inParts(
    [1, 2, 3, 4, 5],
    async ([part = 0]) => {
      const work = Promise.withResolvers<void>()
      under.set(part, work)
      await work.promise
      steps.push(`ended ${part}`)
    },
    1,
  ).finally(() => steps.push('rejected'))
  const rejection = expect(working).rejects.toThrow('part 2 failed')
  await expect.poll(() => [...under.keys()]).toEqual([1, 2, 3])
  under.get(2)?.reject(new Error('part 2 failed'))
  await turns()
  expect(steps).toEqual([])
  under.get(1)?.resolve()
  under.get(3)?.reject(new Error('the transaction is aborted'))
  await rejection
  expect(steps).toEqual(['ended 1', 'rejected'])
  expect([...under.keys()]).toEqual([1, 2, 3])
})
