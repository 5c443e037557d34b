/**
 * Every node has a copy of each reference table. A question about these alone is put to the copy itself: through Citus
 * "whose key is this" costs 2.3 ms of a worker's CPU, a tenth of that this way. Only statements that are a transaction
 * of their own: what a transaction has written through Citus it reads through Citus.
 */
import { BoundedCache } from '../../bounded-cache.ts'
import { type Db, withWrappedClients } from '../database.ts'
import type { NamedClient } from '../handles.ts'
import { addressToShard, type ShardTables } from './address.ts'

const MAX_REMEMBERED = 2000

export function readingCopies(db: Db, tables: ShardTables, limitMs?: number): Db {
  const addressed = new BoundedCache<string, string>(MAX_REMEMBERED)

  function wrap(client: NamedClient): NamedClient {
    let isOpen = false
    return {
      query(text, given) {
        if (/^(begin|start transaction)\b/i.test(text)) isOpen = true
        else if (/^(commit|rollback)$/i.test(text)) isOpen = false
        else if (!isOpen)
          return client.query(
            addressed.recall(text, () => addressToShard(text, tables)),
            given,
          )
        return client.query(text, given)
      },
      release: (error) => client.release(error),
    }
  }

  return withWrappedClients(db, wrap, { limitMs })
}
