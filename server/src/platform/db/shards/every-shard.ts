/**
 * Runs work over all profiles. Through Citus it would fail completely while any node is down; so it runs per shard,
 * nodes in parallel, and a node that is down delays only its own work.
 */
import { type Db, isDatabaseUnavailable } from '../database.ts'
import type { DataNode, DataPart, Nodes } from '../nodes.ts'
import { ShardMovedError } from './own-shard.ts'

/** `work` gets a database with the profiles of one shard only. */
export async function onEveryShard(
  nodes: Nodes,
  work: (db: Db) => Promise<void>,
  onUnavailable: (error: unknown, node: DataNode) => void,
): Promise<void> {
  async function onNode(node: DataNode, parts: readonly DataPart[]): Promise<void> {
    for (const { db } of parts)
      try {
        await work(db)
      } catch (error) {
        // A shard that has just moved is handled by the next run.
        if (error instanceof ShardMovedError) continue
        if (!nodes.isDistributed || !isDatabaseUnavailable(error)) throw error
        return onUnavailable(error, node)
      }
  }
  const byNode = Map.groupBy(nodes.parts(), ({ node }) => node)
  const results = await Promise.allSettled(Array.from(byNode, ([node, parts]) => onNode(node, parts)))
  for (const result of results) if (result.status === 'rejected') throw result.reason
}
