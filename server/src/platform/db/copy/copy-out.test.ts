import { EventEmitter } from 'node:events'
import { Socket } from 'node:net'
import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/app.ts'
import { isDatabaseUnavailable, openDatabase, withConnection, withTimeLimit } from '../database.ts'
import { CopyWriter } from './copy-in.ts'
import { readCopyIn } from './copy-in-transaction.ts'
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

it('reads complete rows however the bytes are chunked, and returns the connection to the driver', async () => {
  await connected(async (client) => {
    for (const count of [0, 1, 20_000]) {
      const numbersRead: number[] = []
      await readCopy(client, numbers(count), 2, ({ view, at, size }) => {
        const n = readBigint(view, at[0]!)
        expect(size[1]).toBe(n % 700 === 0 ? -1 : n % 700)
        numbersRead.push(n)
      })
      expect(numbersRead).toEqual(Array.from({ length: count }, (_, index) => index + 1))
      await isFree(client)
    }
  })
})

it('reads the same from the driver’s own socket, as used for TLS', async () => {
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

it('waits for a slow reader without losing rows', async () => {
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

it('throws errors of the database in the middle of the rows, and errors of the reader', async () => {
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

it('leaves the table unchanged if a writer aborts', async () => {
  await connected(async (client) => {
    await client.query('create temporary table written (n bigint) on commit drop')
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

/** More than fits into all blocks of a writer. */
const MANY = 120_000

async function writeNumbers(client: pg.PoolClient, count: number): Promise<void> {
  const writer = new CopyWriter(client, 'copy written from stdin (format binary)')
  for (let n = 0; n < count; n++) {
    writer.beginRow(1)
    writer.bigint(n)
    if (writer.isFull) await writer.flush()
  }
  await writer.end()
}

it('writes every row once, even if blocks are reused many times', async () => {
  await connected(async (client) => {
    await client.query('create temporary table written (n bigint) on commit drop')
    await writeNumbers(client, MANY)
    const { rows } = await client.query(
      'select count(*)::int, count(distinct n)::int as different, min(n)::int, max(n)::int from written',
    )
    expect(rows).toEqual([{ count: MANY, different: MANY, min: 0, max: MANY - 1 }])
  })
})

it('throws errors of the database during writing, and the connection can be reused', async () => {
  await connected(async (client) => {
    await client.query('create temporary table written (n bigint check (n < 500)) on commit drop')
    await client.query('savepoint before')
    await expect(writeNumbers(client, MANY)).rejects.toThrow('violates check constraint')
    await client.query('rollback to before')
    await client.query('savepoint before')
    await client.query('drop table written')
    await expect(writeNumbers(client, 1)).rejects.toThrow('does not exist')
    await client.query('rollback to before')
    await isFree(client)
  })
})

it('reads in a transaction the rows visible to it', async () => {
  const numbersRead: number[] = []
  await app.service.db.transaction().execute(async (tx) => {
    await sql`create temporary table seen on commit drop as select 7::bigint as n`.execute(tx)
    await readCopyIn(tx, 'copy (select n from seen) to stdout (format binary)', 1, ({ view, at }) => {
      numbersRead.push(readBigint(view, at[0]!))
    })
    const { rows } = await sql<{ n: number }>`select n from seen`.execute(tx)
    numbersRead.push(rows[0]!.n)
  })
  expect(numbersRead).toEqual([7, 7])
})

it('in a transaction stops at the statement timeout and closes the connection', async () => {
  const { db, pool, close } = openDatabase({ ...app.pool.options, max: 1 })
  const slow = `copy (select n::bigint, pg_sleep(0.1)::text from generate_series(1, 100) n) to stdout (format binary)`
  try {
    const reading = withTimeLimit(db, 100)
      .transaction()
      .execute((tx) => readCopyIn(tx, slow, 2, () => {}))
    await expect(reading).rejects.toSatisfy(isDatabaseUnavailable)
    expect(pool.totalCount).toBe(0)
  } finally {
    await close()
  }
})

it('in a transaction an error of the reader ends the read immediately and closes the connection', async () => {
  const { db, pool, close } = openDatabase({ ...app.pool.options, max: 1 })
  try {
    let rows = 0
    const refuse = () => {
      rows += 1
      throw new Error('refused')
    }
    const reading = db.transaction().execute((tx) => readCopyIn(tx, numbers(9000), 2, refuse))
    await expect(reading).rejects.toThrow('refused')
    expect({ rows, open: pool.totalCount }).toEqual({ rows: 1, open: 0 })
    const failing = 'copy (select 1 / (3 - n) from generate_series(1, 9) n) to stdout (format binary)'
    const failed = db.transaction().execute((tx) => readCopyIn(tx, failing, 1, () => {}))
    await expect(failed).rejects.toThrow('division by zero')
    expect(pool.idleCount).toBe(1)
    const unread = withConnection(db, (tx) => readCopyIn(tx, numbers(9000), 2, refuse))
    await expect(unread).rejects.toThrow('refused')
    expect(pool.totalCount).toBe(0)
  } finally {
    await close()
  }
})

/** A connection with scripted responses: rows of one number each, starting at 0. */
function scriptedClient(): { client: pg.PoolClient; send(rows: number): void; end(): void } {
  const stream = Object.assign(new EventEmitter(), { pause() {}, resume() {} })
  let sent = 0
  const message = (kind: string, body: Buffer) => {
    const head = Buffer.alloc(5)
    head.write(kind)
    head.writeInt32BE(body.length + 4, 1)
    return Buffer.concat([head, body])
  }
  const row = () => {
    const begin = sent === 0 ? 19 : 0
    const bytes = Buffer.alloc(begin + 10)
    bytes.writeInt16BE(1, begin)
    bytes.writeInt32BE(4, begin + 2)
    bytes.writeInt32BE(sent++, begin + 6)
    return message('d', bytes)
  }
  return {
    client: {
      query(copy: CopyOut) {
        stream.on('data', () => copy.handleReadyForQuery())
        copy.submit({ stream, query() {} } as unknown as pg.Connection)
      },
    } as unknown as pg.PoolClient,
    send: (rows) => void stream.emit('data', Buffer.concat(Array.from({ length: rows }, row))),
    end: () => void stream.emit('data', message('C', Buffer.alloc(0))),
  }
}

it('yields to other work between rows of one chunk', async () => {
  let turns = 0
  let next: NodeJS.Immediate
  const take = () => {
    turns += 1
    next = setImmediate(take)
  }
  take()
  const turnsAt: number[] = []
  const { client, send, end } = scriptedClient()
  const reading = readCopy(client, '', 1, ({ view, at }) => {
    const n = view.getInt32(at[0]!)
    if (n % 5000 === 0) turnsAt.push(turns)
  })
  send(20_000)
  end()
  await reading
  clearImmediate(next!)
  expect(turnsAt.length).toBe(4)
  expect(new Set(turnsAt).size).toBe(4)
})

it('may take longer than the limit while rows arrive, but fails if none arrive for that long', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const { client, send } = scriptedClient()
    let rows = 0
    const reading = new CopyOut(client, '', 1).readAll(() => void rows++, 100)
    reading.catch(() => {})
    for (let piece = 1; piece <= 5; piece++) {
      send(1)
      await new Promise(setImmediate)
      expect(rows).toBe(piece)
      await vi.advanceTimersByTimeAsync(90)
    }
    await vi.advanceTimersByTimeAsync(20)
    await expect(reading).rejects.toThrow('Query read timeout')
    expect(rows).toBe(5)
  } finally {
    vi.useRealTimers()
  }
})
