/** Limits for the ingest benchmarks: a bare HTTP server, and one that commits a row per request in groups. */
import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { OpenDatabase } from '@whence/server/platform/db/database.ts'
import type { Result } from './sender.ts'

type Sending = (url: string) => Promise<Result>

async function serve(listener: RequestListener, sending: Sending): Promise<Result> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await sending(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  } finally {
    server.close()
  }
}

/** Reads the body and responds. */
export function bareHttp(sending: Sending): Promise<Result> {
  return serve((request, response) => {
    request.resume()
    request.on('end', () => response.writeHead(202, { 'content-length': 2 }).end('{}'))
  }, sending)
}

/** Inserts one row per request, all waiting requests in one transaction; responds after the commit. */
export async function bareGroupCommit(pool: OpenDatabase['pool'], sending: Sending): Promise<Result> {
  await pool.query('create table bare_commits (id uuid primary key, body text not null)')
  let waiting: { body: string; answer: () => void }[] = []
  let writing = false
  const write = async () => {
    writing = true
    while (waiting.length > 0) {
      const group = waiting
      waiting = []
      await pool.query({
        name: 'bare',
        text: 'insert into bare_commits select * from unnest($1::uuid[], $2::text[])',
        values: [group.map(() => randomUUID()), group.map((entry) => entry.body)],
      })
      for (const entry of group) entry.answer()
    }
    writing = false
  }
  try {
    return await serve((request, response) => {
      let body = ''
      request.setEncoding('utf8')
      request.on('data', (part) => {
        body += part
      })
      request.on('end', () => {
        waiting.push({ body, answer: () => response.writeHead(202, { 'content-length': 2 }).end('{}') })
        if (!writing) void write()
      })
    }, sending)
  } finally {
    await pool.query('drop table bare_commits')
  }
}
