/**
 * A database of which each transaction speaks to the tables of one shard (`address.ts`). Citus does not see what is
 * written there, so the transaction takes the lock that Citus' own writes take, which keeps the shard where it is, and
 * then looks whether it is here. Where it is not, because it has just moved, the transaction goes through Citus.
 */
import { BoundedCache } from '../../bounded-cache.ts'
import { CopyReader } from '../copy/copy-out.ts'
import { type Db, isDivisionByZero, withWrappedClients } from '../database.ts'
import type { NamedClient } from '../handles.ts'
import { type Ahead, failedAhead } from '../statement.ts'
import { addressToShard, type ShardTables } from './address.ts'

export type OwnShard = {
  /** Of any of the tables; they lie together, and move together. */
  id: string
  tables: ShardTables
  onMoved(): void
}

const MAX_REMEMBERED = 2000
/** PostgreSQL's number for it. A shard that moves is locked exclusively. */
const SHARE_LOCK = 5

const HOLD = `select lock_shard_metadata(${SHARE_LOCK}, array[$1::bigint])`
/** Asked after the lock is given, so that it sees a move that was committed before. */
const placement = `from pg_dist_placement where shardid = $1::bigint and groupid = (select groupid from pg_dist_local_group)`
const HERE = `select 1 ${placement}`
/** An error ends what follows in the same message. */
const FAIL_UNLESS_HERE = `select 1 / count(*) ${placement}`

/** A snapshot from before the lock does not see that the shard moved. Who only reads it reads the shard as it was then. */
const mayWriteWhatItSawBefore = (begin: string) => /isolation/i.test(begin) && !/read only/i.test(begin)

/** The shard was not where it was looked for; the map is looked up again. */
export class ShardMovedError extends Error {
  override name = 'ShardMovedError'
}

/** With `isAlone` nothing goes through Citus, which would answer for the profiles of all shards. */
export function openShard(
  db: Db,
  shard: OwnShard,
  { limitMs, isAlone = false }: { limitMs?: number; isAlone?: boolean } = {},
): Db {
  const addressed = new BoundedCache<string, string>(MAX_REMEMBERED)
  const hold: Ahead = { name: 'hold_shard', text: HOLD, values: [shard.id] }
  const check: Ahead = { name: 'check_shard', text: FAIL_UNLESS_HERE, values: [shard.id] }

  function wrap(client: NamedClient): NamedClient {
    let isOpen = false
    let isHere = false

    async function begin(text: string) {
      try {
        const { rows } = await client.query(HERE, [shard.id], [{ name: '', text, values: [] }, hold])
        isHere = rows.length > 0 && !mayWriteWhatItSawBefore(text)
        if (!isHere) shard.onMoved()
        if (!isHere && isAlone) throw new ShardMovedError(`Shard ${shard.id} is not on this node`)
      } catch (error) {
        await undo()
        throw error
      }
    }
    const undo = () => client.query('rollback', []).catch(() => {})
    function put(text: string): string {
      if (!isHere) return text
      const own = addressOf(text)
      if (isAlone && own === text && /^\s*(select|with|insert|update|delete)\b/i.test(text))
        throw new Error(`Not a question of one shard: ${text}`)
      return own
    }

    const addressOf = (text: string) => addressed.recall(text, () => addressToShard(text, shard.tables))

    /** Most statements are a transaction of their own: one message instead of three. */
    async function alone(text: string, given: unknown[]) {
      const own = addressOf(text)
      if (own === text || given[0] instanceof CopyReader) return inOwnTransaction(text, given)
      try {
        return await client.query(own, given, [hold, check])
      } catch (error) {
        if (failedAhead(error) && isDivisionByZero(error)) return inOwnTransaction(text, given)
        throw error
      }
    }

    async function inOwnTransaction(text: string, given: unknown[]) {
      await begin('begin')
      try {
        const result = await client.query(put(text), given)
        await client.query('commit', [])
        return result
      } catch (error) {
        await undo()
        throw error
      }
    }

    return {
      async query(text, given) {
        if (/^(begin|start transaction)\b/i.test(text)) {
          await begin(text)
          isOpen = true
          return { command: 'BEGIN', rowCount: null, oid: 0, fields: [], rows: [] }
        }
        if (!isOpen) return alone(text, given)
        if (/^(commit|rollback)$/i.test(text)) isOpen = false
        return client.query(put(text), given)
      },
      release: (error) => client.release(error),
    }
  }

  return withWrappedClients(db, wrap, { limitMs, isShard: true })
}
