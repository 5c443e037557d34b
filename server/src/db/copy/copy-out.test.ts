import { Socket } from 'node:net'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { openDatabase, withConnection } from '../database.ts'
import { CopyWriter } from './copy-in.ts'
import { CopyOut, readBigint, readCopy } from './copy-out.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const connected = <T>(work: (client: pg.PoolClient) => Promise<T>) =>
  withConnection(app.service.db, (_, client) => work(client))
const numbers = (count: number) =>
  `copy (select n::bigint, nullif(repeat('x', n % 700), '') from generate_series(1, ${count}) n) to stdout (format binary)`
const isFree = async (client: pg.PoolClient) => {
  const { rows } = await client.query<{ one: number }>('select 1 as one')
  expect(rows).toEqual([{ one: 1 }])
}

it('reads every row whole, however the bytes arrive, and leaves the connection to the driver', async () => {
  await connected(async (client) => {
    for (const count of [0, 1, 20_000]) {
      const found: number[] = []
      await readCopy(client, numbers(count), 2, ({ view, at, size }) => {
        const n = readBigint(view, at[0]!)
        expect(size[1]).toBe(n % 700 === 0 ? -1 : n % 700)
        found.push(n)
      })
      expect(found).toEqual(Array.from({ length: count }, (_, index) => index + 1))
      await isFree(client)
    }
  })
})

it('reads the same from a socket of the driver’s own, as a secured connection has', async () => {
  const { pool, close } = openDatabase({ ...app.pool.options, stream: () => new Socket() })
  try {
    const client = await pool.connect()
    let sum = 0
    await readCopy(client, numbers(5000), 2, ({ view, at }) => {
      sum += readBigint(view, at[0]!)
    })
    expect(sum).toBe((5000 * 5001) / 2)
    await isFree(client)
    client.release()
  } finally {
    await close()
  }
})

it('waits for a reader who takes their time, without losing a row', async () => {
  await connected(async (client) => {
    const copy = new CopyOut(client, numbers(20_000), 2)
    let count = 0
    do {
      while (copy.next()) count += 1
      await new Promise((resolve) => setImmediate(resolve))
    } while (await copy.more())
    expect(count).toBe(20_000)
    await isFree(client)
  })
})

it('throws what the database says in the middle of the rows, and what the reader throws', async () => {
  await connected(async (client) => {
    await client.query('savepoint before')
    const failing = `copy (select n::bigint, (1 / (5000 - n))::text from generate_series(1, 9000) n) to stdout (format binary)`
    await expect(readCopy(client, failing, 2, () => {})).rejects.toThrow('division by zero')
    await client.query('rollback to before')
    const refuse = () => {
      throw new Error('refused')
    }
    await expect(readCopy(client, numbers(9000), 2, refuse)).rejects.toThrow('refused')
    await isFree(client)
  })
})

it('leaves the table as it was when a writer gives up', async () => {
  await connected(async (client) => {
    await client.query('create temporary table written (n bigint)')
    await client.query('savepoint before')
    const writer = new CopyWriter(client, 'copy written from stdin (format binary)')
    writer.beginRow(1)
    writer.bigint(7)
    await writer.flush()
    await writer.abort(new Error('given up'))
    await client.query('rollback to before')
    const { rows } = await client.query('select n from written')
    expect(rows).toEqual([])
  })
})
