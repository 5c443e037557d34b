import type pg from 'pg'
import { CopyReader } from './copy/copy-out.ts'
import type { NamedClient } from './handles.ts'

const readOnlyBegin = /^start transaction .*read only$/i
const done = (command: string): pg.QueryResult => ({ command, rowCount: null, oid: 0, fields: [], rows: [] })

/** A transaction that only reads begins in the message of its first statement: its moment is that statement's either way. */
export function beginningAhead(client: NamedClient): NamedClient {
  let begin: string | undefined
  return {
    async query(text, given, ahead) {
      if (readOnlyBegin.test(text)) {
        begin = text
        return done('START')
      }
      if (begin === undefined) return client.query(text, given, ahead)
      const waiting = begin
      begin = undefined
      if (/^(commit|rollback)$/i.test(text)) return done(text.toUpperCase())
      if (!(given[0] instanceof CopyReader))
        return client.query(text, given, [{ name: '', text: waiting, values: [] }, ...(ahead ?? [])])
      await client.query(waiting, [])
      return client.query(text, given)
    },
    release: (error) => client.release(error),
  }
}
