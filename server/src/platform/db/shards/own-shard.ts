/**
 * A database handle whose transactions use the tables of one shard directly (`address.ts`). Citus does not see
 * these writes, so the transaction takes the lock that Citus' own writes take, which prevents the shard from
 * moving, and then checks that the shard is on this node. If it has just moved, the transaction goes through Citus.
 */
import { BoundedCache } from '../../bounded-cache.ts'
import { CopyReader } from '../copy/copy-out.ts'
import { type Db, isDivisionByZero, withWrappedClients } from '../database.ts'
import type { NamedClient } from '../handles.ts'
import { type Ahead, failedAhead } from '../statement.ts'
import { addressToShard, type ShardTables } from './address.ts'

export type OwnShard = {
  /** Shard id of any of the tables; they are colocated and move together. */
  id: string
  tables: ShardTables
  onMoved(): void
}

const MAX_CACHED_STATEMENTS = 2000
/** PostgreSQL's lock mode number. A moving shard is locked exclusively. */
const SHARE_LOCK = 5

const LOCK_SHARD = `select lock_shard_metadata(${SHARE_LOCK}, array[$1::bigint])`
/** Queried after taking the lock, so that it sees a committed move. */
const placement = `from pg_dist_placement where shardid = $1::bigint and groupid = (select groupid from pg_dist_local_group)`
const SHARD_IS_LOCAL = `select 1 ${placement}`
/** An error aborts the later statements of the same message. */
const FAIL_UNLESS_LOCAL = `select 1 / count(*) ${placement}`

/** A snapshot taken before the lock does not see that the shard moved. That is safe only for read-only transactions. */
const isWritableSnapshot = (begin: string) => /isolation/i.test(begin) && !/read only/i.test(begin)

/** The shard was not on the expected node; the locations are reloaded. */
export class ShardMovedError extends Error {
  override name = 'ShardMovedError'
}

/** With `isAlone` statements never go through Citus, which would affect the profiles of all shards. */
export function openShard(
  db: Db,
  shard: OwnShard,
  { limitMs, isAlone = false }: { limitMs?: number; isAlone?: boolean } = {},
): Db {
  const addressed = new BoundedCache<string, string>(MAX_CACHED_STATEMENTS)
  const hold: Ahead = { name: 'hold_shard', text: LOCK_SHARD, values: [shard.id] }
  const check: Ahead = { name: 'check_shard', text: FAIL_UNLESS_LOCAL, values: [shard.id] }

  function wrap(client: NamedClient): NamedClient {
    let isOpen = false
    let isLocal = false

    async function begin(text: string) {
      try {
        const { rows } = await client.query(
          SHARD_IS_LOCAL,
          [shard.id],
          [{ name: '', text, values: [] }, hold],
        )
        isLocal = rows.length > 0 && !isWritableSnapshot(text)
        if (!isLocal) shard.onMoved()
        if (!isLocal && isAlone) throw new ShardMovedError(`Shard ${shard.id} is not on this node`)
      } catch (error) {
        await undo()
        throw error
      }
    }
    const undo = () => client.query('rollback', []).catch(() => {})
    function toShardText(text: string): string {
      if (!isLocal) return text
      const shardText = addressOf(text)
      if (isAlone && shardText === text && /^\s*(select|with|insert|update|delete)\b/i.test(text))
        throw new Error(`Statement is not limited to one shard: ${text}`)
      return shardText
    }

    const addressOf = (text: string) => addressed.recall(text, () => addressToShard(text, shard.tables))

    /** Most statements are their own transaction: one message instead of three. */
    async function alone(text: string, parameters: unknown[]) {
      const shardText = addressOf(text)
      if (shardText === text || parameters[0] instanceof CopyReader) return inOwnTransaction(text, parameters)
      try {
        return await client.query(shardText, parameters, [hold, check])
      } catch (error) {
        if (failedAhead(error) && isDivisionByZero(error)) return inOwnTransaction(text, parameters)
        throw error
      }
    }

    async function inOwnTransaction(text: string, parameters: unknown[]) {
      await begin('begin')
      try {
        const result = await client.query(toShardText(text), parameters)
        await client.query('commit', [])
        return result
      } catch (error) {
        await undo()
        throw error
      }
    }

    return {
      async query(text, parameters) {
        if (/^(begin|start transaction)\b/i.test(text)) {
          await begin(text)
          isOpen = true
          return { command: 'BEGIN', rowCount: null, oid: 0, fields: [], rows: [] }
        }
        if (!isOpen) return alone(text, parameters)
        if (/^(commit|rollback)$/i.test(text)) isOpen = false
        return client.query(toShardText(text), parameters)
      },
      release: (error) => client.release(error),
    }
  }

  return withWrappedClients(db, wrap, { limitMs, isShard: true })
}
