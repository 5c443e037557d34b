import type pg from 'pg'
import { CopyReader } from './copy/copy-out.ts'
import type { NamedClient } from './handles.ts'

const readOnlyBegin = /^start transaction .*read only$/i
const done = (command: string): pg.QueryResult => ({ command, rowCount: null, oid: 0, fields: [], rows: [] })

/** Sends the BEGIN of a read-only transaction together with its first statement, which saves a round trip. The snapshot is
 * taken by that statement in either case. */
export function withDeferredBegin(client: NamedClient): NamedClient {
  let begin: string | undefined
  return {
    async query(text, parameters, ahead) {
      if (readOnlyBegin.test(text)) {
        begin = text
        return done('START')
      }
      if (begin === undefined) return client.query(text, parameters, ahead)
      const waiting = begin
      begin = undefined
      if (/^(commit|rollback)$/i.test(text)) return done(text.toUpperCase())
      if (!(parameters[0] instanceof CopyReader))
        return client.query(text, parameters, [{ name: '', text: waiting, values: [] }, ...(ahead ?? [])])
      await client.query(waiting, [])
      return client.query(text, parameters)
    },
    release: (error) => client.release(error),
  }
}
