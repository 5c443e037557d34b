/**
 * Work that goes through all profiles. Asked through Citus it would fail for all of them while any node is away; so it
 * is done on each shard by itself, nodes in parallel, and a node that is away keeps only its own work waiting.
 */
import { type Db, isDatabaseUnavailable } from '../database.ts'
import type { DataNode, DataPart, Nodes } from '../nodes.ts'
import { ShardMovedError } from './own-shard.ts'

/** `work` gets a database in which only the profiles of one shard are. */
export async function onEveryShard(
  nodes: Nodes,
  work: (db: Db) => Promise<void>,
  onAway: (error: unknown, node: DataNode) => void,
): Promise<void> {
  async function onNode(node: DataNode, parts: readonly DataPart[]): Promise<void> {
    for (const { db } of parts)
      try {
        await work(db)
      } catch (error) {
        // A shard that has just moved is looked at next time.
        if (error instanceof ShardMovedError) continue
        if (!nodes.isDistributed || !isDatabaseUnavailable(error)) throw error
        return onAway(error, node)
      }
  }
  const byNode = Map.groupBy(nodes.parts(), ({ node }) => node)
  const ended = await Promise.allSettled(Array.from(byNode, ([node, parts]) => onNode(node, parts)))
  for (const end of ended) if (end.status === 'rejected') throw end.reason
}
